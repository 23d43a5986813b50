//! Pages by the tree that the parser of the HTML standard builds: for all that the scanner can't read.

use super::field_value::{Attributes, collapsed, sanitized};
use super::{DocumentAddress, FieldEntry, FormCoding, FormEntry, LinkEntry, Page, Span};
use crate::tree::{Id, Tree};
use crate::{Catalogue, Encoding, Method};
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) fn read(html: &str, place: DocumentAddress<'_>, catalogue: &Catalogue) -> Page {
    let tree = Tree::parse(html);
    let elements = tree.elements();
    let base =
        elements.iter().find_map(|id| tree.attribute(*id, "href").filter(|_| tree.name(*id) == "base"));
    let place = match base {
        Some(base) => place.with_base(base),
        None => place,
    };
    let mut reader = Reader { tree: &tree, place, catalogue, page: Page::default() };
    for id in &elements {
        reader.element(*id);
        if reader.page.exceeds() {
            return Page::too_large();
        }
    }
    reader.forms(&elements);
    if reader.page.exceeds() {
        return Page::too_large();
    }
    reader.page.shrink();
    reader.page
}

struct Reader<'t> {
    tree: &'t Tree,
    place: DocumentAddress<'t>,
    catalogue: &'t Catalogue,
    page: Page,
}

struct Element<'t>(&'t Tree, Id);

impl Attributes for Element<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.0.attribute(self.1, name).map(Cow::from)
    }
}

/// An entry of the list that a form submits.
struct Entry<'t> {
    name: Cow<'t, str>,
    value: Cow<'t, str>,
    is_visible: bool,
    is_file: bool,
    /// The element whose limits apply.
    field: Id,
    options: Vec<String>,
}

impl<'t> Reader<'t> {
    fn element(&mut self, id: Id) {
        let tree = self.tree;
        let get = |name: &str| tree.attribute(id, name);
        match tree.name(id) {
            "a" | "area" => self.link(get("href")),
            "img" | "script" => self.embed(get("src")),
            "input" if self.kind(id) == "image" => self.embed(get("src")),
            "link" if has_word(get("rel"), "stylesheet") => self.embed(get("href")),
            "data"
                if get("class").is_some_and(|classes| {
                    classes.split_ascii_whitespace().any(|one| one == "acknowledged")
                }) =>
            {
                self.page.acknowledged = get("value").and_then(|value| value.trim().parse().ok());
            }
            _ => {}
        }
    }

    fn link(&mut self, href: Option<&str>) {
        let Some(href) = href.filter(|href| !href.trim_start().starts_with('#')) else { return };
        if let Some((to, query)) = self.page.interaction(&self.place, self.catalogue, href) {
            self.page.links.push(LinkEntry { to, query });
        }
    }

    fn embed(&mut self, reference: Option<&str>) {
        if let Some(reference) = reference.filter(|_| self.catalogue.embedded) {
            self.page.embed(&self.place, reference);
        }
    }

    /// Each form as it is submitted by its first button, and by those that lead elsewhere.
    fn forms(&mut self, elements: &[Id]) {
        let by_name = self.forms_by_id(elements);
        let mut controls: HashMap<Id, Vec<Id>> = HashMap::new();
        for id in elements.iter().copied().filter(|id| is_control(self.tree.name(*id))) {
            if let Some(form) = self.owner(id, &by_name) {
                controls.entry(form).or_default().push(id);
            }
        }
        for form in elements.iter().copied().filter(|id| self.tree.name(*id) == "form") {
            let controls = controls.remove(&form).unwrap_or_default();
            let buttons = controls.iter().copied().filter(|id| self.is_submit(*id) && !self.is_disabled(*id));
            let buttons: Vec<Id> = buttons.collect();
            self.submission(form, &controls, buttons.first().copied());
            for button in
                buttons.iter().skip(1).filter(|id| self.tree.attribute(**id, "formaction").is_some())
            {
                self.submission(form, &controls, Some(*button));
            }
        }
    }

    fn forms_by_id(&self, elements: &[Id]) -> HashMap<&'t str, Option<Id>> {
        let mut known = HashMap::new();
        for id in elements {
            if let Some(name) = self.tree.attribute(*id, "id") {
                known.entry(name).or_insert((self.tree.name(*id) == "form").then_some(*id));
            }
        }
        known
    }

    fn owner(&self, id: Id, forms: &HashMap<&str, Option<Id>>) -> Option<Id> {
        if let Some(name) = self.tree.attribute(id, "form") {
            return forms.get(name).copied().flatten();
        }
        let around = || self.tree.above(id).find(|above| self.tree.name(*above) == "form");
        self.tree.form(id).or_else(around)
    }

    /// Records what a form submits by a button, if that leads to an interaction.
    fn submission(&mut self, form: Id, controls: &[Id], button: Option<Id>) {
        let tree = self.tree;
        let get = |by_button: &str, by_form: &str| {
            let own = button.and_then(|button| tree.attribute(button, by_button));
            own.or_else(|| tree.attribute(form, by_form)).unwrap_or_default()
        };
        let method = get("formmethod", "method");
        if method.eq_ignore_ascii_case("dialog") {
            return;
        }
        let method = if method.eq_ignore_ascii_case("post") { Method::Post } else { Method::Get };
        let coding = match get("formenctype", "enctype").to_ascii_lowercase().as_str() {
            _ if method == Method::Get => FormCoding::Urlencoded,
            "multipart/form-data" => FormCoding::Multipart,
            "text/plain" => FormCoding::PlainText,
            _ => FormCoding::Urlencoded,
        };
        let encoding = self.encoding(form);
        let Some((to, query)) = self.target(get("formaction", "action")) else { return };
        let first = self.page.fields.len() as u32;
        for id in controls {
            // Each button repeats the fields of its form.
            if self.page.exceeds() {
                return;
            }
            for entry in self.entries(*id, button, encoding) {
                self.record(&entry);
            }
        }
        let fields = first..self.page.fields.len() as u32;
        self.page.forms.push(FormEntry { to, method, coding, encoding, query, fields });
    }

    fn target(&mut self, action: &str) -> Option<(crate::InteractionId, Span)> {
        if !action.is_empty() {
            return self.page.interaction(&self.place, self.catalogue, action);
        }
        let found = self.place.document();
        let to = self.catalogue.by_path(&found.path)?;
        Some((to, self.page.keep(&found.query)))
    }

    /// The encoding of a form's fields: the first known one of `accept-charset`, or the document's.
    fn encoding(&self, form: Id) -> Option<&'static Encoding> {
        let labels = self.tree.attribute(form, "accept-charset").unwrap_or_default();
        let accepted =
            labels.split_ascii_whitespace().find_map(|label| Encoding::for_label(label.as_bytes()));
        let accepted = accepted.map(Encoding::output_encoding);
        accepted.map_or(self.place.encoding, |accepted| {
            Some(accepted).filter(|found| *found != encoding_rs::UTF_8)
        })
    }

    /// The standard's "constructing the entry list", for one control.
    fn entries(&self, id: Id, button: Option<Id>, encoding: Option<&'static Encoding>) -> Vec<Entry<'t>> {
        let tree = self.tree;
        let get = |name: &str| tree.attribute(id, name);
        let (element, kind) = (tree.name(id), self.kind(id));
        let is_button = element == "button"
            || ["submit", "image", "reset", "button"].contains(&&*kind) && element == "input";
        let is_unticked =
            element == "input" && ["checkbox", "radio"].contains(&&*kind) && !self.is_ticked(id);
        let is_listed = tree.above(id).any(|above| tree.name(above) == "datalist");
        if is_listed || self.is_disabled(id) || is_button && button != Some(id) || is_unticked {
            return Vec::new();
        }
        let name = get("name").unwrap_or_default();
        if element == "input" && kind == "image" {
            let prefix = if name.is_empty() { String::new() } else { format!("{name}.") };
            return ["x", "y"]
                .map(|axis| Entry::fixed(id, format!("{prefix}{axis}").into(), "0".into()))
                .into();
        }
        if name.is_empty() {
            return Vec::new();
        }
        let is_editable = get("readonly").is_none();
        let mut entries = match (element, &*kind) {
            ("select", _) => self.selected(id, name),
            ("textarea", _) => vec![Entry {
                is_visible: is_editable,
                ..Entry::fixed(id, name.into(), self.typed(id).into())
            }],
            ("button", _) | ("input", "submit") => {
                vec![Entry::fixed(id, name.into(), get("value").unwrap_or_default().into())]
            }
            (_, "checkbox" | "radio") => {
                vec![Entry::fixed(id, name.into(), get("value").unwrap_or("on").into())]
            }
            (_, "file") => vec![Entry { is_file: true, ..Entry::fixed(id, name.into(), "".into()) }],
            (_, "hidden") if name.eq_ignore_ascii_case("_charset_") => {
                vec![Entry::fixed(id, name.into(), encoding.unwrap_or(encoding_rs::UTF_8).name().into())]
            }
            (_, "hidden") => vec![Entry::fixed(id, name.into(), get("value").unwrap_or_default().into())],
            (_, kind) => {
                let value = sanitized(kind, get("value").unwrap_or_default().into(), &Element(tree, id));
                vec![Entry { is_visible: is_editable, ..Entry::fixed(id, name.into(), value) }]
            }
        };
        let has_direction = element == "textarea"
            || ["text", "search", "hidden", "tel", "url", "email", "password", "submit"].contains(&&*kind);
        if let Some(direction) = get("dirname").filter(|name| has_direction && !name.is_empty()) {
            entries.push(Entry::fixed(id, direction.into(), "ltr".into()));
        }
        entries
    }

    /// The state of a type attribute: a type that the standard does not know is the default.
    fn kind(&self, id: Id) -> Cow<'static, str> {
        const INPUTS: [&str; 22] = [
            "hidden",
            "text",
            "search",
            "tel",
            "url",
            "email",
            "password",
            "date",
            "month",
            "week",
            "time",
            "datetime-local",
            "number",
            "range",
            "color",
            "checkbox",
            "radio",
            "file",
            "submit",
            "image",
            "reset",
            "button",
        ];
        let (known, usual): (&[&str], _) = match self.tree.name(id) {
            "input" => (&INPUTS, "text"),
            "button" => (&["submit", "reset", "button"], "submit"),
            _ => (&[], ""),
        };
        let written = self.tree.attribute(id, "type").unwrap_or_default();
        let found = known.iter().find(|known| known.eq_ignore_ascii_case(written));
        Cow::Borrowed(found.copied().unwrap_or(usual))
    }

    fn is_submit(&self, id: Id) -> bool {
        match self.tree.name(id) {
            "input" => ["submit", "image"].contains(&&*self.kind(id)),
            "button" => self.kind(id) == "submit",
            _ => false,
        }
    }

    /// True if a control is disabled, itself or by a fieldset in whose first legend it is not.
    fn is_disabled(&self, id: Id) -> bool {
        if self.tree.attribute(id, "disabled").is_some() {
            return true;
        }
        let mut below = id;
        self.tree.above(id).any(|above| {
            let child = std::mem::replace(&mut below, above);
            let mut legends = self.tree.children(above).iter().filter(|id| self.tree.name(**id) == "legend");
            let is_in_legend = legends.next() == Some(&child);
            self.tree.name(above) == "fieldset"
                && self.tree.attribute(above, "disabled").is_some()
                && !is_in_legend
        })
    }

    /// True if a box is ticked: of radio buttons of one name in a form, the last one that is written so.
    fn is_ticked(&self, id: Id) -> bool {
        let get = |id: Id, name: &str| self.tree.attribute(id, name);
        if get(id, "checked").is_none() || self.kind(id) != "radio" {
            return get(id, "checked").is_some();
        }
        let top = self.tree.above(id).last().unwrap_or(id);
        let owner = |id: Id| {
            get(id, "form").map(ToOwned::to_owned).or_else(|| {
                let around = || self.tree.above(id).find(|above| self.tree.name(*above) == "form");
                self.tree
                    .form(id)
                    .or_else(around)
                    .map(|form| get(form, "id").map_or(form.to_string(), ToOwned::to_owned))
            })
        };
        let name = get(id, "name").unwrap_or_default();
        let is_of_group = |other: &Id| {
            self.tree.name(*other) == "input"
                && self.kind(*other) == "radio"
                && get(*other, "checked").is_some()
                && get(*other, "name") == Some(name)
                && owner(*other) == owner(id)
        };
        name.is_empty() || self.tree.below(top).filter(is_of_group).last() == Some(id)
    }

    /// The text of a textarea. The parser has dropped a line feed at its begin.
    fn typed(&self, id: Id) -> String {
        self.tree.text(id)
    }

    /// The selected options of a select that are not disabled, each as one entry. All have what it offers.
    fn selected(&self, select: Id, name: &'t str) -> Vec<Entry<'t>> {
        let tree = self.tree;
        let options: Vec<Id> = tree.below(select).filter(|id| tree.name(*id) == "option").collect();
        let is_multiple = tree.attribute(select, "multiple").is_some();
        let shown = tree.attribute(select, "size").and_then(|size| size.trim().parse::<u32>().ok());
        let is_list = shown.filter(|shown| *shown > 0).map_or(is_multiple, |shown| shown > 1);
        let marked = options.iter().copied().filter(|id| tree.attribute(*id, "selected").is_some());
        let mut selected: Vec<Id> = marked.collect();
        if !is_multiple {
            selected = selected.pop().into_iter().collect();
            if selected.is_empty() && !is_list {
                selected =
                    options.iter().copied().find(|id| !self.is_disabled_option(*id)).into_iter().collect();
            }
        }
        let is_required = tree.attribute(select, "required").is_some();
        let offered = options.iter().filter(|id| !self.is_disabled_option(**id)).map(|id| self.option(*id));
        let offered: Vec<String> = offered.filter(|value| !(is_required && value.is_empty())).collect();
        let entry = |id: &Id| Entry {
            is_visible: true,
            options: offered.clone(),
            ..Entry::fixed(select, name.into(), self.option(*id).into())
        };
        selected.iter().filter(|id| !self.is_disabled_option(**id)).map(entry).collect()
    }

    fn is_disabled_option(&self, id: Id) -> bool {
        let is_disabled = |id: Id| self.tree.attribute(id, "disabled").is_some();
        is_disabled(id)
            || self.tree.above(id).any(|above| self.tree.name(above) == "optgroup" && is_disabled(above))
    }

    fn option(&self, id: Id) -> String {
        let text = || collapsed(&self.tree.text(id));
        self.tree.attribute(id, "value").map_or_else(text, ToOwned::to_owned)
    }

    fn record(&mut self, entry: &Entry<'_>) {
        let number = |name: &str| self.tree.attribute(entry.field, name).map(str::trim);
        let (min, max) = (
            number("min").and_then(|text| text.parse().ok()),
            number("max").and_then(|text| text.parse().ok()),
        );
        let max_length = number("maxlength").and_then(|text| text.parse().ok());
        let (name, value) = (self.page.keep(&entry.name), self.page.keep(&entry.value));
        let first = self.page.options.len() as u32;
        for option in &entry.options {
            let option = self.page.keep(option);
            self.page.options.push(option);
        }
        let options = first..self.page.options.len() as u32;
        let Entry { is_visible: visible, is_file, .. } = *entry;
        self.page.fields.push(FieldEntry { name, value, visible, is_file, min, max, max_length, options });
    }
}

impl<'t> Entry<'t> {
    /// An entry that no user changes.
    fn fixed(field: Id, name: Cow<'t, str>, value: Cow<'t, str>) -> Self {
        Self { name, value, is_visible: false, is_file: false, field, options: Vec::new() }
    }
}

fn is_control(name: &str) -> bool {
    ["input", "button", "select", "textarea"].contains(&name)
}

fn has_word(words: Option<&str>, wanted: &str) -> bool {
    words.is_some_and(|words| words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted)))
}

//! Pages by the tree that the parser of the HTML standard builds: for all that the scanner can't read.

use super::field_value::{Attributes, collapsed, sanitized};
use super::{DocumentAddress, FieldEntry, FormCoding, FormEntry, LinkEntry, Page, Span, Tags};
use crate::tree::{Id, MOST_STEPS, Tree};
use crate::{Catalogue, Encoding, Method};
use memchr::memchr_iter;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(super) fn read(html: &str, place: DocumentAddress<'_>, catalogue: &Catalogue) -> Page {
    let page = tree(html).and_then(|tree| page(&tree, place, catalogue));
    page.unwrap_or_else(Page::too_large)
}

/// The tree of a document; none if it takes too many steps.
pub(super) fn tree(html: &str) -> Option<Tree> {
    let (mut tags, mut steps) = (Tags::new(html.as_bytes()), 0);
    let has_too_many = memchr_iter(b'<', html.as_bytes()).any(|at| {
        steps += tags.steps(at);
        steps > MOST_STEPS
    });
    if has_too_many { None } else { Tree::parse(html) }
}

/// The page of a tree; none if it is too large.
fn page(tree: &Tree, place: DocumentAddress<'_>, catalogue: &Catalogue) -> Option<Page> {
    let elements = tree.elements();
    let mut bases = elements.iter().filter(|id| tree.name(**id) == "base");
    let place = match bases.find_map(|id| tree.attribute(*id, "href")) {
        Some(base) => place.with_base(base),
        None => place,
    };
    let (page, legends, pressed) = (Page::default(), HashMap::new(), HashSet::new());
    let mut reader = Reader { tree, place, catalogue, page, legends, pressed };
    for id in &elements {
        reader.element(*id);
        if reader.exceeds() {
            return None;
        }
    }
    reader.forms(&elements);
    if reader.exceeds() {
        return None;
    }
    reader.page.shrink();
    Some(reader.page)
}

struct Reader<'t> {
    tree: &'t Tree,
    place: DocumentAddress<'t>,
    catalogue: &'t Catalogue,
    page: Page,
    /// The first legend of each element that has one.
    legends: HashMap<Id, Id>,
    /// The radio buttons that are ticked in their groups.
    pressed: HashSet<Id>,
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
    /// The offered options, in those of the page.
    options: Range<u32>,
}

impl<'t> Reader<'t> {
    /// True if the page has more than a client may hold, or takes too many steps.
    fn exceeds(&self) -> bool {
        self.page.exceeds() || self.tree.is_exhausted()
    }

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
        let (mut controls, mut pressed): (HashMap<Id, Vec<Id>>, _) = (HashMap::new(), HashMap::new());
        for id in elements.iter().copied().filter(|id| is_control(self.tree.name(*id))) {
            let Some(form) = self.owner(id, &by_name) else { continue };
            controls.entry(form).or_default().push(id);
            if let Some(group) = self.group(id).filter(|_| self.is_marked(id)) {
                pressed.insert((form, group), id);
            }
        }
        self.pressed = pressed.into_values().collect();
        self.legends = self.first_legends(elements);
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

    fn first_legends(&self, elements: &[Id]) -> HashMap<Id, Id> {
        let mut first = HashMap::new();
        for id in elements.iter().filter(|id| self.tree.name(**id) == "legend") {
            if let Some(parent) = self.tree.above(*id).next() {
                first.entry(parent).or_insert(*id);
            }
        }
        first
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
        if self.exceeds() {
            return;
        }
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
            if self.exceeds() {
                return;
            }
            for entry in self.entries(*id, button, encoding) {
                self.record(entry);
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
    fn entries(&mut self, id: Id, button: Option<Id>, encoding: Option<&'static Encoding>) -> Vec<Entry<'t>> {
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
            self.tree.name(above) == "fieldset"
                && self.tree.attribute(above, "disabled").is_some()
                && self.legends.get(&above) != Some(&child)
        })
    }

    /// True if a box is ticked: of radio buttons of one name in a form, the last one that is written so.
    fn is_ticked(&self, id: Id) -> bool {
        self.is_marked(id) && (self.group(id).is_none() || self.pressed.contains(&id))
    }

    fn is_marked(&self, id: Id) -> bool {
        self.tree.attribute(id, "checked").is_some()
    }

    /// The name of the radio buttons of a form to which this one belongs.
    fn group(&self, id: Id) -> Option<&'t str> {
        let is_radio = self.tree.name(id) == "input" && self.kind(id) == "radio";
        self.tree.attribute(id, "name").filter(|name| is_radio && !name.is_empty())
    }

    /// The text of a textarea. The parser has dropped a line feed at its begin.
    fn typed(&self, id: Id) -> String {
        self.tree.text(id)
    }

    /// The selected options of a select that are not disabled, each as one entry. All have what it offers.
    fn selected(&mut self, select: Id, name: &'t str) -> Vec<Entry<'t>> {
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
        selected.retain(|id| !self.is_disabled_option(*id));
        if selected.is_empty() {
            return Vec::new();
        }
        let is_required = tree.attribute(select, "required").is_some();
        let offered = options.iter().filter(|id| !self.is_disabled_option(**id)).map(|id| self.option(*id));
        let offered: Vec<String> = offered.filter(|value| !(is_required && value.is_empty())).collect();
        let options = self.offer(&offered);
        let entry = |id: &Id| Entry {
            is_visible: true,
            options: options.clone(),
            ..Entry::fixed(select, name.into(), self.option(*id).into())
        };
        selected.iter().map(entry).collect()
    }

    /// Records the options of a select, which all of its entries share.
    fn offer(&mut self, options: &[String]) -> Range<u32> {
        let first = self.page.options.len() as u32;
        for option in options {
            let option = self.page.keep(option);
            self.page.options.push(option);
        }
        first..self.page.options.len() as u32
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

    fn record(&mut self, entry: Entry<'_>) {
        // Each option repeats the name of its select.
        if self.exceeds() {
            return;
        }
        let number = |name: &str| self.tree.attribute(entry.field, name).map(str::trim);
        let (min, max) = (
            number("min").and_then(|text| text.parse().ok()),
            number("max").and_then(|text| text.parse().ok()),
        );
        let max_length = number("maxlength").and_then(|text| text.parse().ok());
        let (name, value) = (self.page.keep(&entry.name), self.page.keep(&entry.value));
        let Entry { is_visible: visible, is_file, options, .. } = entry;
        self.page.fields.push(FieldEntry { name, value, visible, is_file, min, max, max_length, options });
    }
}

impl<'t> Entry<'t> {
    /// An entry that no user changes.
    fn fixed(field: Id, name: Cow<'t, str>, value: Cow<'t, str>) -> Self {
        Self { name, value, is_visible: false, is_file: false, field, options: 0..0 }
    }
}

fn is_control(name: &str) -> bool {
    ["input", "button", "select", "textarea"].contains(&name)
}

fn has_word(words: Option<&str>, wanted: &str) -> bool {
    words.is_some_and(|words| words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted)))
}

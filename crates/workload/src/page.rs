//! The pages that browsers read: the links and forms that lead to interactions, and the acknowledged row.
//!
//! A browser's parser would take more time for each page than many servers do. The scanner follows the tokenizer of the
//! HTML standard (tags, attributes, comments, raw text) without building a tree; tests compare it with a real HTML parser.
//! Markup that it can't read so goes to that parser ([`whole`]), and so does a page in which it finds no way on. That parser
//! takes a limited number of steps. A script ends at its first `</script>`.
//!
//! All text of a page is in one string, so that each of thousands of idle clients holds only a few small allocations.

mod encoding;
mod field_value;
mod place;
mod whole;

use place::{DocumentAddress, Found, Reference};

use crate::origins::with_upper_escapes;
use crate::{Answer, Catalogue, Encoding, InteractionId, Method, Origins};
use memchr::{memchr, memchr2, memchr3, memmem};
use std::{borrow::Cow, ops::Range};

/// The most links, fields and options of a page: each idle client holds those of its page.
const MOST_PIECES: usize = 1 << 15;

/// The most bytes of their texts, and of references to embedded files and other sites.
const MOST_TEXT: usize = 16 << 20;

/// The bytes of a document that takes a parser less than a second, whatever it has: formatted elements that each paragraph
/// repeats take 0.3 s.
const SHORT: usize = 16 << 10;

/// The actions of a page that lead to interactions of the catalogue.
#[derive(Debug, Clone, Default)]
pub struct Page {
    text: String,
    links: Vec<LinkEntry>,
    forms: Vec<FormEntry>,
    fields: Vec<FieldEntry>,
    options: Vec<Span>,
    /// Paths with queries, each terminated by a line feed.
    embedded: String,
    /// Sites to which references lead, each terminated by a line feed.
    left_out: String,
    acknowledged: Option<u64>,
    /// True if the page had more than a client may hold, or takes too long to read, so that nothing of it is left.
    is_too_large: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Action<'a> {
    /// An `<a href>` to the interaction's path with this query.
    Link {
        to: InteractionId,
        /// Without `?`, percent-encoded; may be empty.
        query: &'a str,
    },
    /// A `<form>`.
    Form(Form<'a>),
}

#[derive(Debug, Clone, Copy)]
pub struct Form<'a> {
    page: &'a Page,
    entry: &'a FormEntry,
}

#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    page: &'a Page,
    entry: &'a FieldEntry,
}

/// A part of the page's text.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
}

#[derive(Debug, Clone)]
struct LinkEntry {
    to: InteractionId,
    query: Span,
}

#[derive(Debug, Clone)]
struct FormEntry {
    to: InteractionId,
    method: Method,
    coding: FormCoding,
    /// The encoding of its fields; none for UTF-8.
    encoding: Option<&'static Encoding>,
    query: Span,
    fields: Range<u32>,
}

/// The coding of a form's fields in the body of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FormCoding {
    #[default]
    Urlencoded,
    Multipart,
    PlainText,
}

#[derive(Debug, Clone)]
struct FieldEntry {
    name: Span,
    value: Span,
    visible: bool,
    is_file: bool,
    min: Option<f64>,
    max: Option<f64>,
    max_length: Option<u32>,
    options: Range<u32>,
}

impl Page {
    /// Reads the answer to a request for `path_and_query`. A document of another type than HTML has no links.
    pub fn read(answer: &Answer<'_>, path_and_query: &str, catalogue: &Catalogue) -> Self {
        let Some(encoding) = encoding::of_html(answer.content_type, answer.body) else {
            return Self::default();
        };
        let Answer { body, site, is_secure, .. } = *answer;
        let place = DocumentAddress::new(site, is_secure, path_and_query);
        if encoding == encoding_rs::UTF_8 {
            return Self::scan_at(body, place, catalogue);
        }
        let text = encoding.decode(body).0;
        let sent = Some(encoding.output_encoding()).filter(|sent| *sent != encoding_rs::UTF_8);
        Self::scan_at(text.as_bytes(), place.in_encoding(sent), catalogue)
    }

    /// Scans an HTML document that was requested as `base` (path and query). Any bytes are accepted; invalid UTF-8
    /// becomes U+FFFD.
    pub fn scan(html: &[u8], base: &str, catalogue: &Catalogue) -> Self {
        Self::scan_at(html, DocumentAddress::new(Origins::nowhere(), false, base), catalogue)
    }

    /// Reads an HTML document by the parser of the HTML standard alone.
    pub fn parse(html: &[u8], base: &str, catalogue: &Catalogue) -> Self {
        whole::read(
            &String::from_utf8_lossy(html),
            DocumentAddress::new(Origins::nowhere(), false, base),
            catalogue,
        )
    }

    /// Scans an HTML document; none if it takes the parser.
    pub fn scan_alone(html: &[u8], base: &str, catalogue: &Catalogue) -> Option<Self> {
        scanned(html, DocumentAddress::new(Origins::nowhere(), false, base), catalogue).ok()
    }

    /// True if the parser of the HTML standard takes too long for a document: it has too many tags or attributes, or nests
    /// its elements too deep. A short document never does.
    pub fn takes_too_long(html: &[u8]) -> bool {
        html.len() > SHORT && whole::tree(&String::from_utf8_lossy(html)).is_none()
    }

    fn scan_at(html: &[u8], place: DocumentAddress<'_>, catalogue: &Catalogue) -> Self {
        let parsed = |place| whole::read(&String::from_utf8_lossy(html), place, catalogue);
        scanned(html, place, catalogue).unwrap_or_else(parsed)
    }

    /// The links and forms that lead to an interaction: links first, each kind in the page's order.
    pub fn actions(&self) -> impl Iterator<Item = Action<'_>> {
        let links = self.links.iter().map(|link| Action::Link { to: link.to, query: self.text(link.query) });
        links.chain(self.forms.iter().map(|entry| Action::Form(Form { page: self, entry })))
    }

    /// True if the page had more links, fields or text than a client may hold, or takes too long to read. Nothing of it is left
    /// then.
    pub fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// Takes the embedded files of the page: paths with queries of images, style sheets and scripts of the same site,
    /// one a line, possibly repeated. Empty unless the catalogue has `embedded`.
    pub fn take_embedded(&mut self) -> String {
        std::mem::take(&mut self.embedded)
    }

    /// Takes the other sites to which links, forms and embedded files lead, which are not requested: scheme, host and port
    /// of each such reference, one a line.
    pub(crate) fn take_left_out(&mut self) -> String {
        std::mem::take(&mut self.left_out)
    }

    /// The id of the acknowledged row: `<data class="acknowledged" value="123">`.
    pub fn acknowledged(&self) -> Option<u64> {
        self.acknowledged
    }

    fn text(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

impl<'a> Action<'a> {
    pub fn to(&self) -> InteractionId {
        match self {
            Self::Link { to, .. } => *to,
            Self::Form(form) => form.entry.to,
        }
    }
}

impl<'a> Form<'a> {
    pub fn method(&self) -> Method {
        self.entry.method
    }

    pub fn coding(&self) -> FormCoding {
        self.entry.coding
    }

    /// The encoding of its fields; none for UTF-8.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        self.entry.encoding
    }

    /// The query in its action; a form submitted with GET replaces it by the fields.
    pub fn query(&self) -> &'a str {
        self.page.text(self.entry.query)
    }

    /// The submitted fields, in the page's order, with the submit button that the user presses: the first, or one that
    /// leads elsewhere.
    pub fn fields(&self) -> impl Iterator<Item = Field<'a>> + use<'a> {
        let page = self.page;
        let range = self.entry.fields.start as usize..self.entry.fields.end as usize;
        page.fields[range].iter().map(move |entry| Field { page, entry })
    }
}

impl<'a> Field<'a> {
    pub fn name(&self) -> &'a str {
        self.page.text(self.entry.name)
    }

    /// Its initial value; for a select, the selected option.
    pub fn value(&self) -> &'a str {
        self.page.text(self.entry.value)
    }

    /// True if a user can edit it. Hidden fields, buttons, ticked boxes and read-only fields keep their values.
    pub fn is_visible(&self) -> bool {
        self.entry.visible
    }

    /// True if it takes a file. None is chosen.
    pub fn is_file(&self) -> bool {
        self.entry.is_file
    }

    pub fn min(&self) -> Option<f64> {
        self.entry.min
    }

    pub fn max(&self) -> Option<f64> {
        self.entry.max
    }

    /// `maxlength`, in code points.
    pub fn max_length(&self) -> Option<u32> {
        self.entry.max_length
    }

    /// The values that a select offers; empty for other fields.
    pub fn options(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let page = self.page;
        let range = self.entry.options.start as usize..self.entry.options.end as usize;
        page.options[range].iter().map(move |span| page.text(*span))
    }
}

/// The page by the scanner alone. If only a tree tells, or if no way on is found, its place is returned.
fn scanned<'c>(
    html: &[u8],
    place: DocumentAddress<'c>,
    catalogue: &'c Catalogue,
) -> Result<Page, DocumentAddress<'c>> {
    let mut reader = Reader::new(place, catalogue);
    let mut tags = Tags::new(html);
    while let Some(tag) = tags.next_tag().filter(|_| !reader.is_beyond) {
        reader.tag(tag, &mut tags);
        if reader.page.exceeds() {
            return Ok(Page::too_large());
        }
    }
    let has_tags = memchr(b'<', html).is_some();
    match reader.is_beyond || has_tags && reader.has_no_way_on() {
        true => Err(reader.place),
        false => Ok(reader.finish()),
    }
}

struct Reader<'c> {
    catalogue: &'c Catalogue,
    place: DocumentAddress<'c>,
    page: Page,
    /// True if the page has something that only a tree tells.
    is_beyond: bool,
    form: Option<OpenForm>,
    select: Option<OpenSelect>,
}

/// The form around the scanner; `entry` only if it leads to an interaction.
struct OpenForm {
    entry: Option<FormEntry>,
    has_button: bool,
}

struct OpenSelect {
    field: FieldEntry,
    required: bool,
    has_selected: bool,
}

impl<'c> Reader<'c> {
    fn new(place: DocumentAddress<'c>, catalogue: &'c Catalogue) -> Self {
        Self { catalogue, place, page: Page::default(), is_beyond: false, form: None, select: None }
    }

    /// True if no link and no form leads to an interaction.
    fn has_no_way_on(&self) -> bool {
        self.page.links.is_empty() && self.page.forms.is_empty() && self.form.is_none()
    }

    fn tag(&mut self, tag: Tag<'_>, tags: &mut Tags<'_>) {
        match tag {
            Tag::Start(element, name) => self.start(element, name, tags),
            Tag::End(Element::Form) => self.end_form(),
            Tag::End(Element::Select) => self.end_select(),
            Tag::End(_) => {}
        }
    }

    fn start(&mut self, element: Element, name: &[u8], tags: &mut Tags<'_>) {
        match element {
            Element::A => self.link(tags),
            Element::Form => self.start_form(tags),
            Element::Input => self.input(tags),
            Element::Button => self.button(tags),
            Element::Select => self.start_select(tags),
            Element::Option => self.option(tags),
            Element::Textarea => self.textarea(name, tags),
            Element::Data => self.data(tags),
            Element::Img => self.embed(tags.attribute("src")),
            Element::Link => self.style_sheet(tags),
            Element::Script => {
                self.embed(tags.attribute("src"));
                // Within a comment of a script, its end is no end.
                self.is_beyond |= memmem::find(tags.raw_text(name), b"<!--").is_some();
            }
            Element::Beyond => self.is_beyond = true,
            Element::RawText => {
                tags.raw_text(name);
            }
        }
    }

    fn link(&mut self, tags: &Tags<'_>) {
        let Some(href) = tags.attribute("href") else {
            return;
        };
        let href = decode_attribute(href);
        if href.starts_with('#') || href.trim_start().starts_with('#') {
            return;
        }
        if let Some((to, query)) = self.page.interaction(&self.place, self.catalogue, &href) {
            self.page.links.push(LinkEntry { to, query });
        }
    }

    fn style_sheet(&mut self, tags: &Tags<'_>) {
        let relation = tags.attribute("rel").unwrap_or_default();
        if relation.split(u8::is_ascii_whitespace).any(|word| word.eq_ignore_ascii_case(b"stylesheet")) {
            self.embed(tags.attribute("href"));
        }
    }

    /// Records an embedded file. An empty reference fetches nothing, by the standard.
    fn embed(&mut self, reference: Option<&[u8]>) {
        let Some(reference) = reference.filter(|_| self.catalogue.embedded).map(decode_attribute) else {
            return;
        };
        self.page.embed(&self.place, &reference);
    }

    fn start_form(&mut self, tags: &Tags<'_>) {
        if self.form.is_some() {
            return;
        }
        let action = tags.attribute("action").map_or(Cow::Borrowed(""), decode_attribute);
        let method = match tags.attribute("method").unwrap_or_default() {
            method if method.eq_ignore_ascii_case(b"post") => Method::Post,
            _ => Method::Get,
        };
        let is_odd = |name: &str| tags.attribute(name).is_some_and(|value| !value.is_empty());
        self.is_beyond |= ["enctype", "accept-charset"].into_iter().any(is_odd)
            || tags.attribute("method").is_some_and(|method| method.eq_ignore_ascii_case(b"dialog"));
        let first = self.page.fields.len() as u32;
        let entry =
            self.page.interaction(&self.place, self.catalogue, &action).map(|(to, query)| FormEntry {
                to,
                method,
                coding: FormCoding::Urlencoded,
                encoding: self.place.encoding,
                query,
                fields: first..first,
            });
        self.form = Some(OpenForm { entry, has_button: false });
    }

    fn end_form(&mut self) {
        self.end_select();
        if let Some(OpenForm { entry: Some(mut entry), .. }) = self.form.take() {
            entry.fields.end = self.page.fields.len() as u32;
            self.page.forms.push(entry);
        }
    }

    fn in_useful_form(&self) -> bool {
        self.form.as_ref().is_some_and(|form| form.entry.is_some())
    }

    fn input(&mut self, tags: &Tags<'_>) {
        let kind = tags.attribute("type").unwrap_or_default();
        let is = |name: &str| kind.eq_ignore_ascii_case(name.as_bytes());
        if ["radio", "image", "file"].into_iter().any(is) || self.select.is_some() {
            self.is_beyond = true;
        } else if is("submit") {
            self.button_field(tags);
        } else if is("checkbox") {
            if tags.attribute("checked").is_some() {
                let value = tags.attribute("value").unwrap_or(b"on");
                self.field(tags, false, &decode_attribute(value));
            }
        } else if !["button", "reset"].into_iter().any(is) {
            let visible = !is("hidden") && tags.attribute("readonly").is_none();
            let value = decode_attribute(tags.attribute("value").unwrap_or_default());
            match is("hidden") {
                true => self.field(tags, visible, &value),
                false => self.field(tags, visible, &field_value::sanitized(&decode(kind), value, tags)),
            }
        }
    }

    fn button(&mut self, tags: &Tags<'_>) {
        self.is_beyond |= self.select.is_some();
        let kind = tags.attribute("type").unwrap_or_default();
        if !kind.eq_ignore_ascii_case(b"button") && !kind.eq_ignore_ascii_case(b"reset") {
            self.button_field(tags);
        }
    }

    /// Only the first submit button is sent: the user presses it.
    fn button_field(&mut self, tags: &Tags<'_>) {
        self.is_beyond |= ["formaction", "formmethod", "formenctype"]
            .into_iter()
            .any(|name| tags.attribute(name).is_some());
        if tags.attribute("disabled").is_some() {
            return;
        }
        let Some(form) = &mut self.form else { return self.is_beyond |= tags.attribute("form").is_some() };
        if !std::mem::replace(&mut form.has_button, true) {
            self.field(tags, false, &decode_attribute(tags.attribute("value").unwrap_or_default()));
        }
    }

    fn textarea(&mut self, name: &[u8], tags: &mut Tags<'_>) {
        self.is_beyond |= self.select.is_some();
        let content = tags.raw_text(name);
        let line_ends = [b"\r\n".as_slice(), b"\n", b"\r"];
        let content = line_ends.iter().find_map(|end| content.strip_prefix(*end)).unwrap_or(content);
        self.field(tags, tags.attribute("readonly").is_none(), &decode(content));
    }

    fn field(&mut self, tags: &Tags<'_>, visible: bool, value: &str) {
        if let Some(mut entry) = self.field_entry(tags, visible) {
            entry.value = self.page.keep(value);
            self.page.fields.push(entry);
        }
    }

    /// A field without its value: none outside a relevant form, without a name, or if disabled.
    fn field_entry(&mut self, tags: &Tags<'_>, visible: bool) -> Option<FieldEntry> {
        self.is_beyond |= ["form", "dirname"].into_iter().any(|name| tags.attribute(name).is_some());
        let name = tags.attribute("name").filter(|name| !name.is_empty())?;
        self.is_beyond |= name.eq_ignore_ascii_case(b"_charset_");
        if !self.in_useful_form() || tags.attribute("disabled").is_some() {
            return None;
        }
        Some(FieldEntry {
            name: self.page.keep(&decode_attribute(name)),
            value: Span::default(),
            visible,
            is_file: false,
            min: tags.number("min"),
            max: tags.number("max"),
            max_length: tags.number("maxlength"),
            options: 0..0,
        })
    }

    fn start_select(&mut self, tags: &Tags<'_>) {
        self.end_select();
        self.is_beyond |= ["multiple", "size"].into_iter().any(|name| tags.attribute(name).is_some());
        let required = tags.attribute("required").is_some();
        let first = self.page.options.len() as u32;
        if let Some(field) = self.field_entry(tags, true) {
            let field = FieldEntry { options: first..first, ..field };
            self.select = Some(OpenSelect { field, required, has_selected: false });
        }
    }

    fn option(&mut self, tags: &Tags<'_>) {
        if self.select.is_none() {
            return;
        }
        self.is_beyond |= tags.attribute("disabled").is_some();
        let value = match tags.attribute("value") {
            Some(value) => self.page.keep(&decode_attribute(value)),
            None => {
                let (text, after) = tags.text();
                self.is_beyond |= !ends_option(after);
                self.page.keep(&field_value::collapsed(&decode(text)))
            }
        };
        let Some(select) = &mut self.select else { return };
        let selected = tags.attribute("selected").is_some();
        if selected || (!select.has_selected && select.field.options.is_empty()) {
            select.field.value = value;
        }
        select.has_selected |= selected;
        let placeholder = select.required && value.start == value.end;
        if !placeholder {
            self.page.options.push(value);
            select.field.options.end += 1;
        }
    }

    fn end_select(&mut self) {
        if let Some(OpenSelect { field, .. }) = self.select.take()
            && !field.options.is_empty()
        {
            self.page.fields.push(field);
        }
    }

    fn data(&mut self, tags: &Tags<'_>) {
        let classes = tags.attribute("class").unwrap_or_default();
        if classes.split(u8::is_ascii_whitespace).any(|class| class == b"acknowledged") {
            self.page.acknowledged = tags.number("value");
        }
    }

    fn finish(mut self) -> Page {
        self.end_form();
        self.page.shrink();
        self.page
    }
}

/// True if what follows an option's text ends the option.
fn ends_option(after: &[u8]) -> bool {
    let begins = |tag: &[u8]| after.get(..tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag));
    [b"<option".as_slice(), b"</option", b"</select"].into_iter().any(begins)
}

/// Both readers fill a page so.
impl Page {
    /// Records an embedded file: its path alone, or behind `+` over TLS and `-` without it if the page itself differs.
    fn embed(&mut self, place: &DocumentAddress<'_>, reference: &str) {
        if reference.trim().is_empty() {
            return;
        }
        let Some(found) = self.within(place, reference) else { return };
        match found.is_secure {
            same if same == place.is_secure => {}
            true => self.embedded.push('+'),
            false => self.embedded.push('-'),
        }
        self.embedded.push_str(&found.path);
        if !found.query.is_empty() {
            self.embedded.push('?');
            encode_query(&found.query, &mut self.embedded);
        }
        self.embedded.push('\n');
    }

    /// The interaction of a reference, whose query is copied into the page's text.
    fn interaction(
        &mut self,
        place: &DocumentAddress<'_>,
        catalogue: &Catalogue,
        reference: &str,
    ) -> Option<(InteractionId, Span)> {
        let found = self.within(place, reference)?;
        let same = || catalogue.by_path(&with_upper_escapes(&found.path));
        let to = catalogue.by_path(&found.path).or_else(same)?;
        let start = self.text.len();
        encode_query(&found.query, &mut self.text);
        Some((to, self.since(start)))
    }

    /// The target of a reference within the site. Others are noted.
    fn within<'t>(&mut self, place: &'t DocumentAddress<'_>, reference: &'t str) -> Option<Found<'t>> {
        match place.locate(reference) {
            Reference::Within(found) => Some(found),
            Reference::Elsewhere(site) => {
                self.left_out.extend([&site, "\n"]);
                None
            }
            Reference::Nowhere => None,
        }
    }

    /// True if it has more than a client may hold.
    fn exceeds(&self) -> bool {
        let pieces = self.links.len() + self.forms.len() + self.fields.len() + self.options.len();
        pieces > MOST_PIECES || self.text.len() + self.embedded.len() + self.left_out.len() > MOST_TEXT
    }

    /// The rest of a page with more than that: nothing.
    fn too_large() -> Self {
        Self { is_too_large: true, ..Self::default() }
    }

    fn keep(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(text);
        self.since(start)
    }

    fn since(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.text.len() as u32 }
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.links.shrink_to_fit();
        self.fields.shrink_to_fit();
        self.options.shrink_to_fit();
    }
}

#[derive(Clone, Copy)]
enum Element {
    A,
    Form,
    Input,
    Button,
    Select,
    Option,
    Textarea,
    Data,
    Img,
    Link,
    Script,
    /// Its content is no markup.
    RawText,
    /// A tag whose meaning only a tree tells.
    Beyond,
}

impl Element {
    fn named(name: &[u8]) -> Option<Self> {
        // Names are compared as numbers, for most tags of a page are not needed.
        if name.len() > 8 {
            return name.eq_ignore_ascii_case(b"plaintext").then_some(Self::Beyond);
        }
        const A: u64 = packed(b"a");
        const AREA: u64 = packed(b"area");
        const FORM: u64 = packed(b"form");
        const INPUT: u64 = packed(b"input");
        const BUTTON: u64 = packed(b"button");
        const SELECT: u64 = packed(b"select");
        const OPTION: u64 = packed(b"option");
        const TEXTAREA: u64 = packed(b"textarea");
        const DATA: u64 = packed(b"data");
        const IMG: u64 = packed(b"img");
        const LINK: u64 = packed(b"link");
        const SCRIPT: u64 = packed(b"script");
        const STYLE: u64 = packed(b"style");
        const TITLE: u64 = packed(b"title");
        const XMP: u64 = packed(b"xmp");
        const IFRAME: u64 = packed(b"iframe");
        const NOEMBED: u64 = packed(b"noembed");
        const NOFRAMES: u64 = packed(b"noframes");
        const BASE: u64 = packed(b"base");
        const FIELDSET: u64 = packed(b"fieldset");
        const DATALIST: u64 = packed(b"datalist");
        const TEMPLATE: u64 = packed(b"template");
        const OPTGROUP: u64 = packed(b"optgroup");
        const SVG: u64 = packed(b"svg");
        const MATH: u64 = packed(b"math");
        Some(match packed(name) {
            A | AREA => Self::A,
            FORM => Self::Form,
            INPUT => Self::Input,
            BUTTON => Self::Button,
            SELECT => Self::Select,
            OPTION => Self::Option,
            TEXTAREA => Self::Textarea,
            DATA => Self::Data,
            IMG => Self::Img,
            LINK => Self::Link,
            SCRIPT => Self::Script,
            STYLE | TITLE | XMP | IFRAME | NOEMBED | NOFRAMES => Self::RawText,
            BASE | FIELDSET | DATALIST | TEMPLATE | OPTGROUP | SVG | MATH => Self::Beyond,
            _ => return None,
        })
    }
}

/// A name of at most eight letters as a number, whatever their case. No other character becomes a letter.
const fn packed(name: &[u8]) -> u64 {
    let (mut number, mut at) = (0, 0);
    while at < name.len() {
        number = number << 8 | (name[at] | 0x20) as u64;
        at += 1;
    }
    number
}

#[derive(Clone, Copy)]
enum Tag<'a> {
    Start(Element, &'a [u8]),
    End(Element),
}

/// The steps for a tag beside its length and its attributes.
const STEPS_A_TAG: usize = 64;

/// A tokenizer of tags and attributes, as in the HTML standard.
struct Tags<'a> {
    html: &'a [u8],
    at: usize,
    /// The attributes of the last tag, not decoded.
    attributes: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Tags<'a> {
    fn new(html: &'a [u8]) -> Self {
        Self { html, at: 0, attributes: Vec::with_capacity(8) }
    }

    fn next_tag(&mut self) -> Option<Tag<'a>> {
        loop {
            self.at += find(b'<', self.rest())? + 1;
            let (ahead, next) = (self.peek(0)?, self.peek(1));
            match ahead {
                b'!' if self.rest().starts_with(b"!--") => self.skip_comment(),
                b'!' | b'?' => self.skip_past_greater(),
                b'/' if next.is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                    self.at += 1;
                    if let (Some(element), _) = self.element()? {
                        return Some(Tag::End(element));
                    }
                }
                b'/' if next.is_some() => self.skip_past_greater(),
                byte if byte.is_ascii_alphabetic() => {
                    if let (Some(element), name) = self.element()? {
                        return Some(Tag::Start(element, name));
                    }
                }
                _ => {}
            }
        }
    }

    /// The steps for the tag that may begin at this `<`: a parser looks at the elements that are open, and compares each attribute
    /// with all before it.
    fn steps(&mut self, at: usize) -> usize {
        self.at = at + 1;
        self.at += usize::from(self.peek(0) == Some(b'/'));
        if self.peek(0).is_none_or(|byte| !byte.is_ascii_alphabetic()) {
            return STEPS_A_TAG;
        }
        self.take_until(ends_name);
        let end = self.attributes().map_or(self.html.len(), |()| self.at);
        STEPS_A_TAG + (end - at) + self.attributes.len().pow(2)
    }

    /// The first value of an attribute, as written; empty if it has none.
    fn attribute(&self, name: &str) -> Option<&'a [u8]> {
        let found = self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, value)| *value)
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        decode(self.attribute(name)?).trim().parse().ok()
    }

    /// The text up to the next tag, and what follows.
    fn text(&self) -> (&'a [u8], &'a [u8]) {
        let rest = self.rest();
        rest.split_at(find(b'<', rest).unwrap_or(rest.len()))
    }

    /// Skips the content of an element in which `<` starts no tag except its own end, and returns it.
    fn raw_text(&mut self, name: &[u8]) -> &'a [u8] {
        let content = self.rest();
        let mut from = 0;
        while let Some(found) = find_two(b"</", &content[from..]) {
            let end = from + found;
            let after = end + 2 + name.len();
            let same = content.get(end + 2..after).is_some_and(|found| found.eq_ignore_ascii_case(name));
            if same && content.get(after).is_some_and(|byte| ends_name(*byte)) {
                self.at += end;
                return &content[..end];
            }
            from = end + 2;
        }
        self.at = self.html.len();
        content
    }

    /// The element of a tag, if it is needed, and its name. None at the end of the text.
    fn element(&mut self) -> Option<(Option<Element>, &'a [u8])> {
        let name = self.take_until(ends_name);
        let element = Element::named(name);
        if element.is_some() || !self.skip_unquoted() {
            self.attributes()?;
        }
        Some((element, name))
    }

    /// Skips the rest of a tag. Does nothing if it may have a quoted value, in which `>` ends no tag.
    fn skip_unquoted(&mut self) -> bool {
        let rest = self.rest();
        let first = memchr3(b'>', b'"', b'\'', rest);
        count_scanned(first.unwrap_or(rest.len()));
        let end = first.filter(|at| rest[*at] == b'>');
        self.at += end.map_or(0, |at| at + 1);
        end.is_some()
    }

    /// Reads the attributes of a tag, up to its end.
    fn attributes(&mut self) -> Option<()> {
        self.attributes.clear();
        loop {
            self.take_until(|byte| !(is_space(byte) || byte == b'/'));
            if self.peek(0)? == b'>' {
                self.at += 1;
                return Some(());
            }
            let attribute = self.attribute_name();
            let value = self.attribute_value()?;
            self.attributes.push((attribute, value));
        }
    }

    /// A name may start with `=`, by the standard.
    fn attribute_name(&mut self) -> &'a [u8] {
        let start = self.at;
        self.at += 1;
        self.take_until(|byte| ends_name(byte) || byte == b'=');
        &self.html[start..self.at]
    }

    fn attribute_value(&mut self) -> Option<&'a [u8]> {
        self.take_until(|byte| !is_space(byte));
        if self.peek(0)? != b'=' {
            return Some(b"");
        }
        self.at += 1;
        self.take_until(|byte| !is_space(byte));
        let quote = self.peek(0)?;
        if quote != b'"' && quote != b'\'' {
            return Some(self.take_until(|byte| is_space(byte) || byte == b'>'));
        }
        self.at += 1;
        let length = find(quote, self.rest())?;
        let value = &self.rest()[..length];
        self.at += length + 1;
        Some(value)
    }

    /// `<!-->` and `<!--->` are whole comments.
    fn skip_comment(&mut self) {
        self.at += 3;
        let rest = self.rest();
        let short = [b">".as_slice(), b"->"].into_iter().find(|end| rest.starts_with(end));
        if let Some(end) = short {
            self.at += end.len();
            return;
        }
        // A run of dashes is scanned once, however long it is.
        let mut from = 0;
        let ends = std::iter::from_fn(|| {
            let dashes = from + find_two(b"--", rest.get(from..)?)?;
            let run = rest[dashes..].iter().take_while(|byte| **byte == b'-').count();
            count_scanned(run);
            from = dashes + run;
            Some(from)
        })
        .find_map(|after| {
            let end = [b">".as_slice(), b"!>"].into_iter().find(|end| rest[after..].starts_with(end))?;
            Some(after + end.len())
        });
        self.at += ends.unwrap_or(rest.len());
    }

    fn skip_past_greater(&mut self) {
        let rest = self.rest();
        self.at += find(b'>', rest).map_or(rest.len(), |at| at + 1);
    }

    fn take_until(&mut self, ends: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len());
        count_scanned(length);
        self.at += length;
        &rest[..length]
    }

    fn rest(&self) -> &'a [u8] {
        &self.html[self.at..]
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.html.get(self.at + ahead).copied()
    }
}

fn find(byte: u8, text: &[u8]) -> Option<usize> {
    let found = memchr(byte, text);
    count_scanned(found.unwrap_or(text.len()));
    found
}

fn find_two(bytes: &[u8; 2], text: &[u8]) -> Option<usize> {
    let found = memmem::find(text, bytes);
    count_scanned(found.unwrap_or(text.len()));
    found
}

/// Counts scanned bytes for a test.
#[cfg(test)]
fn count_scanned(bytes: usize) {
    work::BYTES.set(work::BYTES.get() + bytes);
}

#[cfg(not(test))]
fn count_scanned(_bytes: usize) {}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

/// Resolves character references and line ends of text; NUL becomes U+FFFD.
fn decode(raw: &[u8]) -> Cow<'_, str> {
    decoded(raw, false)
}

/// The same for an attribute, where fewer references may lack their semicolon.
fn decode_attribute(raw: &[u8]) -> Cow<'_, str> {
    decoded(raw, true)
}

fn decoded(raw: &[u8], is_attribute: bool) -> Cow<'_, str> {
    // Reads words of ASCII, where the lossy one reads octets.
    let raw = str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed);
    let lines = match memchr2(b'\r', 0, raw.as_bytes()) {
        None => raw,
        Some(_) => raw.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}").into(),
    };
    if memchr(b'&', lines.as_bytes()).is_none() {
        return lines;
    }
    let mut rest = &*lines;
    let mut text = String::with_capacity(rest.len());
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let ([first, second], length) = reference(rest, is_attribute).unwrap_or((['&', '\0'], 1));
        text.push(first);
        if second != '\0' {
            text.push(second);
        }
        rest = &rest[length..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The characters of the reference at the start of `text`, the second of which is mostly NUL, and the reference's length.
fn reference(text: &str, is_attribute: bool) -> Option<([char; 2], usize)> {
    const NAMED: [(&str, char); 5] =
        [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\'')];
    if let Some((name, decoded)) = NAMED.into_iter().find(|(name, _)| text.starts_with(name)) {
        return Some(([decoded, '\0'], name.len()));
    }
    let Some(number) = text.strip_prefix("&#") else { return named(&text[1..], is_attribute) };
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let (digits, radix) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
    let count = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if count == 0 {
        return None;
    }
    let decoded = u32::from_str_radix(&digits[..count], radix).ok().and_then(numbered);
    let decoded = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
    let semicolon = usize::from(digits[count..].starts_with(';'));
    Some(([decoded, '\0'], text.len() - digits.len() + count + semicolon))
}

/// The characters of the longest name at the start of `text`, which is behind an ampersand.
fn named(text: &str, is_attribute: bool) -> Option<([char; 2], usize)> {
    const LONGEST: usize = 40;
    let letters = text.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let most = letters + usize::from(text[letters..].starts_with(';'));
    let known = |length: usize| {
        let (first, second) = *html5ever::data::NAMED_ENTITIES.get(&text[..length])?;
        Some((char::from_u32(first).filter(|first| *first != '\0')?, char::from_u32(second)?, length))
    };
    let (first, second, length) = (1..=most).rev().find_map(known)?;
    let is_open = !text[..length].ends_with(';');
    let goes_on = text[length..].starts_with(|next: char| next == '=' || next.is_ascii_alphanumeric());
    (!(is_attribute && is_open && goes_on)).then_some(([first, second], length + 1))
}

/// The character of a numeric reference. By the standard, control characters beyond ASCII are mapped as in
/// Windows-1252.
fn numbered(code: u32) -> Option<char> {
    const FROM_128: [u16; 32] = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152,
        0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122,
        0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
    ];
    match code {
        0 => None,
        128..=159 => char::from_u32(FROM_128[(code - 128) as usize].into()),
        code => char::from_u32(code),
    }
}

/// Appends a query as browsers send it: with percent-encoding of characters that a request line may not contain.
fn encode_query(query: &str, text: &mut String) {
    let stays = |byte| matches!(byte, b'!' | b'$'..=b'&' | b'('..=b';' | b'=' | b'?'..=b'~');
    // Without a branch for each octet, since every link has a query.
    if query.bytes().fold(true, |all, byte| all & stays(byte)) {
        // The common case: nothing to encode.
        return text.push_str(query);
    }
    for byte in query.bytes() {
        match byte {
            b'\t' | b'\n' | b'\r' => {}
            byte if stays(byte) => text.push(char::from(byte)),
            other => percent_encode(other, text),
        }
    }
}

pub(crate) fn percent_encode(byte: u8, text: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.push('%');
    text.push(char::from(DIGITS[usize::from(byte >> 4)]));
    text.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// The work of a scan, in scanned bytes: it must be linear in the length of the text.
#[cfg(test)]
mod work {
    use super::*;
    use crate::ExternalSite;
    use proptest::prelude::*;
    use settings::Document;
    use std::cell::Cell;

    thread_local! {
        pub(super) static BYTES: Cell<usize> = const { Cell::new(0) };
    }

    const SHOP: &str = "[[interaction]]\nname = 'Home'\npath = '/shop/index.html'\n";

    fn scanned_bytes(html: &str) -> usize {
        let ExternalSite { catalogue, .. } =
            ExternalSite::parse(&Document::new("shop.toml", SHOP), false).unwrap();
        BYTES.set(0);
        Page::scan_alone(html.as_bytes(), "/shop/index.html", &catalogue);
        BYTES.get()
    }

    fn expect_linear(opening: &str, repeated: &str) {
        let [once, twice] =
            [200, 400].map(|times| scanned_bytes(&(opening.to_owned() + &repeated.repeat(times))));
        let most = 2 * once + 4 * repeated.len() + 4 * opening.len() + 64;
        assert!(twice <= most, "`{opening}` and 200 x `{repeated}`: {once} bytes, 400 x: {twice} bytes");
    }

    #[test]
    fn unclosed_markup_is_scanned_once() {
        let openings = [
            "",
            "<!--",
            "<title>",
            "<textarea name=a>",
            "<form>",
            "<a href='",
            "<a ",
            "<script>",
            "<select name=a>",
        ];
        let repeated = [
            "-",
            "--",
            "--!",
            "<",
            "</",
            "<!",
            "<!--",
            "</titl",
            "</textare>",
            "<a",
            "<a '",
            "=",
            "<option>",
            "&",
        ];
        for opening in openings {
            repeated.iter().for_each(|repeated| expect_linear(opening, repeated));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn work_is_linear_in_the_length_of_the_text(
            opening in "(<(!--|title>|textarea n=a>|select name=a>|form>|a href=['\"]?|script>)){0,2}",
            repeated in "([<>/!?'\"=&#; a-]|--|</|<!--|title|textarea|option|select|form){1,6}",
        ) {
            expect_linear(&opening, &repeated);
        }
    }
}

//! The page scanner: extracts the links and forms that lead to interactions, and the acknowledged row.
//!
//! A browser's parser would take more time for each page than many servers do. This scanner follows the tokenizer of the
//! HTML standard (tags, attributes, comments, raw text) without building a tree; tests compare it with a real HTML parser.
//! It knows the character references that escaping produces (`&amp; &lt; &gt; &quot; &apos;` and numbers) and leaves other
//! names as they are. A script ends at its first `</script>`, even within a comment in the script. Fields belong to the
//! form around them; the `form` attribute is ignored.
//!
//! All text of a page is in one string, so that each of thousands of idle clients holds only a few small allocations.

use crate::{Catalogue, InteractionId, Method};
use memchr::{memchr, memchr2, memchr3, memmem};
use std::{borrow::Cow, ops::Range};

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
    acknowledged: Option<u64>,
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
    query: Span,
    fields: Range<u32>,
}

#[derive(Debug, Clone)]
struct FieldEntry {
    name: Span,
    value: Span,
    visible: bool,
    min: Option<f64>,
    max: Option<f64>,
    max_length: Option<u32>,
    options: Range<u32>,
}

impl Page {
    /// Scans an HTML document that was requested as `base` (path and query). Any bytes are accepted; invalid UTF-8
    /// becomes U+FFFD.
    pub fn scan(html: &[u8], base: &str, catalogue: &Catalogue) -> Self {
        let mut reader = Reader::new(base, catalogue);
        let mut tags = Tags::new(html);
        while let Some(tag) = tags.next_tag() {
            reader.tag(tag, &mut tags);
        }
        reader.finish()
    }

    /// The links and forms that lead to an interaction: links first, each kind in the page's order.
    pub fn actions(&self) -> impl Iterator<Item = Action<'_>> {
        let links = self.links.iter().map(|link| Action::Link { to: link.to, query: self.text(link.query) });
        links.chain(self.forms.iter().map(|entry| Action::Form(Form { page: self, entry })))
    }

    /// Takes the embedded files of the page: paths with queries of images, style sheets and scripts of the same site,
    /// one a line, possibly repeated. Empty unless the catalogue has `embedded`.
    pub(crate) fn take_embedded(&mut self) -> String {
        std::mem::take(&mut self.embedded)
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

    /// The query in its action; a form submitted with GET replaces it by the fields.
    pub fn query(&self) -> &'a str {
        self.page.text(self.entry.query)
    }

    /// The submitted fields, in the page's order, with the first of several submit buttons.
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

    /// Whether a user can edit it. Hidden fields, buttons, ticked boxes and read-only fields keep their values.
    pub fn is_visible(&self) -> bool {
        self.entry.visible
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

struct Reader<'c> {
    catalogue: &'c Catalogue,
    base: &'c str,
    page: Page,
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
    fn new(base: &'c str, catalogue: &'c Catalogue) -> Self {
        Self { catalogue, base, page: Page::default(), form: None, select: None }
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
                tags.raw_text(name);
            }
            Element::RawText => {
                tags.raw_text(name);
            }
        }
    }

    fn link(&mut self, tags: &Tags<'_>) {
        let Some(href) = tags.attribute("href") else {
            return;
        };
        let href = decode(href);
        if href.trim_start().starts_with('#') {
            return;
        }
        if let Some((to, query)) = self.interaction(&href) {
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
        let Some(reference) = reference.filter(|_| self.catalogue.embedded).map(decode) else { return };
        let Some((path, query)) = resolve(self.base, &reference).filter(|_| !reference.trim().is_empty())
        else {
            return;
        };
        let embedded = &mut self.page.embedded;
        encode_query(&path, embedded);
        if !query.is_empty() {
            embedded.push('?');
            encode_query(query, embedded);
        }
        embedded.push('\n');
    }

    /// The interaction of a reference, whose query is copied into the page's text.
    fn interaction(&mut self, reference: &str) -> Option<(InteractionId, Span)> {
        let (path, query) = resolve(self.base, reference)?;
        let to = self.catalogue.by_path(&path)?;
        let start = self.page.text.len();
        encode_query(query, &mut self.page.text);
        Some((to, self.since(start)))
    }

    fn start_form(&mut self, tags: &Tags<'_>) {
        if self.form.is_some() {
            return;
        }
        let action = tags.attribute("action").map_or(Cow::Borrowed(""), decode);
        let post = tags.attribute("method").is_some_and(|method| method.eq_ignore_ascii_case(b"post"));
        let method = if post { Method::Post } else { Method::Get };
        let first = self.page.fields.len() as u32;
        let entry = self.interaction(&action).map(|(to, query)| FormEntry {
            to,
            method,
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
        if is("submit") {
            self.button_field(tags);
        } else if is("checkbox") || is("radio") {
            if tags.attribute("checked").is_some() {
                let value = tags.attribute("value").unwrap_or(b"on");
                self.field(tags, false, value);
            }
        } else if !["button", "reset", "image", "file"].into_iter().any(is) {
            let visible = !is("hidden") && tags.attribute("readonly").is_none();
            self.field(tags, visible, tags.attribute("value").unwrap_or_default());
        }
    }

    fn button(&mut self, tags: &Tags<'_>) {
        let kind = tags.attribute("type").unwrap_or_default();
        if !kind.eq_ignore_ascii_case(b"button") && !kind.eq_ignore_ascii_case(b"reset") {
            self.button_field(tags);
        }
    }

    /// Only the first submit button is sent: the user presses it.
    fn button_field(&mut self, tags: &Tags<'_>) {
        if tags.attribute("disabled").is_some() {
            return;
        }
        let Some(form) = &mut self.form else { return };
        if !std::mem::replace(&mut form.has_button, true) {
            self.field(tags, false, tags.attribute("value").unwrap_or_default());
        }
    }

    fn textarea(&mut self, name: &[u8], tags: &mut Tags<'_>) {
        let content = tags.raw_text(name);
        let line_ends = [b"\r\n".as_slice(), b"\n", b"\r"];
        let content = line_ends.iter().find_map(|end| content.strip_prefix(*end)).unwrap_or(content);
        self.field(tags, tags.attribute("readonly").is_none(), content);
    }

    fn field(&mut self, tags: &Tags<'_>, visible: bool, value: &[u8]) {
        if let Some(mut entry) = self.field_entry(tags, visible) {
            entry.value = self.keep(&decode(value));
            self.page.fields.push(entry);
        }
    }

    /// A field without its value: none outside a relevant form, without a name, or if disabled.
    fn field_entry(&mut self, tags: &Tags<'_>, visible: bool) -> Option<FieldEntry> {
        let name = tags.attribute("name").filter(|name| !name.is_empty())?;
        if !self.in_useful_form() || tags.attribute("disabled").is_some() {
            return None;
        }
        Some(FieldEntry {
            name: self.keep(&decode(name)),
            value: Span::default(),
            visible,
            min: tags.number("min"),
            max: tags.number("max"),
            max_length: tags.number("maxlength"),
            options: 0..0,
        })
    }

    fn start_select(&mut self, tags: &Tags<'_>) {
        self.end_select();
        let required = tags.attribute("required").is_some();
        let first = self.page.options.len() as u32;
        if let Some(field) = self.field_entry(tags, true) {
            let field = FieldEntry { options: first..first, ..field };
            self.select = Some(OpenSelect { field, required, has_selected: false });
        }
    }

    fn option(&mut self, tags: &Tags<'_>) {
        if self.select.is_none() || tags.attribute("disabled").is_some() {
            return;
        }
        let value = match tags.attribute("value") {
            Some(value) => self.keep(&decode(value)),
            None => {
                let words: Vec<_> =
                    std::str::from_utf8(tags.text()).unwrap_or_default().split_ascii_whitespace().collect();
                self.keep(&decode(words.join(" ").as_bytes()))
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

    fn keep(&mut self, text: &str) -> Span {
        let start = self.page.text.len();
        self.page.text.push_str(text);
        self.since(start)
    }

    fn since(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.page.text.len() as u32 }
    }

    fn finish(mut self) -> Page {
        self.end_form();
        self.page.text.shrink_to_fit();
        self.page.links.shrink_to_fit();
        self.page.fields.shrink_to_fit();
        self.page.options.shrink_to_fit();
        self.page
    }
}

/// Elements that the scanner needs.
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
}

impl Element {
    fn named(name: &[u8]) -> Option<Self> {
        let mut lower = [0; 8];
        let lower = lower.get_mut(..name.len())?;
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        Some(match &*lower {
            b"a" => Self::A,
            b"form" => Self::Form,
            b"input" => Self::Input,
            b"button" => Self::Button,
            b"select" => Self::Select,
            b"option" => Self::Option,
            b"textarea" => Self::Textarea,
            b"data" => Self::Data,
            b"img" => Self::Img,
            b"link" => Self::Link,
            b"script" => Self::Script,
            b"style" | b"title" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Self::RawText,
            _ => return None,
        })
    }
}

/// A tag of a needed element.
#[derive(Clone, Copy)]
enum Tag<'a> {
    Start(Element, &'a [u8]),
    End(Element),
}

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

    /// The first value of an attribute, as written; empty if it has none.
    fn attribute(&self, name: &str) -> Option<&'a [u8]> {
        let found = self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, value)| *value)
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        decode(self.attribute(name)?).trim().parse().ok()
    }

    /// The text up to the next tag.
    fn text(&self) -> &'a [u8] {
        let rest = self.rest();
        &rest[..find(b'<', rest).unwrap_or(rest.len())]
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

/// Resolves character references and line ends; NUL becomes U+FFFD.
fn decode(raw: &[u8]) -> Cow<'_, str> {
    let raw = String::from_utf8_lossy(raw);
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
        let (decoded, length) = reference(rest).unwrap_or(('&', 1));
        text.push(decoded);
        rest = &rest[length..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character of the reference at the start of `text`, and the reference's length.
fn reference(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] =
        [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\'')];
    if let Some((name, decoded)) = NAMED.into_iter().find(|(name, _)| text.starts_with(name)) {
        return Some((decoded, name.len()));
    }
    let number = text.strip_prefix("&#")?;
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let (digits, radix) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
    let count = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if count == 0 {
        return None;
    }
    let decoded = u32::from_str_radix(&digits[..count], radix).ok().and_then(numbered);
    let decoded = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
    let semicolon = usize::from(digits[count..].starts_with(';'));
    Some((decoded, text.len() - digits.len() + count + semicolon))
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

/// Resolves a reference on the page `base` to a path and query; none if it leads to another site or to no page.
fn resolve<'a>(base: &'a str, reference: &'a str) -> Option<(Cow<'a, str>, &'a str)> {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    let reference = reference.split('#').next().unwrap_or_default();
    if reference.starts_with("//") || has_scheme(reference) {
        return None;
    }
    let (base_path, base_query) = base.split_once('?').unwrap_or((base, ""));
    let (path, query) = match reference.split_once('?') {
        Some((path, query)) => (path, query),
        None if reference.is_empty() => ("", base_query),
        None => (reference, ""),
    };
    let path = if path.is_empty() {
        Cow::Borrowed(base_path)
    } else if path.starts_with('/') {
        Cow::Borrowed(path)
    } else {
        let folder = &base_path[..base_path.rfind('/').map_or(0, |slash| slash + 1)];
        Cow::Owned([folder, path].concat())
    };
    let path = if path.contains("/.") { Cow::Owned(without_dots(&path)) } else { path };
    Some((path, query))
}

fn has_scheme(reference: &str) -> bool {
    let Some((scheme, _)) = reference.split_once(':') else {
        return false;
    };
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}

/// Appends a query as browsers send it: with percent-encoding of characters that a request line may not contain.
fn encode_query(query: &str, text: &mut String) {
    let stays = |byte| matches!(byte, b'!' | b'$'..=b'&' | b'('..=b';' | b'=' | b'?'..=b'~');
    if query.bytes().all(stays) {
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
    use proptest::prelude::*;
    use settings::Document;
    use std::cell::Cell;

    thread_local! {
        pub(super) static BYTES: Cell<usize> = const { Cell::new(0) };
    }

    const SHOP: &str = r#"
name = "shop"
title = "A shop"
prefix = "/shop"
think_time = "7s"
session_length = "15m"
mix = "usual"
start = "Home"
[[interaction]]
name = "Home"
path = "index.html"
method = "GET"
class = "browse"
effect = "static"
protocol = "html"
"#;

    fn scanned_bytes(html: &str) -> usize {
        let catalogue = Catalogue::parse(&Document::new("app.toml", SHOP)).unwrap();
        BYTES.set(0);
        Page::scan(html.as_bytes(), "/shop/index.html", &catalogue);
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

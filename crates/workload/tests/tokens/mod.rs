//! The actions of a page by an independent tokenizer, for documents without a defined tree.

use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    states::RawKind::{Rawtext, Rcdata},
};
use std::cell::RefCell;
use workload::{Action, Catalogue, Page};

/// Results that both must agree on: the links' and forms' interactions, and the fields' names and values, in order.
#[derive(Debug, PartialEq, Default)]
pub struct Actions {
    links: Vec<String>,
    forms: Vec<(String, Vec<(String, String)>)>,
}

pub fn by_scanner(page: &Page, catalogue: &Catalogue) -> Actions {
    let mut actions = Actions::default();
    for action in page.actions() {
        let to = catalogue.get(action.to()).name.clone();
        match action {
            Action::Link { .. } => actions.links.push(to),
            Action::Form(form) => {
                let fields = form.fields().filter(|field| field.options().len() == 0);
                let pairs = fields.map(|field| (field.name().to_owned(), field.value().to_owned()));
                actions.forms.push((to, pairs.collect()));
            }
        }
    }
    actions
}

/// The actions by this tokenizer. Selects are only compared on whole documents.
pub fn by_tokenizer(html: &str, base: &str, catalogue: &Catalogue) -> Actions {
    let sink = Tags::default();
    let tokenizer = Tokenizer::new(sink, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    let input = BufferQueue::default();
    input.push_back(html.into());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let mut reader = Reader { base, catalogue, actions: Actions::default(), form: None };
    tokenizer.sink.tags.take().into_iter().for_each(|(tag, text)| reader.read(&tag, &text));
    reader.end_form();
    reader.actions
}

/// Collects tags, each with the text after it.
#[derive(Default)]
struct Tags {
    tags: RefCell<Vec<(Tag, String)>>,
}

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut tags = self.tags.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                let kind = match (tag.kind, &*tag.name) {
                    (TagKind::StartTag, "title" | "textarea") => Some(Rcdata),
                    // Scripts, too: see the scanner's documents for where a script ends.
                    (TagKind::StartTag, "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes") => {
                        Some(Rawtext)
                    }
                    _ => None,
                };
                tags.push((tag, String::new()));
                return kind.map_or(TokenSinkResult::Continue, TokenSinkResult::RawData);
            }
            Token::CharacterTokens(text) => {
                if let Some((_, behind)) = tags.last_mut() {
                    behind.push_str(&text);
                }
            }
            Token::NullCharacterToken => {
                if let Some((_, behind)) = tags.last_mut() {
                    behind.push('\0');
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

struct Reader<'a> {
    base: &'a str,
    catalogue: &'a Catalogue,
    actions: Actions,
    form: Option<OpenForm>,
}

struct OpenForm {
    to: Option<String>,
    fields: Vec<(String, String)>,
    has_button: bool,
}

impl Reader<'_> {
    fn read(&mut self, tag: &Tag, text: &str) {
        let get = |name: &str| {
            tag.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|found| &*found.value)
        };
        match (tag.kind, &*tag.name) {
            (TagKind::EndTag, "form") => self.end_form(),
            (TagKind::StartTag, "form") if self.form.is_none() => {
                let to = self.target(get("action").unwrap_or_default());
                self.form = Some(OpenForm { to, fields: Vec::new(), has_button: false });
            }
            (TagKind::StartTag, "a") => {
                if let Some(href) = get("href").filter(|href| !href.trim_start().starts_with('#')) {
                    self.actions.links.extend(self.target(href));
                }
            }
            (TagKind::StartTag, "textarea") => {
                let text = text.strip_prefix('\n').unwrap_or(text);
                self.field(&get, text);
            }
            (TagKind::StartTag, name @ ("input" | "button")) => {
                let kind = get("type").unwrap_or_default().to_ascii_lowercase();
                let value = get("value");
                let is_button = match name {
                    "input" => kind == "submit",
                    _ => kind != "button" && kind != "reset",
                };
                if is_button {
                    self.button(&get, value.unwrap_or_default());
                } else if name == "input" && (kind == "checkbox" || kind == "radio") {
                    if get("checked").is_some() {
                        self.field(&get, value.unwrap_or("on"));
                    }
                } else if name == "input" && !["button", "reset", "image", "file"].contains(&&*kind) {
                    let value = value.unwrap_or_default();
                    match &*kind {
                        "hidden" => self.field(&get, value),
                        _ => self.field(&get, &value.replace(['\n', '\r'], "")),
                    }
                }
            }
            _ => {}
        }
    }

    fn button<'t>(&mut self, get: &impl Fn(&str) -> Option<&'t str>, value: &str) {
        if get("disabled").is_none()
            && let Some(form) = &mut self.form
            && !std::mem::replace(&mut form.has_button, true)
        {
            self.field(get, value);
        }
    }

    fn field<'t>(&mut self, get: &impl Fn(&str) -> Option<&'t str>, value: &str) {
        let name = get("name").filter(|name| !name.is_empty() && get("disabled").is_none());
        if let (Some(name), Some(form)) = (name, &mut self.form) {
            form.fields.push((name.to_owned(), value.to_owned()));
        }
    }

    fn end_form(&mut self) {
        if let Some(OpenForm { to: Some(to), fields, .. }) = self.form.take() {
            self.actions.forms.push((to, fields));
        }
    }

    /// The target of a reference, by a scan of one link: the resolution has its own tests.
    fn target(&self, reference: &str) -> Option<String> {
        let escaped = reference.replace('&', "&amp;").replace('"', "&quot;").replace('\r', "&#13;");
        let html = format!("<form action=\"{escaped}\"></form>");
        let page = Page::scan(html.as_bytes(), self.base, self.catalogue);
        page.actions().next().map(|action| self.catalogue.get(action.to()).name.clone())
    }
}

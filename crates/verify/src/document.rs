//! Comparison of HTML documents: whitespace folded, attributes sorted, boolean ones without their values, times within
//! the tolerance, log-in tokens by their content.

use crate::TOLERANCE;
use application::{Timestamp, TokenKey};
use ego_tree::iter::Edge;
use scraper::{Html, Node, node::Element};
use std::fmt;
use workload::Page;

/// Attributes that HTML calls boolean: it matters that one is there, not its value.
const BOOLEAN: [&str; 23] = [
    "allowfullscreen",
    "async",
    "autofocus",
    "autoplay",
    "checked",
    "controls",
    "default",
    "defer",
    "disabled",
    "formnovalidate",
    "inert",
    "ismap",
    "itemscope",
    "loop",
    "multiple",
    "muted",
    "nomodule",
    "novalidate",
    "open",
    "readonly",
    "required",
    "reversed",
    "selected",
];

/// The fault of a document that no parser should read.
const UNREADABLE: &str = "the page has too many tags or attributes, or nests them too deep; leave some out";

/// A parsed document, flattened in document order.
pub(crate) struct HtmlDocument {
    /// None of a document that takes a parser too long.
    pieces: Option<Vec<Piece>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    /// An element begins: its name and its attributes, sorted.
    Element(String, Vec<(String, String)>),
    /// An element ends.
    End(String),
    /// Text, with its whitespace folded.
    Text(String),
    /// A comment, or another part that browsers don't show, with its whitespace folded.
    Hidden(String),
    /// An instant, in a page's text or in an attribute.
    Time(Timestamp),
    Token(i64, Timestamp),
}

impl HtmlDocument {
    /// Parses HTML as a browser does. Tokens are checked with the run's key.
    pub(crate) fn parse(html: &[u8], key: &TokenKey) -> Self {
        if Page::takes_too_long(html) {
            return Self { pieces: None };
        }
        let html = Html::parse_document(&String::from_utf8_lossy(html));
        let mut pieces = Vec::new();
        for edge in html.tree.root().traverse() {
            match edge {
                Edge::Open(node) => begin(node.value(), key, &mut pieces),
                Edge::Close(node) => pieces.extend(end(node.value())),
            }
        }
        Self { pieces: Some(pieces) }
    }

    /// All text in one line, for messages.
    pub(crate) fn text(&self) -> String {
        let Some(pieces) = &self.pieces else { return UNREADABLE.to_owned() };
        let texts = pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// True if a whole text of the page says this.
    pub(crate) fn shows(&self, text: &str) -> bool {
        let wanted = folded(text);
        let is_it = |piece: &Piece| matches!(piece, Piece::Text(own) if *own == wanted);
        self.pieces.as_ref().is_some_and(|pieces| pieces.iter().any(is_it))
    }

    /// Compares with the expected document, which was made `now`, this many seconds before this one arrived.
    pub(crate) fn compare(&self, expected: &Self, now: Timestamp, since: i64) -> Result<(), String> {
        let (Some(got), Some(right)) = (&self.pieces, &expected.pieces) else {
            return Err(format!("  {UNREADABLE}"));
        };
        for index in 0..got.len().max(right.len()) {
            let (one, other) = (got.get(index), right.get(index));
            if !one.zip(other).is_some_and(|(got, right)| same(got, right, since)) {
                let place = place(if other.is_some() { right } else { got }, index);
                let show = |piece: Option<&Piece>| piece.map_or("nothing more".to_owned(), Piece::to_string);
                return Err(format!(
                    "  at {place} (at {now})\n  expected: {}\n  got:      {}",
                    show(other),
                    show(one)
                ));
            }
        }
        Ok(())
    }
}

/// The place of a piece: the names of the elements around it, and its own.
fn place(pieces: &[Piece], index: usize) -> String {
    let mut open: Vec<&str> = Vec::new();
    for piece in &pieces[..index] {
        match piece {
            Piece::Element(name, _) => open.push(name),
            Piece::End(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    if let Piece::Element(name, _) = &pieces[index] {
        open.push(name);
    }
    open.join(" ")
}

/// True if pieces are equal, where a slow page may read its clock this many seconds later.
fn same(got: &Piece, right: &Piece, later: i64) -> bool {
    let near =
        |got: &Timestamp, right: &Timestamp| (-TOLERANCE..=TOLERANCE + later).contains(&(*got - *right));
    match (got, right) {
        (Piece::Time(got), Piece::Time(right)) => near(got, right),
        (Piece::Token(user, expires), Piece::Token(other, until)) => user == other && near(expires, until),
        (one, other) => one == other,
    }
}

fn begin(node: &Node, key: &TokenKey, pieces: &mut Vec<Piece>) {
    match node {
        Node::Element(element) => {
            let (piece, special) = open(element, key);
            pieces.push(piece);
            pieces.extend(special);
        }
        Node::Text(text) => {
            let folded = folded(text);
            if !folded.is_empty() {
                pieces.push(Timestamp::parse(&folded).map_or(Piece::Text(folded), Piece::Time));
            }
        }
        // Its identifiers decide how browsers lay the page out.
        Node::Doctype(doctype) => {
            let text = [doctype.name(), doctype.public_id(), doctype.system_id()].join(" ");
            pieces.push(Piece::Text(format!("<!doctype {}>", text.trim_end())));
        }
        Node::Comment(comment) => pieces.push(Piece::Hidden(format!("<!--{}-->", folded(comment)))),
        Node::ProcessingInstruction(instruction) => {
            pieces.push(Piece::Hidden(format!("<?{} {}>", instruction.target, instruction.data)));
        }
        Node::Document | Node::Fragment => {}
    }
}

fn end(node: &Node) -> Option<Piece> {
    node.as_element().map(|element| Piece::End(element.name().to_owned()))
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An element, and separately an attribute that may differ within a tolerance.
fn open(element: &Element, key: &TokenKey) -> (Piece, Option<Piece>) {
    let mut special = None;
    let is_token = element.attr("name") == Some("token");
    let mut attributes: Vec<(String, String)> = Vec::new();
    for (name, value) in element.attrs() {
        let found = match name {
            "datetime" => instant(value).map(Piece::Time),
            "value" if is_token => key.claim(value).map(|(user, expires)| Piece::Token(user, expires)),
            _ => None,
        };
        match found {
            Some(piece) => special = Some(piece),
            None if BOOLEAN.contains(&name) => attributes.push((name.to_owned(), String::new())),
            None => attributes.push((name.to_owned(), value.to_owned())),
        }
    }
    attributes.sort();
    (Piece::Element(element.name().to_owned(), attributes), special)
}

/// Reads `2026-11-21T20:34:49Z`.
fn instant(machine: &str) -> Option<Timestamp> {
    Timestamp::parse(&machine.strip_suffix('Z')?.replacen('T', " ", 1))
}

/// True if two pages have the same bytes except for insignificant blanks: those beside tags, and repeated ones. A quick
/// check that leaves uncertain cases to the parser.
pub(crate) fn same_but_for_blanks(one: &[u8], other: &[u8]) -> bool {
    one == other || Folded::new(one).eq(Folded::new(other))
}

/// The bytes of a page without insignificant blanks.
struct Folded<'a> {
    rest: &'a [u8],
    in_tag: bool,
    last: u8,
}

impl<'a> Folded<'a> {
    fn new(page: &'a [u8]) -> Self {
        Self { rest: page.trim_ascii(), in_tag: false, last: b'>' }
    }
}

impl Iterator for Folded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        let mut byte = first;
        self.rest = rest;
        if !self.in_tag && first.is_ascii_whitespace() {
            self.rest = rest.trim_ascii_start();
            byte = b' ';
            if self.last == b'>' || self.rest.first() == Some(&b'<') {
                let (&next, rest) = self.rest.split_first()?;
                (byte, self.rest) = (next, rest);
            }
        }
        self.in_tag = match byte {
            b'<' => true,
            b'>' => false,
            _ => self.in_tag,
        };
        self.last = byte;
        Some(byte)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(name, attributes) => {
                write!(f, "<{name}")?;
                attributes.iter().try_for_each(|(name, value)| write!(f, " {name}=\"{value}\""))?;
                f.write_str(">")
            }
            Self::End(name) => write!(f, "</{name}>"),
            Self::Text(text) => write!(f, "“{text}”"),
            Self::Hidden(text) => f.write_str(text),
            Self::Time(instant) => write!(f, "the time {instant}"),
            Self::Token(user, expires) => write!(f, "a token of user {user}, good until {expires}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_293_289);

    fn compare(got: &str, expected: &str) -> Result<(), String> {
        compare_after(0, got, expected)
    }

    /// Compares an answer that came this many seconds later.
    fn compare_after(seconds: i64, got: &str, expected: &str) -> Result<(), String> {
        let key = TokenKey::new("key");
        let parse = |page: &str| HtmlDocument::parse(page.as_bytes(), &key);
        parse(got).compare(&parse(expected), NOW, seconds)
    }

    #[test]
    fn only_insignificant_blanks_are_ignored() {
        let page = "<main>\n  <p class=\"a  b\">One  two<b> three</b>\n</p></main>\n";
        for same in [
            page,
            "<main><p class=\"a  b\">One two<b>three</b></p></main>",
            " <main> <p class=\"a  b\"> One\ntwo <b>three </b> </p> </main>",
        ] {
            assert!(same_but_for_blanks(same.as_bytes(), page.as_bytes()), "{same}");
            let key = TokenKey::new("key");
            let parse = |page: &str| HtmlDocument::parse(page.as_bytes(), &key);
            assert_eq!(parse(same).compare(&parse(page), NOW, 0), Ok(()));
        }
        for other in ["a b", "a", "One twothree", "class=\"a b\"", "One two four"] {
            let other = page.replace("One  two", other);
            assert!(!same_but_for_blanks(other.as_bytes(), page.as_bytes()), "{other}");
        }
        assert!(!same_but_for_blanks(page.replace("a  b", "a b").as_bytes(), page.as_bytes()));
    }

    #[test]
    fn whitespace_and_the_order_of_attributes_are_ignored() {
        compare("<p  class=a id='b'>one\n two</p>", "<P id=b class=\"a\"> one two </P>\n").unwrap();
    }

    #[test]
    fn boolean_attributes_are_there_or_not() {
        let right = "<input name=\"a\" required><option selected>one";
        compare("<input name=a required='required'><option selected=\"selected\">one", right).unwrap();
        assert!(compare("<input name=a><option selected>one", right).is_err());
        assert!(compare("<input name=a required disabled><option selected>one", right).is_err());
        assert!(compare("<input name=required required><option selected>one", right).is_err());
    }

    #[test]
    fn visible_changes_are_differences() {
        let right = "<ul><li>one<li>two</ul>";
        for wrong in [
            "<ul><li>two<li>one</ul>",
            "<ul><li>one</ul>",
            "<ul><li>one<li>two<li></ul>",
            "<ol><li>one<li>two</ol>",
        ] {
            assert!(compare(wrong, right).is_err(), "{wrong}");
        }
        let unescaped = compare("<p><b>x</b></p>", "<p>&lt;b&gt;x&lt;/b&gt;</p>").unwrap_err();
        assert!(unescaped.contains("at html body p"), "{unescaped}");
    }

    #[test]
    fn a_page_that_nests_too_deep_is_a_difference() {
        let nested = |depth: usize| format!("{}<b>x</b>", "<div>".repeat(depth));
        compare(&nested(400), &nested(400)).unwrap();
        let fault = compare(&nested(400), &nested(400).replace('x', "y")).unwrap_err();
        assert!(fault.starts_with("  at html body div ") && fault.contains(" div b (at "), "{fault}");
        for endless in [nested(20_000), nested(1_000_000)] {
            assert_eq!(compare(&endless, "<b>x</b>"), Err(format!("  {UNREADABLE}")));
            assert_eq!(compare("<b>x</b>", &endless), Err(format!("  {UNREADABLE}")));
        }
    }

    #[test]
    fn what_browsers_do_not_show_is_a_difference() {
        let right = "<!doctype html><p>one</p><template><p>two</p></template>";
        compare(right, right).unwrap();
        let compat = "<!doctype html PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\" \"about:legacy-compat\">";
        for wrong in [
            right.replace("one", "one<!-- 7 statements -->"),
            format!("{right}<!-- made in 3 ms -->"),
            format!("<!-- first -->{right}"),
            right.replace("two", "three"),
            right.replace("<!doctype html>", compat),
        ] {
            assert!(compare(&wrong, right).is_err(), "{wrong}");
            assert!(!same_but_for_blanks(wrong.as_bytes(), right.as_bytes()), "{wrong}");
        }
        compare("<p>a<!-- x\n y --></p>", "<p>a<!--x y--></p>").unwrap();
    }

    #[test]
    fn times_may_differ_by_the_tolerance() {
        let page = |seconds| {
            let at = NOW + seconds;
            format!("<time datetime=\"{}\">{at}</time>", at.machine())
        };
        compare(&page(TOLERANCE), &page(0)).unwrap();
        assert!(compare(&page(TOLERANCE + 1), &page(0)).is_err());
        compare_after(3, &page(TOLERANCE + 3), &page(0)).unwrap();
        for other in [TOLERANCE + 4, -TOLERANCE - 1] {
            assert!(compare_after(3, &page(other), &page(0)).is_err(), "{other}");
        }
    }

    #[test]
    fn tokens_must_be_of_the_same_user() {
        let page = |key: &str, user| {
            let token = TokenKey::new(key).sign(user, NOW);
            format!("<input type=hidden name=token value=\"{token}\">")
        };
        compare(&page("key", 7), &page("key", 7)).unwrap();
        assert!(compare(&page("key", 8), &page("key", 7)).is_err());
        assert!(compare(&page("guess", 7), &page("key", 7)).is_err());
    }
}

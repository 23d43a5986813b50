//! Compares the page scanner with the standard's parser on well-formed documents, and with that parser's tokenizer on
//! damaged ones: there the parser repairs a tree, which the scanner doesn't build. What the parser's tree makes of forms
//! is compared with examples of the standard.
//!
//! `PROPTEST_CASES=1000000` runs longer than the usual tests; `make fuzz` sets it.

mod forms;
mod tokens;

use proptest::prelude::*;
use settings::Document;
use workload::{Action, Catalogue, ExternalSite, Method, Page};

const AUCTION: &str = r#"
prefix = "/auction"
follow = "mix"

[[interaction]]
name = "Home"
path = "index.html"

[[interaction]]
name = "ViewItem"
path = "ViewItem"

[[interaction]]
name = "StoreBid"
path = "StoreBid"
method = "POST"
class = "order"
effect = "write"
writes = "rows"
"#;

const BASE: &str = "/auction/ViewItem?itemId=1";

fn catalogue() -> Catalogue {
    ExternalSite::parse(&Document::new("auction.toml", AUCTION), false).unwrap().catalogue
}

/// Results that both sides must agree on.
#[derive(Debug, PartialEq)]
struct Extracted {
    /// Targets with their queries.
    links: Vec<(String, String)>,
    forms: Vec<ExtractedForm>,
    acknowledged: Option<u64>,
}

#[derive(Debug, PartialEq)]
struct ExtractedForm {
    to: String,
    method: Method,
    fields: Vec<SeenField>,
}

#[derive(Debug, PartialEq)]
struct SeenField {
    name: String,
    value: String,
    visible: bool,
    min: Option<f64>,
    max: Option<f64>,
    max_length: Option<u32>,
    options: Vec<String>,
}

fn extracted(page: &Page, catalogue: &Catalogue) -> Extracted {
    let mut extracted = Extracted { links: Vec::new(), forms: Vec::new(), acknowledged: page.acknowledged() };
    for action in page.actions() {
        let to = catalogue.get(action.to()).name.clone();
        match action {
            Action::Link { query, .. } => extracted.links.push((to, query.to_owned())),
            Action::Form(form) => {
                let fields = form.fields().map(|field| SeenField {
                    name: field.name().to_owned(),
                    value: field.value().to_owned(),
                    visible: field.is_visible(),
                    min: field.min(),
                    max: field.max(),
                    max_length: field.max_length(),
                    options: field.options().map(str::to_owned).collect(),
                });
                extracted.forms.push(ExtractedForm { to, method: form.method(), fields: fields.collect() });
            }
        }
    }
    extracted
}

/// A page with a form that has many times this.
fn with_many(many: usize, piece: &str) -> String {
    format!("<a href='ViewItem'>x</a><form action='StoreBid' method='post'>{}</form>", piece.repeat(many))
}

#[test]
fn nothing_is_left_of_a_page_with_more_than_a_client_may_hold() {
    let catalogue = catalogue();
    let button = "<button formaction='StoreBid' name=b></button>";
    for (usual, most, piece) in [
        (1000, 600_000, "<input name=a value=1>"),
        (1000, 600_000, "<a href='ViewItem?itemId=7'></a>"),
        (5, 1000, &format!("{button}{}", "<input name=a>".repeat(50))),
    ] {
        for (many, is_too_large) in [(usual, false), (most, true)] {
            let html = with_many(many, piece);
            let page = Page::scan(html.as_bytes(), BASE, &catalogue);
            assert_eq!(page.is_too_large(), is_too_large, "{many} {piece}");
            assert_eq!(page.actions().count() == 0, is_too_large, "{many} {piece}");
        }
    }
    let parsed = Page::parse(with_many(40_000, "<input name=a>").as_bytes(), BASE, &catalogue);
    assert!(parsed.is_too_large() && parsed.actions().count() == 0);
}

/// Many copies of a piece, with a number in place of `#`.
fn numbered(many: usize, piece: &str) -> String {
    (0..many).map(|number| piece.replace('#', &number.to_string())).collect()
}

#[test]
fn a_page_that_would_take_a_parser_hours_is_too_large() {
    let catalogue = catalogue();
    let attributes = numbered(200_000, " a#");
    for (what, html) in [
        ("nested elements", "<div>".repeat(1_000_000)),
        ("nested elements that are formatted", numbered(100_000, "<b a#>")),
        (
            "elements that each paragraph repeats",
            format!("<p>{}{}", numbered(400, "<b a#>"), "</p><p>x".repeat(100_000)),
        ),
        ("more and more attributes", numbered(200_000, "<html a#>")),
        ("ends of nothing", "</x>".repeat(2_000_000)),
        ("a tag with many attributes", format!("<p{attributes}>")),
        ("an end with many attributes", format!("</p{attributes}>")),
    ] {
        let page = Page::scan(html.as_bytes(), BASE, &catalogue);
        assert!(page.is_too_large() && Page::takes_too_long(html.as_bytes()), "{what}");
        assert!(!Page::takes_too_long(&html.as_bytes()[..1 << 14]), "16 KiB of {what}");
    }
}

#[test]
fn a_large_page_of_a_real_site_is_read() {
    let row = "<tr><td class=x><a href='ViewItem?itemId=7'>Item</a><td><b>12</b> bids</tr>\n";
    let html = format!(
        "\u{feff}<svg></svg>{}<table class=y>{}</table><script>if (1<2) {{}}</script>",
        "<div class=z>".repeat(30),
        row.repeat(10_000)
    );
    let page = Page::scan(html.as_bytes(), BASE, &catalogue());
    assert_eq!((page.is_too_large(), page.actions().count()), (false, 10_000));
    let deep = format!("{}<svg></svg><a href='ViewItem'>x</a>", "<div>".repeat(400));
    assert_eq!(Page::scan(deep.as_bytes(), BASE, &catalogue()).actions().count(), 1);
}

/// Text with all characters that need escaping.
fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec!["a", "B", "7", " ", "&", "<", ">", "\"", "'", "ä", "=", "/", "&amp;", "-"]),
        0..8,
    )
    .prop_map(|parts| parts.concat())
}

/// Escapes text as one of the ways that templates do.
fn escape(text: &str, way: u8) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match (character, way % 3) {
            ('&', 0) => escaped.push_str("&amp;"),
            ('<', 0) => escaped.push_str("&lt;"),
            ('>', 0) => escaped.push_str("&gt;"),
            ('"', 0) => escaped.push_str("&quot;"),
            ('&' | '<' | '>' | '"' | '\'', 1) => escaped.push_str(&format!("&#{};", u32::from(character))),
            ('&' | '<' | '>' | '"' | '\'', 2) => escaped.push_str(&format!("&#x{:x};", u32::from(character))),
            ('\'', _) => escaped.push_str("&apos;"),
            (other, _) => escaped.push(other),
        }
    }
    escaped
}

fn attribute(name: &str, value: &str, way: u8) -> String {
    let name = if way & 4 == 0 { name.to_owned() } else { name.to_uppercase() };
    let escaped = escape(value, way);
    let bare =
        !escaped.is_empty() && !escaped.contains(|c: char| c.is_whitespace() || "\"'=<>`/".contains(c));
    match way >> 3 {
        0..8 => format!(" {name}=\"{escaped}\""),
        8..16 => format!("\n\t{name} = '{escaped}'"),
        _ if bare => format!(" {name}={escaped} "),
        _ => format!(" {name}=\"{escaped}\""),
    }
}

fn reference() -> impl Strategy<Value = String> {
    let paths = vec![
        "ViewItem",
        "/auction/ViewItem",
        "StoreBid",
        "/auction/index.html",
        "index.html",
        "/other",
        "Unknown",
        "./../auction/./ViewItem",
        "View%49tem",
        "/auction/x/../StoreBid",
        "https://example.com/auction/ViewItem",
        "//example.com/auction/ViewItem",
        "mailto:a@example.com",
    ];
    let query = prop::option::of(words().prop_map(|words| format!("?q={words}&x=1")));
    let fragment = prop::option::of(Just("#part"));
    (prop::sample::select(paths), query, fragment).prop_map(|(path, query, fragment)| {
        [path, &query.unwrap_or_default(), fragment.unwrap_or_default()].concat()
    })
}

/// Any content except forms.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        (reference(), words(), any::<u8>()).prop_map(|(to, text, way)| {
            format!("<a class=x{}>{}</a>", attribute("href", &to, way), escape(&text, way))
        }),
        (words(), any::<u8>()).prop_map(|(text, way)| format!(
            "<p{}>{}</p>",
            attribute("title", &text, way),
            escape(&text, way)
        )),
        words().prop_map(|text| format!(
            "<!-- <a href='ViewItem'>{} <form action=StoreBid> -->",
            text.replace("--", "").replace('>', "")
        )),
        Just("<!----><!--><a href='ViewItem'>shown</a>".to_owned()),
        Just("<script>if (a<b) { x = \"<a href='ViewItem'>\"; }</script>".to_owned()),
        Just("<style>a::before { content: '<a href=ViewItem>' }</STYLE >".to_owned()),
        Just("<?php <a href='ViewItem'>odd</a> ?>".to_owned()),
        Just("</1><a href='ViewItem' href='StoreBid'>doubled</a>".to_owned()),
        Just("<a/href='ViewItem'>slashed</a><br/><hr>1 < 2 & 3".to_owned()),
        (0..u64::MAX)
            .prop_map(|row| format!("<data class=\"big acknowledged\" value=\"{row}\">{row}</data>")),
        Just("<data class=unacknowledged value=5></data>".to_owned()),
    ]
}

fn form_field() -> impl Strategy<Value = String> {
    let flags = prop::sample::select(vec!["", "", "", " disabled", " readonly", " checked", " required"]);
    let kind = prop::sample::select(vec!["hidden", "text", "checkbox", "submit", "reset"]);
    let limits = prop::option::of((0..100_u32, 100..200_u32));
    prop_oneof![
        (kind, words(), words(), flags.clone(), limits, any::<u8>()).prop_map(
            |(kind, name, value, flag, limits, way)| {
                let limits = limits
                    .map(|(min, max)| format!(" min={min}.5 max='{max}' maxlength={max}"))
                    .unwrap_or_default();
                let pair = [attribute("name", &name, way), attribute("value", &value, way)].concat();
                format!("<input type={kind}{pair}{limits}{flag}>")
            }
        ),
        (words(), words(), flags.clone(), any::<u8>()).prop_map(|(name, text, flag, way)| {
            let fake = if way & 1 == 0 { "<a href='ViewItem'>" } else { "\n" };
            format!(
                "<textarea{}{flag}>{fake}{}</textarea>",
                attribute("name", &name, way),
                escape(&text, way)
            )
        }),
        (words(), prop::collection::vec((words(), any::<bool>()), 0..4), any::<u8>()).prop_map(
            |(name, options, way)| {
                let options: String = options
                    .iter()
                    .enumerate()
                    .map(|(i, (value, selected))| {
                        let selected = if *selected { " selected" } else { "" };
                        match way & 2 {
                            0 => format!("<option{}{selected}>Shown", attribute("value", value, way)),
                            _ => format!("<option{selected}> Number {i} </option>\n"),
                        }
                    })
                    .collect();
                format!("<select{}>{options}</select>", attribute("name", &name, way))
            }
        ),
        (words(), any::<u8>()).prop_map(|(name, way)| format!(
            "<button{}{}>Go</button>",
            attribute("name", &name, way),
            attribute("value", "v", way)
        )),
        piece(),
    ]
}

fn form() -> impl Strategy<Value = String> {
    let method = prop::sample::select(vec!["", " method=get", " method='POST'", " method=post"]);
    (reference(), method, prop::collection::vec(form_field(), 0..6), any::<u8>()).prop_map(
        |(action, method, fields, way)| {
            format!("<form{}{method}>{}</form>", attribute("action", &action, way), fields.concat())
        },
    )
}

fn document() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![3 => piece(), 1 => form()], 0..12).prop_map(|pieces| {
        format!(
            "<!DOCTYPE html><html><head><title>A <a href='ViewItem'></title></head><body>{}</body></html>",
            pieces.concat()
        )
    })
}

/// A document, damaged: pieces are cut out, doubled and put elsewhere, and bytes are changed.
fn damaged() -> impl Strategy<Value = String> {
    let part = (any::<prop::sample::Index>(), 0..40_usize, any::<prop::sample::Index>(), 0..4_u8);
    let noise = prop::sample::select(vec![
        "<",
        ">",
        "\"",
        "'",
        "=",
        "/",
        "!",
        "-",
        "--",
        "<!--",
        "--!>",
        "-->",
        "<!",
        "</",
        "<?",
        "<a href=",
        "<form>",
        "</form>",
        "<textarea name=t>",
        "</textarea",
        "<title>",
        "</title ",
        "<select name=s>",
        "<option",
        "<input name=x value=",
        "&amp;",
        "&#65;",
        "&#x;",
        "&#0;",
        "&#128;",
        "&#xD800;",
        "&#99999999999;",
        "\r",
        "\r\n",
        "\n",
        "\t",
        "\u{c}",
        "\0",
        "ä",
        " ",
    ]);
    (document(), prop::collection::vec((part, noise), 1..12)).prop_map(|(html, damages)| {
        let mut text: Vec<char> = html.chars().collect();
        for ((from, length, to, kind), noise) in damages {
            let from = from.index(text.len() + 1);
            let piece: Vec<char> = text[from..].iter().take(length).copied().collect();
            if kind == 0 || kind == 1 {
                text.drain(from..from + piece.len());
            }
            let to = to.index(text.len() + 1);
            match kind {
                0 => {}
                1 | 2 => drop(text.splice(to..to, piece)),
                _ => drop(text.splice(to..to, noise.chars())),
            }
        }
        text.into_iter().collect::<String>()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_a_tokenizer_on_damaged_documents(html in damaged()) {
        let catalogue = catalogue();
        let Some(page) = Page::scan_alone(html.as_bytes(), BASE, &catalogue) else { return Ok(()) };
        prop_assert_eq!(tokens::by_scanner(&page, &catalogue), tokens::by_tokenizer(&html, BASE, &catalogue));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn agrees_with_a_parser(html in document()) {
        let catalogue = catalogue();
        let [scanned, parsed] = [Page::scan, Page::parse].map(|read| read(html.as_bytes(), BASE, &catalogue));
        prop_assert_eq!(extracted(&scanned, &catalogue), extracted(&parsed, &catalogue));
    }

    #[test]
    fn arbitrary_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        Page::scan(&bytes, BASE, &catalogue());
    }

    #[test]
    fn broken_documents_cause_no_panic(
        html in document(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..10),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = html.into_bytes();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()));
        Page::scan(&bytes, BASE, &catalogue());
    }
}

/// Documents on which scanner and tokenizer once disagreed.
#[test]
fn agrees_with_a_tokenizer_on_earlier_findings() {
    let catalogue = catalogue();
    for html in [
        "<form action=ViewItem><textarea name=\0a>x</textarea></form>",
        "<form action=ViewItem><textarea name=a>\r<a href=ViewItem></textarea></form>",
        "<form action=ViewItem><input name=a value='&#128;&#159;&#129;&#0;&#xD800;'></form>",
        "<!-----><a href=ViewItem></a>----!><a href=StoreBid></a>",
    ] {
        let page = Page::scan_alone(html.as_bytes(), BASE, &catalogue).expect("the scanner reads it");
        assert_eq!(
            tokens::by_scanner(&page, &catalogue),
            tokens::by_tokenizer(html, BASE, &catalogue),
            "{html:?}"
        );
    }
}

#[test]
fn resolves_references_as_browsers_do() {
    let catalogue = catalogue();
    for (href, expected) in [
        ("ViewItem?itemId=12", Some("ViewItem?itemId=12")),
        ("./ViewItem", Some("ViewItem?")),
        ("../auction/x/../ViewItem?a=../b", Some("ViewItem?a=../b")),
        ("?itemId=2", Some("ViewItem?itemId=2")),
        (" \n/auction/StoreBid#top ", Some("StoreBid?")),
        ("", Some("ViewItem?itemId=1")),
        ("#top", None),
        ("http://localhost/auction/ViewItem", None),
        ("//localhost/auction/ViewItem", None),
        ("javascript:void(0)", None),
        ("/ViewItem", None),
        ("/auction/ViewItem/", None),
    ] {
        let html = format!("<a href=\"{href}\">x</a>");
        let page = Page::scan(html.as_bytes(), BASE, &catalogue);
        let found = page.actions().next().map(|action| match action {
            Action::Link { to, query } => format!("{}?{query}", catalogue.get(to).name),
            Action::Form(_) => unreachable!("the page has no form"),
        });
        assert_eq!(found.as_deref(), expected, "{href}");
    }
}

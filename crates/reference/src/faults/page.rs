//! A fault on a page. The correct answer is altered.

use application::{Response, Timestamp};
use std::ops::Range;

/// The kind of a page's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blemish {
    Attribute,
    Cut,
    Entry,
    Hour,
    Kind,
    Number,
    Raw,
    Status,
    Swapped,
    Word,
}

use Blemish::{Attribute, Cut, Entry, Hour, Kind, Number, Raw, Status, Swapped, Word};

/// Faults of any page: kind, name and description.
pub(super) const EVERYWHERE: [(Blemish, &str, &str); 5] = [
    (Attribute, "attribute", "the last number in an attribute is one more"),
    (Cut, "cut", "the page ends before its footer"),
    (Kind, "kind", "the content type names no character set"),
    (Status, "status", "error pages have status 200"),
    (Word, "word", "the last word has other capitals"),
];

/// Faults that need something on the page.
pub(super) const WHERE_POSSIBLE: [(Blemish, &str, &str); 5] = [
    (Entry, "entry", "the last entry of a list is lost"),
    (Hour, "hour", "times are an hour late"),
    (Number, "number", "the last number is one more"),
    (Raw, "raw", "text is not escaped"),
    (Swapped, "swapped", "the first two entries of a list are swapped"),
];

/// The character references of HTML's special characters.
const ESCAPED: [(&str, &str); 4] = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'")];

const HOUR: i64 = 3600;

impl Blemish {
    /// True if it needs something that not all pages have.
    pub(super) fn needs_a_thing(self) -> bool {
        WHERE_POSSIBLE.iter().any(|(blemish, ..)| *blemish == self)
    }

    pub(super) fn alter(self, mut response: Response) -> Response {
        match self {
            Status if response.status >= 400 => response.status = 200,
            Kind if response.status < 400 => response.content_type = "text/html",
            Status | Kind => {}
            _ if response.status < 400 => {
                if let Ok(page) = String::from_utf8(response.body.clone()) {
                    response.body = self.on(page).into_bytes();
                }
            }
            _ => {}
        }
        response
    }

    fn on(self, page: String) -> String {
        let Some(main) = main_of(&page) else { return page };
        let replaced =
            |range: Range<usize>, by: &str| format!("{}{by}{}", &page[..range.start], &page[range.end..]);
        let increased = |number: Option<Range<usize>>| match number {
            Some(range) => replaced(range.clone(), &one_more(&page[range])),
            None => page.clone(),
        };
        match self {
            Attribute => increased(last_number(&page, main, true)),
            Number => increased(last_number(&page, main, false)),
            Cut => page[..main.end].to_owned(),
            Entry => entries(&page, main).pop().map_or(page.clone(), |entry| replaced(entry, "")),
            Hour => replaced(main.clone(), &hours_late(&page[main])),
            Raw => replaced(main.clone(), &unescaped(&page[main])),
            Swapped => swapped(&page, &entries(&page, main)),
            Word => last_word(&page, main)
                .map_or(page.clone(), |word| replaced(word.clone(), &other_case(&page[word]))),
            Kind | Status => page,
        }
    }
}

/// Shows a text unescaped wherever the page shows it escaped.
pub(super) fn echo(mut response: Response, text: &str) -> Response {
    let mut escaped = text.replace('&', "&#38;");
    for (code, character) in ESCAPED {
        escaped = escaped.replace(character, code);
    }
    if let Ok(page) = std::str::from_utf8(&response.body) {
        response.body = page.replace(&escaped, text).into_bytes();
    }
    response
}

/// The main part of a page, or the body of an envelope.
fn main_of(page: &str) -> Option<Range<usize>> {
    [("<main>", "</main>"), ("<soapenv:Body>", "</soapenv:Body>")].into_iter().find_map(|(begin, end)| {
        let start = page.find(begin)? + begin.len();
        Some(start..start + page[start..].find(end)?)
    })
}

/// Tags and texts in turn, without times and log-in tokens.
fn pieces(page: &str, main: Range<usize>) -> Vec<(bool, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = main.start;
    while at < main.end {
        let is_tag = page[at..].starts_with('<');
        let length = page[at..main.end].find(if is_tag { '>' } else { '<' });
        let end = length.map_or(main.end, |length| at + length + usize::from(is_tag));
        let piece = &page[at..end];
        let is_time = piece.starts_with("<time")
            || page[..at].rfind('<').is_some_and(|tag| page[tag..].starts_with("<time"));
        if !is_time && !piece.contains("name=\"token\"") {
            found.push((is_tag, at..end));
        }
        at = end;
    }
    found
}

fn last_number(page: &str, main: Range<usize>, in_tag: bool) -> Option<Range<usize>> {
    pieces(page, main).into_iter().rev().filter(|(is_tag, _)| *is_tag == in_tag).find_map(|(_, range)| {
        // Character references and names with a digit, such as h1, are no numbers.
        let text = &page[range.clone()];
        let end = text.rfind(|character: char| character.is_ascii_digit())? + 1;
        let digits = text[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
        let start = end - digits;
        let is_number = !text[..start].ends_with(|before: char| before == '#' || before.is_alphabetic());
        is_number.then_some(range.start + start..range.start + end)
    })
}

fn one_more(digits: &str) -> String {
    digits
        .parse::<u64>()
        .map_or(digits.to_owned(), |number| format!("{:0width$}", number + 1, width = digits.len()))
}

/// The rows of tables without headings, and the items of lists.
fn entries(page: &str, main: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (begin, end) in [("<tr", "</tr>"), ("<li", "</li>")] {
        let mut at = main.start;
        while let Some(start) = page[at..main.end].find(begin).map(|start| at + start) {
            let Some(length) = page[start..main.end].find(end) else { break };
            at = start + length + end.len();
            if !page[start..at].contains("scope=\"col\"") {
                found.push(start..at);
            }
        }
    }
    found
}

fn swapped(page: &str, entries: &[Range<usize>]) -> String {
    let [one, two, ..] = entries else { return page.to_owned() };
    let (before, between, after) = (&page[..one.start], &page[one.end..two.start], &page[two.end..]);
    [before, &page[two.clone()], between, &page[one.clone()], after].concat()
}

fn hours_late(main: &str) -> String {
    let mut late = String::new();
    let mut rest = main;
    while let Some(at) = rest.find("<time") {
        let (before, time) = rest.split_at(at);
        let end = time.find("</time>").unwrap_or(time.len());
        late.push_str(before);
        late.push_str(&hour_late(&time[..end]));
        rest = &time[end..];
    }
    late + rest
}

/// `<time datetime="2026-11-21T20:34:49Z">2026-11-21 20:34:49`.
fn hour_late(time: &str) -> String {
    let shown = time.rsplit('>').next().and_then(Timestamp::parse);
    shown.map_or(time.to_owned(), |at| {
        let late = at + HOUR;
        time.replace(&at.machine(), &late.machine()).replace(&at.to_string(), &late.to_string())
    })
}

fn unescaped(main: &str) -> String {
    ESCAPED.iter().fold(main.to_owned(), |text, (code, character)| text.replace(code, character))
}

fn last_word(page: &str, main: Range<usize>) -> Option<Range<usize>> {
    pieces(page, main).into_iter().rev().find_map(|(is_tag, range)| {
        let is_word = |byte: u8| byte.is_ascii_alphabetic();
        (!is_tag && page[range.clone()].bytes().any(is_word)).then_some(range)
    })
}

fn other_case(text: &str) -> String {
    let other = |letter: char| match letter.is_ascii_lowercase() {
        true => letter.to_ascii_uppercase(),
        false => letter.to_ascii_lowercase(),
    };
    text.chars().map(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<nav><li>0</li></nav><main><h1>Cup &#38; saucer</h1><table>\
        <tr><th scope=\"col\">No</th></tr><tr><td>7</td></tr><tr><td>8.99</td></tr></table>\
        <time datetime=\"2026-11-21T23:30:00Z\">2026-11-21 23:30:00</time>\
        <a href=\"/x?id=9&amp;y=10\">&#39;Go&#39;</a>\
        <input name=\"token\" value=\"7.99.1\"></main><footer>1 end</footer>";

    fn altered(blemish: Blemish) -> String {
        blemish.on(PAGE.to_owned())
    }

    #[test]
    fn envelopes_are_altered_in_their_bodies() {
        let envelope = |body: &str| format!("<e a=\"1\"><soapenv:Body>{body}</soapenv:Body></e>");
        let altered = |blemish: Blemish| blemish.on(envelope("<q:a>one</q:a><q:b>7</q:b>"));
        assert_eq!(altered(Number), envelope("<q:a>one</q:a><q:b>8</q:b>"));
        assert_eq!(altered(Word), envelope("<q:a>ONE</q:a><q:b>7</q:b>"));
        assert_eq!(altered(Cut), "<e a=\"1\"><soapenv:Body><q:a>one</q:a><q:b>7</q:b>");
        assert_eq!(altered(Entry), altered(Raw));
    }

    #[test]
    fn each_blemish_alters_one_thing() {
        for (blemish, from, to) in [
            (Attribute, "y=10", "y=11"),
            (Entry, "<tr><td>8.99</td></tr>", ""),
            (Number, "8.99", "8.100"),
            (Raw, "&#39;Go&#39;", "'Go'"),
            (
                Swapped,
                "<tr><td>7</td></tr><tr><td>8.99</td></tr>",
                "<tr><td>8.99</td></tr><tr><td>7</td></tr>",
            ),
            (Word, "&#39;Go&#39;", "&#39;gO&#39;"),
            (Cut, "</main><footer>1 end</footer>", ""),
        ] {
            assert_eq!(altered(blemish), PAGE.replace(from, to), "{blemish:?}");
        }
        let late = altered(Hour);
        assert!(
            late.contains(">2026-11-22 00:30:00<") && late.contains("\"2026-11-22T00:30:00Z\""),
            "{late}"
        );
    }

    #[test]
    fn pages_without_the_affected_part_stay_unchanged() {
        let page = "<main><h1>Empty</h1></main>";
        for blemish in [Attribute, Entry, Hour, Number, Raw, Swapped] {
            assert_eq!(blemish.on(page.to_owned()), page, "{blemish:?}");
        }
    }

    #[test]
    fn status_and_content_type_are_altered() {
        let answer =
            |status| Response { status, content_type: "text/html; charset=utf-8", body: PAGE.into() };
        assert_eq!(Status.alter(answer(409)).status, 200);
        assert_eq!(Kind.alter(answer(200)).content_type, "text/html");
        assert_eq!(Word.alter(answer(404)).body, PAGE.as_bytes());
    }

    #[test]
    fn a_text_is_shown_unescaped() {
        let page = "<main>&#60;b&#62; &#38;#39;</main>";
        let response = Response { status: 200, content_type: "text/html", body: page.into() };
        assert_eq!(echo(response, "<b> &#39;").body, b"<main><b> &#39;</main>");
    }
}

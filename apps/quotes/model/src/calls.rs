//! Calls of the operations under load, and the check of their answers.

use crate::{
    QUOTE,
    envelope::{self, Version, escape},
    service::{self, NAMESPACE, NODES, STRUCTURES},
};
use application::{Call, Calls, Habits, Header};
use rand::{Rng, RngExt, seq::IndexedRandom};
use roxmltree::{Document, Node};
use std::fmt::Write as _;
use workload::{Interaction, Method, Request};

pub struct Callers;

impl Habits for Callers {
    fn calls(&self) -> Option<&dyn Calls> {
        Some(self)
    }
}

/// Texts with all characters that need escaping, and with letters of two to four bytes.
const TEXTS: [&str; 4] = ["plain text", "a < b && \"c\" > 'd'", "Größe 10 €", "😀 ]]> &amp;"];

const SYMBOLS: [&str; 5] = ["IBM", "SUNW", "ZEND", "A", "ORCL"];

impl Calls for Callers {
    fn call(&self, interaction: &Interaction, random: &mut dyn Rng) -> Call {
        if interaction.method == Method::Get {
            return Call::default();
        }
        let name = interaction.name.as_str();
        let operation = if let Some(count) = name.strip_prefix("EchoStruct") {
            echo_struct(size(count, STRUCTURES, random), random)
        } else if let Some(count) = name.strip_prefix("EchoList") {
            echo_list(size(count, NODES, random), random)
        } else if name == "PlainQuote" {
            // Without a SOAP engine, the message and its answer are always the same.
            get_stock_quote(SYMBOLS[0])
        } else {
            get_stock_quote(any(&SYMBOLS, random))
        };
        Call { headers: headers(Version::One), body: Version::One.envelope(&operation) }
    }

    /// The sent values must come back, or the quote of the symbol.
    fn is_right(&self, request: &Request, status: u16, body: &[u8]) -> bool {
        if status != 200 {
            return false;
        }
        if request.path_and_query != service::PATH {
            return body == QUOTE.as_bytes();
        }
        let answered = std::str::from_utf8(body).ok().and_then(|text| Document::parse(text).ok());
        let asked = envelope::parse(request.body.as_bytes());
        let (Some(answered), Ok(asked)) = (answered, asked) else { return false };
        let [asked, answered] = [&asked, &answered].map(operation);
        let (Some(asked), Some(answered)) = (asked, answered) else { return false };
        let sent = values(asked);
        match sent.as_slice() {
            [symbol] => is_quote(answered, symbol),
            _ => are_same(&values(answered), &sent),
        }
    }
}

/// The size of a message: the number at the end of the interaction's name, or else any number up to `most`.
fn size(written: &str, most: usize, random: &mut dyn Rng) -> usize {
    written.parse().unwrap_or_else(|_| random.random_range(1..=most))
}

/// The element in the body.
fn operation<'a>(document: &'a Document<'a>) -> Option<Node<'a, 'a>> {
    envelope::open(document).ok()?.content.ok()
}

/// Whether the element is the service's quote of a symbol.
fn is_quote(answered: Node<'_, '_>, symbol: &str) -> bool {
    let right = wrapped("getStockQuoteResponse", &service::quote(symbol));
    Document::parse(&right).is_ok_and(|right| are_same(&values(answered), &values(right.root_element())))
}

fn are_same(some: &[&str], others: &[&str]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(one, other)| is_same(one, other))
}

/// The texts of all elements without children, in order.
fn values<'a>(operation: Node<'a, 'a>) -> Vec<&'a str> {
    let is_simple =
        |node: &Node<'_, '_>| node.is_element() && !node.children().any(|child| child.is_element());
    operation.descendants().filter(is_simple).map(|node| node.text().unwrap_or_default()).collect()
}

/// Whether two values are equal: texts, numbers of single precision, or instants.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f32>().ok();
    let instant = |text: &str| text.contains('T').then(|| text.parse::<jiff::Timestamp>().ok()).flatten();
    one == other
        || number(one).is_some_and(|one| number(other) == Some(one))
        || instant(one).is_some_and(|one| instant(other) == Some(one))
}

/// The headers of a message.
pub fn headers(version: Version) -> Vec<Header> {
    let mut headers = vec![Header::new("Content-Type", version.content_type())];
    if version == Version::One {
        headers.push(Header::new("SOAPAction", "\"\""));
    }
    headers
}

fn any<'a>(choices: &[&'a str], random: &mut dyn Rng) -> &'a str {
    choices.choose(random).expect("there is a choice")
}

/// The operation in its wrapper.
pub fn wrapped(operation: &str, content: &str) -> String {
    format!("<q:{operation} xmlns:q=\"{NAMESPACE}\">{content}</q:{operation}>")
}

/// Asks for a quote.
pub fn get_stock_quote(symbol: &str) -> String {
    wrapped("getStockQuote", &format!("<q:symbol>{}</q:symbol>", escape(symbol)))
}

/// An array of `count` structures.
pub fn echo_struct(count: usize, random: &mut dyn Rng) -> String {
    let structures: String = (0..count).map(|_| structure(random)).collect();
    wrapped("echoStruct", &structures)
}

fn structure(random: &mut dyn Rng) -> String {
    let (int, float): (i32, i32) = (random.random(), random.random_range(-9_999_999..=9_999_999));
    let (float, text) = (f64::from(float) / 1000.0, escape(any(&TEXTS, random)));
    format!(
        "<q:inputStruct><q:varInt>{int}</q:varInt><q:varFloat>{float}</q:varFloat>\
         <q:varString>{text}</q:varString></q:inputStruct>"
    )
}

/// A list of `count` nodes.
pub fn echo_list(count: usize, random: &mut dyn Rng) -> String {
    let (mut list, mut ends) = (String::new(), String::new());
    for name in std::iter::once("inputList").chain(std::iter::repeat("child")).take(count) {
        let (int, text): (i32, _) = (random.random(), escape(any(&TEXTS, random)));
        let _ = write!(list, "<q:{name}><q:varInt>{int}</q:varInt><q:varString>{text}</q:varString>");
        ends.insert_str(0, &format!("</q:{name}>"));
    }
    wrapped("echoList", &(list + &ends))
}

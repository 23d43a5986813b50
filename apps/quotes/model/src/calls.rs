//! How the operations are called under load, and whether an answer is right.

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

/// The programs that call.
pub struct Callers;

impl Habits for Callers {
    fn calls(&self) -> Option<&dyn Calls> {
        Some(self)
    }
}

/// A text with all that must be escaped, and with letters of two to four bytes.
const TEXTS: [&str; 4] = ["plain text", "a < b && \"c\" > 'd'", "Größe 10 €", "😀 ]]> &amp;"];

const SYMBOLS: [&str; 5] = ["IBM", "SUNW", "ZEND", "A", "ORCL"];

impl Calls for Callers {
    fn call(&self, interaction: &Interaction, random: &mut dyn Rng) -> Call {
        if interaction.method == Method::Get {
            return Call::default();
        }
        let operation = match interaction.name.as_str() {
            "EchoStruct" => echo_struct(random.random_range(1..=STRUCTURES), random),
            "EchoList" => echo_list(random.random_range(1..=NODES), random),
            // Without a SOAP engine, the same message and always the same answer.
            "PlainQuote" => get_stock_quote(SYMBOLS[0]),
            _ => get_stock_quote(any(&SYMBOLS, random)),
        };
        Call { headers: headers(Version::One), body: Version::One.envelope(&operation) }
    }

    /// The values that were sent must come back, or the quote of the symbol.
    fn is_right(&self, request: &Request, status: u16, body: &[u8]) -> bool {
        if status != 200 {
            return false;
        }
        if request.path_and_query != service::PATH {
            return body == QUOTE.as_bytes();
        }
        let answer = std::str::from_utf8(body).ok().and_then(|text| Document::parse(text).ok());
        let asked = envelope::parse(request.body.as_bytes());
        let (Some(answer), Ok(asked)) = (answer, asked) else { return false };
        let [expected, got] = [&asked, &answer].map(|document| operation(document).map(values));
        match (expected, got) {
            (Some(expected), Some(got)) if expected.len() == 1 => {
                got.first() == expected.first() && got.len() == QUOTED
            }
            (Some(expected), Some(got)) => {
                expected.len() == got.len()
                    && expected.iter().zip(&got).all(|(one, other)| is_same(one, other))
            }
            _ => false,
        }
    }
}

/// How many values a quote has.
const QUOTED: usize = 6;

/// The element in the body.
fn operation<'a>(document: &'a Document<'a>) -> Option<Node<'a, 'a>> {
    envelope::open(document).ok()?.content.ok()
}

/// The texts of all elements that hold no others, in their order.
fn values<'a>(operation: Node<'a, 'a>) -> Vec<&'a str> {
    let is_simple =
        |node: &Node<'_, '_>| node.is_element() && !node.children().any(|child| child.is_element());
    operation.descendants().filter(is_simple).map(|node| node.text().unwrap_or_default()).collect()
}

fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f32>().ok();
    one == other || number(one).is_some_and(|one| number(other) == Some(one))
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

/// Sends an array with so many structures.
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

/// Sends a list with so many nodes.
pub fn echo_list(count: usize, random: &mut dyn Rng) -> String {
    let (mut list, mut ends) = (String::new(), String::new());
    for name in std::iter::once("inputList").chain(std::iter::repeat("child")).take(count) {
        let (int, text): (i32, _) = (random.random(), escape(any(&TEXTS, random)));
        let _ = write!(list, "<q:{name}><q:varInt>{int}</q:varInt><q:varString>{text}</q:varString>");
        ends.insert_str(0, &format!("</q:{name}>"));
    }
    wrapped("echoList", &(list + &ends))
}

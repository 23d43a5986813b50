//! The operations.
//!
//! A quote is made from the CRC-32 of its symbol, *n*, with whole divisions:
//!
//! | element | value |
//! |---|---|
//! | `volume` | (*n* mod 1000 + 1) · 100 |
//! | `lastTrade/price` | (*n* / 1000 mod 100000 + 1) / 100 |
//! | `lastTrade/date` | 2006-12-13T00:00:00Z plus *n* mod 86400 seconds |
//! | `change/dollar` | (*n* mod 2001 − 1000) / 100 |
//! | `change/percent` | (*n* / 2001 mod 2001 − 1000) / 100 |

use crate::envelope::{self, Fault, Message, Version, escape};
use application::{Answer, Open, Response, Timestamp};
use roxmltree::Node;
use std::fmt::Write as _;

/// The path of the operations.
pub const PATH: &str = "/quotes/StockQuoteService";

/// The namespace of all elements.
pub const NAMESPACE: &str = "http://example.org/web-services/stock-quotes";

/// Most structures of an array.
pub const STRUCTURES: usize = 100;
/// Most nodes of a list.
pub const NODES: usize = 10;
/// Most letters of a symbol.
const LETTERS: usize = 5;

/// 2006-12-13T00:00:00Z, the day of the paper's example.
const DAY: i64 = 1_165_968_000;

/// Envelopes may have a header; this one is empty of meaning.
const HEADER: &[Open] = &[Open::Element("Header")];

/// Answers a message.
pub fn answer(body: &[u8]) -> Answer {
    let document = match envelope::parse(body) {
        Ok(document) => document,
        Err(fault) => return fault.answer(Version::One),
    };
    let Message { version, content } = match envelope::open(&document) {
        Ok(message) => message,
        Err(fault) => return fault.answer(Version::One),
    };
    match content.and_then(perform) {
        Ok(result) => {
            let (content_type, body) = (version.content_type(), version.envelope(&result).into_bytes());
            Answer { response: Response { status: 200, content_type, body }, leaves_open: HEADER }
        }
        Err(fault) => fault.answer(version),
    }
}

fn perform(operation: Node<'_, '_>) -> Result<String, Fault> {
    if operation.tag_name().namespace() != Some(NAMESPACE) {
        return Err(Fault::unknown_operation());
    }
    match operation.tag_name().name() {
        "getStockQuote" => get_stock_quote(operation),
        "echoStruct" => echo_struct(operation),
        "echoList" => echo_list(operation),
        _ => Err(Fault::unknown_operation()),
    }
}

fn get_stock_quote(operation: Node<'_, '_>) -> Result<String, Fault> {
    let symbol = string(operation, "symbol")?;
    let is_symbol =
        (1..=LETTERS).contains(&symbol.len()) && symbol.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_symbol {
        return Err(Fault::client("there is no such symbol"));
    }
    Ok(response("getStockQuote", &quote(&symbol)))
}

/// The quote of a symbol.
pub fn quote(symbol: &str) -> String {
    let n = i64::from(crc32fast::hash(symbol.as_bytes()));
    let hundredths = |number: i64| number as f64 / 100.0;
    format!(
        "<q:returnQuote><q:symbol>{symbol}</q:symbol><q:volume>{}</q:volume>\
         <q:lastTrade><q:price>{}</q:price><q:date>{}</q:date></q:lastTrade>\
         <q:change><q:dollar>{}</q:dollar><q:percent>{}</q:percent></q:change></q:returnQuote>",
        (n % 1000 + 1) * 100,
        hundredths(n / 1000 % 100_000 + 1),
        Timestamp(DAY + n % 86_400).machine(),
        hundredths(n % 2001 - 1000),
        hundredths(n / 2001 % 2001 - 1000),
    )
}

fn echo_struct(operation: Node<'_, '_>) -> Result<String, Fault> {
    let structures: Vec<Node<'_, '_>> = all(operation, "inputStruct").collect();
    if !(1..=STRUCTURES).contains(&structures.len()) {
        return Err(Fault::client("an array has 1 to 100 structures"));
    }
    let mut echo = String::new();
    for one in structures {
        let (int, float, text) = (int(one)?, float(one)?, escape(&string(one, "varString")?));
        let _ = write!(
            echo,
            "<q:returnStruct><q:varInt>{int}</q:varInt><q:varFloat>{float}</q:varFloat>\
             <q:varString>{text}</q:varString></q:returnStruct>"
        );
    }
    Ok(response("echoStruct", &echo))
}

fn echo_list(operation: Node<'_, '_>) -> Result<String, Fault> {
    let (mut echo, mut ends) = (String::new(), String::new());
    let (mut next, mut name, mut nodes) = (Some(only(operation, "inputList")?), "returnList", 0);
    while let Some(node) = next {
        nodes += 1;
        if nodes > NODES {
            return Err(Fault::client("a list has 1 to 10 nodes"));
        }
        let (int, text) = (int(node)?, escape(&string(node, "varString")?));
        let _ = write!(echo, "<q:{name}><q:varInt>{int}</q:varInt><q:varString>{text}</q:varString>");
        ends.insert_str(0, &format!("</q:{name}>"));
        (next, name) = (optional(node, "child")?, "child");
    }
    Ok(response("echoList", &(echo + &ends)))
}

fn response(operation: &str, content: &str) -> String {
    format!("<q:{operation}Response xmlns:q=\"{NAMESPACE}\">{content}</q:{operation}Response>")
}

/// The children with a name.
fn all<'a>(parent: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    parent.children().filter(move |child| child.has_tag_name((NAMESPACE, name)))
}

/// The only child with a name, if there is one.
fn optional<'a>(parent: Node<'a, 'a>, name: &'static str) -> Result<Option<Node<'a, 'a>>, Fault> {
    let mut found = all(parent, name);
    match (found.next(), found.next()) {
        (one, None) => Ok(one),
        _ => Err(Fault::client(format!("{name} is there twice"))),
    }
}

fn only<'a>(parent: Node<'a, 'a>, name: &'static str) -> Result<Node<'a, 'a>, Fault> {
    optional(parent, name)?.ok_or_else(|| Fault::client(format!("{name} is missing")))
}

/// The text of the only child with a name. A simple value holds no elements.
fn string(parent: Node<'_, '_>, name: &'static str) -> Result<String, Fault> {
    let child = only(parent, name)?;
    if child.children().any(|inner| inner.is_element()) {
        return Err(Fault::client(format!("{name} is no simple value")));
    }
    Ok(child.children().filter_map(|text| text.text()).collect())
}

fn int(parent: Node<'_, '_>) -> Result<i32, Fault> {
    let text = string(parent, "varInt")?;
    text.trim().parse().map_err(|_| Fault::client("varInt is no int"))
}

fn float(parent: Node<'_, '_>) -> Result<f64, Fault> {
    let text = string(parent, "varFloat")?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = Some(text.trim()).filter(|text| digits(text)).and_then(|text| text.parse().ok());
    number.filter(|number: &f64| number.is_finite()).ok_or_else(|| Fault::client("varFloat is no number"))
}

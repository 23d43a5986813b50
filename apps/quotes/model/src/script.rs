//! Calls that together take every branch, and random calls.

use crate::{
    calls::{echo_list, echo_struct, get_stock_quote, headers, wrapped},
    envelope::{Version, escape},
    service::{NODES, PATH, STRUCTURES},
};
use application::{Branch, Step};
use rand::{Rng, RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Texts that careless engines change: markup, quotes, escapes, blanks, lines, and letters of two to four bytes.
const TEXTS: [&str; 9] = [
    "",
    "x",
    " \"<b>O'Brien</b>\" &amp; \\'; --\r\n\t+%41 é😀 ",
    "]]>",
    "<![CDATA[x]]>",
    "&#65;&lt;",
    "007",
    "INF",
    "\u{fffd}\u{10ffff}\u{85}\u{2028}",
];

pub fn branches() -> Vec<Branch> {
    let mut branches = files();
    for version in Version::ALL {
        let named = |(name, status, operation): (String, u16, String)| {
            branch(format!("{version:?}, {name}"), status, call(version, &operation))
        };
        branches.extend(quotes().into_iter().chain(structures()).chain(lists()).map(named));
        branches.extend(refused(version));
    }
    branches
}

fn branch(name: impl Into<String>, status: u16, step: Step) -> Branch {
    Branch { name: name.into(), step, status }
}

fn call(version: Version, operation: &str) -> Step {
    Step::document(PATH, &headers(version), version.envelope(operation).as_bytes())
}

fn files() -> Vec<Branch> {
    let plain = |body: &str| Step::document("/quotes/PlainQuote", &headers(Version::One), body.as_bytes());
    vec![
        branch("the answer as a file", 200, Step::get("/quotes/quote.xml", &[])),
        branch("the description", 200, Step::get("/quotes/StockQuoteService.wsdl", &[])),
        branch("no such path", 404, Step::get("/quotes/Nowhere", &[])),
        branch("PlainQuote: a call", 200, plain(&Version::One.envelope(&get_stock_quote("IBM")))),
        branch("PlainQuote: nothing", 200, plain("")),
    ]
}

type Call = (String, u16, String);

fn quotes() -> Vec<Call> {
    let right =
        ["IBM", "A", "ZZZZZ"].map(|symbol| (format!("the quote of {symbol}"), 200, get_stock_quote(symbol)));
    let wrong = ["", "ibm", "ABCDEF", "A B", "É", " IBM", "IBM\n"];
    let wrong = wrong.map(|symbol| (format!("the quote of {symbol:?}"), 500, get_stock_quote(symbol)));
    right.into_iter().chain(wrong).collect()
}

fn structure(int: &str, float: &str, text: &str) -> String {
    format!(
        "<q:inputStruct><q:varInt>{int}</q:varInt><q:varFloat>{float}</q:varFloat><q:varString>{}</q:varString></q:inputStruct>",
        escape(text)
    )
}

fn structures() -> Vec<Call> {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let counts = [(0, 500), (1, 200), (2, 200), (STRUCTURES, 200), (STRUCTURES + 1, 500)];
    let counted =
        counts.map(|(count, status)| (format!("{count} structures"), status, echo_struct(count, random)));
    let one = |content: String| wrapped("echoStruct", &content);
    let texts =
        TEXTS.map(|text| (format!("a structure with {text:?}"), 200, one(structure("1", "0.5", text))));
    let ints =
        [("0", 200), ("-2147483648", 200), ("2147483647", 200), ("2147483648", 500), ("-2147483649", 500)];
    let ints = ints.map(|(int, status)| (format!("the int {int}"), status, one(structure(int, "1", "x"))));
    let floats = ["0", "-0.25", "1e10", "1.5E-3", "16777216", "0.1", "123456.7"];
    let floats = floats.map(|float| (format!("the float {float}"), 200, one(structure("1", float, "x"))));
    counted.into_iter().chain(texts).chain(ints).chain(floats).collect()
}

fn lists() -> Vec<Call> {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let counts = [(1, 200), (2, 200), (NODES, 200), (NODES + 1, 500), (50, 500)];
    let counted = counts.map(|(count, status)| (format!("{count} nodes"), status, echo_list(count, random)));
    let node = |text: &str| {
        format!(
            "<q:inputList><q:varInt>-1</q:varInt><q:varString>{}</q:varString></q:inputList>",
            escape(text)
        )
    };
    let texts = TEXTS.map(|text| (format!("a node with {text:?}"), 200, wrapped("echoList", &node(text))));
    counted.into_iter().chain(texts).collect()
}

/// Calls refused in either version, in the form of that version.
fn refused(version: Version) -> Vec<Branch> {
    let operations = [
        ("an unknown operation", wrapped("getQuote", "<q:symbol>IBM</q:symbol>")),
        (
            "an operation of another namespace",
            "<getStockQuote xmlns=\"urn:nobody\"><symbol>IBM</symbol></getStockQuote>".into(),
        ),
        ("an operation without what it takes", wrapped("getStockQuote", "")),
        ("an array without what it takes", wrapped("echoStruct", "")),
        ("a list without what it takes", wrapped("echoList", "")),
        ("an empty structure", wrapped("echoStruct", "<q:inputStruct/>")),
        ("an empty node", wrapped("echoList", "<q:inputList/>")),
        ("no int", wrapped("echoStruct", &structure("one", "1", "x"))),
        ("no float", wrapped("echoStruct", &structure("1", "one", "x"))),
        ("nothing in the body", String::new()),
    ];
    let named = |(name, operation): (&str, String)| {
        branch(format!("{version:?}, {name}"), 500, call(version, &operation))
    };
    let must = "<soapenv:Header><h:h xmlns:h=\"urn:nobody\" soapenv:mustUnderstand=\"1\"/></soapenv:Header><soapenv:Body>";
    let with_header = version.envelope(&get_stock_quote("IBM")).replacen("<soapenv:Body>", must, 1);
    let with_header = Step::document(PATH, &headers(version), with_header.as_bytes());
    let misunderstood = branch(format!("{version:?}, a header that must be understood"), 500, with_header);
    operations.into_iter().map(named).chain([misunderstood]).collect()
}

pub fn fuzz(random: &mut dyn Rng) -> Step {
    let version = Version::ALL[random.random_range(0..2)];
    let operation = match random.random_range(0..10) {
        0 => return Step::get("/quotes/quote.xml", &[]),
        1 => {
            let call = version.envelope(&get_stock_quote("IBM"));
            return Step::document("/quotes/PlainQuote", &headers(version), call.as_bytes());
        }
        2..=4 => {
            let length = random.random_range(0..7);
            let letters = [b"ABCDEFGHIJKLMNOPQRSTUVWXYZ".as_slice(), b"a1-"].concat();
            let letter =
                |random: &mut dyn Rng| char::from(*letters.choose(random).expect("there are letters"));
            get_stock_quote(&(0..length).map(|_| letter(random)).collect::<String>())
        }
        5 | 6 => echo_list(random.random_range(1..=NODES + 1), random),
        7 => {
            let text = TEXTS.choose(random).expect("there are texts");
            let int: i64 = random.random_range(-3_000_000_000..=3_000_000_000);
            wrapped("echoStruct", &structure(&int.to_string(), "0.5", text))
        }
        _ => echo_struct(random.random_range(1..=STRUCTURES + 1), random),
    };
    call(version, &operation)
}

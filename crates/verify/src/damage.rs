//! Malicious documents: each call of an application, damaged in one way. They are not well-formed, declare entities,
//! have another namespace or type, lack something, or are nested too deeply or too long.
//!
//! The model defines the expected fault. The timeout of every answer limits the processing time, and the next answers
//! show that the server survived.

use crate::malicious_inputs::in_chunks;
use application::{Application, BODY_LIMIT, Call, Dataset, Header, Step};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use roxmltree::{Document, Node};
use std::ops::Range;

/// The depth of deeply nested elements: deeper than a recursive parser's stack.
const DEEP: usize = 200_000;
/// Levels of an entity bomb; each is ten times as large as the one below.
const LEVELS: usize = 12;
/// The length of a long value.
const LONG: usize = 1 << 20;

/// Texts that are no valid number. (C's notation `0x1` is invalid, too, but servers in C accept it.)
const NO_NUMBERS: [&str; 10] =
    ["", "x", "1x", "1 2", "1,5", "--1", "one", "1_0", "99999999999999999999x", "\u{661}"];
/// The same for 32-bit integers.
const NO_INTS: [&str; 5] = ["1.5", "2147483648", "-2147483649", "99999999999999999999", "1e3"];

/// One call of each operation, if programs call the application. Always the same calls.
pub(crate) fn samples(application: &dyn Application, dataset: &Dataset) -> Vec<SampleCall> {
    let habits = application.habits(dataset);
    let Some(calls) = habits.calls() else { return Vec::new() };
    let mut random = ChaCha8Rng::seed_from_u64(dataset.seed);
    let interactions = application.catalogue().interactions().iter();
    let all = interactions.map(|interaction| {
        let Call { headers, body } = calls.call(interaction, &mut random);
        SampleCall { path: interaction.path.clone(), headers, body }
    });
    all.filter(|sample| !sample.body.is_empty()).collect()
}

/// A call: its path, headers and body.
pub(crate) struct SampleCall {
    path: String,
    headers: Vec<Header>,
    body: String,
}

/// A call with unusual HTTP framing.
pub(crate) struct Framed {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The step that arrives; none if it never arrives completely, so that no answer is awaited.
    pub(crate) arrives: Option<Step>,
}

impl SampleCall {
    /// The call in chunks, and with wrong lengths.
    pub(crate) fn framed(&self, host: &str) -> [Framed; 3] {
        const MISSING: usize = 10;
        let head = |framing: &str| {
            let headers: String =
                self.headers.iter().map(|header| format!("{}: {}\r\n", header.name, header.value)).collect();
            format!(
                "POST {} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}{framing}\r\n\r\n",
                self.path
            )
        };
        let sized = |length: usize| {
            [head(&format!("Content-Length: {length}")).as_bytes(), self.body.as_bytes()].concat()
        };
        let (body, cut) = (self.body.as_bytes(), self.body.len() - MISSING);
        let chunked = [head("Transfer-Encoding: chunked").into_bytes(), in_chunks(body)].concat();
        [
            Framed { name: "a body in chunks of one byte", bytes: chunked, arrives: Some(self.step(body)) },
            Framed {
                name: "a body longer than its length",
                bytes: sized(cut),
                arrives: Some(self.step(&body[..cut])),
            },
            Framed {
                name: "a body shorter than its length",
                bytes: sized(body.len() + MISSING),
                arrives: None,
            },
        ]
    }

    fn step(&self, body: &[u8]) -> Step {
        Step::document(&self.path, &self.headers, body)
    }

    /// The call, damaged in every way.
    pub(crate) fn damaged(&self) -> Vec<Step> {
        let Some(parts) = Parts::of(&self.body) else { return Vec::new() };
        let of_parts =
            [parts.ill_formed(), parts.with_entities(), parts.deep(), parts.misnamed(), parts.of_leaves()];
        let all = [no_xml(&self.body), of_parts.concat()].concat();
        all.into_iter().map(|(_, body)| self.step(&body)).collect()
    }
}

type Bodies = Vec<(String, Vec<u8>)>;

fn no_xml(body: &str) -> Bodies {
    let half = body.len() / 2;
    let half = (half..body.len()).find(|at| body.is_char_boundary(*at)).unwrap_or(0);
    let too_long = format!("{body}{}", " ".repeat(BODY_LIMIT + 1 - body.len()));
    let long_enough = format!("{body}{}", " ".repeat(BODY_LIMIT - body.len()));
    let bodies = [
        ("nothing", ""),
        ("blanks", " \n\t "),
        ("a word", "x"),
        ("a form", "symbol=IBM&x=%3C"),
        ("JSON", "{\"symbol\":\"IBM\"}"),
        ("an open bracket", "<"),
        ("one half", &body[..half]),
        ("all but the last byte", &body[..body.len() - 1]),
        ("only the declaration", "<?xml version=\"1.0\"?>"),
        ("a body just short enough", &long_enough),
        ("a body just too long", &too_long),
    ];
    let after = ["x", "<a/>", "</a>", "&amp;", "\u{1}"]
        .map(|end| (format!("{end:?} after the end"), [body, end].concat()));
    let before =
        ["x", " ", "<a/>"].map(|begin| (format!("{begin:?} before the beginning"), [begin, body].concat()));
    let named = bodies.map(|(name, body)| (name.to_owned(), body.to_owned()));
    let all = named.into_iter().chain(after).chain(before);
    all.map(|(name, body)| (name, body.into_bytes())).collect()
}

/// The places of a message in its text.
struct Parts<'a> {
    text: &'a str,
    namespace: String,
    envelope: Range<usize>,
    body: Range<usize>,
    operation: Range<usize>,
    /// The operation's name with its prefix, and its namespace.
    name: String,
    of: String,
    /// The elements that hold no others.
    leaves: Vec<Leaf>,
}

struct Leaf {
    element: Range<usize>,
    text: Range<usize>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let document = Document::parse(text).ok()?;
        let envelope = document.root_element();
        let body = envelope.last_element_child()?;
        let operation = body.first_element_child()?;
        let tag = &text[operation.range()];
        let is_leaf = |node: &Node<'_, '_>| node.is_element() && node.first_element_child().is_none();
        let leaves = operation.descendants().filter(is_leaf).filter_map(|leaf| {
            Some(Leaf {
                element: leaf.range(),
                text: leaf.first_child()?.range().start..leaf.last_child()?.range().end,
            })
        });
        Some(Self {
            text,
            namespace: envelope.tag_name().namespace()?.to_owned(),
            envelope: envelope.range(),
            body: body.range(),
            operation: operation.range(),
            name: tag[1..tag.find([' ', '>', '/'])?].to_owned(),
            of: operation.tag_name().namespace()?.to_owned(),
            leaves: leaves.collect(),
        })
    }

    fn with(&self, place: Range<usize>, text: impl AsRef<[u8]>) -> Vec<u8> {
        let bytes = self.text.as_bytes();
        [&bytes[..place.start], text.as_ref(), &bytes[place.end..]].concat()
    }

    fn named(&self, bodies: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Bodies {
        bodies.into_iter().map(|(name, body)| (name.to_owned(), body)).collect()
    }

    /// The place before the end of the operation's first tag.
    fn in_tag(&self) -> Range<usize> {
        let at = self.operation.start + 1 + self.name.len();
        at..at
    }

    fn ill_formed(&self) -> Bodies {
        let leaf = &self.leaves[0];
        let end = leaf.text.end..leaf.element.end;
        let start = leaf.element.start..leaf.text.start;
        let in_text = |text: &[u8]| self.with(leaf.text.clone(), text);
        self.named([
            ("an element without an end", self.with(end.clone(), "")),
            ("an end without an element", self.with(start, "")),
            ("an end of another element", self.with(end, "</x>")),
            ("an attribute twice", self.with(self.in_tag(), " a=\"1\" a=\"2\"")),
            ("an attribute without quotes", self.with(self.in_tag(), " a=1")),
            ("a bracket in an attribute", self.with(self.in_tag(), " a=\"<\"")),
            ("an undefined entity", in_text(b"&nobody;")),
            ("an ampersand", in_text(b"a & b")),
            ("a reference to NUL", in_text(b"&#0;")),
            ("a control character", in_text(b"\x01")),
            ("a NUL", in_text(b"I\0M")),
            ("a byte that is no text", in_text(b"\xff")),
            ("an overlong slash", in_text(b"\xc0\xaf")),
            ("half a character", in_text(b"\xf0\x9f\x98")),
            ("a comment without an end", in_text(b"<!-- ")),
            ("a section without an end", in_text(b"<![CDATA[")),
            ("the end of a section", in_text(b"]]>")),
            ("an instruction called xml", in_text(b"<?xml version=\"1.0\"?>")),
        ])
    }

    /// Documents with entities or a document type, whose value is replaced by an entity.
    fn with_entities(&self) -> Bodies {
        let declared = |declaration: &str, value: &str| {
            let start = self.envelope.start..self.envelope.start;
            let text = self.with(self.leaves[0].text.clone(), value);
            [&text[..start.start], declaration.as_bytes(), &text[start.end..]].concat()
        };
        let internal = |entities: &str| format!("<!DOCTYPE x [{entities}]>");
        let bomb: String = (1..LEVELS)
            .map(|level| format!("<!ENTITY e{level} \"{}\">", format!("&e{};", level - 1).repeat(10)))
            .collect();
        let bomb = internal(&format!("<!ENTITY e0 \"bomb\">{bomb}"));
        let long = internal(&format!("<!ENTITY e \"{}\">", "x".repeat(50_000)));
        let external = |kind: &str| internal(&format!("<!ENTITY e {kind}>"));
        self.named([
            ("a document type", declared("<!DOCTYPE x>", "IBM")),
            ("an entity of its own", declared(&internal("<!ENTITY e \"IBM\">"), "&e;")),
            (
                "a file of the server as an entity",
                declared(&external("SYSTEM \"file:///etc/passwd\""), "&e;"),
            ),
            ("an address as an entity", declared(&external("PUBLIC \"x\" \"http://127.0.0.1:9/\""), "&e;")),
            ("a file as a document type", declared("<!DOCTYPE x SYSTEM \"file:///etc/passwd\">", "IBM")),
            (
                "a file as a parameter entity",
                declared(&internal("<!ENTITY % e SYSTEM \"file:///etc/passwd\"> %e;"), "IBM"),
            ),
            ("an entity that holds itself", declared(&internal("<!ENTITY e \"&e;\">"), "&e;")),
            ("an entity bomb", declared(&bomb, &format!("&e{};", LEVELS - 1))),
            ("a long entity many times", declared(&long, &"&e;".repeat(20_000))),
        ])
    }

    fn deep(&self) -> Bodies {
        let (begin, end) = ("<a>".repeat(DEEP), "</a>".repeat(DEEP));
        let nested = format!("{begin}{end}");
        self.named([
            ("deeply nested elements in a value", self.with(self.leaves[0].text.clone(), &nested)),
            ("deeply nested elements as operation", self.with(self.operation.clone(), &nested)),
            ("deeply nested elements as envelope", self.with(self.envelope.clone(), &nested)),
            ("deeply nested elements without an end", self.with(self.operation.clone(), &begin)),
        ])
    }

    /// Other names and namespaces, and other content in place of the operation.
    fn misnamed(&self) -> Bodies {
        let replaced = |from: &str, to: &str| self.text.replace(from, to).into_bytes();
        let header = |must: &str| {
            let prefix = &self.text[self.envelope.start + 1..];
            let prefix = prefix.split(':').next().unwrap_or_default();
            let header = format!(
                "<{prefix}:Header><h:h xmlns:h=\"urn:nobody\" {prefix}:mustUnderstand=\"{must}\">1</h:h></{prefix}:Header>"
            );
            self.with(self.body.start..self.body.start, header)
        };
        let before = self.operation.start..self.operation.start;
        let prefix = self.name.split_once(':').map_or(String::new(), |(prefix, _)| format!("{prefix}:"));
        let renamed = |name: &str| replaced(&self.name, &format!("{prefix}{name}"));
        self.named([
            ("an envelope of another namespace", replaced(&self.namespace, "urn:nobody")),
            ("an envelope that is none", replaced(":Envelope", ":Letter")),
            ("no body", self.with(self.body.clone(), "")),
            ("a body of another name", replaced(":Body", ":Corpse")),
            ("a body with nothing in it", self.with(self.operation.clone(), "")),
            ("a body with a word in it", self.with(self.operation.clone(), "x")),
            ("an unknown operation", renamed("unknown")),
            ("an operation called like what is built in", renamed("__construct")),
            ("an operation of another namespace", replaced(&self.of, "urn:nobody")),
            ("an operation before the operation", self.with(before, "<x xmlns=\"urn:nobody\"/>")),
            ("a header that must be understood", header("1")),
            ("a header that needn't be understood", header("0")),
        ])
    }

    /// Documents with one wrong value.
    fn of_leaves(&self) -> Bodies {
        // Only some at the beginning of a long message: they are alike.
        let few = self.leaves.iter().take(FEW);
        few.enumerate().flat_map(|(at, leaf)| self.of_leaf(at, leaf)).collect()
    }

    fn of_leaf(&self, at: usize, leaf: &Leaf) -> Bodies {
        let value = &self.text[leaf.text.clone()];
        let instead = |text: &str| (format!("{text:?} as value {at}"), self.with(leaf.text.clone(), text));
        let mut bodies = vec![
            (format!("value {at} is missing"), self.with(leaf.element.clone(), "")),
            (format!("value {at} is long"), self.with(leaf.text.clone(), "7".repeat(LONG))),
        ];
        if value.parse::<f64>().is_ok() {
            // Where text is expected, gSOAP accepts markup as text.
            bodies.push((format!("value {at} is an element"), self.with(leaf.text.clone(), "<x>1</x>")));
            bodies.extend(NO_NUMBERS.map(instead));
        }
        if value.parse::<i64>().is_ok() {
            bodies.extend(NO_INTS.map(instead));
        }
        bodies
    }
}

/// Damaged values per message.
const FEW: usize = 6;

/// XML syntax, and text that is easily parsed in two ways.
const SYNTAX: [&str; 16] = [
    "<",
    ">",
    "</",
    "/>",
    "&",
    "&lt;",
    "\"",
    "=",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "<x>",
    "\0",
    "\u{fffe}",
];

/// The message with its text damaged in a few places, so that it is no longer well-formed: pieces are cut out or
/// inserted.
pub(crate) fn spoilt(body: &str, random: &mut impl Rng) -> Option<String> {
    let mut text: Vec<char> = body.chars().collect();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=text.len());
        if random.random_range(0..3) == 0 {
            text.drain(at..(at + random.random_range(1..9)).min(text.len()));
        } else {
            text.splice(at..at, SYNTAX[random.random_range(0..SYNTAX.len())].chars());
        }
    }
    let text: String = text.into_iter().collect();
    let is_ill_formed = Document::parse(&text).is_err_and(|fault| !is_of_namespaces(&fault));
    is_ill_formed.then_some(text)
}

/// Namespace errors are well-formed XML, and parsers differ.
fn is_of_namespaces(fault: &roxmltree::Error) -> bool {
    use roxmltree::Error;
    matches!(
        fault,
        Error::UnknownNamespace(..)
            | Error::UnexpectedXmlUri(_)
            | Error::UnexpectedXmlnsUri(_)
            | Error::InvalidXmlPrefixUri(_)
            | Error::InvalidElementNamePrefix(_)
            | Error::DuplicatedNamespace(..)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const CALL: &str = "<?xml version=\"1.0\"?>\n<e:Envelope xmlns:e=\"urn:e\"><e:Body><q:add xmlns:q=\"urn:q\"><q:a>1</q:a>\
        <q:b>0.5</q:b><q:c>x y</q:c></q:add></e:Body></e:Envelope>";

    fn sample() -> SampleCall {
        let headers = vec![Header::new("Content-Type", "text/xml")];
        SampleCall { path: "/sums/Service".into(), headers, body: CALL.into() }
    }

    fn bodies() -> Vec<String> {
        let body = |step: &Step| String::from_utf8_lossy(&step.as_document().unwrap().1).into_owned();
        sample().damaged().iter().map(body).collect()
    }

    #[test]
    fn calls_are_damaged_in_envelope_operation_and_values() {
        let bodies = bodies();
        assert!(!bodies.contains(&CALL.to_owned()));
        let damaged = sample().damaged();
        assert_eq!(damaged.iter().collect::<BTreeSet<&Step>>().len(), damaged.len());
        for part in [
            "<q:a>x</q:a>",
            "<q:a>1.5</q:a>",
            "<q:b>one</q:b>",
            "<q:add xmlns:q=\"urn:nobody\">",
            "<e:Envelope xmlns:e=\"urn:nobody\">",
            "<q:unknown xmlns",
            "<e:Body></e:Body>",
            "<e:Header><h:h xmlns:h=\"urn:nobody\" e:mustUnderstand=\"1\">",
            "SYSTEM \"file:///etc/passwd\"",
            "<q:b><x>1</x></q:b>",
        ] {
            assert!(bodies.iter().any(|body| body.contains(part)), "{part}");
        }
        assert!(
            !bodies.iter().any(|body| body.contains("<q:b>1.5</q:b>") || body.contains("<q:c>one</q:c>"))
        );
        let lengths =
            [BODY_LIMIT, BODY_LIMIT + 1].map(|length| bodies.iter().any(|body| body.len() == length));
        assert_eq!(lengths, [true, true]);
    }

    #[test]
    fn ill_formed_documents_do_not_parse() {
        let parts = Parts::of(CALL).unwrap();
        for (name, body) in parts.ill_formed() {
            assert!(std::str::from_utf8(&body).map_or(true, |text| Document::parse(text).is_err()), "{name}");
        }
        for (name, body) in [parts.misnamed(), parts.of_leaves()].concat() {
            assert!(Document::parse(std::str::from_utf8(&body).unwrap()).is_ok(), "{name}");
        }
    }

    #[test]
    fn frames_declare_wrong_lengths() {
        let [chunked, longer, shorter] = sample().framed("host");
        assert!(chunked.bytes.ends_with(b"0\r\n\r\n") && chunked.arrives.is_some());
        let text_of = |framed: &Framed| String::from_utf8_lossy(&framed.bytes).into_owned();
        assert!(text_of(&longer).contains(&format!("Content-Length: {}\r\n", CALL.len() - 10)));
        assert_eq!(longer.arrives.unwrap().as_document().unwrap().1, &CALL.as_bytes()[..CALL.len() - 10]);
        assert!(text_of(&shorter).contains(&format!("Content-Length: {}\r\n", CALL.len() + 10)));
        assert!(shorter.arrives.is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn spoilt_documents_do_not_parse(seed: u64) {
            if let Some(text) = spoilt(CALL, &mut ChaCha8Rng::seed_from_u64(seed)) {
                prop_assert!(Document::parse(&text).is_err());
            }
        }
    }
}

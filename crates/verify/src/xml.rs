//! Comparison of XML documents: names by namespace instead of prefix, values instead of their notation. Toolkits differ
//! in the notation of numbers (`32.58`, `3.258E1`) and instants (`…05Z`, `…05.000+00:00`), and in blanks between
//! elements. The text of an element without children is compared exactly, and so are comments and processing instructions.

use application::Open;
use roxmltree::{Document, Node, NodeType};
use std::fmt;

/// The two namespaces of SOAP envelopes, whose faults contain qualified names as text.
const ENVELOPES: [&str; 2] =
    ["http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"];

/// The type of a value, which a document may repeat although its schema defines it.
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The relative tolerance of numbers: single precision.
const PRECISION: f64 = 1e-7;

/// Compares with the expected document.
pub(crate) fn compare(got: &[u8], right: &[u8], leaves_open: &[Open]) -> Result<(), String> {
    let (got, right) = (text(got)?, text(right)?);
    let parse = |text| Document::parse(text).map_err(|fault| format!("  it is no XML: {fault}\n  {text}"));
    let (got, right) = (parse(got)?, parse(right)?);
    expect_same_asides(asides(&got), asides(&right))?;
    let [got, right] = [&got, &right].map(|document| pieces(document.root_element(), leaves_open));
    for index in 0..got.len().max(right.len()) {
        let (one, other) = (got.get(index), right.get(index));
        if !one.zip(other).is_some_and(|(got, right)| got.is_same(right)) {
            let show = |piece: Option<&Piece>| piece.map_or("nothing more".to_owned(), Piece::to_string);
            return Err(format!("  expected: {}\n  got:      {}", show(other), show(one)));
        }
    }
    Ok(())
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "  it is no UTF-8".to_owned())
}

/// The comments and processing instructions of a document, which its elements don't tell of.
fn asides(document: &Document<'_>) -> Vec<String> {
    let shown = |node: Node<'_, '_>| match node.node_type() {
        NodeType::Comment => Some(format!("<!--{}-->", node.text().unwrap_or_default())),
        NodeType::PI => {
            let instruction = node.pi()?;
            Some(format!("<?{} {}?>", instruction.target, instruction.value.unwrap_or_default()))
        }
        _ => None,
    };
    document.root().descendants().filter_map(shown).collect()
}

fn expect_same_asides(got: Vec<String>, right: Vec<String>) -> Result<(), String> {
    let shown = |all: Vec<String>| if all.is_empty() { "none".to_owned() } else { all.join(" ") };
    match got == right {
        true => Ok(()),
        false => {
            Err(format!("  comments and processing instructions: {} instead of {}", shown(got), shown(right)))
        }
    }
}

/// An element: its depth, name, attributes and, without children, its text.
struct Piece {
    depth: usize,
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Piece {
    fn is_same(&self, other: &Self) -> bool {
        (self.depth, &self.name, &self.attributes) == (other.depth, &other.name, &other.attributes)
            && is_same_value(&self.text, &other.text)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<{}", "  ".repeat(self.depth), self.name)?;
        self.attributes.iter().try_for_each(|(name, value)| write!(f, " {name}=\"{value}\""))?;
        write!(f, ">{}", self.text)
    }
}

/// The elements in document order, without those that the model leaves open.
fn pieces(root: Node<'_, '_>, leaves_open: &[Open]) -> Vec<Piece> {
    let is_open = |node: &Node<'_, '_>| {
        let is_named = |open: &Open| matches!(open, Open::Element(name) if *name == node.tag_name().name());
        leaves_open.iter().any(is_named)
    };
    let mut pieces = Vec::new();
    let mut open = vec![(root, 0)];
    while let Some((node, depth)) = open.pop() {
        pieces.push(piece(node, depth));
        let children: Vec<_> =
            node.children().filter(Node::is_element).filter(|node| !is_open(node)).collect();
        open.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    pieces
}

fn piece(node: Node<'_, '_>, depth: usize) -> Piece {
    let mut attributes: Vec<(String, String)> = node
        .attributes()
        .filter(|one| !(one.namespace() == Some(INSTANCE) && one.name() == "type"))
        .map(|one| (expanded(one.namespace(), one.name()), one.value().to_owned()))
        .collect();
    attributes.sort();
    let text: String = node.children().filter(Node::is_text).filter_map(|child| child.text()).collect();
    let has_elements = node.children().any(|child| child.is_element());
    let text = if has_elements { text.trim().to_owned() } else { text };
    let name = expanded(node.tag_name().namespace(), node.tag_name().name());
    Piece { depth, name, attributes, text: if is_in_fault(node) { qualified(node, &text) } else { text } }
}

fn expanded(namespace: Option<&str>, name: &str) -> String {
    namespace.map_or(name.to_owned(), |namespace| format!("{{{namespace}}}{name}"))
}

fn is_in_fault(node: Node<'_, '_>) -> bool {
    let is_fault = |node: Node<'_, '_>| {
        let name = node.tag_name();
        name.name() == "Fault" && name.namespace().is_some_and(|namespace| ENVELOPES.contains(&namespace))
    };
    node.ancestors().skip(1).any(is_fault)
}

/// A qualified name in a fault, by its namespace: `soap:Client`.
fn qualified(node: Node<'_, '_>, text: &str) -> String {
    let name = text.trim().split_once(':');
    let bound = name.and_then(|(prefix, name)| Some((node.lookup_namespace_uri(Some(prefix))?, name)));
    bound.map_or(text.to_owned(), |(namespace, name)| expanded(Some(namespace), name))
}

fn is_same_value(one: &str, other: &str) -> bool {
    one == other || is_same_number(one, other) || instant(one).is_some_and(|at| instant(other) == Some(at))
}

/// Integers must be equal, other numbers to the precision of the smallest type.
fn is_same_number(one: &str, other: &str) -> bool {
    let is_whole = |text: &str| !text.contains(['.', 'e', 'E']);
    match (number(one), number(other)) {
        (Some(_), Some(_)) if is_whole(one) && is_whole(other) => false,
        (Some(one), Some(other)) => (one - other).abs() <= PRECISION * one.abs().max(other.abs()),
        _ => false,
    }
}

/// A number in the notation of programs. `007` and `+1` are text.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    let has_zeros = digits.len() > 1 && digits.starts_with('0') && !digits[1..].starts_with(['.', 'e', 'E']);
    (is_plain && !has_zeros).then(|| text.parse().ok()).flatten()
}

fn instant(text: &str) -> Option<jiff::Timestamp> {
    text.contains('T').then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(got: &str, right: &str) -> bool {
        compare(got.as_bytes(), right.as_bytes(), &[]).is_ok()
    }

    #[test]
    fn prefixes_blanks_and_notations_are_ignored() {
        let right = "<a xmlns='urn:x'><b at='1'>32.58</b><c>2026-01-02T03:04:05Z</c><d/></a>";
        for written in [
            "<?xml version='1.0'?>\n<n:a xmlns:n='urn:x' xmlns:m='urn:y'>\n <n:b at='1'>32.579999999998</n:b>\n \
             <n:c>2026-01-02T04:04:05.000+01:00</n:c><n:d></n:d></n:a>",
            "<a xmlns='urn:x'><b at='1'>3.258E1</b><c>2026-01-02T03:04:05+00:00</c><d/></a>",
            "<a xmlns='urn:x' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><b i:type='double' at='1'>32.58</b>\
             <c>2026-01-02T03:04:05Z</c><d/></a>",
        ] {
            assert!(same(written, right), "{written}");
        }
    }

    #[test]
    fn changes_that_programs_see_are_differences() {
        let right = "<a xmlns='urn:x'><b at='1'>32.58</b><c>x y</c><n>7</n></a>";
        for (from, to) in [
            ("urn:x", "urn:y"),
            ("32.58", "32.59"),
            ("32.58", "32.58x"),
            ("x y", "x  y"),
            ("x y", " x y"),
            (">7<", ">007<"),
            (">7<", ">8<"),
            ("at='1'", "at='2'"),
            ("at='1'", ""),
            ("<n>7</n>", ""),
            ("<n>7</n>", "<n>7</n><n>7</n>"),
            ("<c>x y</c>", "<c>x y<d/></c>"),
            ("</a>", ""),
            ("<n>", "<!-- x --><n>"),
            ("</a>", "</a><?x y?>"),
        ] {
            assert!(!same(&right.replacen(from, to, 1), right), "{from} -> {to}");
        }
        assert!(!same("<a>16777217</a>", "<a>16777216</a>"));
        assert!(!same("<a><b/><c/></a>", "<a><b><c/></b></a>"));
    }

    #[test]
    fn fault_codes_are_qualified_and_their_text_is_open() {
        let fault = |prefix: &str, code: &str, said: &str| {
            let envelope = "http://schemas.xmlsoap.org/soap/envelope/";
            format!(
                "<{prefix}:Fault xmlns:{prefix}='{envelope}'><faultcode>{prefix}:{code}</faultcode>{said}</{prefix}:Fault>"
            )
        };
        let right = fault("soap", "Client", "<faultstring>no</faultstring>");
        let open = [Open::Element("faultstring"), Open::Element("detail")];
        let compare = |got: &str| super::compare(got.as_bytes(), right.as_bytes(), &open);
        compare(&fault("E", "Client", "<faultstring>Bad <b/>Request</faultstring><detail><x/></detail>"))
            .unwrap();
        compare(&fault("E", "Client", "")).unwrap();
        assert!(compare(&fault("E", "Server", "<faultstring>no</faultstring>")).is_err());
        assert!(compare(&fault("E", "Client", "<faultactor>x</faultactor>")).is_err());
        assert!(!same("<a xmlns:p='urn:p'>p:x</a>", "<a xmlns:q='urn:p'>q:x</a>"), "no fault");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn numbers_are_equal_in_any_notation(number in -1e9f64..1e9) {
            let document = |text: String| format!("<a>{text}</a>");
            let ways = [format!("{number}"), format!("{number:e}"), format!("{number:.17}")];
            for way in ways {
                prop_assert!(same(&document(way.clone()), &document(number.to_string())), "{}", way);
            }
        }

        #[test]
        fn arbitrary_bytes_cause_no_panic(one: Vec<u8>, other in "[<>/a-c =':]{0,40}") {
            let _ = compare(&one, other.as_bytes(), &[]);
            let _ = compare(other.as_bytes(), other.as_bytes(), &[]);
        }
    }
}

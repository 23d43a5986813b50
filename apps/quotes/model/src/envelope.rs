//! SOAP envelopes: parsing and writing.

use crate::XML;
use application::{Answer, Open, Response};
use roxmltree::{Document, Node};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    One,
    Two,
}

impl Version {
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// The namespace of its envelopes.
    pub fn namespace(self) -> &'static str {
        match self {
            Self::One => "http://schemas.xmlsoap.org/soap/envelope/",
            Self::Two => "http://www.w3.org/2003/05/soap-envelope",
        }
    }

    /// The content type of its messages.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::One => XML,
            Self::Two => "application/soap+xml; charset=utf-8",
        }
    }

    /// An envelope with this in its body.
    pub fn envelope(self, body: &str) -> String {
        let namespace = self.namespace();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <soapenv:Envelope xmlns:soapenv=\"{namespace}\"><soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
        )
    }
}

/// The culprit of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Client,
    VersionMismatch,
    MustUnderstand,
}

/// A fault of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    code: Code,
    text: String,
    /// Whether another code is allowed, too.
    is_vague: bool,
}

impl Fault {
    /// A fault of the client.
    pub fn client(text: impl Into<String>) -> Self {
        Self { code: Code::Client, text: text.into(), is_vague: false }
    }

    /// Neither SOAP 1.1 nor WSDL says whose fault an unknown operation is.
    pub fn unknown_operation() -> Self {
        Self { is_vague: true, ..Self::client("there is no such operation") }
    }

    /// The specified answer: its words and an engine's details are left open.
    pub fn answer(&self, version: Version) -> Answer {
        const WORDS: &[Open] = &[
            Open::Element("faultstring"),
            Open::Element("faultactor"),
            Open::Element("detail"),
            Open::Element("Header"),
        ];
        const VAGUE: &[Open] = &[
            Open::Element("faultcode"),
            Open::Element("faultstring"),
            Open::Element("faultactor"),
            Open::Element("detail"),
            Open::Element("Header"),
        ];
        const WORDS_OF_TWO: &[Open] = &[
            Open::Status(400),
            Open::Element("Subcode"),
            Open::Element("Reason"),
            Open::Element("Node"),
            Open::Element("Role"),
            Open::Element("Detail"),
            Open::Element("Header"),
        ];
        const VAGUE_IN_TWO: &[Open] = &[
            Open::Status(400),
            Open::Element("Code"),
            Open::Element("Reason"),
            Open::Element("Node"),
            Open::Element("Role"),
            Open::Element("Detail"),
            Open::Element("Header"),
        ];
        let leaves_open = match version {
            Version::One if self.is_vague => VAGUE,
            Version::One => WORDS,
            Version::Two if self.is_vague => VAGUE_IN_TWO,
            Version::Two => WORDS_OF_TWO,
        };
        Answer { response: self.response(version), leaves_open }
    }

    /// The answer in the model's own words.
    pub fn response(&self, version: Version) -> Response {
        let text = escape(&self.text);
        let fault = match version {
            Version::One => {
                let code = match self.code {
                    Code::Client => "Client",
                    Code::VersionMismatch => "VersionMismatch",
                    Code::MustUnderstand => "MustUnderstand",
                };
                format!("<faultcode>soapenv:{code}</faultcode><faultstring>{text}</faultstring>")
            }
            Version::Two => {
                let code = match self.code {
                    Code::Client => "Sender",
                    Code::VersionMismatch => "VersionMismatch",
                    Code::MustUnderstand => "MustUnderstand",
                };
                format!(
                    "<soapenv:Code><soapenv:Value>soapenv:{code}</soapenv:Value></soapenv:Code>\
                     <soapenv:Reason><soapenv:Text xml:lang=\"en\">{text}</soapenv:Text></soapenv:Reason>"
                )
            }
        };
        let document = version.envelope(&format!("<soapenv:Fault>{fault}</soapenv:Fault>"));
        Response { status: 500, content_type: version.content_type(), body: document.into_bytes() }
    }
}

/// A message in an envelope: its version, and the only element in its body.
pub struct Message<'a> {
    pub version: Version,
    /// The element, or the fault of the message.
    pub content: Result<Node<'a, 'a>, Fault>,
}

/// Parses a message.
pub fn parse(body: &[u8]) -> Result<Document<'_>, Fault> {
    let text = std::str::from_utf8(body).map_err(|_| Fault::client("it is no UTF-8"))?;
    // Document types are refused, so that there are no custom entities.
    Document::parse(text).map_err(|_| Fault::client("it is no XML, or has a document type"))
}

/// Takes a document out of its envelope.
pub fn open<'a>(document: &'a Document<'a>) -> Result<Message<'a>, Fault> {
    let envelope = document.root_element();
    let is_envelope = |version: &Version| envelope.has_tag_name((version.namespace(), "Envelope"));
    let Some(version) = Version::ALL.into_iter().find(is_envelope) else {
        let is_vague = envelope.tag_name().name() != "Envelope";
        return Err(Fault { code: Code::VersionMismatch, text: "no envelope of SOAP".to_owned(), is_vague });
    };
    Ok(Message { version, content: content(envelope, version) })
}

fn content<'a>(envelope: Node<'a, 'a>, version: Version) -> Result<Node<'a, 'a>, Fault> {
    let namespace = version.namespace();
    let child = |name| envelope.children().find(|child| child.has_tag_name((namespace, name)));
    let headers = child("Header").into_iter().flat_map(|header| header.children());
    let must = |header: &Node<'_, '_>| {
        header.attribute((namespace, "mustUnderstand")).is_some_and(|must| ["1", "true"].contains(&must))
    };
    if headers.into_iter().any(|header| must(&header)) {
        let text = "a header is not understood".to_owned();
        return Err(Fault { code: Code::MustUnderstand, text, is_vague: false });
    }
    let body = child("Body").ok_or_else(|| Fault::client("there is no body"))?;
    let mut elements = body.children().filter(Node::is_element);
    match (elements.next(), elements.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Fault::client("there is nothing in the body")),
        // One of the two is no operation.
        (Some(_), Some(_)) => Err(Fault::unknown_operation()),
    }
}

/// The name of a message's operation, if it can be determined.
pub fn operation(body: &[u8]) -> Option<String> {
    let document = parse(body).ok()?;
    let message = open(&document).ok()?;
    Some(message.content.ok()?.tag_name().name().to_owned())
}

/// Escapes text for XML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\r' => escaped.push_str("&#13;"),
            other => escaped.push(other),
        }
    }
    escaped
}

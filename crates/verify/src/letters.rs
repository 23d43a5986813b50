//! Messages as they are on the wire. Rows have what pages show of a message; what a stack adds to it beside that, or says to
//! who transports it, shows in its headers alone.
//!
//! The model's messages have the headers of [`OWN`], each once, with one sender and one recipient; a delivered message has
//! the same ones as its sender's copy. Who delivers writes the envelope above them: it must name these two.

use crate::{Difference, Halt, Subject, lockstep::Lockstep};
use application::Message;
use mail_parser::MessageParser;
use services::ServiceError;
use stack::Site;
use std::collections::BTreeMap;

/// The headers of a message that a user sends.
const OWN: [&str; 8] = [
    "content-transfer-encoding",
    "content-type",
    "date",
    "from",
    "message-id",
    "mime-version",
    "subject",
    "to",
];

/// Headers that delivery adds to a message: the envelope, and the way that it took.
const OF_TRANSPORT: [&str; 3] = ["delivered-to", "received", "return-path"];

/// The folder of delivered messages.
const DELIVERED: &str = "INBOX";

/// Checks the headers and the envelopes of all messages that were sent.
pub(crate) fn expect_right(lockstep: &Lockstep<'_>) -> Result<(), Halt> {
    match fault(&new(lockstep.subject, lockstep.site)?, Copies::Kept) {
        None => Ok(()),
        Some(text) => Err(Difference { step: None, text: format!("in the end, {text}") }.into()),
    }
}

/// The first fault of the messages that many clients have sent at once, of whom some did not wait.
pub(crate) fn fault_at_once(subject: &Subject<'_>, site: &Site<'_>) -> Result<Option<String>, ServiceError> {
    Ok(fault(&new(subject, site)?, Copies::MayBeMissing))
}

/// All messages that were sent; none without mailboxes.
fn new(subject: &Subject<'_>, site: &Site<'_>) -> Result<Vec<Message>, ServiceError> {
    let Some(records) = subject.application.records() else { return Ok(Vec::new()) };
    let mut messages = site.messages().transpose()?.unwrap_or_default();
    messages.retain(|message| message.uid >= records.first_new_uid());
    Ok(messages)
}

/// Copies that senders have of delivered messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    Kept,
    /// A client that left may have ended the server's work between the two.
    MayBeMissing,
}

/// The first fault of messages, each of which is a copy of its sender's or was delivered.
fn fault(messages: &[Message], copies: Copies) -> Option<String> {
    let letters: Vec<(&Message, Letter)> =
        messages.iter().map(|message| (message, Letter::read(message))).collect();
    let at = |message: &Message, text: String| {
        let Message { owner, folder, uid, .. } = message;
        format!("message {uid} in {folder} of {owner}: {text}")
    };
    let mut kept: BTreeMap<&str, &Letter> = BTreeMap::new();
    for (message, letter) in &letters {
        if let Err(text) = letter.expect_right(message.folder == DELIVERED) {
            return Some(at(message, text));
        }
        if message.folder != DELIVERED && kept.insert(letter.value("message-id"), letter).is_some() {
            return Some(at(message, "its Message-ID is that of another message".to_owned()));
        }
    }
    let is_other = |(message, letter): &&(&Message, Letter)| {
        let copy = kept.get(letter.value("message-id"));
        let is_other = copy.map_or(copies == Copies::Kept, |copy| copy.own != letter.own);
        message.folder == DELIVERED && is_other
    };
    let (message, _) = letters.iter().find(is_other)?;
    Some(at(message, "its headers are not those of its sender's copy".to_owned()))
}

/// The headers of a message.
struct Letter {
    /// Above its own: names in lower case, and values.
    transport: Vec<(String, String)>,
    /// Its own, in their order.
    own: Vec<(String, String)>,
}

impl Letter {
    fn read(message: &Message) -> Self {
        let parsed = MessageParser::default().parse(&message.source).unwrap_or_default();
        let header = |(name, value): (&str, &str)| (name.to_lowercase(), unfolded(value));
        let mut all: Vec<(String, String)> = parsed.headers_raw().map(header).collect();
        let is_transport = |(name, _): &(String, String)| OF_TRANSPORT.contains(&name.as_str());
        let own = all.split_off(all.iter().position(|header| !is_transport(header)).unwrap_or(all.len()));
        Self { transport: all, own }
    }

    /// The first value of one of its own headers; empty without it.
    fn value(&self, name: &str) -> &str {
        first(&self.own, name).unwrap_or_default()
    }

    fn expect_right(&self, is_delivered: bool) -> Result<(), String> {
        let mut names: Vec<&str> = self.own.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if names != OWN {
            let more =
                names.iter().find(|name| !OWN.contains(name)).map(|name| format!("has the header `{name}`"));
            let less = OWN
                .iter()
                .find(|name| !names.contains(name))
                .map(|name| format!("lacks the header `{name}`"));
            return Err(format!("it {}", more.or(less).unwrap_or_else(|| "has a header twice".to_owned())));
        }
        let [from, to] = ["from", "to"].map(|name| (name, address(self.value(name))));
        for (name, address) in [from, to] {
            address
                .ok_or_else(|| format!("its header `{name}: {}` is no single address", self.value(name)))?;
        }
        let kind = self.value("content-type").to_lowercase();
        let is_plain = kind.split(';').next().is_some_and(|kind| kind.trim() == "text/plain");
        for (name, is_right) in
            [("mime-version", self.value("mime-version") == "1.0"), ("content-type", is_plain)]
        {
            if !is_right {
                return Err(format!("its header is `{name}: {}`", self.value(name)));
            }
        }
        if !is_delivered {
            return match self.transport.first() {
                None => Ok(()),
                Some((name, _)) => Err(format!("it was never delivered, and has the header `{name}`")),
            };
        }
        for (part, ends, right) in [("return-path", "sender", from.1), ("delivered-to", "recipient", to.1)] {
            let all = self.transport.iter().filter(|(name, _)| name == part);
            let all: Vec<Option<&str>> = all.map(|(_, value)| address(value)).collect();
            if all != [right] {
                let shown: Vec<&str> = all.iter().map(|one| one.unwrap_or("none")).collect();
                return Err(format!(
                    "the {ends} of its envelope is `{}` instead of `{}`",
                    shown.join("` and `"),
                    right.unwrap_or_default()
                ));
            }
        }
        Ok(())
    }
}

fn first<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// A header's value in one line.
fn unfolded(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The only address in a header, without a name.
fn address(value: &str) -> Option<&str> {
    let bare = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(value);
    let is_one = bare.matches('@').count() == 1 && !bare.contains([' ', ',', '<', '>', '"', '(', ';']);
    is_one.then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVELOPE: &str = "Return-Path: <user1@mail.test>\r\nDelivered-To: user2@mail.test\r\n\
        Received: from mail.test ([127.0.0.1])\r\n\tby mail.test with LMTP\r\n\tid x; Sun, 29 Nov 2026 08:00:00 +0000\r\n";
    const HEAD: &str = "From: user1@mail.test\r\nTo: <user2@mail.test>\r\nSubject: =?utf-8?B?TmV3cw==?=\r\n\
        Date: Sun, 29 Nov 2026 08:00:00 +0000\r\nMessage-ID: <1@mail.test>\r\nMIME-Version: 1.0\r\n\
        Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n";

    fn message(folder: &str, head: &str) -> Message {
        Message {
            owner: "user2".to_owned(),
            folder: folder.to_owned(),
            uid: 1001,
            is_deleted: false,
            source: format!("{head}\r\nRmluZS4=\r\n").into_bytes(),
        }
    }

    /// The fault of a message whose envelope and whose head, of both copies or of the delivered one alone, are changed so.
    fn with(envelope: (&str, &str), both: (&str, &str), delivered: (&str, &str)) -> String {
        let replaced = |text: &str, (from, to): (&str, &str)| {
            assert!(text.contains(from), "{from}");
            if from.is_empty() { text.to_owned() } else { text.replacen(from, to, 1) }
        };
        let head = replaced(HEAD, both);
        let inbox = replaced(ENVELOPE, envelope) + &replaced(&head, delivered);
        fault(&[message("Sent", &head), message("INBOX", &inbox)], Copies::Kept).unwrap_or_default()
    }

    const SAME: (&str, &str) = ("", "");

    #[test]
    fn a_message_with_its_own_headers_and_its_envelope_is_right() {
        assert_eq!(with(SAME, SAME, SAME), "");
        let half = with(SAME, ("user1@", "<user1@"), SAME);
        assert!(half.contains("no single address"), "{half}");
    }

    #[test]
    fn more_headers_fewer_headers_and_other_people_are_faults() {
        for (both, says) in [
            (("Date: ", "X-Mailer: 7\r\nDate: "), "has the header `x-mailer`"),
            (("Date: ", "Bcc: user3@mail.test\r\nDate: "), "has the header `bcc`"),
            (("Date: ", "Received: by me\r\nDate: "), "has the header `received`"),
            (("MIME-Version: 1.0\r\n", ""), "lacks the header `mime-version`"),
            (("Date: ", "To: user2@mail.test\r\nDate: "), "has a header twice"),
            (("<user2@mail.test>", "user2@mail.test, user3@mail.test"), "no single address"),
            (("user1@mail.test", "Ada <user1@mail.test>"), "no single address"),
            (("text/plain", "text/html"), "content-type: text/html"),
        ] {
            let text = with(SAME, both, SAME);
            assert!(text.contains(says), "{says}: {text}");
        }
    }

    #[test]
    fn an_envelope_that_differs_from_the_message_is_a_fault() {
        for (envelope, says) in [
            (("<user1@mail.test>", "<>"), "the sender of its envelope is `none`"),
            (("<user1@", "<user3@"), "the sender of its envelope is `user3@mail.test`"),
            (("user2@", "user3@"), "the recipient of its envelope is `user3@mail.test`"),
            (("Delivered-To: user2@mail.test\r\n", ""), "the recipient of its envelope is ``"),
        ] {
            let text = with(envelope, SAME, SAME);
            assert!(text.contains(says), "{says}: {text}");
        }
        let copy = fault(&[message("Sent", &format!("{ENVELOPE}{HEAD}"))], Copies::Kept).unwrap();
        assert!(copy.contains("never delivered"), "{copy}");
    }

    #[test]
    fn a_delivered_message_has_the_headers_of_its_senders_copy() {
        for delivered in [("<1@", "<2@"), ("08:00:00", "08:00:01"), ("TmV3cw==", "TmV3cy4=")] {
            let text = with(SAME, SAME, delivered);
            assert!(text.contains("not those of its sender's copy"), "{text}");
        }
        let twice = fault(&[message("Sent", HEAD), message("Sent", HEAD)], Copies::Kept).unwrap();
        assert!(twice.contains("that of another message"), "{twice}");
        let delivered = [message("INBOX", &format!("{ENVELOPE}{HEAD}"))];
        assert!(fault(&delivered, Copies::Kept).unwrap().contains("not those of its sender's copy"));
        assert_eq!(fault(&delivered, Copies::MayBeMissing), None);
    }
}

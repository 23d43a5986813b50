//! People as directory entries and messages in mailboxes, and their invariants.

use crate::{
    Mail,
    population::Population,
    rows::{FIRST_NEW_UID, INBOX, Person, SENT, address, message_id, place, plain},
    source::attachment_line,
};
use application::{Dataset, Entry, Keeper, Message, Owner, Records, Row, Rule, Table, Timestamp, Value};
use mail_parser::{ContentType, MessageParser, MessagePart, MimeHeaders, PartType};
use std::collections::{BTreeMap, BTreeSet};

impl Records for Mail {
    fn keeper(&self, table: &Table) -> Keeper {
        if table.name == Person::TABLE.name { Keeper::Directory } else { Keeper::Mailboxes }
    }

    fn entries(&self, dataset: &Dataset, take: &mut dyn FnMut(Entry)) {
        for person in Population::new(dataset).people() {
            let Person { id, nickname, firstname, lastname, address, password } = person;
            let attributes = [
                ("uid", nickname),
                ("cn", format!("{firstname} {lastname}")),
                ("givenName", firstname),
                ("sn", lastname),
                ("mail", address),
                ("employeeNumber", id.to_string()),
                ("userPassword", password),
            ];
            take(Entry(attributes.map(|(name, value)| (name.to_owned(), value)).into()));
        }
    }

    fn mailboxes(&self, dataset: &Dataset, take: &mut dyn FnMut(Owner, Vec<Message>)) {
        let population = Population::new(dataset);
        for Person { id, nickname, password, .. } in population.people() {
            let messages = population.letters(id).map(|letter| Message {
                owner: nickname.clone(),
                folder: INBOX.to_owned(),
                uid: letter.message.uid(),
                is_deleted: false,
                source: letter.source(),
            });
            let messages = messages.collect();
            take(Owner { name: nickname, password, folders: vec![SENT.to_owned()] }, messages);
        }
    }

    fn first_new_uid(&self) -> u32 {
        FIRST_NEW_UID
    }

    fn row_of_entry(&self, entry: &Entry) -> Option<Row> {
        let person = Person {
            id: entry.get("employeeNumber").parse().ok()?,
            nickname: entry.get("uid").to_owned(),
            firstname: entry.get("givenName").to_owned(),
            lastname: entry.get("sn").to_owned(),
            address: entry.get("mail").to_owned(),
            password: entry.get("userPassword").to_owned(),
        };
        Some(person.row())
    }

    fn row_of_message(&self, message: &Message) -> Row {
        let person =
            message.owner.strip_prefix("user").and_then(|number| number.parse().ok()).unwrap_or_default();
        let parsed = MessageParser::default().parse(&message.source).unwrap_or_default();
        let first = |address: Option<&mail_parser::Address<'_>>| {
            let found = address.and_then(|address| address.first()).and_then(|one| one.address());
            found.unwrap_or_default().to_owned()
        };
        let row = crate::rows::Message {
            id: message_id(person, &message.folder, message.uid),
            owner: message.owner.clone(),
            folder: message.folder.clone(),
            sender: first(parsed.from()),
            recipient: first(parsed.to()),
            subject: parsed.subject().unwrap_or_default().to_owned(),
            date: Timestamp(parsed.date().map(mail_parser::DateTime::to_timestamp).unwrap_or_default()),
            text: plain(shown(&parsed)),
            attachments: parsed.parts.iter().filter_map(attachment).collect(),
            deleted: i64::from(message.is_deleted),
        };
        row.row()
    }

    fn place_of_message(&self, id: u64) -> (String, String, u32) {
        let (person, folder, uid) = place(id as i64);
        (crate::population::nickname(person as u64), folder.to_owned(), uid)
    }

    /// A delivered message is derived, beside its sender's copy.
    fn is_derived(&self, table: &Table, row: &Row) -> bool {
        self.keeper(table) == Keeper::Mailboxes && text(row, FOLDER) == INBOX
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule {
                name: "delivered_once",
                sentence: "Each message that somebody has sent is once in the inbox of its recipient, and nothing else was delivered.",
                breaches: |tables| undelivered(&tables[1]),
            },
            Rule {
                name: "own_mailbox",
                sentence: "Each message is in a mailbox of somebody in the directory who has sent it or was to get it.",
                breaches: |tables| strayed(&tables[0], &tables[1]),
            },
        ]
    }
}

/// The first part that is plain text, or else the first text part, as it is written.
fn shown<'a>(message: &'a mail_parser::Message<'_>) -> &'a str {
    let texts = || message.parts.iter().filter(|part| !is_attachment(part));
    let plain =
        texts().find_map(|part| if let PartType::Text(text) = &part.body { Some(&**text) } else { None });
    let html =
        || texts().find_map(|part| if let PartType::Html(text) = &part.body { Some(&**text) } else { None });
    plain.or_else(html).unwrap_or_default()
}

fn is_attachment(part: &MessagePart<'_>) -> bool {
    part.content_disposition().is_some_and(ContentType::is_attachment)
}

fn attachment(part: &MessagePart<'_>) -> Option<String> {
    let kind = part.content_type().map(|kind| match kind.subtype() {
        Some(subtype) => format!("{}/{subtype}", kind.ctype()),
        None => kind.ctype().to_owned(),
    });
    let name = part.attachment_name().unwrap_or_default();
    is_attachment(part).then(|| attachment_line(name, &kind.unwrap_or_default(), part.contents().len()))
}

/// Positions of the columns of `messages`.
const OWNER: usize = 1;
const FOLDER: usize = 2;
const SENDER: usize = 3;
const RECIPIENT: usize = 4;
const SUBJECT: usize = 5;

fn text(row: &Row, column: usize) -> &str {
    if let Some(Value::Text(text)) = row.get(column) { text } else { "" }
}

fn id(row: &Row) -> i64 {
    if let Some(Value::Integer(id)) = row.first() { *id } else { 0 }
}

/// New messages that aren't both in their sender's folder and in an inbox.
fn undelivered(messages: &[Row]) -> Vec<String> {
    let mut balance: BTreeMap<String, i64> = BTreeMap::new();
    for row in messages.iter().filter(|row| place(id(row)).2 >= FIRST_NEW_UID) {
        // All columns but the position and the mark of deletion.
        let essence: Vec<String> = row[SENDER..row.len() - 1].iter().map(ToString::to_string).collect();
        *balance.entry(essence.join(" | ")).or_default() += if text(row, FOLDER) == SENT { 1 } else { -1 };
    }
    let shown = |(essence, balance): (String, i64)| {
        let essence: String = essence.chars().take(120).collect();
        match balance {
            0 => None,
            1.. => Some(format!("sent, and {balance} times not delivered: {essence}")),
            _ => Some(format!("delivered {} times too often: {essence}", -balance)),
        }
    };
    balance.into_iter().filter_map(shown).collect()
}

/// Messages in a folder where they don't belong.
fn strayed(people: &[Row], messages: &[Row]) -> Vec<String> {
    let nicknames: BTreeSet<&str> = people.iter().map(|row| text(row, 1)).collect();
    let belongs = |row: &&Row| {
        let column = if text(row, FOLDER) == SENT { SENDER } else { RECIPIENT };
        nicknames.contains(text(row, OWNER)) && text(row, column) == address(text(row, OWNER))
    };
    let shown = |row: &Row| {
        format!("id = {}, owner = {}, subject = {}", id(row), text(row, OWNER), text(row, SUBJECT))
    };
    messages.iter().filter(|row| !belongs(row)).map(shown).collect()
}

//! Rows that are kept where no SQL reaches: people in a directory, messages in mailboxes.

use crate::{Row, Scenario, Table};

/// A person as a directory knows him: the attributes of the entry. `uid` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry(pub Vec<(String, String)>);

impl Entry {
    /// The first value of an attribute; empty without any.
    pub fn get(&self, name: &str) -> &str {
        let named = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        named.map_or("", |(_, value)| value)
    }
}

/// A message as a mail store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The name of the mailbox's owner.
    pub owner: String,
    /// `INBOX`, or another one of the owner's folders.
    pub folder: String,
    /// Its number in the folder, which no other message there ever gets.
    pub uid: u32,
    /// Whether it is marked as deleted.
    pub is_deleted: bool,
    /// What came over the wire, with CRLF at the ends of lines.
    pub source: Vec<u8>,
}

/// An owner of a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// By which name he logs in.
    pub name: String,
    /// His password, as he types it.
    pub password: String,
    /// His folders beside the inbox.
    pub folders: Vec<String>,
}

/// Where a table's rows are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// In a directory, an [`Entry`] each.
    Directory,
    /// In mailboxes, a [`Message`] each.
    Mailboxes,
}

/// What must always be true of records.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// What must hold, as a sentence.
    pub sentence: &'static str,
    /// Shows each breach, given all rows of each table, in the order of [`Application::tables`](crate::Application::tables).
    pub breaches: fn(&[Vec<Row>]) -> Vec<String>,
}

/// An application that keeps its rows as records: how they become rows and rows become them.
pub trait Records: Sync {
    /// Where the rows of a table are kept.
    fn keeper(&self, table: &Table) -> Keeper;

    /// Gives the entries of all people.
    fn entries(&self, scenario: &Scenario, take: &mut dyn FnMut(Entry));

    /// Gives the owners of all mailboxes, each with the messages in it.
    fn mailboxes(&self, scenario: &Scenario, take: &mut dyn FnMut(Owner, Vec<Message>));

    /// The number that the next message gets, in each folder: larger than all that are generated, so that of new rows, and of
    /// these alone, the ids are larger than all that were loaded.
    fn first_new_uid(&self) -> u32;

    /// The row that an entry is; none if it is no person.
    fn row_of_entry(&self, entry: &Entry) -> Option<Row>;

    /// The row that a message is.
    fn row_of_message(&self, message: &Message) -> Row;

    /// Where the message is that is the row with this id: the owner of its mailbox, the folder, and its number there.
    fn place_of_message(&self, id: u64) -> (String, String, u32);

    /// Whether the application has made a new row by itself, beside the one that a page acknowledges.
    fn is_derived(&self, table: &Table, row: &Row) -> bool;

    /// What must always be true of the rows.
    fn rules(&self) -> Vec<Rule>;
}

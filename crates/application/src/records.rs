//! Rows in stores without SQL: people in a directory, messages in mailboxes.

use crate::{Dataset, Row, Table};

/// A directory entry of a person: its attributes. `uid` names it.
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
    /// Unique in the folder.
    pub uid: u32,
    pub is_deleted: bool,
    /// With CRLF line ends.
    pub source: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Log-in name.
    pub name: String,
    /// In plain text.
    pub password: String,
    pub folders: Vec<String>,
}

/// The store of a table's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// In a directory, as an [`Entry`] each.
    Directory,
    /// In mailboxes, as a [`Message`] each.
    Mailboxes,
}

pub struct Rule {
    pub name: &'static str,
    pub sentence: &'static str,
    /// Lists each violation, given all rows of each table, in the order of
    /// [`Application::tables`](crate::Application::tables).
    pub breaches: fn(&[Vec<Row>]) -> Vec<String>,
}

/// An application that stores its rows as records: the mapping between records and rows.
pub trait Records: Sync {
    fn keeper(&self, table: &Table) -> Keeper;

    /// Generates the entries of all people.
    fn entries(&self, dataset: &Dataset, take: &mut dyn FnMut(Entry));

    /// Generates the owners of all mailboxes, each with its messages.
    fn mailboxes(&self, dataset: &Dataset, take: &mut dyn FnMut(Owner, Vec<Message>));

    /// The number of the next message in each folder. It is larger than all generated ones, so that exactly the new
    /// rows have ids above all loaded ones.
    fn first_new_uid(&self) -> u32;

    /// The row of an entry; none if it is no person.
    fn row_of_entry(&self, entry: &Entry) -> Option<Row>;

    fn row_of_message(&self, message: &Message) -> Row;

    /// The position of the message with this row id: the owner of its mailbox, the folder, and its number there.
    fn place_of_message(&self, id: u64) -> (String, String, u32);

    /// True if a new row was derived by the application, beside the one that a page acknowledges.
    fn is_derived(&self, table: &Table, row: &Row) -> bool;

    fn rules(&self) -> Vec<Rule>;
}

//! The tables: people in the directory, messages in the mailboxes.

use application::{Timestamp, table};

table! {
    /// An entry of the directory.
    Person in people {
        id: i64,
        nickname: String,
        firstname: String,
        lastname: String,
        address: String,
        password: String,
    }
}

table! {
    /// A message of a mailbox.
    Message in messages {
        id: i64,
        owner: String,
        folder: String,
        sender: String,
        recipient: String,
        subject: String,
        date: Timestamp,
        /// What a page shows of it, with line feeds at the ends of lines and none at its end.
        text: String,
        /// A line for each: `notes.txt (text/plain, 1200 bytes)`.
        attachments: String,
        deleted: i64,
    }
}

/// The folder that others deliver to.
pub const INBOX: &str = "INBOX";
/// The folder that keeps what its owner has sent.
pub const SENT: &str = "Sent";
/// What new messages are numbered from, in each folder; generated ones have smaller numbers.
pub const FIRST_NEW_UID: u32 = 1001;

/// Mailboxes have two folders, each with numbers of its own.
const FOLDERS: i64 = 2;
/// More than folders of all mailboxes.
const NUMBERS: i64 = 1_000_000;

/// The id of a message: new ones have larger ids than all that were there, whosever they are.
pub fn message_id(person: i64, folder: &str, uid: u32) -> i64 {
    i64::from(uid) * NUMBERS + person * FOLDERS + i64::from(folder == SENT)
}

/// The person, the folder and the number in it, of a message with this id.
pub fn place(id: i64) -> (i64, &'static str, u32) {
    let box_number = id % NUMBERS;
    let folder = if box_number % FOLDERS == 1 { SENT } else { INBOX };
    (box_number / FOLDERS, folder, (id / NUMBERS) as u32)
}

/// The address of somebody who is called so.
pub fn address(nickname: &str) -> String {
    format!("{nickname}@{DOMAIN}")
}

/// Where all mailboxes are.
pub const DOMAIN: &str = "mail.test";

impl Message {
    /// Its number in its folder.
    pub fn uid(&self) -> u32 {
        place(self.id).2
    }

    /// The sender's nickname.
    pub fn sender_nickname(&self) -> &str {
        self.sender.split('@').next().unwrap_or_default()
    }

    pub fn is_shown_in(&self, folder: &str) -> bool {
        self.folder == folder && self.deleted == 0
    }

    /// Its attachments, one after the other.
    pub fn attached(&self) -> impl Iterator<Item = &str> {
        self.attachments.lines()
    }
}

/// A text as pages show it and rows have it: line feeds end lines, and none ends the text.
pub fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_end_matches('\n').to_owned()
}

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
        /// The text that a page shows, with line feeds at the ends of lines and none at its end.
        text: String,
        /// A line for each: `notes.txt (text/plain, 1200 bytes)`.
        attachments: String,
        deleted: i64,
    }
}

/// The folder that others deliver to.
pub const INBOX: &str = "INBOX";
/// The folder of sent messages.
pub const SENT: &str = "Sent";
/// First number of new messages in each folder; generated ones have smaller numbers.
pub const FIRST_NEW_UID: u32 = 1001;

/// Folders of a mailbox, each with numbers of its own.
const FOLDERS: i64 = 2;
/// More than folders of all mailboxes.
const NUMBERS: i64 = 1_000_000;

/// The id of a message: larger for new messages than for all earlier ones, of any owner.
pub fn message_id(person: i64, folder: &str, uid: u32) -> i64 {
    i64::from(uid) * NUMBERS + person * FOLDERS + i64::from(folder == SENT)
}

/// The person, the folder and the number in it, of a message id.
pub fn place(id: i64) -> (i64, &'static str, u32) {
    let box_number = id % NUMBERS;
    let folder = if box_number % FOLDERS == 1 { SENT } else { INBOX };
    (box_number / FOLDERS, folder, (id / NUMBERS) as u32)
}

/// The email address of a nickname.
pub fn address(nickname: &str) -> String {
    format!("{nickname}@{DOMAIN}")
}

/// The domain of all mailboxes.
pub const DOMAIN: &str = "mail.test";

impl Message {
    /// The number in the folder.
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

    pub fn attached(&self) -> impl Iterator<Item = &str> {
        self.attachments.lines()
    }
}

/// A text as pages and rows have it: line feeds end lines, and none ends the text.
pub fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_end_matches('\n').to_owned()
}

//! Requests that together take every branch, and conflicting writes.

use crate::{
    population::{nickname, password},
    rows::{FIRST_NEW_UID, Message, SENT},
};
use application::{Branch, Step, Value, Write};

/// Texts that careless stacks change: markup, quotes, escapes, blanks, lines, dots, and letters of four bytes.
const CAREFUL: &str =
    " \"<b>O'Brien</b>\" &amp; \\'; --\r\n.\r\n..\r\nFrom here\r\n\r\n\t+%41 =?utf-8?B?eA==?= é😀 ";
/// `CAREFUL` with the characters that a subject may have.
const CAREFUL_SUBJECT: &str = "  \"<b>O'Brien</b>\" &amp;  \\'; -- =?utf-8?B?eA==?= é😀 ";

/// The session of a person, as a step names it.
pub fn session(person: u64) -> String {
    format!("{{locked:{}:{}}}", nickname(person), password(person))
}

fn get(page: &str, person: u64, fields: &[(&str, &str)]) -> Step {
    Step::get(&format!("/mail/{page}"), &[&[("session", session(person).as_str())], fields].concat())
}

fn post(page: &str, person: u64, fields: &[(&str, &str)]) -> Step {
    Step::post(&format!("/mail/{page}"), &[&[("session", session(person).as_str())], fields].concat())
}

pub fn home() -> Step {
    Step::get("/mail/index.html", &[])
}

pub fn log_in(nickname: &str, password: &str) -> Step {
    Step::post("/mail/LogIn", &[("nickname", nickname), ("password", password)])
}

pub fn list(person: u64, page: &str) -> Step {
    get("ListMessages", person, &[("page", page)])
}

pub fn read(person: u64, message: &str) -> Step {
    get("ReadMessage", person, &[("message", message)])
}

pub fn delete(person: u64, message: &str) -> Step {
    post("DeleteMessage", person, &[("message", message)])
}

pub fn address_book(person: u64, letter: &str) -> Step {
    get("AddressBook", person, &[("letter", letter)])
}

pub fn write(person: u64, to: &str) -> Step {
    get("WriteMessage", person, &[("to", to)])
}

pub fn send(person: u64, to: &str, subject: &str, text: &str) -> Step {
    post("SendMessage", person, &[("to", to), ("subject", subject), ("text", text)])
}

pub fn log_out(person: u64) -> Step {
    get("LogOut", person, &[])
}

pub fn branches() -> Vec<Branch> {
    [pages(), sessions(), logged_in(), messages(), sent(), refused()].concat()
}

fn branch(name: impl Into<String>, status: u16, step: Step) -> Branch {
    Branch { name: name.into(), step, status }
}

fn pages() -> Vec<Branch> {
    vec![
        branch("the home page", 200, home()),
        branch("a picture", 200, Step::get("/mail/logo.svg", &[])),
        branch("a file by the name of its page", 200, Step::get("/mail/trivial/ReadMessage", &[])),
        branch("a file by its own name", 200, Step::get("/mail/trivial/ReadMessage.html", &[])),
        branch("a file whatever is asked of it", 200, Step::get("/mail/trivial/LogIn", &[("nickname", "x")])),
        branch("no such file", 404, Step::get("/mail/trivial/Nothing", &[])),
        branch("no such page", 404, Step::get("/mail/Nowhere", &[])),
    ]
}

/// Every page that needs a session, with sessions that prove no user.
fn sessions() -> Vec<Branch> {
    type Fields = &'static [(&'static str, &'static str)];
    let pages: [(&str, bool, Fields); 7] = [
        ("ListMessages", false, &[("page", "0")]),
        ("ReadMessage", false, &[("message", "1")]),
        ("DeleteMessage", true, &[("message", "1")]),
        ("AddressBook", false, &[("letter", "A")]),
        ("WriteMessage", false, &[]),
        ("SendMessage", true, &[("to", "user2"), ("subject", "x"), ("text", "x")]),
        ("LogOut", false, &[]),
    ];
    let mut branches = Vec::new();
    for (page, is_post, fields) in pages {
        let step = |sessions: &[&str]| {
            let sessions = sessions.iter().map(|session| ("session", *session));
            let all: Vec<(&str, &str)> = sessions.chain(fields.iter().copied()).collect();
            let path = format!("/mail/{page}");
            if is_post { Step::post(&path, &all) } else { Step::get(&path, &all) }
        };
        // These two check no password.
        let trusting = if ["WriteMessage", "LogOut"].contains(&page) { 200 } else { 403 };
        for (what, password) in [
            ("with another password than the person's", "{locked:user1:password2}"),
            ("with a session of nobody", "{locked:nobody:password1}"),
        ] {
            branches.push(branch(format!("{page}: {what}"), trusting, step(&[password])));
        }
        for (what, sessions) in [
            ("without a session", vec![]),
            ("with an empty session", vec![""]),
            ("with an expired session", vec!["{expired:user1:password1}"]),
            ("with a forged session", vec!["{forged:user1:password1}"]),
            ("with a session of somebody else's making", vec!["user1"]),
            ("with a token of another kind", vec!["{token:1}"]),
            ("with a session of another form", vec!["{locked:user1}"]),
        ] {
            branches.push(branch(format!("{page}: {what}"), 403, step(&sessions)));
        }
    }
    branches
}

fn logged_in() -> Vec<Branch> {
    vec![
        branch("LogIn: right", 200, log_in("user1", "password1")),
        branch("LogIn: another one", 200, log_in("user2", "password2")),
        branch("LogIn: the wrong password", 403, log_in("user1", "password2")),
        branch("LogIn: a password in other case", 403, log_in("user1", "Password1")),
        branch("LogIn: nobody", 403, log_in("nobody", "password1")),
        branch("LogIn: a nickname in other case", 400, log_in("User1", "password1")),
        branch("LogIn: a pattern", 400, log_in("user*", "password1")),
        branch("LogIn: an address", 400, log_in("user1@mail.test", "password1")),
        branch("LogIn: without a password", 400, log_in("user1", "")),
        branch("LogOut", 200, log_out(1)),
        branch("AddressBook: A", 200, address_book(1, "A")),
        branch("AddressBook: X", 200, address_book(1, "X")),
        branch("AddressBook: a small letter", 400, address_book(1, "a")),
        branch("AddressBook: a pattern", 400, address_book(1, "*")),
        branch("AddressBook: no letter", 400, get("AddressBook", 1, &[])),
    ]
}

fn messages() -> Vec<Branch> {
    vec![
        branch("ListMessages: the first page", 200, list(1, "0")),
        branch("ListMessages: the second page", 200, list(1, "1")),
        branch("ListMessages: beyond all pages", 200, list(1, "999999")),
        branch("ListMessages: a page before the first", 400, list(1, "-1")),
        branch("ListMessages: no page", 400, get("ListMessages", 1, &[])),
        branch("ReadMessage: the first", 200, read(1, "1")),
        branch("ReadMessage: no such", 404, read(1, "999")),
        branch("ReadMessage: one that none can be", 404, read(1, "999999999")),
        branch("ReadMessage: number 0", 400, read(1, "0")),
        branch("ReadMessage: a range", 400, read(1, "1:20")),
        branch("DeleteMessage: one of them", 200, delete(1, "2")),
        branch("DeleteMessage: once more", 404, delete(1, "2")),
        branch("ReadMessage: a deleted one", 404, read(1, "2")),
        branch("ReadMessage: of the same number, somebody else's", 200, read(2, "2")),
        branch("DeleteMessage: no such", 404, delete(1, "999")),
        branch("DeleteMessage: all", 400, delete(1, "1:*")),
        branch("ListMessages: without the deleted one", 200, list(1, "1")),
        branch("LogIn: with one message less", 200, log_in("user1", "password1")),
    ]
}

fn sent() -> Vec<Branch> {
    let sent = [
        ("a plain one", 1, "user2", "News", "Fine."),
        ("the same again", 1, "user2", "News", "Fine."),
        ("to oneself", 3, "user3", "Note", "To myself."),
        ("the shortest", 2, "user1", ".", "."),
        ("the longest subject", 2, "user1", &"😀".repeat(100), "Fine."),
        ("the longest text", 2, "user1", "Long", &"😀".repeat(20_000)),
        ("the longest line", 2, "user1", "Long line", &"x".repeat(20_000)),
        ("a subject of all sorts", 2, "user1", CAREFUL_SUBJECT, "Fine."),
        ("a text of all sorts", 2, "user1", "All sorts", CAREFUL),
        ("blanks", 2, "user1", " x  y ", " \n "),
        ("a text of line ends", 2, "user1", "Lines", "\r\n\r\n"),
        ("all kinds of line ends", 2, "user1", "More lines", "a\rb\nc\r\nd\n\re"),
        ("something like a header", 2, "user1", "Bcc: user3@mail.test", "Bcc: user3@mail.test\r\n\r\nx"),
    ];
    let mut branches: Vec<Branch> = Vec::new();
    for (what, from, to, subject, text) in sent {
        branches.push(branch(format!("SendMessage: {what}"), 200, send(from, to, subject, text)));
    }
    // The writes received by `user1` and `user2`.
    for (person, count) in [(1, 9), (2, 2)] {
        for number in 0..count {
            let uid = (FIRST_NEW_UID + number).to_string();
            branches.push(branch(
                format!("ReadMessage: what {person} got, number {number}"),
                200,
                read(person, &uid),
            ));
        }
        branches.push(branch(format!("ListMessages: with what {person} got"), 200, list(person, "0")));
    }
    let first = FIRST_NEW_UID.to_string();
    branches.push(branch("ReadMessage: what was sent is not in the sender's inbox", 404, read(4, &first)));
    branches.push(branch("DeleteMessage: what was just sent", 200, delete(2, &first)));
    branches.push(branch("ReadMessage: what was sent and deleted", 404, read(2, &first)));
    branches.push(branch("WriteMessage: to nobody yet", 200, get("WriteMessage", 1, &[])));
    branches.push(branch("WriteMessage: to somebody", 200, write(1, "user2")));
    branches.push(branch("WriteMessage: to a name that none has", 200, write(1, "nobody")));
    branches.push(branch("WriteMessage: to what is no nickname", 400, write(1, "<b>")));
    branches
}

fn refused() -> Vec<Branch> {
    let fields = [("to", "user2"), ("subject", "News"), ("text", "Fine.")];
    let mut branches = Vec::new();
    for (name, length) in [("to", 21), ("subject", 101), ("text", 20_001)] {
        let with = |value: &str| {
            let changed = fields.map(|(known, usual)| (known, if known == name { value } else { usual }));
            post("SendMessage", 1, &changed)
        };
        let others: Vec<_> = fields.into_iter().filter(|(known, _)| *known != name).collect();
        for (what, step) in [
            ("missing", post("SendMessage", 1, &others)),
            ("empty", with("")),
            ("too long", with(&"x".repeat(length))),
            ("too long in letters of two bytes", with(&"é".repeat(length))),
        ] {
            branches.push(branch(format!("SendMessage: {name} {what}"), 400, step));
        }
    }
    for (what, subject) in [
        ("a header behind it", "x\r\nBcc: user3@mail.test"),
        ("a line feed", "x\ny"),
        ("a carriage return", "x\ry"),
        ("a tab", "x\ty"),
        ("a delete", "x\u{7f}"),
        ("a next line", "x\u{85}y"),
        ("blanks alone", "   "),
    ] {
        branches.push(branch(
            format!("SendMessage: a subject with {what}"),
            400,
            send(1, "user2", subject, "x"),
        ));
    }
    for (what, to, status) in [
        ("nobody", "nobody", 404),
        ("an address", "user2@mail.test", 400),
        ("two of them", "user2,user3", 400),
        ("a line behind it", "user2\r\nBcc: x", 400),
        ("a pattern", "user*", 400),
        ("other case", "USER2", 400),
    ] {
        branches.push(branch(format!("SendMessage: to {what}"), status, send(1, to, "x", "x")));
    }
    branches
}

/// Messages of all people to few others, so that many are delivered to one mailbox at once.
pub fn contention(people: u64, count: usize) -> Vec<Write> {
    let write = |number: usize| {
        let subject = format!("One of many, number {number}");
        let (from, to) = (number as u64 % people + 1, number as u64 % 3 + 1);
        Write {
            step: send(from, &nickname(to), &subject, "Fine."),
            table: Message::TABLE.name,
            mark: vec![("folder", Value::Text(SENT.to_owned())), ("subject", Value::Text(subject))],
        }
    };
    (0..count).map(write).collect()
}

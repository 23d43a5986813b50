//! Requests that together take every branch, and conflicting writes.

use crate::rows::Comment;
use application::{Branch, Step, Value, Write};

const FORM: &str = "/comments/index.html";
const STORE: &str = "/comments/StoreComment";
const LIST: &str = "/comments/ListComments";

/// Texts that careless stacks change: markup, quotes, escapes, blanks, lines, and letters of four bytes.
const CAREFUL: &str = " \"<b>O'Brien</b>\" &amp; \\'; --\r\n\t+%41 é😀 ";

pub fn list() -> Step {
    Step::get(LIST, &[])
}

pub fn form() -> Step {
    Step::get(FORM, &[])
}

pub fn store(name: &str, email: &str, comment: &str) -> Step {
    Step::post(STORE, &[("name", name), ("email", email), ("comment", comment)])
}

pub fn branches() -> Vec<Branch> {
    [pages(), stored(), refused()].concat()
}

fn branch(name: impl Into<String>, status: u16, step: Step) -> Branch {
    Branch { name: name.into(), step, status }
}

fn pages() -> Vec<Branch> {
    vec![
        branch("the form", 200, form()),
        branch("a picture", 200, Step::get("/comments/logo.svg", &[])),
        branch("no such page", 404, Step::get("/comments/Nowhere", &[])),
        branch("ListComments: as generated", 200, list()),
        branch("ListComments: with a parameter that it doesn't have", 200, Step::get(LIST, &[("page", "2")])),
    ]
}

fn stored() -> Vec<Branch> {
    let stored = [
        ("a plain one", "Ada", "ada@example.org", "Fine."),
        ("the same again", "Ada", "ada@example.org", "Fine."),
        ("the shortest", "A", "@", "."),
        ("the longest name", &"😀".repeat(50), "ada@example.org", "Fine."),
        ("the longest address", "Ada", &format!("{}@", "é".repeat(79)), "Fine."),
        ("the longest text", "Ada", "ada@example.org", &"😀".repeat(2048)),
        ("a name of all sorts", CAREFUL, "ada@example.org", "Fine."),
        ("an address of all sorts", "Ada", &format!("{CAREFUL}@"), "Fine."),
        ("a text of all sorts", "Ada", "ada@example.org", CAREFUL),
        ("blanks", " ", " @ ", " \n "),
    ];
    let store = stored.map(|(what, name, email, comment)| {
        branch(format!("StoreComment: {what}"), 200, store(name, email, comment))
    });
    [store.as_slice(), &[branch("ListComments: with what was stored", 200, list())]].concat()
}

fn refused() -> Vec<Branch> {
    let fields = [("name", "Ada"), ("email", "ada@example.org"), ("comment", "Fine.")];
    let longer = [("name", 51), ("email", 81), ("comment", 2049)];
    let with = |name: &str, value: &str| {
        let changed = fields.map(|(known, usual)| (known, if known == name { value } else { usual }));
        Step::post(STORE, &changed)
    };
    let mut branches = Vec::new();
    for (name, length) in longer {
        let others: Vec<_> = fields.into_iter().filter(|(known, _)| *known != name).collect();
        for (what, step) in [
            ("missing", Step::post(STORE, &others)),
            ("empty", with(name, "")),
            ("too long", with(name, &"@".repeat(length))),
            ("too long in letters of two bytes", with(name, &format!("@{}", "é".repeat(length - 1)))),
        ] {
            branches.push(branch(format!("StoreComment: {name} {what}"), 400, step));
        }
    }
    branches.push(branch("StoreComment: an address without @", 400, with("email", "ada.example.org")));
    branches.push(branch("StoreComment: nothing at all", 400, Step::post(STORE, &[])));
    branches
}

/// `count` comments of the same visitor.
pub fn contention(count: usize) -> Vec<Write> {
    let write = |number: usize| {
        let text = format!("One of many, number {number}");
        Write {
            step: store("Ada", "ada@example.org", &text),
            table: Comment::TABLE.name,
            mark: vec![("comment", Value::Text(text))],
        }
    };
    (0..count).map(write).collect()
}

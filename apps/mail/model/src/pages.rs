use crate::{
    Fault,
    rows::{Message, Person},
};
use askama::Template;

#[derive(Template)]
#[template(path = "home.html")]
struct Home;

#[derive(Template)]
#[template(path = "log_in.html")]
struct LogIn<'a> {
    person: &'a Person,
    messages: usize,
}

#[derive(Template)]
#[template(path = "list_messages.html")]
struct List<'a> {
    page: i64,
    messages: &'a [&'a Message],
    has_more: bool,
}

#[derive(Template)]
#[template(path = "read_message.html")]
struct Read<'a> {
    message: &'a Message,
}

#[derive(Template)]
#[template(path = "delete_message.html")]
struct Deleted {
    uid: u32,
}

#[derive(Template)]
#[template(path = "address_book.html")]
struct AddressBook<'a> {
    letters: [char; 26],
    letter: &'a str,
    people: &'a [&'a Person],
}

#[derive(Template)]
#[template(path = "write_message.html")]
struct Write<'a> {
    to: &'a str,
}

#[derive(Template)]
#[template(path = "send_message.html")]
struct Sent<'a> {
    id: i64,
    message: &'a Message,
}

#[derive(Template)]
#[template(path = "log_out.html")]
struct LogOut;

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    heading: &'static str,
    fault: &'a Fault,
}

pub fn home() -> String {
    render(&Home)
}

pub fn log_in(person: &Person, messages: usize) -> String {
    render(&LogIn { person, messages })
}

pub fn list_messages(page: i64, messages: &[&Message], has_more: bool) -> String {
    render(&List { page, messages, has_more })
}

pub fn read_message(message: &Message) -> String {
    render(&Read { message })
}

pub fn delete_message(uid: u32) -> String {
    render(&Deleted { uid })
}

pub fn address_book(letter: &str, people: &[&Person]) -> String {
    let letters = std::array::from_fn(|at| char::from(b'A' + at as u8));
    render(&AddressBook { letters, letter, people })
}

pub fn write_message(to: &str) -> String {
    render(&Write { to })
}

pub fn send_message(id: i64, message: &Message) -> String {
    render(&Sent { id, message })
}

pub fn log_out() -> String {
    render(&LogOut)
}

pub fn error(fault: &Fault) -> String {
    render(&ErrorPage { heading: application::heading(fault.status()), fault })
}

fn render(page: &impl Template) -> String {
    page.render().expect("pages are written to memory, which can't fail")
}

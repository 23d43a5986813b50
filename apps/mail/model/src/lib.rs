//! A web mail: people in a directory, messages in mailboxes, pages in front of both, as an executable specification.
//!
//! Every request is checked as [`application::Form`] says (404, 400). Parameters are read in the order of `app.toml`,
//! the session first. All pages are HTML in UTF-8.
//!
//! **The session** is the cookie `session`: `NICKNAME:PASSWORD`, locked up as [`application::TokenKey::lock`] says. A good log-in
//! sets it (`Path=/mail; HttpOnly; SameSite=Lax`), a log-out ends it (`Max-Age=0`), and a site remembers nothing else. Where it is
//! missing, repeated, forged, altered or expired, the answer is 403. Pages that ask the directory or the mail store do so as this
//! person; whom they don't let in is told the same.
//!
//! **Log-in**: a nickname has ASCII letters in lower case and digits. It and the password are right if the directory lets this
//! person in (403 if not); the page shows the name that stands there, and how many messages the inbox shows.
//!
//! **Messages** are known by their number in the inbox. The list has 20 a page, the largest number first; what is marked as
//! deleted is not shown. A message's text is its first part that is `text/plain` and no attachment, or else the first such part
//! that is `text/html`, whose source is shown; attachments are named with their type and size, and not offered.
//!
//! **Sending**: the recipient is somebody's nickname, who is looked up in the directory (404 if there is nobody); the subject
//! has no control characters (400), loses the blanks at its ends, and is not empty then (400). The message has the text as its only part. A copy is put into the sender's folder `Sent`, whose
//! number the page acknowledges as [`rows::message_id`] says; then it is delivered over SMTP. Both have the same headers.
//!
//! **The trivial application** is pages that are files, the same for everybody, whatever stands behind the path: `trivial/LogIn`
//! is `static/trivial/LogIn.html`.
//!
//! **Deleting** marks a message that the inbox shows as deleted (404 if it shows none of that number); the page acknowledges 0.

mod fuzz;
mod pages;
mod population;
mod records;
mod rows;
mod script;
mod source;

use application::{
    Account, Answer, Application, Branch, Dataset, Form, Generator, Habits, Header, Model, Property, Records,
    Request, RequestFault, Response, Row, RowPage, StaticFile, Step, Table, Timestamp, TokenKey, Write,
};
use population::Population;
use rand::{Rng, RngExt};
use rows::{FIRST_NEW_UID, INBOX, Message, Person, SENT, address, message_id, plain};
use settings::Document;
use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};
use thiserror::Error;
use workload::Catalogue;

pub struct Mail;

/// The web mail, for the registry of applications.
pub static MAIL: Mail = Mail;

static TABLES: [Table; 2] = [Person::TABLE, Message::TABLE];

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let document = Document::new("apps/mail/app.toml", include_str!("../../app.toml"));
    Catalogue::parse(&document).expect("app.toml is part of the program and tested")
});

const HTML: &str = "text/html; charset=utf-8";

/// Files in `static/`: path, content type and bytes.
const FILES: [(&str, &str, &[u8]); 6] = [
    ("/mail/style.css", "text/css; charset=utf-8", include_bytes!("../../static/style.css")),
    ("/mail/logo.svg", "image/svg+xml; charset=utf-8", include_bytes!("../../static/logo.svg")),
    ("/mail/trivial/LogIn.html", HTML, include_bytes!("../../static/trivial/LogIn.html")),
    ("/mail/trivial/ListMessages.html", HTML, include_bytes!("../../static/trivial/ListMessages.html")),
    ("/mail/trivial/ReadMessage.html", HTML, include_bytes!("../../static/trivial/ReadMessage.html")),
    ("/mail/trivial/LogOut.html", HTML, include_bytes!("../../static/trivial/LogOut.html")),
];

/// Files, and the pages that are only files.
fn files() -> Vec<StaticFile> {
    let files = MAIL.static_files();
    let page = |file: &StaticFile| {
        let path = file.path.strip_suffix(".html").filter(|path| path.starts_with("/mail/trivial/"))?;
        Some(StaticFile { path: path.to_owned(), content_type: HTML, body: file.body.clone() })
    };
    let pages: Vec<StaticFile> = files.iter().filter_map(page).collect();
    [files, pages].concat()
}

/// Messages on a page of the list.
const PAGE: usize = 20;
/// The largest page number.
const LAST_PAGE: i64 = 999_999;

impl Application for Mail {
    fn name(&self) -> &'static str {
        "mail"
    }

    fn catalogue(&self) -> &'static Catalogue {
        &CATALOGUE
    }

    fn tables(&self) -> &'static [Table] {
        &TABLES
    }

    fn generator(&self, dataset: &Dataset) -> Box<dyn Generator> {
        Box::new(Population::new(dataset))
    }

    fn properties(&self, dataset: &Dataset) -> Vec<Property> {
        population::properties(dataset)
    }

    fn accounts(&self, dataset: &Dataset) -> u64 {
        population::people(dataset)
    }

    fn account(&self, number: u64) -> Account {
        Account { nickname: population::nickname(number), password: population::password(number) }
    }

    fn habits(&self, dataset: &Dataset) -> Box<dyn Habits> {
        Box::new(MailHabits { people: population::people(dataset) })
    }

    fn static_files(&self) -> Vec<StaticFile> {
        let file = |(path, content_type, body): (&str, _, &[u8])| StaticFile {
            path: path.to_owned(),
            content_type,
            body: body.to_vec(),
        };
        let home = pages::home();
        FILES.into_iter().chain([("/mail/index.html", HTML, home.as_bytes())]).map(file).collect()
    }

    fn model(&self, dataset: &Dataset, key: TokenKey) -> Box<dyn Model> {
        Box::new(MailModel::new(dataset, key))
    }

    fn branches(&self, _: &Dataset, _: &TokenKey) -> Vec<Branch> {
        script::branches()
    }

    fn records(&self) -> Option<&dyn Records> {
        Some(self)
    }

    /// Messages are shown to their owners alone, which no parameter's name tells.
    fn row_pages(&self) -> Vec<RowPage> {
        Vec::new()
    }

    fn contention(&self, dataset: &Dataset, count: usize) -> Vec<Write> {
        script::contention(population::people(dataset), count)
    }
}

/// Texts typed by users.
struct MailHabits {
    people: u64,
}

/// A line of generated messages.
const LINE: &str =
    "There is \"news\" <here> & there, and more of it than ever: naïve, größer, and all in one line.\r\n";

impl Habits for MailHabits {
    fn typed(&self, kind: &str, _: &[(&str, Cow<'_, str>)], random: &mut dyn Rng) -> Option<String> {
        match kind {
            "recipient" => Some(population::nickname(random.random_range(1..=self.people))),
            "text" => Some(LINE.repeat(random.random_range(1..=40))),
            _ => None,
        }
    }
}

/// Refusal of a request. Its text is the error page's message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// Faults that don't depend on the rows.
    #[error(transparent)]
    Request(#[from] RequestFault),
    /// The session proves no user.
    #[error("You are not logged in.")]
    NotLoggedIn,
    /// The directory rejects this log-in.
    #[error("The nickname or the password is wrong.")]
    WrongPassword,
    /// The inbox doesn't show this message.
    #[error("There is no such message.")]
    NoMessage,
    /// The directory doesn't have this recipient.
    #[error("There is nobody of that name.")]
    NoRecipient,
}

impl Fault {
    pub fn status(&self) -> u16 {
        match self {
            Self::Request(fault) => fault.status(),
            Self::NotLoggedIn | Self::WrongPassword => 403,
            Self::NoMessage | Self::NoRecipient => 404,
        }
    }
}

/// A page, and the cookie that it sets.
type Shown = (String, Option<String>);

#[derive(Clone)]
struct MailModel {
    people: BTreeMap<String, Person>,
    /// By owner and folder, in the order of their numbers.
    folders: BTreeMap<(String, &'static str), Vec<Message>>,
    key: TokenKey,
    files: Vec<StaticFile>,
}

impl MailModel {
    fn new(dataset: &Dataset, key: TokenKey) -> Self {
        let population = Population::new(dataset);
        let people: BTreeMap<String, Person> =
            population.people().map(|person| (person.nickname.clone(), person)).collect();
        let inbox = |person: &Person| population.letters(person.id).map(|letter| letter.message).collect();
        let inboxes = people.values().map(|person| ((person.nickname.clone(), INBOX), inbox(person)));
        let sent = people.keys().map(|nickname| ((nickname.clone(), SENT), Vec::new()));
        Self { folders: inboxes.chain(sent).collect(), people, key, files: files() }
    }

    fn page(&mut self, form: &Form<'_>, now: Timestamp) -> Result<Shown, Fault> {
        let page = match form.interaction().name.as_str() {
            "LogIn" => return self.log_in(form, now),
            "LogOut" => {
                self.session(form, now)?;
                return Ok((
                    pages::log_out(),
                    Some("session=; Path=/mail; Max-Age=0; HttpOnly; SameSite=Lax".into()),
                ));
            }
            "ListMessages" => self.list(form, now)?,
            "ReadMessage" => {
                let user = self.user(form, now)?;
                let uid = uid(form)?;
                pages::read_message(self.shown(&user, uid)?)
            }
            "DeleteMessage" => self.delete(form, now)?,
            "AddressBook" => self.address_book(form, now)?,
            "WriteMessage" => {
                self.session(form, now)?;
                pages::write_message(&form.optional("to", nickname)?.unwrap_or_default())
            }
            "SendMessage" => self.send(form, now)?,
            _ => return Err(RequestFault::UnknownPage.into()),
        };
        Ok((page, None))
    }

    /// The nickname and the password in the session.
    fn session(&self, form: &Form<'_>, now: Timestamp) -> Result<(String, String), Fault> {
        let session = form.read("session", |cookie| self.key.unlock(cookie, now));
        let session = session.map_err(|_| Fault::NotLoggedIn)?;
        let (nickname, password) = session.split_once(':').ok_or(Fault::NotLoggedIn)?;
        Ok((nickname.to_owned(), password.to_owned()))
    }

    /// The nickname in the session, if the directory or the mail store accepts its password again.
    fn user(&self, form: &Form<'_>, now: Timestamp) -> Result<String, Fault> {
        let (nickname, password) = self.session(form, now)?;
        let person = self.people.get(&nickname).filter(|person| person.password == password);
        person.map(|person| person.nickname.clone()).ok_or(Fault::NotLoggedIn)
    }

    fn log_in(&self, form: &Form<'_>, now: Timestamp) -> Result<Shown, Fault> {
        let (nickname, password) = (nickname(form, "nickname")?, form.text("password")?);
        let person = self.people.get(&nickname).filter(|person| person.password == password);
        let person = person.ok_or(Fault::WrongPassword)?;
        let session = self.key.lock(&format!("{nickname}:{password}"), now);
        let page = pages::log_in(person, self.inbox(&nickname).count());
        Ok((page, Some(format!("session={session}; Path=/mail; HttpOnly; SameSite=Lax"))))
    }

    /// The visible messages of the inbox, the oldest first.
    fn inbox(&self, nickname: &str) -> impl DoubleEndedIterator<Item = &Message> {
        let folder = self.folders.get(&(nickname.to_owned(), INBOX));
        folder.into_iter().flatten().filter(|message| message.is_shown_in(INBOX))
    }

    fn shown(&self, nickname: &str, uid: u32) -> Result<&Message, Fault> {
        self.inbox(nickname).find(|message| message.uid() == uid).ok_or(Fault::NoMessage)
    }

    fn list(&self, form: &Form<'_>, now: Timestamp) -> Result<String, Fault> {
        let user = self.user(form, now)?;
        let page = form.whole("page", 0..=LAST_PAGE)?;
        let begin = page as usize * PAGE;
        let messages: Vec<&Message> = self.inbox(&user).rev().skip(begin).take(PAGE).collect();
        let has_more = self.inbox(&user).count() > begin + PAGE;
        Ok(pages::list_messages(page, &messages, has_more))
    }

    fn delete(&mut self, form: &Form<'_>, now: Timestamp) -> Result<String, Fault> {
        let (user, uid) = (self.user(form, now)?, uid(form)?);
        self.shown(&user, uid)?;
        let folder = self.folders.get_mut(&(user, INBOX)).into_iter().flatten();
        folder.filter(|message| message.uid() == uid).for_each(|message| message.deleted = 1);
        Ok(pages::delete_message(uid))
    }

    fn address_book(&self, form: &Form<'_>, now: Timestamp) -> Result<String, Fault> {
        self.user(form, now)?;
        let letter = form.choice("letter")?;
        let mut people: Vec<&Person> =
            self.people.values().filter(|person| person.lastname.starts_with(letter)).collect();
        people.sort_by_key(|person| (&person.lastname, person.id));
        Ok(pages::address_book(letter, &people))
    }

    fn send(&mut self, form: &Form<'_>, now: Timestamp) -> Result<String, Fault> {
        let user = self.user(form, now)?;
        let to = nickname(form, "to")?;
        let subject = form.read("subject", subject)?;
        let text = form.text("text")?;
        let recipient = self.people.get(&to).ok_or(Fault::NoRecipient)?.address.clone();
        let message = Message {
            id: 0,
            owner: String::new(),
            folder: String::new(),
            sender: address(&user),
            recipient,
            subject,
            date: now,
            text: plain(&text),
            attachments: String::new(),
            deleted: 0,
        };
        let id = self.put(&user, SENT, message.clone());
        self.put(&to, INBOX, message.clone());
        Ok(pages::send_message(id, &message))
    }

    /// Puts a message into a folder; returns its id there.
    fn put(&mut self, owner: &str, folder: &'static str, message: Message) -> i64 {
        let messages = self.folders.entry((owner.to_owned(), folder)).or_default();
        let uid = messages.last().map_or(FIRST_NEW_UID, |last| FIRST_NEW_UID.max(last.uid() + 1));
        let id = message_id(self.people[owner].id, folder, uid);
        messages.push(Message { id, owner: owner.to_owned(), folder: folder.to_owned(), ..message });
        id
    }
}

/// A parameter that is a nickname.
fn nickname(form: &Form<'_>, name: &str) -> Result<String, RequestFault> {
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    form.read(name, |text| is_plain(text).then(|| text.to_owned()))
}

/// A subject without blanks at its ends; none if it is invalid.
fn subject(text: &str) -> Option<String> {
    let text = text.trim_matches(' ');
    let is_fit = !text.is_empty() && !text.chars().any(char::is_control);
    is_fit.then(|| text.to_owned())
}

fn uid(form: &Form<'_>) -> Result<u32, RequestFault> {
    form.id("message").map(|uid| uid as u32)
}

impl Model for MailModel {
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response {
        self.converse(request, &[], now).0.response
    }

    fn converse(
        &mut self,
        request: &Request,
        headers: &[Header],
        now: Timestamp,
    ) -> (Answer, Option<String>) {
        let answer = match application::file(&self.files, request) {
            Some(file) => return (Response::from(file).into(), None),
            None => Form::open_with_cookies(&CATALOGUE, request, headers)
                .map_err(Fault::from)
                .and_then(|form| self.page(&form, now)),
        };
        let (status, page, cookie) = match answer {
            Ok((page, cookie)) => (200, page, cookie),
            Err(fault) => (fault.status(), pages::error(&fault), None),
        };
        let response = Response { status, content_type: HTML, body: page.into_bytes() };
        (response.into(), cookie)
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(self.clone())
    }

    fn rows(&self, table: &Table) -> Vec<Row> {
        let mut rows: Vec<Row> = match table.name {
            "people" => self.people.values().map(Person::row).collect(),
            _ => self.folders.values().flatten().map(Message::row).collect(),
        };
        rows.sort_by_key(|row| match row.first() {
            Some(application::Value::Integer(id)) => *id,
            _ => 0,
        });
        rows
    }

    fn fuzz(&self, random: &mut dyn Rng, _: Timestamp) -> Step {
        fuzz::fuzz(self.people.len() as u64, random)
    }
}

#[cfg(test)]
mod tests;

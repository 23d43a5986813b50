//! What an application under test is to the laboratory: its tables and rows, and its model.
//!
//! A model is the executable specification of an application. It holds the rows in memory, keeps the rules, and
//! renders the pages that every stack must return. Models do no I/O and know no clock: the time is handed in.

mod draws;
mod field;
mod form;
mod generator;
mod http;
mod identity;
mod payment;
mod prose;
mod records;
mod row_pages;
mod rows;
mod step;
mod survey;
mod time;
mod whim;
pub mod words;

pub use draws::{Draws, Seed};
pub use field::Field;
pub use form::{Form, RequestFault, file, heading};
pub use generator::{FileGenerator, Generator, Scenario, Shape};
pub use http::{Answer, BODY_LIMIT, COOKIE, Open, PARAMETER_LIMIT, Parameters, Request, Response};
pub use identity::{TOKEN_LIFE, TokenKey, password_hash};
pub use payment::{Authorization, Payment, PaymentRule};
pub use prose::{Cut, MOST_BYTES, Prose};
pub use records::{Entry, Keeper, Message, Owner, Records, Rule};
pub use row_pages::RowPage;
pub use rows::{Column, Kind, Money, Row, Table, Value};
pub use step::{Branch, Step, StepError, Write};
pub use survey::{Bins, Declared, Figure, Of, Property, Survey, Tally, Verdict};
pub use time::Timestamp;
pub use whim::Whim;
pub use workload::{Account, Call, Calls, Catalogue, Habits, Header, InteractionId, PlainHabits, Visitor};

/// A document that is the same for everybody and that web servers send as a file.
#[derive(Debug, Clone)]
pub struct StaticFile {
    /// Its full path, such as `/auction/index.html`.
    pub path: String,
    /// MIME type with character set.
    pub content_type: &'static str,
    /// Its bytes.
    pub body: Vec<u8>,
}

/// An application: a folder below `apps/`. Its model is a crate, which the command's registry names.
pub trait Application: Sync {
    /// The name of its folder.
    fn name(&self) -> &'static str;

    /// Its interactions, as the model knows them.
    fn catalogue(&self) -> &'static Catalogue;

    /// The interaction that a request belongs to, if it belongs to one: its path tells, unless an application has several
    /// operations at one path.
    fn interaction(&self, request: &Request) -> Option<InteractionId> {
        self.catalogue().by_path(&request.path)
    }

    /// Its tables, in an order in which they can be loaded.
    fn tables(&self) -> &'static [Table];

    /// What makes the rows of a scenario.
    fn generator(&self, scenario: &Scenario) -> Box<dyn Generator>;

    /// What the rows of a scenario are like, as far as the application says so.
    fn properties(&self, _scenario: &Scenario) -> Vec<Property> {
        Vec::new()
    }

    /// How many accounts the generated data hold.
    fn accounts(&self, scenario: &Scenario) -> u64;

    /// The account with this number, from 1 to [`Application::accounts`].
    fn account(&self, number: u64) -> Account;

    /// What its users do in their own way.
    fn habits(&self, _scenario: &Scenario) -> Box<dyn Habits> {
        Box::new(PlainHabits)
    }

    /// The documents that are the same for everybody, with style sheets and pictures.
    fn static_files(&self) -> Vec<StaticFile>;

    /// The files that belong to the rows of a scenario, such as a picture of each item; none where there are no such
    /// files.
    fn files(&self, _scenario: &Scenario) -> Option<Box<dyn FileGenerator>> {
        None
    }

    /// The model with its generated rows. `key` signs and checks log-in tokens.
    fn model(&self, scenario: &Scenario, key: TokenKey) -> Box<dyn Model>;

    /// Requests in an order in which together they take every branch of the rules, for the rows of this scenario.
    fn branches(&self, scenario: &Scenario, key: &TokenKey) -> Vec<Branch>;

    /// What the bank says to payments, where the application takes cards.
    fn payment_rule(&self) -> Option<PaymentRule> {
        None
    }

    /// How its rows are kept as records, where it keeps them in stores that speak no SQL.
    fn records(&self) -> Option<&dyn Records> {
        None
    }

    /// Writes that come first, one after the other, so that there are rows for [`Application::contention`] to get at. Each
    /// page acknowledges its row, or row 0 where it adds none.
    fn preparation(&self, _scenario: &Scenario) -> Vec<Step> {
        Vec::new()
    }

    /// Which interactions show which rows by themselves: each row that a census is to see. Names tell, unless an application
    /// knows better.
    fn row_pages(&self) -> Vec<RowPage> {
        row_pages::by_name(self.catalogue(), self.tables())
    }

    /// `count` writes to few rows, so that they get in each other's way when several clients send them at once.
    fn contention(&self, scenario: &Scenario, count: usize) -> Vec<Write>;
}

/// The executable specification of an application, with its data in memory.
pub trait Model: Send {
    /// Answers one request as every stack must, at the given instant.
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response;

    /// Answers a request that may have headers of its own, and says what others may answer in its place.
    fn answer(&mut self, request: &Request, _headers: &[Header], now: Timestamp) -> Answer {
        self.respond(request, now).into()
    }

    /// The same where a session is kept in a cookie: the answer comes with the value of a `Set-Cookie` header, if it sets one.
    fn converse(
        &mut self,
        request: &Request,
        headers: &[Header],
        now: Timestamp,
    ) -> (Answer, Option<String>) {
        (self.answer(request, headers, now), None)
    }

    /// The rows of a table as they are now, in the order of the primary key.
    fn rows(&self, table: &Table) -> Vec<Row>;

    /// A request that somebody might send now: mostly sensible, often at or just beyond a limit, to few rows, so that
    /// requests meet each other.
    fn suggest(&self, random: &mut dyn rand::Rng, now: Timestamp) -> Step;
}

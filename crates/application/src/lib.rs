//! The interface of an application under test: its tables and rows, and its model.
//!
//! A model is the executable specification of an application. It holds the rows in memory, enforces the rules, and renders
//! the pages that every stack must return. Models do no I/O and know no clock: the time is a parameter.

mod draws;
mod effects;
mod field;
mod form;
mod fuzz;
mod generator;
mod http;
mod identity;
mod payment;
mod prose;
mod readings;
mod records;
mod row_pages;
mod rows;
mod step;
mod survey;
mod time;
pub mod words;

pub use draws::{Draws, Seed};
pub use effects::{Effects, Landing};
pub use field::Field;
pub use form::{Form, RULES as FORM_RULES, RequestFault, file, heading};
pub use fuzz::FuzzSource;
pub use generator::{Dataset, Distribution, FileGenerator, Generator};
pub use http::{Answer, BODY_LIMIT, COOKIE, Open, Parameters, Request, Response};
pub use identity::{TOKEN_LIFE, TokenKey, password_hash};
pub use payment::{Authorization, Payment, PaymentRule, forms_in_log, gateway_line};
pub use prose::{Cut, MOST_BYTES, Prose};
pub use readings::{Contract, FORM_LIMIT, Reading, TARGET_LIMIT};
pub use records::{Entry, Keeper, Message, Owner, Records, Rule};
pub use row_pages::RowPage;
pub use rows::{Column, Kind, Money, Row, Table, Value};
pub use step::{Branch, Step, StepError, Write};
pub use survey::{Bins, Declared, Figure, Of, Property, Survey, Tally, Verdict};
pub use time::Timestamp;
pub use workload::{
    Account, Call, Calls, Catalogue, Habits, Header, InteractionId, PlainHabits, TOKEN, Visitor,
};

/// A document that is the same for all users and that web servers send as a file.
#[derive(Debug, Clone)]
pub struct StaticFile {
    /// Its full path, such as `/auction/index.html`.
    pub path: String,
    /// MIME type with character set.
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

/// An application: a folder below `apps/`. Its model is a crate in the command's registry.
pub trait Application: Sync {
    /// The name of its folder.
    fn name(&self) -> &'static str;

    /// The model's own catalogue.
    fn catalogue(&self) -> &'static Catalogue;

    /// The interaction of a request, if any: by its path, unless an application has several operations at one path.
    fn interaction(&self, request: &Request) -> Option<InteractionId> {
        self.catalogue().by_path(&request.path)
    }

    /// Its tables, in an order in which they can be loaded.
    fn tables(&self) -> &'static [Table];

    fn generator(&self, dataset: &Dataset) -> Box<dyn Generator>;

    /// The declared properties of a dataset's rows.
    fn properties(&self, _dataset: &Dataset) -> Vec<Property> {
        Vec::new()
    }

    fn accounts(&self, dataset: &Dataset) -> u64;

    /// The account with this number, from 1 to [`Application::accounts`].
    fn account(&self, number: u64) -> Account;

    /// The application-specific behaviour of its users.
    fn habits(&self, _dataset: &Dataset) -> Box<dyn Habits> {
        Box::new(PlainHabits)
    }

    /// The static files: documents, style sheets and images.
    fn static_files(&self) -> Vec<StaticFile>;

    /// The generated files of a dataset, such as an image of each item, if any.
    fn files(&self, _dataset: &Dataset) -> Option<Box<dyn FileGenerator>> {
        None
    }

    /// The model with its generated rows. `key` signs and checks log-in tokens.
    fn model(&self, dataset: &Dataset, key: TokenKey) -> Box<dyn Model>;

    /// Requests that, in this order, take every branch of the rules on the rows of this dataset.
    fn branches(&self, dataset: &Dataset, key: &TokenKey) -> Vec<Branch>;

    /// The bank's answers to payments, if the application accepts cards.
    fn payment_rule(&self) -> Option<PaymentRule> {
        None
    }

    /// The mapping of its rows to records, if its stores have no SQL.
    fn records(&self) -> Option<&dyn Records> {
        None
    }

    /// Sequential writes that prepare the rows for [`Application::contention`]. Each page acknowledges its row, or row
    /// 0 if it adds none.
    fn preparation(&self, _dataset: &Dataset) -> Vec<Step> {
        Vec::new()
    }

    /// Interactions that show rows, for the census. By default, names decide.
    fn row_pages(&self) -> Vec<RowPage> {
        row_pages::by_name(self.catalogue(), self.tables())
    }

    /// `count` writes to few rows, which conflict when several clients send them concurrently.
    fn contention(&self, dataset: &Dataset, count: usize) -> Vec<Write>;
}

/// The executable specification of an application, with its data in memory.
pub trait Model: Send {
    /// Answers one request as every stack must, at the given instant.
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response;

    /// Answers a request that may have its own headers, and defines what the answer leaves open.
    fn answer(&mut self, request: &Request, _headers: &[Header], now: Timestamp) -> Answer {
        self.respond(request, now).into()
    }

    /// An answer with session cookies: the value of a `Set-Cookie` header, if any.
    fn converse(
        &mut self,
        request: &Request,
        headers: &[Header],
        now: Timestamp,
    ) -> (Answer, Option<String>) {
        (self.answer(request, headers, now), None)
    }

    /// A copy, on which the effect of a request can be tried.
    fn fork(&self) -> Box<dyn Model>;

    /// The current rows of a table, in the order of the primary key.
    fn rows(&self, table: &Table) -> Vec<Row>;

    /// The payments that the bank was asked for since the last call, in their order.
    fn take_payments(&mut self) -> Vec<Payment> {
        Vec::new()
    }

    /// A random next request: mostly valid, often at or just beyond a limit, to few rows, so that requests interact.
    fn fuzz(&self, random: &mut dyn rand::Rng, now: Timestamp) -> Step;
}

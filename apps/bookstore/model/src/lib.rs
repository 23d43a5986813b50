//! The bookstore: the application of TPC-W, as an executable specification.
//!
//! Every request is checked as [`application::Form`] says, its parameters included (404, 400). Then comes what the
//! interaction's module says, in its order: in general whether a cart and a log-in are what the site has given out (403), then
//! whether what is asked for exists (404), then the rules of business (409), and last what the bank says (409, 504).
//!
//! The statements in the modules of the interactions are those that a stack should send to a database. Their `NOW()`
//! is the database's time in UTC, to the second. An answer is the page with status 200, or the error page of
//! the module `fault` with its status; both are HTML in UTF-8. Beside them there is a picture of each item.

mod contention;
mod digsyl;
mod fault;
mod fuzz;
mod habits;
mod interactions;
mod parameters;
pub mod payment;
mod pictures;
mod population;
mod requests;
mod rows;
mod script;
mod store;
mod words;

use application::{
    Account, Application, Branch, Dataset, FileGenerator, Form, Generator, Habits, Model, Payment,
    PaymentRule, Property, Request, RequestFault, Response, Row, RowPage, Seed, StaticFile, Step, Table,
    Timestamp, TokenKey, Write,
};
use askama::Template;
use fault::Fault;
use interactions::{State, Visit};
use pictures::Pictures;
use population::Population;
use settings::Document;
use std::sync::LazyLock;
use store::Store;
use workload::{Catalogue, Method};

pub struct Bookstore;

/// The bookstore, for the registry of applications.
pub static BOOKSTORE: Bookstore = Bookstore;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let document = Document::new("apps/bookstore/app.toml", include_str!("../../app.toml"));
    Catalogue::parse(&document).expect("app.toml is part of the program and tested")
});

const HTML: &str = "text/html; charset=utf-8";

const SVG: &str = "image/svg+xml; charset=utf-8";

/// Files in `static/`: path, content type and bytes.
const FILES: [(&str, &str, &[u8]); 3] = [
    ("/bookstore/style.css", "text/css; charset=utf-8", include_bytes!("../../static/style.css")),
    ("/bookstore/logo.svg", SVG, include_bytes!("../../static/logo.svg")),
    ("/bookstore/cart.svg", SVG, include_bytes!("../../static/cart.svg")),
];

impl Application for Bookstore {
    fn name(&self) -> &'static str {
        "bookstore"
    }

    fn catalogue(&self) -> &'static Catalogue {
        &CATALOGUE
    }

    fn tables(&self) -> &'static [Table] {
        &rows::TABLES
    }

    fn generator(&self, dataset: &Dataset) -> Box<dyn Generator> {
        Box::new(Population::new(dataset))
    }

    fn properties(&self, dataset: &Dataset) -> Vec<Property> {
        population::properties(dataset)
    }

    fn accounts(&self, dataset: &Dataset) -> u64 {
        Population::new(dataset).customers.unsigned_abs()
    }

    fn account(&self, number: u64) -> Account {
        population::account(number)
    }

    fn habits(&self, dataset: &Dataset) -> Box<dyn Habits> {
        Box::new(habits::Shoppers::new(&Population::new(dataset)))
    }

    fn static_files(&self) -> Vec<StaticFile> {
        let file = |(path, content_type, body): (&str, _, &[u8])| StaticFile {
            path: path.to_owned(),
            content_type,
            body: body.to_vec(),
        };
        FILES.map(file).into()
    }

    fn files(&self, dataset: &Dataset) -> Option<Box<dyn FileGenerator>> {
        Some(Box::new(Pictures::new(dataset)))
    }

    fn model(&self, dataset: &Dataset, key: TokenKey) -> Box<dyn Model> {
        Box::new(BookstoreModel::new(dataset, key))
    }

    fn branches(&self, dataset: &Dataset, key: &TokenKey) -> Vec<Branch> {
        script::branches(dataset, key)
    }

    fn row_pages(&self) -> Vec<RowPage> {
        let interaction = CATALOGUE.by_name("ProductDetail").expect("the catalogue has all interactions");
        let parameters = &CATALOGUE.get(interaction).parameters;
        let parameter = parameters.iter().position(|parameter| parameter.name == "I_ID");
        let parameter = parameter.expect("a book has a number");
        rows::TABLES
            .iter()
            .filter(|table| table.name == "item")
            .map(|table| RowPage { interaction, parameter, table })
            .collect()
    }

    fn payment_rule(&self) -> Option<PaymentRule> {
        Some(payment::authorize)
    }

    fn preparation(&self, dataset: &Dataset) -> Vec<Step> {
        contention::preparation(dataset)
    }

    fn contention(&self, dataset: &Dataset, count: usize) -> Vec<Write> {
        contention::contention(dataset, count)
    }
}

#[derive(Clone)]
struct BookstoreModel {
    store: Store,
    key: TokenKey,
    files: Vec<StaticFile>,
    /// The payments that the bank was asked for, until they are taken.
    asked: Vec<Payment>,
    /// Seed of the pictures.
    seed: Seed,
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    state: State,
    fault: &'a Fault,
}

impl BookstoreModel {
    fn new(dataset: &Dataset, key: TokenKey) -> Self {
        Self {
            store: Store::new(&Population::new(dataset)),
            key,
            files: BOOKSTORE.static_files(),
            asked: Vec::new(),
            seed: Seed::new(dataset.seed),
        }
    }

    fn answer(&mut self, request: &Request, now: Timestamp) -> Result<Response, Fault> {
        if let Some(file) = application::file(&self.files, request) {
            return Ok(Response::from(file));
        }
        match self.picture(request) {
            Some(picture) => Ok(picture),
            None => self.dynamic(request, now),
        }
    }

    /// The requested picture of an item, if the path is that of one.
    fn picture(&self, request: &Request) -> Option<Response> {
        let (item, kind) = pictures::at(request.path.strip_prefix("/bookstore/")?)?;
        self.store.item(item).ok().filter(|_| request.method == Method::Get.to_string())?;
        let body = pictures::picture(&self.seed, item, kind);
        Some(Response { status: 200, content_type: pictures::PNG, body })
    }

    fn dynamic(&mut self, request: &Request, now: Timestamp) -> Result<Response, Fault> {
        let form = Form::open(&CATALOGUE, request)?;
        let answer = interactions::answer(&form.interaction().name).ok_or(RequestFault::UnknownPage)?;
        let Self { store, key, asked, .. } = self;
        let page = answer(&mut Visit { form, store, key, asked, now })?;
        Ok(Response { status: 200, content_type: HTML, body: page.into_bytes() })
    }
}

impl Model for BookstoreModel {
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response {
        self.answer(request, now).unwrap_or_else(|fault| Response {
            status: fault.status(),
            content_type: HTML,
            body: interactions::render(&ErrorPage { state: State::default(), fault: &fault }).into_bytes(),
        })
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(self.clone())
    }

    fn rows(&self, table: &Table) -> Vec<Row> {
        let store = &self.store;
        match table.name {
            "country" => store.countries.iter().map(rows::Country::row).collect(),
            "author" => store.authors.iter().map(rows::Author::row).collect(),
            "item" => store.items.iter().map(rows::Item::row).collect(),
            "address" => store.addresses.iter().map(rows::Address::row).collect(),
            "customer" => store.customers.iter().map(rows::Customer::row).collect(),
            "orders" => store.orders.iter().map(rows::Order::row).collect(),
            "order_line" => store.order_lines.iter().map(rows::OrderLine::row).collect(),
            "cc_xacts" => store.payments.iter().map(rows::Payment::row).collect(),
            "shopping_cart" => store.carts.iter().map(rows::Cart::row).collect(),
            "shopping_cart_line" => store.cart_lines.values().map(rows::CartLine::row).collect(),
            _ => Vec::new(),
        }
    }

    fn take_payments(&mut self) -> Vec<Payment> {
        std::mem::take(&mut self.asked)
    }

    fn fuzz(&self, random: &mut dyn rand::Rng, now: Timestamp) -> Step {
        fuzz::fuzz(&self.store, random, now)
    }
}

#[cfg(test)]
mod tests;

//! The auction: the application of RUBiS, as an executable specification.
//!
//! Every request is checked as [`application::Form`] says, its parameters included (404, 400). Then comes what the
//! interaction's module says, in its order: in general who the user is (403), then whether what they ask for exists
//! (404), then the rules of business (409).
//!
//! The statements in the modules of the interactions are those that a stack should send to a database. Their `NOW()`
//! is the database's time in UTC, to the second. An answer is the page with status 200, or the error page of
//! the module `fault` with its status; both are HTML in UTF-8.

mod contention;
mod fault;
mod fee;
mod fuzz;
mod interactions;
mod parameters;
mod population;
mod requests;
mod rows;
mod script;
mod store;
mod words;

use application::{
    Account, Application, Branch, Dataset, Form, Generator, Model, Property, Request, RequestFault, Response,
    Row, StaticFile, Step, Table, Timestamp, TokenKey, Write,
};
use askama::Template;
use fault::Fault;
use interactions::{Answer, Visit};
use population::Population;
use settings::Document;
use std::sync::LazyLock;
use store::Store;
use workload::Catalogue;

pub struct Auction;

/// The auction, for the registry of applications.
pub static AUCTION: Auction = Auction;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let document = Document::new("apps/auction/app.toml", include_str!("../../app.toml"));
    Catalogue::parse(&document).expect("app.toml is part of the program and tested")
});

const HTML: &str = "text/html; charset=utf-8";

const SVG: &str = "image/svg+xml; charset=utf-8";

/// Files in `static/`: path, content type and bytes.
const FILES: [(&str, &str, &[u8]); 4] = [
    ("/auction/style.css", "text/css; charset=utf-8", include_bytes!("../../static/style.css")),
    ("/auction/logo.svg", SVG, include_bytes!("../../static/logo.svg")),
    ("/auction/bid.svg", SVG, include_bytes!("../../static/bid.svg")),
    ("/auction/buy.svg", SVG, include_bytes!("../../static/buy.svg")),
];

impl Application for Auction {
    fn name(&self) -> &'static str {
        "auction"
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
        Population::new(dataset).number_of_users()
    }

    fn account(&self, number: u64) -> Account {
        population::account(number)
    }

    fn static_files(&self) -> Vec<StaticFile> {
        let pages = CATALOGUE.interactions().iter().filter_map(|interaction| {
            let Some(Answer::Static(page)) = interactions::answer(&interaction.name) else {
                return None;
            };
            Some(StaticFile { path: interaction.path.clone(), content_type: HTML, body: page().into_bytes() })
        });
        pages
            .chain(FILES.map(|(path, content_type, body)| StaticFile {
                path: path.to_owned(),
                content_type,
                body: body.to_vec(),
            }))
            .collect()
    }

    fn model(&self, dataset: &Dataset, key: TokenKey) -> Box<dyn Model> {
        Box::new(AuctionModel::new(dataset, key))
    }

    fn branches(&self, dataset: &Dataset, key: &TokenKey) -> Vec<Branch> {
        script::branches(dataset, key)
    }

    fn contention(&self, dataset: &Dataset, count: usize) -> Vec<Write> {
        contention::contention(dataset, count)
    }
}

#[derive(Clone)]
struct AuctionModel {
    store: Store,
    key: TokenKey,
    files: Vec<StaticFile>,
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    fault: &'a Fault,
}

impl AuctionModel {
    fn new(dataset: &Dataset, key: TokenKey) -> Self {
        Self { store: Store::new(&Population::new(dataset)), key, files: AUCTION.static_files() }
    }

    fn answer(&mut self, request: &Request, now: Timestamp) -> Result<Response, Fault> {
        match application::file(&self.files, request) {
            Some(file) => Ok(Response::from(file)),
            None => self.dynamic(request, now),
        }
    }

    fn dynamic(&mut self, request: &Request, now: Timestamp) -> Result<Response, Fault> {
        let form = Form::open(&CATALOGUE, request)?;
        let Some(Answer::Dynamic(answer)) = interactions::answer(&form.interaction().name) else {
            return Err(RequestFault::UnknownPage.into());
        };
        let page = answer(&mut Visit { form, store: &mut self.store, key: &self.key, now })?;
        Ok(Response { status: 200, content_type: HTML, body: page.into_bytes() })
    }
}

impl Model for AuctionModel {
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response {
        self.answer(request, now).unwrap_or_else(|fault| Response {
            status: fault.status(),
            content_type: HTML,
            body: interactions::render(&ErrorPage { fault: &fault }).into_bytes(),
        })
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(self.clone())
    }

    fn rows(&self, table: &Table) -> Vec<Row> {
        match table.name {
            "categories" => self.store.categories.iter().map(rows::Category::row).collect(),
            "regions" => self.store.regions.iter().map(rows::Region::row).collect(),
            "users" => self.store.users.iter().map(rows::User::row).collect(),
            "items" => self.store.items.iter().map(rows::Item::row).collect(),
            "old_items" => self.store.old_items.iter().map(rows::Item::row).collect(),
            "bids" => self.store.bids.iter().map(rows::Bid::row).collect(),
            "comments" => self.store.comments.iter().map(rows::Comment::row).collect(),
            "buy_now" => self.store.purchases.iter().map(rows::Purchase::row).collect(),
            "ids" => vec![self.store.ids.row()],
            _ => Vec::new(),
        }
    }

    fn fuzz(&self, random: &mut dyn rand::Rng, now: Timestamp) -> Step {
        fuzz::fuzz(&self.store, random, now)
    }
}

#[cfg(test)]
mod tests;

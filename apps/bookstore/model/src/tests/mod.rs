//! Pages and rules, tested by requests.

mod carts;
mod catalogue;
mod customers;
mod ordering;
mod pages;
mod requests;
mod searching;
mod walking;

use super::*;
use application::{Money, Parameters};
use scraper::{ElementRef, Html, Selector};
use std::collections::HashMap;
use workload::Mix;

const EPOCH: Timestamp = Timestamp(1_800_000_000);

const DATASET: Dataset = Dataset::new(1, 0.01, EPOCH);

const MIXES: [(&str, &str); 3] = [
    ("browsing.toml", include_str!("../../../mixes/browsing.toml")),
    ("shopping.toml", include_str!("../../../mixes/shopping.toml")),
    ("ordering.toml", include_str!("../../../mixes/ordering.toml")),
];

/// The generated rows, made once.
static STORE: LazyLock<Store> = LazyLock::new(|| Store::new(&Population::new(&DATASET)));

struct Site(BookstoreModel);

impl Site {
    fn new() -> Self {
        Self(BookstoreModel {
            store: STORE.clone(),
            key: TokenKey::new("secret"),
            files: BOOKSTORE.static_files(),
            asked: Vec::new(),
            seed: Seed::new(DATASET.seed),
        })
    }

    fn send(&mut self, step: &Step) -> (u16, Html) {
        let response = self.0.respond(&step.request(&self.0.key, EPOCH), EPOCH);
        (response.status, Html::parse_document(&String::from_utf8(response.body).unwrap()))
    }

    fn page(&mut self, step: &Step) -> Html {
        let (status, page) = self.send(step);
        assert_eq!(status, 200, "{step}: {}", text(&page, "main"));
        page
    }

    /// The status and the message of an error page.
    fn answer(&mut self, step: &Step) -> (u16, String) {
        let (status, page) = self.send(step);
        (status, text(&page, "main > p"))
    }

    /// Status and message of an error page; nothing may have changed.
    fn refused(&mut self, step: &Step) -> (u16, String) {
        let before = self.0.store.clone();
        let answer = self.answer(step);
        assert!(self.0.store == before, "{step}: an error changed the data");
        answer
    }

    /// A new cart with copies of some books.
    fn cart(&mut self, books: &[(i64, i64)]) -> i64 {
        self.page(&requests_of::add(None, books[0].0));
        let cart = self.0.store.carts.len() as i64;
        for (book, _) in &books[1..] {
            self.page(&requests_of::add(Some(cart), *book));
        }
        self.page(&requests_of::refresh(cart, books));
        cart
    }

    fn stock(&self, item: i64) -> i64 {
        self.0.store.known_item(item).i_stock
    }
}

/// Requests as the script writes them.
use crate::requests as requests_of;

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn words(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of the first selected element, with single blanks.
fn text(page: &Html, selector: &str) -> String {
    words(all(page, selector).into_iter().next().unwrap_or_else(|| panic!("no {selector}")))
}

/// The texts of all selected elements.
fn texts(page: &Html, selector: &str) -> Vec<String> {
    all(page, selector).into_iter().map(words).collect()
}

fn links(page: &Html) -> Vec<String> {
    all(page, "a[href]").iter().map(|link| link.attr("href").unwrap().to_owned()).collect()
}

/// The id of the row that a page acknowledges.
fn acknowledged(page: &Html) -> i64 {
    all(page, "data.acknowledged")[0].attr("value").unwrap().parse().unwrap()
}

/// Facts about an order or a book on a page: the values below their names.
fn facts(page: &Html) -> HashMap<String, String> {
    let part = |pair: ElementRef<'_>, part: &str| {
        words(pair.select(&Selector::parse(part).unwrap()).next().unwrap())
    };
    all(page, "dl > div").into_iter().map(|pair| (part(pair, "dt"), part(pair, "dd"))).collect()
}

fn conflict(message: &str) -> (u16, String) {
    (409, message.to_owned())
}

fn missing(name: &str) -> (u16, String) {
    (400, format!("The parameter {name} is missing, repeated or malformed."))
}

fn mix(file: &str, toml: &str) -> Mix {
    Mix::parse(&Document::new(file, toml), &CATALOGUE).unwrap()
}

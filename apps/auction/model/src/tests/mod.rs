//! Pages and rules, tested by requests.

mod affairs;
mod bidding;
mod browsing;
mod buying;
mod catalogue;
mod pages;
mod proxy;
mod rating;
mod registering;
mod requests;
mod selling;
mod walking;

use super::*;
use crate::rows::Item;
use application::Money;
use scraper::{ElementRef, Html, Selector};
use std::collections::HashMap;
use store::NewItem;
use workload::{Method, Mix};

const EPOCH: Timestamp = Timestamp(1_800_000_000);

const DATASET: Dataset = Dataset::new(1, 0.004, EPOCH);

/// The user of the tests' requests, and the password's form field.
const VISITOR: i64 = 7;
const LOG_IN: &str = "nickname=user7&password=password7";

const BIDDING: &str = include_str!("../../../mixes/bidding.toml");
const BROWSING: &str = include_str!("../../../mixes/browsing.toml");

/// The generated rows, made once.
static STORE: LazyLock<Store> = LazyLock::new(|| Store::new(&Population::new(&DATASET)));

struct Site(AuctionModel);

impl Site {
    fn new() -> Self {
        Self(AuctionModel {
            store: STORE.clone(),
            key: TokenKey::new("secret"),
            files: AUCTION.static_files(),
        })
    }

    /// With enough items for each category to have several short pages.
    fn large() -> Self {
        Self(AuctionModel::new(&Dataset { scale: 0.02, ..DATASET }, TokenKey::new("secret")))
    }

    fn send(&mut self, method: &str, target: &str, body: &str) -> (u16, Html) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let request = Request {
            method: method.to_owned(),
            path: format!("/auction/{path}"),
            query: query.to_owned(),
            body: body.as_bytes().to_vec(),
        };
        let response = self.0.respond(&request, EPOCH);
        (response.status, Html::parse_document(&String::from_utf8(response.body).unwrap()))
    }

    fn get(&mut self, target: &str) -> Html {
        let (status, page) = self.send("GET", target, "");
        assert_eq!(status, 200, "{target}: {}", text(&page, "main"));
        page
    }

    fn post(&mut self, target: &str, body: &str) -> Html {
        let (status, page) = self.send("POST", target, body);
        assert_eq!(status, 200, "{target}: {}", text(&page, "main"));
        page
    }

    /// The status and the message of an error page; nothing may have changed.
    fn refused(&mut self, method: &str, target: &str, body: &str) -> (u16, String) {
        let before = self.0.store.clone();
        let (status, page) = self.send(method, target, body);
        assert!(self.0.store == before, "{target} {body}: an error changed the data");
        (status, text(&page, "main > p"))
    }

    /// An item that the visitor doesn't sell.
    fn item(&self, which: impl Fn(&Item) -> bool) -> Item {
        let mut items = self.0.store.items.iter().filter(|item| item.seller != VISITOR);
        items.find(|item| which(item)).expect("the dataset has such an item").clone()
    }

    /// A new item for sale, changed for a test.
    fn sell(&mut self, change: impl FnOnce(&mut NewItem)) -> Item {
        let mut new = NewItem {
            name: "thing".to_owned(),
            description: "new".to_owned(),
            initial_price: Money(1_000),
            quantity: 3,
            reserve_price: Money(0),
            buy_now: Money(0),
            duration: 7,
            seller: 1,
            category: 1,
        };
        change(&mut new);
        self.0.store.sell(new, EPOCH).expect("the prices make sense").clone()
    }

    fn token(&self, user: i64) -> String {
        self.0.key.sign(user, EPOCH)
    }

    fn bid(&self, item: &Item, bid: &str, max_bid: &str, qty: &str) -> String {
        let token = self.token(VISITOR);
        format!("itemId={}&token={token}&bid={bid}&maxBid={max_bid}&qty={qty}", item.id)
    }
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// The text of the first selected element, with single blanks.
fn text(page: &Html, selector: &str) -> String {
    let element = all(page, selector).into_iter().next().unwrap_or_else(|| panic!("no {selector}"));
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn links(page: &Html) -> Vec<String> {
    all(page, "a[href]").iter().map(|link| link.attr("href").unwrap().to_owned()).collect()
}

fn value(page: &Html, name: &str) -> String {
    all(page, &format!("[name={name}]"))[0].attr("value").unwrap().to_owned()
}

/// The id of the row that a page acknowledges.
fn acknowledged(page: &Html) -> i64 {
    all(page, "data.acknowledged")[0].attr("value").unwrap().parse().unwrap()
}

/// Facts about a user or an item on a page: the values below their names.
fn facts(page: &Html) -> HashMap<String, String> {
    let words = |element: &ElementRef<'_>| {
        element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let pairs = all(page, "dl > div");
    pairs
        .iter()
        .map(|pair| {
            let [name, value] =
                ["dt", "dd"].map(|part| pair.select(&Selector::parse(part).unwrap()).next().unwrap());
            (words(&name), words(&value))
        })
        .collect()
}

fn conflict(message: &str) -> (u16, String) {
    (409, message.to_owned())
}

fn wrong_token() -> (u16, String) {
    (403, "Your log-in is not valid or has expired. Please log in again.".to_owned())
}

fn mix(file: &str, toml: &str) -> Mix {
    Mix::parse(&Document::new(file, toml), &CATALOGUE).unwrap()
}

fn open(item: &Item) -> bool {
    item.is_open(EPOCH)
}

fn missing(name: &str) -> (u16, String) {
    (400, format!("The parameter {name} is missing, repeated or malformed."))
}

/// Asserts that a page is good HTML and accessible.
fn assert_decent(page: &Html) {
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    assert!(!text(page, "title").starts_with('–'));
    assert_eq!(all(page, "html[lang=en]").len(), 1);
    assert_eq!(all(page, "h1").len(), 1);
    for field in all(page, "input:not([type=hidden]), select, textarea") {
        let id = field.attr("id").expect("a field has an id");
        assert_eq!(all(page, &format!("label[for={id}]")).len(), 1, "{id}");
    }
    assert!(all(page, "th:not([scope])").is_empty() && all(page, "img:not([alt])").is_empty());
    assert_eq!(all(page, "table").len(), all(page, "table > caption").len());
    for href in links(page) {
        let path = href.split('?').next().unwrap();
        let id = CATALOGUE.by_path(path).unwrap_or_else(|| panic!("{href} leads nowhere"));
        assert_eq!(CATALOGUE.get(id).method, Method::Get, "{href}");
    }
    for form in all(page, "form") {
        let target =
            CATALOGUE.get(CATALOGUE.by_path(form.attr("action").unwrap()).expect("a form leads somewhere"));
        assert_eq!(form.attr("method").unwrap().to_uppercase(), target.method.to_string());
        let fields: Vec<_> =
            all(page, "[name]:not(meta)").iter().map(|field| field.attr("name").unwrap()).collect();
        assert_eq!(fields, target.parameters.iter().map(|parameter| &parameter.name).collect::<Vec<_>>());
    }
    for field in all(page, "[maxlength]") {
        let form = all(page, "form")[0].attr("action").unwrap();
        let target = CATALOGUE.get(CATALOGUE.by_path(form).unwrap());
        let parameter =
            target.parameters.iter().find(|parameter| parameter.name == field.attr("name").unwrap());
        assert_eq!(field.attr("maxlength").unwrap().parse().ok(), parameter.unwrap().max_length);
    }
    for time in all(page, "time") {
        let shown = time.text().collect::<String>();
        assert_eq!(time.attr("datetime").unwrap(), Timestamp::parse(&shown).unwrap().machine());
    }
}

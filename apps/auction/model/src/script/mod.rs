//! Requests that together take every branch of the rules.
//!
//! They are made against a model of their own, which answers each of them, so that they name existing rows. Changes of an
//! item happen to one that the script sells itself: then neither seed nor scale decides whether a branch can be taken.

mod bidding;
mod browsing;
mod buying;
mod rating;
mod registering;
mod selling;
#[cfg(test)]
pub mod tests;

use crate::{
    AuctionModel,
    requests::{self, Fields, NOBODY, get, log_in, log_in_as},
    rows::Item,
};
use application::{Branch, Dataset, Model, Step, Timestamp, TokenKey};

/// The seller; the others bid and buy.
const SELLER: i64 = 1;
const ANN: i64 = 2;
const BOB: i64 = 3;

/// A user with a password that careless form parsers misread: blanks at both ends, capitals, signs, an escape, markup, and
/// more bytes than are allowed code points.
const CAREFUL: (&str, &str) = ("Careful", " aB+&%41<b>é😀\"'\\; z ");

const DAY: i64 = 24 * 3600;

/// Requests that take every branch, for the rows of this dataset.
pub fn branches(dataset: &Dataset, key: &TokenKey) -> Vec<Branch> {
    let model = AuctionModel::new(dataset, key.clone());
    let mut script = Script { model, now: dataset.epoch, branches: Vec::new() };
    script.pages();
    script.browsing();
    script.registering();
    script.selling();
    script.bidding();
    script.buying();
    script.rating();
    script.about_users();
    script.branches
}

struct Script {
    model: AuctionModel,
    now: Timestamp,
    branches: Vec<Branch>,
}

impl Script {
    fn add(&mut self, name: impl Into<String>, status: u16, step: Step) {
        self.model.respond(&step.request(&self.model.key, self.now), self.now);
        self.branches.push(Branch { name: name.into(), step, status });
    }

    /// Sells an item with default values but for these changes. Returns its id.
    fn item_for_sale(&mut self, what: &str, changes: &Fields<'_>) -> i64 {
        self.add(format!("RegisterItem: {what}"), 200, requests::new_item(&requests::token(SELLER), changes));
        self.model.store.items.last().expect("an item was just added").id
    }

    /// The first old item: there is always one.
    fn old_item(&self) -> &Item {
        &self.model.store.old_items[0]
    }

    /// Refusals and log-ins of pages behind a log-in.
    fn log_in_refusals(&mut self, page: &str, ids: &[(&str, i64)]) {
        for (name, nickname, password) in [
            ("another password", "user2", "password3"),
            ("the password in upper case", "user2", "PASSWORD2"),
            ("the password with a blank", "user2", "password2 "),
            ("an unknown nickname", "nobody", "password2"),
            ("the nickname in upper case", "USER2", "password2"),
        ] {
            self.add(format!("{page}: {name}"), 403, log_in_as(page, ids, nickname, password));
        }
        let (nickname, password) = CAREFUL;
        let status = if ids.is_empty() { 200 } else { 404 };
        let step = log_in_as(page, ids, nickname, password);
        self.add(format!("{page}: a password of all sorts"), status, step);
        self.add(format!("{page}: no nickname"), 400, log_in_as(page, ids, "us er", "password2"));
        self.add(format!("{page}: no password"), 400, log_in_as(page, ids, "user2", ""));
    }

    /// Refusals of pages that take a token.
    fn token_refusals(&mut self, page: &str, step: impl Fn(&str) -> Step) {
        for (name, token) in [
            ("the log-in has expired", "{token:2:expired}"),
            ("the log-in is forged", "{token:2:forged}"),
            ("the log-in is no token", "2.4102444800.00"),
        ] {
            self.add(format!("{page}: {name}"), 403, step(token));
        }
        self.add(format!("{page}: the log-in is too long"), 400, step(&"2".repeat(101)));
    }

    fn pages(&mut self) {
        for page in ["index.html", "register.html", "browse.html", "sell.html", "about_me.html"] {
            self.add(format!("{page}: a file"), 200, get(page, &[]));
        }
        self.add("a picture", 200, get("logo.svg", &[]));
        self.add("no such page", 404, get("Nowhere", &[]));
    }

    fn about_users(&mut self) {
        let store = &self.model.store;
        let find = |which: &dyn Fn(i64) -> bool| (1..=store.users.len() as i64).find(|user| which(*user));
        let long_ago = self.now + -30 * DAY;
        let has_just_left = |user| {
            let sold = store.sold_by(user, long_ago);
            sold.first().is_some_and(|item| item.end_date >= long_ago + -DAY)
        };
        let bought_long_ago = |user| {
            let bought = store.bought_by(user, long_ago);
            bought.last().is_some_and(|(purchase, _)| purchase.date < long_ago)
        };
        let is_below_reserve = |item: &Item| item.max_bid.is_some_and(|highest| highest < item.reserve_price);
        let has_not_sold = |user| {
            store.sold_by(user, self.now).into_iter().any(|item| item.quantity > 0 && is_below_reserve(item))
        };
        let unsold = store.items.iter().find(|item| !item.is_open(self.now) && is_below_reserve(item));
        let some = [
            ("a user with bids", find(&|user| !store.bids_of(user, self.now).is_empty())),
            ("a user who has won", find(&|user| !store.won_by(user, self.now).is_empty())),
            ("a user who has bought", find(&|user| !store.bought_by(user, self.now).is_empty())),
            ("a user who has sold", find(&|user| !store.sold_by(user, self.now).is_empty())),
            ("a user who has sold too long ago by a day", find(&has_just_left)),
            ("a user who has bought long ago", find(&bought_long_ago)),
            ("a user who got less than their reserve price", find(&has_not_sold)),
            (
                "a user who leads below the reserve price",
                unsold.and_then(|item| store.leading_bid(item.id)).map(|bid| bid.user_id),
            ),
            ("the seller of this script", Some(SELLER)),
            ("a bidder and buyer of this script", Some(ANN)),
        ];
        for (name, user) in some {
            if let Some(user) = user {
                self.add(format!("AboutMe: {name}"), 200, log_in("AboutMe", &[], user));
            }
        }
        self.log_in_refusals("AboutMe", &[]);
        self.add("ViewUserInfo: the seller of this script", 200, user_page(SELLER));
        self.add("ViewUserInfo: no such user", 404, user_page(NOBODY));
        self.add("ViewUserInfo: no id", 400, user_page(0));
    }
}

fn user_page(user: i64) -> Step {
    requests::about("ViewUserInfo", "userId", user)
}

//! Requests that together take every branch of the rules.
//!
//! They are made against a model of their own, which answers each of them, so that they name existing rows. Changes of a
//! cart happen to one that the script begins itself: then neither seed nor scale decides whether a branch can be taken.

mod administering;
mod browsing;
mod carts;
mod customers;
mod ordering;
#[cfg(test)]
pub mod tests;

use crate::{
    BookstoreModel,
    requests::{add, get},
};
use application::{Branch, Dataset, Model, Step, Timestamp, TokenKey};

/// The customer who orders.
const ANN: i64 = 1;
const BOB: i64 = 2;

/// A user with a password that careless form parsers misread: blanks at both ends, capitals, signs, an escape, markup, and
/// more bytes than are allowed code points.
const CAREFUL: (&str, &str) = ("Careful", " aB+&%41<b>é😀\"'\\; z ");

pub fn branches(dataset: &Dataset, key: &TokenKey) -> Vec<Branch> {
    let model = BookstoreModel::new(dataset, key.clone());
    let mut script = Script { model, now: dataset.epoch, branches: Vec::new() };
    script.carts();
    script.pages();
    script.browsing();
    script.customers();
    script.ordering();
    script.administering();
    script.branches
}

struct Script {
    model: BookstoreModel,
    now: Timestamp,
    branches: Vec<Branch>,
}

impl Script {
    fn add(&mut self, name: impl Into<String>, status: u16, step: Step) {
        self.model.respond(&step.request(&self.model.key, self.now), self.now);
        self.branches.push(Branch { name: name.into(), step, status });
    }

    /// Begins a cart with this book. Returns its id.
    fn cart(&mut self, what: &str, item: i64) -> i64 {
        self.add(format!("ShoppingCart: {what}"), 200, add(None, item));
        self.model.store.carts.len() as i64
    }

    /// Refusals of pages that take a cart.
    fn cart_refusals(&mut self, page: &str, step: impl Fn(&str) -> Step) {
        for (name, cart) in [
            ("a forged cart", "{sealed:1:forged}"),
            ("a cart that isn't sealed", "1"),
            ("half a cart", "1.00ff"),
        ] {
            self.add(format!("{page}: {name}"), 403, step(cart));
        }
        self.add(format!("{page}: a cart that is too long"), 400, step(&"2".repeat(81)));
    }

    fn pages(&mut self) {
        self.add("a style sheet", 200, get("style.css", &[]));
        self.add("no such page", 404, get("Nowhere", &[]));
    }
}

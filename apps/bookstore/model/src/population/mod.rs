//! Generates the rows of a dataset, by the population rules of TPC-W.
//!
//! Every row is a function of the dataset and its own number: each draws from ChaCha8 streams of its own. So rows come one
//! at a time, in flat memory, and any range of them can be made by itself.
//!
//! At scale 1, which is that of the papers, there are 10,000 items and 100 emulated browsers' 2,880 customers each; there
//! are at least 1,000 items, as in the specification, and 4,000 customers, so that best sellers come of the last orders only.
//! Authors are a quarter of the items, addresses twice the customers, orders nine tenths of them. Of what the specification
//! says, this differs:
//!
//! - Names of books and authors begin with seven syllables of [`crate::digsyl`], those that users search for: each name of
//!   a book is that of five on average, each name of an author of two and a half.
//! - The amounts of an order are those of its lines, the tax and the shipping. Dates of orders rise with their numbers.
//! - Five orders that follow each other have one to five lines, in some order, so that the numbers of all lines are known.
//! - The stock of an item, 10 to 30, is what deliveries of 21 have left of it after all its orders: the stock and the copies
//!   sold are together, but for a multiple of 21, the item's number.
//!
//! Dates of what happened are relative to the history; those of births and publications are absolute.

mod catalogue;
mod customers;
mod orders;
mod properties;
#[cfg(test)]
mod tests;

pub use catalogue::{DELIVERY, LEAST_STOCK, subjects};
pub use customers::{SESSION, account};
pub use properties::properties;

use crate::rows::{Address, Author, Country, Customer, Item, Order, OrderLine, Payment};
use crate::words;
use application::{Dataset, Generator, Prose, Seed, Table, Timestamp, Value};
use std::{ops::Range, sync::OnceLock};

const ITEMS: f64 = 10_000.0;
const CUSTOMERS: f64 = 288_000.0;
const LEAST_ITEMS: i64 = 1_000;
const LEAST_CUSTOMERS: i64 = 4_000;

const DAY: i64 = 24 * 3600;

/// The purpose of a stream of random numbers.
#[derive(Clone, Copy)]
pub enum Purpose {
    Author,
    /// An item, except its prices.
    Item,
    Price,
    Address,
    Customer,
    Order,
    Payment,
    /// Numbers of lines of some orders.
    Counts,
    Lines,
    /// The text that others are cut from.
    Text,
    /// Size of the image of an item.
    Picture,
    /// Cover of an item's pictures.
    Cover,
}

impl From<Purpose> for u16 {
    fn from(purpose: Purpose) -> Self {
        purpose as Self
    }
}

pub struct Population {
    seed: Seed,
    pub items: i64,
    pub authors: i64,
    pub customers: i64,
    pub addresses: i64,
    pub orders: i64,
    history: Timestamp,
    prose: OnceLock<Prose>,
    /// Ordered copies of each item.
    sold: OnceLock<Vec<u32>>,
}

/// The countries, which are the same in every dataset.
pub fn countries() -> impl Iterator<Item = Country> {
    (1..).zip(words::COUNTRIES).map(|(co_id, (name, co_exchange, currency))| Country {
        co_id,
        co_name: name.to_owned(),
        co_exchange,
        co_currency: currency.to_owned(),
    })
}

impl Population {
    pub fn new(dataset: &Dataset) -> Self {
        let scaled = |full: f64| (full * dataset.scale).round() as i64;
        let items = scaled(ITEMS).max(LEAST_ITEMS);
        // Orders come in fives, and nine tenths of a multiple of fifty are one of five.
        let customers = scaled(CUSTOMERS).max(LEAST_CUSTOMERS) / 50 * 50;
        Self {
            seed: Seed::new(dataset.seed),
            items,
            authors: items / 4,
            customers,
            addresses: 2 * customers,
            orders: customers / 10 * 9,
            history: dataset.history,
            prose: OnceLock::new(),
            sold: OnceLock::new(),
        }
    }

    pub fn authors(&self) -> impl Iterator<Item = Author> + '_ {
        (1..=self.authors).map(|id| self.author(id))
    }

    pub fn items(&self) -> impl Iterator<Item = Item> + '_ {
        (1..=self.items).map(|id| self.item(id))
    }

    pub fn addresses(&self) -> impl Iterator<Item = Address> + '_ {
        (1..=self.addresses).map(|id| self.address(id))
    }

    pub fn customers(&self) -> impl Iterator<Item = Customer> + '_ {
        (1..=self.customers).map(|id| self.customer(id))
    }

    pub fn orders(&self) -> impl Iterator<Item = Order> + '_ {
        (1..=self.orders).map(|id| self.order(id))
    }

    pub fn order_lines(&self) -> impl Iterator<Item = OrderLine> + '_ {
        (1..=self.orders).flat_map(|id| self.lines_of(id))
    }

    pub fn payments(&self) -> impl Iterator<Item = Payment> + '_ {
        (1..=self.orders).map(|id| self.payment(id))
    }

    fn prose(&self) -> &Prose {
        self.prose.get_or_init(|| Prose::new(self.seed.draws(Purpose::Text, 0)))
    }
}

/// Orders are the units of their lines and payments. There are no carts yet.
impl Generator for Population {
    fn units(&self, table: &Table) -> u64 {
        let units = match table.name {
            "country" => words::COUNTRIES.len() as i64,
            "author" => self.authors,
            "item" => self.items,
            "address" => self.addresses,
            "customer" => self.customers,
            "orders" | "order_line" | "cc_xacts" => self.orders,
            _ => 0,
        };
        units.unsigned_abs()
    }

    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        let mut ids = units.clone().map(|unit| unit as i64 + 1);
        match table.name {
            "country" => {
                let some = countries().skip(units.start as usize).take(units.count());
                some.for_each(|row| take(&row.into_values()));
            }
            "author" => ids.for_each(|id| take(&self.author(id).into_values())),
            "item" => ids.for_each(|id| take(&self.item(id).into_values())),
            "address" => ids.for_each(|id| take(&self.address(id).into_values())),
            "customer" => ids.for_each(|id| take(&self.customer(id).into_values())),
            "orders" => ids.for_each(|id| take(&self.order(id).into_values())),
            "order_line" => {
                ids.for_each(|id| self.lines_of(id).into_iter().for_each(|row| take(&row.into_values())));
            }
            "cc_xacts" => ids.for_each(|id| take(&self.payment(id).into_values())),
            _ => assert_eq!(ids.next(), None, "{} has no rows", table.name),
        }
    }
}

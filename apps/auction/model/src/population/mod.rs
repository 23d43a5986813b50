//! Generates the rows of a dataset, in the proportions of RUBiS.
//!
//! Every row is a function of the dataset and its own number: each draws from a ChaCha8 stream of its own. So rows come
//! one at a time, in flat memory, any range of them can be made by itself, and what belongs together (the price of an
//! item and its bids, an old item and the comment about it) is known wherever one of the two is made. Only what sums
//! over all rows needs a pass; see `sums`.
//!
//! - 1,000,000·scale users: `user{N}` with the password `password{N}`. See the module `users`.
//! - 500,000·scale old items and 33,000·scale items, their bids and what was bought at once. See `auctions`.
//! - Comments on the sellers of old items. See `comments`.
//! - How all that is spread depends on the distribution of the data. See `distribution`.
//!
//! Items and bids are dated relative to the epoch, all else relative to the history.

mod auctions;
mod comments;
mod distribution;
mod opinions;
mod properties;
mod purpose;
mod sums;
#[cfg(test)]
mod tests;

mod users;

pub use properties::properties;
pub use users::account;

use crate::rows::{Bid, Category, Comment, Ids, Item, Purchase, Region, User};
use crate::words;
use application::{Dataset, Draws, Generator, Prose, Seed, Table, Timestamp, Value};
use distribution::Spread;
use purpose::Purpose;
use std::{ops::Range, sync::OnceLock};
use sums::Sums;

const USERS: f64 = 1_000_000.0;
const OLD_ITEMS: f64 = 500_000.0;
const ITEMS: f64 = 33_000.0;

/// The fewest users, old items and items: nobody bids on their own items.
const LEAST: i64 = 10;

const DAY: i64 = 24 * 3600;

/// The generated rows of a dataset.
pub struct Population {
    seed: Seed,
    users: i64,
    old_items: i64,
    items: i64,
    epoch: Timestamp,
    history: Timestamp,
    spread: Spread,
    sums: OnceLock<Sums>,
    prose: OnceLock<Prose>,
}

/// The categories, which are the same in every dataset.
pub fn categories() -> impl Iterator<Item = Category> {
    (1..).zip(words::CATEGORIES).map(|(id, name)| Category { id, name: name.to_owned() })
}

/// The regions, which are the same in every dataset.
pub fn regions() -> impl Iterator<Item = Region> {
    (1..).zip(words::REGIONS).map(|(id, name)| Region { id, name: name.to_owned() })
}

impl Population {
    pub fn new(dataset: &Dataset) -> Self {
        let scaled = |full: f64| ((full * dataset.scale).round() as i64).max(LEAST);
        let users = scaled(USERS);
        Self {
            seed: Seed::new(dataset.seed),
            users,
            old_items: scaled(OLD_ITEMS),
            items: scaled(ITEMS),
            epoch: dataset.epoch,
            history: dataset.history,
            spread: Spread::new(dataset.distribution, users),
            sums: OnceLock::new(),
            prose: OnceLock::new(),
        }
    }

    pub fn number_of_users(&self) -> u64 {
        self.users.unsigned_abs()
    }

    pub fn users(&self) -> impl Iterator<Item = User> + '_ {
        self.users_in(0..self.users as u64)
    }

    pub fn old_items(&self) -> impl Iterator<Item = Item> + '_ {
        self.old_items_in(0..self.old_items as u64)
    }

    pub fn items(&self) -> impl Iterator<Item = Item> + '_ {
        self.items_in(0..self.items as u64)
    }

    pub fn bids(&self) -> impl Iterator<Item = Bid> + '_ {
        self.bids_in(0..self.items as u64)
    }

    pub fn comments(&self) -> impl Iterator<Item = Comment> + '_ {
        self.comments_in(0..self.old_items as u64)
    }

    pub fn purchases(&self) -> impl Iterator<Item = Purchase> + '_ {
        self.purchases_in(0..self.old_items as u64)
    }

    /// The only row of `ids`.
    pub fn ids(&self) -> Ids {
        Ids {
            id: 1,
            category: words::CATEGORIES.len() as i64,
            region: words::REGIONS.len() as i64,
            users: self.users,
            item: self.old_items + self.items,
            comment: self.sums().comments.all,
            bid: self.sums().bids.all,
            buyNow: self.sums().purchases.all,
        }
    }

    /// Any user but one.
    fn other_user(&self, than: i64, draws: &mut Draws) -> i64 {
        let id = draws.within(1..=self.users - 1);
        id + i64::from(id >= than)
    }

    fn sums(&self) -> &Sums {
        self.sums.get_or_init(|| Sums::new(self))
    }

    fn prose(&self) -> &Prose {
        self.prose.get_or_init(|| Prose::new(self.seed.draws(Purpose::Text, 0)))
    }
}

/// A range of few rows.
fn few<T>(rows: impl Iterator<Item = T>, units: Range<u64>) -> impl Iterator<Item = T> {
    rows.skip(units.start as usize).take(units.count())
}

/// Auctions are the units of their bids, comments and purchases.
impl Generator for Population {
    fn units(&self, table: &Table) -> u64 {
        match table.name {
            "categories" => words::CATEGORIES.len() as u64,
            "regions" => words::REGIONS.len() as u64,
            "users" => self.users as u64,
            "items" | "bids" => self.items as u64,
            "old_items" | "comments" | "buy_now" => self.old_items as u64,
            "ids" => 1,
            _ => 0,
        }
    }

    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        match table.name {
            "categories" => few(categories(), units).for_each(|row| take(&row.into_values())),
            "regions" => few(regions(), units).for_each(|row| take(&row.into_values())),
            "users" => self.users_in(units).for_each(|row| take(&row.into_values())),
            "items" => self.items_in(units).for_each(|row| take(&row.into_values())),
            "old_items" => self.old_items_in(units).for_each(|row| take(&row.into_values())),
            "bids" => self.bids_in(units).for_each(|row| take(&row.into_values())),
            "comments" => self.comments_in(units).for_each(|row| take(&row.into_values())),
            "buy_now" => self.purchases_in(units).for_each(|row| take(&row.into_values())),
            "ids" if !units.is_empty() => take(&self.ids().into_values()),
            _ => (),
        }
    }
}

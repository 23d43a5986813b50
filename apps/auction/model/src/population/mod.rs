//! Generates the rows of a scenario, in the proportions of RUBiS.
//!
//! Every row is a function of seed, scale, epoch and its own number: each draws from a ChaCha8 stream of its own. So
//! rows come one at a time, in flat memory, any range of them can be made by itself, and what belongs together (the
//! price of an item and its bids, an old item and the comment about it) is known wherever one of the two is made.
//! Only what sums over all rows, the rating and the balance of users, needs a pass and a few bytes for each user.
//!
//! - 1,000,000·scale users: `user{N}` with the password `password{N}`. See the module `users`.
//! - 500,000·scale old items and 33,000·scale items, their bids and what was bought at once. See `auctions`.
//! - Comments on the sellers of old items. See `comments`.

mod auctions;
mod comments;
mod making;
#[cfg(test)]
mod tests;
mod text;
mod users;

pub use users::account;

use crate::rows::{Bid, Category, Comment, Ids, Item, Purchase, Region, User};
use crate::words;
use application::{Scenario, Timestamp};
use making::RowsBefore;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::OnceLock;
use users::Standing;

const USERS: f64 = 1_000_000.0;
const OLD_ITEMS: f64 = 500_000.0;
const ITEMS: f64 = 33_000.0;

/// How many users, old items and items there are at least: nobody bids on what they sell themselves.
const LEAST: i64 = 10;

const DAY: i64 = 24 * 3600;

/// What a stream of random numbers is for.
#[derive(Clone, Copy)]
enum Purpose {
    User,
    Item,
    Description,
    Bids,
    Purchase,
    Comment,
    CommentText,
}

/// The generated rows of a scenario.
pub struct Population {
    random: ChaCha8Rng,
    users: i64,
    old_items: i64,
    items: i64,
    epoch: Timestamp,
    history: Timestamp,
    standings: OnceLock<Vec<Standing>>,
    bids_before: OnceLock<RowsBefore>,
    comments_before: OnceLock<RowsBefore>,
    purchases_before: OnceLock<RowsBefore>,
}

/// The categories, which are the same in every scenario.
pub fn categories() -> impl Iterator<Item = Category> {
    (1..).zip(words::CATEGORIES).map(|(id, name)| Category { id, name: name.to_owned() })
}

/// The regions, which are the same in every scenario.
pub fn regions() -> impl Iterator<Item = Region> {
    (1..).zip(words::REGIONS).map(|(id, name)| Region { id, name: name.to_owned() })
}

impl Population {
    pub fn new(scenario: &Scenario) -> Self {
        let scaled = |full: f64| ((full * scenario.scale).round() as i64).max(LEAST);
        Self {
            random: ChaCha8Rng::seed_from_u64(scenario.seed),
            users: scaled(USERS),
            old_items: scaled(OLD_ITEMS),
            items: scaled(ITEMS),
            epoch: scenario.epoch,
            history: scenario.history,
            standings: OnceLock::new(),
            bids_before: OnceLock::new(),
            comments_before: OnceLock::new(),
            purchases_before: OnceLock::new(),
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
            comment: self.comments_before().all(),
            bid: self.bids_before().all(),
            buyNow: self.purchases_before().all(),
        }
    }

    /// The random numbers of a row for a purpose.
    fn stream(&self, purpose: Purpose, id: i64) -> ChaCha8Rng {
        let mut random = self.random.clone();
        random.set_stream(((purpose as u64) << 48) | id.unsigned_abs());
        random
    }

    /// Any user but one.
    fn other_user(&self, than: i64, random: &mut ChaCha8Rng) -> i64 {
        let id = random.random_range(1..self.users);
        id + i64::from(id >= than)
    }
}

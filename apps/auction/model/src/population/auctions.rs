//! Auctions, with their bids and purchases. Old items have the first ids, then come the items.
//!
//! - Old items ended 1 to 60 days before the epoch. Of the items 97 % are open at the epoch and have more than a minute
//!   left, 3 % closed during the last day. All last 1 to 7 days.
//! - Prices from 1 to 5000; quantity 1 for 80 %, else 2 to 10; a reserve price for 40 %; a price to buy at once for
//!   10 %; descriptions of 1 to 2048 bytes; category and seller uniform.
//! - 0 to 19 bids per item, uniform, none by the seller. Each is 1 to 10 above the maximum before it (at first: above
//!   the first price), and states a maximum that is two raises higher; so each leads, as under proxy bidding. Their
//!   dates are in order between the item's start and its end or the epoch. Ids follow the items, not the dates. Of
//!   bids on old items only their number and the price they led to are kept.
//! - Half of the old items that could be bought at once were bought by one user, which closed them; so no bid on them
//!   had reached that price.

use super::text::{any, sentences};
use super::{DAY, Population, Purpose};
use crate::rows::{Bid, Item, Purchase};
use crate::words;
use application::{Money, Timestamp};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

const MOST_BIDS: usize = 19;
/// What every open auction has left at the epoch, in seconds, so that data are fresh when a run starts.
pub const LEAST_LEFT: i64 = 60;
/// How long ago the oldest auctions ended, and how long auctions last at most, in seconds.
pub const OLDEST_END: i64 = 60 * DAY;
pub const LONGEST: i64 = 7 * DAY;

impl Population {
    pub fn old_items_in(&self, units: Range<u64>) -> impl Iterator<Item = Item> + '_ {
        self.outlines_of_old_items(units).map(|item| {
            let bought = self.purchase_of(&item).is_some();
            let mut bids = self.bids_on(&item);
            if bought {
                bids.retain(|bid| bid.bid < item.buy_now);
            }
            let quantity = if bought { 0 } else { item.quantity };
            self.written(Item { quantity, ..item }, &bids)
        })
    }

    pub fn items_in(&self, units: Range<u64>) -> impl Iterator<Item = Item> + '_ {
        self.outlines_of_items(units).map(|item| {
            let bids = self.bids_on(&item);
            self.written(item, &bids)
        })
    }

    /// The bids without their ids.
    pub(super) fn unnumbered_bids(&self, units: Range<u64>) -> impl Iterator<Item = Bid> + '_ {
        self.outlines_of_items(units).flat_map(|item| self.bids_on(&item))
    }

    /// The purchases without their ids.
    pub(super) fn unnumbered_purchases(&self, units: Range<u64>) -> impl Iterator<Item = Purchase> + '_ {
        self.outlines_of_old_items(units).filter_map(|item| self.purchase_of(&item))
    }

    /// All auctions before anybody bid or bought, without their descriptions.
    pub(super) fn outlines(&self) -> impl Iterator<Item = Item> + '_ {
        self.outlines_of_old_items(0..self.old_items as u64)
            .chain(self.outlines_of_items(0..self.items as u64))
    }

    pub(super) fn outlines_of_old_items(&self, units: Range<u64>) -> impl Iterator<Item = Item> + '_ {
        units.map(|unit| self.outline(unit as i64 + 1))
    }

    fn outlines_of_items(&self, units: Range<u64>) -> impl Iterator<Item = Item> + '_ {
        units.map(|unit| self.outline(self.old_items + unit as i64 + 1))
    }

    fn outline(&self, id: i64) -> Item {
        let mut random = self.stream(Purpose::Item, id);
        let units = |number: i64| Money(number * 100);
        let initial = random.random_range(1..=5000);
        let reserve = if random.random_bool(0.4) { initial + random.random_range(0..1000) } else { 0 };
        let buy_now =
            if random.random_bool(0.1) { initial.max(reserve) + random.random_range(0..1000) } else { 0 };
        let quantity = if random.random_bool(0.8) { 1 } else { random.random_range(2..=10) };
        let (start_date, end_date) = self.dates(id, &mut random);
        Item {
            id,
            name: format!("{} {}", any(&words::ADJECTIVES, &mut random), any(&words::THINGS, &mut random)),
            description: String::new(),
            initial_price: units(initial),
            quantity,
            reserve_price: units(reserve),
            buy_now: units(buy_now),
            nb_of_bids: 0,
            max_bid: None,
            start_date,
            end_date,
            seller: random.random_range(1..=self.users),
            category: random.random_range(1..=words::CATEGORIES.len() as i64),
        }
    }

    /// Start and end of an auction.
    fn dates(&self, id: i64, random: &mut ChaCha8Rng) -> (Timestamp, Timestamp) {
        let lasts = random.random_range(DAY..=LONGEST);
        let end = if id <= self.old_items {
            self.history + -random.random_range(DAY..=OLDEST_END)
        } else if random.random_bool(0.03) {
            self.epoch + -random.random_range(1..=DAY)
        } else {
            self.epoch + random.random_range(LEAST_LEFT + 1..=lasts)
        };
        (end + -lasts, end)
    }

    /// An auction with its description and what bids made of it.
    fn written(&self, item: Item, bids: &[Bid]) -> Item {
        Item {
            description: sentences(&mut self.stream(Purpose::Description, item.id)),
            nb_of_bids: bids.len() as i64,
            max_bid: bids.last().map(|bid| bid.bid),
            ..item
        }
    }

    /// The bids on an item, still without ids, the earliest first.
    fn bids_on(&self, item: &Item) -> Vec<Bid> {
        let mut random = self.stream(Purpose::Bids, item.id);
        let last = item.end_date.min(self.epoch);
        let mut dates: Vec<Timestamp> = (0..random.random_range(0..=MOST_BIDS))
            .map(|_| item.start_date + random.random_range(0..=last - item.start_date))
            .collect();
        dates.sort_unstable();
        let mut most = item.initial_price;
        let bids = dates.into_iter().map(|date| {
            let raise = random.random_range(1..=10) * 100;
            let bid = Money(most.0 + raise);
            most = Money(bid.0 + 2 * raise);
            Bid {
                id: 0,
                user_id: self.other_user(item.seller, &mut random),
                item_id: item.id,
                qty: random.random_range(1..=item.quantity),
                bid,
                max_bid: most,
                date,
            }
        });
        bids.collect()
    }

    /// The purchase, still without id, that closed an old item, if there was one.
    pub(super) fn purchase_of(&self, item: &Item) -> Option<Purchase> {
        let mut random = self.stream(Purpose::Purchase, item.id);
        let bought = item.buy_now > item.initial_price && random.random_bool(0.5);
        bought.then(|| Purchase {
            id: 0,
            buyer_id: self.other_user(item.seller, &mut random),
            item_id: item.id,
            qty: item.quantity,
            date: item.end_date,
        })
    }
}

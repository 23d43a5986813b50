//! Auctions, with their bids and purchases. Old items have the first ids, then come the items.
//!
//! - Old items ended 1 to 60 days before the history. Of the items 97 % are open at the epoch and have more than a
//!   minute left, 3 % closed during the last day. All last 1 to 7 days.
//! - Prices from 1 to 5000; quantity 1 for 80 %, else 2 to 10; a reserve price for 40 %; a price to buy at once for
//!   10 %; descriptions of 1 to 2048 bytes. Category and seller are as the module `distribution` says.
//! - As many bids on an item, and made when, as the module `distribution` says, none by the seller. Each is 1 to 10 above the
//!   maximum before it (at first: above the first price), and states a maximum that is two raises higher; so each
//!   leads, as under proxy bidding. Their dates are in order between the item's start and its end or the epoch. Ids
//!   follow the items, not the dates. Of bids on old items only their number and the price they led to are kept.
//! - Half of the old items that could be bought at once were bought by one user, which closed them; so no bid on them
//!   had reached that price.

use super::purpose::Purpose;

use super::{DAY, Population, opinions::Opinion};
use crate::rows::{Bid, Item, Purchase};
use crate::words;
use application::{Cut, Draws, MOST_BYTES, Money, Timestamp};
use std::ops::Range;

/// Shortest time to the end of an open auction at the epoch, in seconds, so that data are fresh when a run starts.
pub const LEAST_LEFT: i64 = 60;
/// Age of the oldest ends of auctions, and the longest duration of an auction, in seconds.
pub const OLDEST_END: i64 = 60 * DAY;
pub const LONGEST: i64 = 7 * DAY;

/// An auction without texts and bids: all that is drawn at once, so that passes over many auctions are quick.
#[derive(Clone, Copy)]
pub(super) struct Auction {
    pub id: i64,
    pub seller: i64,
    pub comment: Option<Opinion>,
    /// The buyer who bought it at once.
    pub buyer: Option<i64>,
    pub end_date: Timestamp,
    start_date: Timestamp,
    category: i64,
    initial_price: Money,
    reserve_price: Money,
    buy_now: Money,
    quantity: i64,
    name: [&'static str; 2],
    description: Cut,
}

impl Population {
    pub(super) fn auction(&self, id: i64) -> Auction {
        let draws = &mut self.seed.draws(Purpose::Auction, id);
        let (start_date, end_date) = self.dates(id, draws);
        let seller = self.spread.seller(draws);
        let initial = draws.within(1..=5000);
        let reserve = if draws.percent(40) { initial + draws.below(1000) } else { 0 };
        let buy_now = if draws.percent(10) { initial.max(reserve) + draws.below(1000) } else { 0 };
        let is_bought = self.is_old(id) && buy_now > initial && draws.percent(50);
        let buyer = is_bought.then(|| self.other_user(seller, draws));
        Auction {
            id,
            seller,
            buyer,
            comment: self.is_old(id).then(|| self.opinion(seller, buyer, draws)).flatten(),
            start_date,
            end_date,
            category: self.spread.category(draws),
            initial_price: Money(initial * 100),
            reserve_price: Money(reserve * 100),
            buy_now: Money(buy_now * 100),
            quantity: if draws.percent(80) { 1 } else { draws.within(2..=10) },
            name: [draws.any(&words::ADJECTIVES), draws.any(&words::THINGS)],
            description: Cut::new(1..=MOST_BYTES, draws),
        }
    }

    fn is_old(&self, id: i64) -> bool {
        id <= self.old_items
    }

    /// Start and end of an auction.
    fn dates(&self, id: i64, draws: &mut Draws) -> (Timestamp, Timestamp) {
        let lasts = draws.within(DAY..=LONGEST);
        let end = if self.is_old(id) {
            self.history + -draws.within(DAY..=OLDEST_END)
        } else if draws.percent(3) {
            self.epoch + -draws.within(1..=DAY)
        } else {
            self.epoch + draws.within(LEAST_LEFT + 1..=lasts)
        };
        (end + -lasts, end)
    }

    /// Start and end of the auction of an item.
    pub(super) fn time_of(&self, id: i64) -> (Timestamp, Timestamp) {
        let auction = self.auction(id);
        (auction.start_date, auction.end_date)
    }

    /// The old items of these units, one each.
    pub(super) fn old_auctions(&self, units: Range<u64>) -> impl Iterator<Item = Auction> + '_ {
        units.map(|unit| self.auction(unit as i64 + 1))
    }

    /// The items of these units, one each.
    pub(super) fn auctions(&self, units: Range<u64>) -> impl Iterator<Item = Auction> + '_ {
        units.map(|unit| self.auction(self.old_items + unit as i64 + 1))
    }

    pub fn old_items_in(&self, units: Range<u64>) -> impl Iterator<Item = Item> + '_ {
        self.old_auctions(units).map(|auction| {
            let (bids, offers) = self.offers(&auction);
            let is_bought = auction.buyer.is_some();
            let kept =
                offers.take(bids as usize).take_while(|offer| !is_bought || offer.bid < auction.buy_now);
            let (bids, price) = kept.fold((0, None), |(bids, _), offer| (bids + 1, Some(offer.bid)));
            let quantity = if is_bought { 0 } else { auction.quantity };
            Item { quantity, ..self.item(&auction, bids, price) }
        })
    }

    pub fn items_in(&self, units: Range<u64>) -> impl Iterator<Item = Item> + '_ {
        self.auctions(units).map(|auction| {
            let bids = self.bids_on(&auction);
            self.item(&auction, bids.len() as i64, bids.last().map(|bid| bid.bid))
        })
    }

    fn item(&self, auction: &Auction, nb_of_bids: i64, max_bid: Option<Money>) -> Item {
        Item {
            id: auction.id,
            name: auction.name.join(" "),
            description: self.prose().cut(auction.description).to_owned(),
            initial_price: auction.initial_price,
            quantity: auction.quantity,
            reserve_price: auction.reserve_price,
            buy_now: auction.buy_now,
            nb_of_bids,
            max_bid,
            start_date: auction.start_date,
            end_date: auction.end_date,
            seller: auction.seller,
            category: auction.category,
        }
    }

    /// The bids on the items of these units.
    pub fn bids_in(&self, units: Range<u64>) -> impl Iterator<Item = Bid> + '_ {
        let count = |units| self.auctions(units).map(|auction| self.number_of_bids(&auction)).sum();
        let ids = self.sums().bids.first(units.start, count)..;
        ids.zip(self.auctions(units).flat_map(|auction| self.bids_on(&auction)))
            .map(|(id, bid)| Bid { id, ..bid })
    }

    pub(super) fn number_of_bids(&self, auction: &Auction) -> i64 {
        let (bids, _) = self.offers(auction);
        self.bid_dates(auction, bids).0.len() as i64
    }

    /// Bids on an item without ids, the earliest first.
    fn bids_on(&self, auction: &Auction) -> Vec<Bid> {
        let (bids, offers) = self.offers(auction);
        let (dates, mut draws) = self.bid_dates(auction, bids);
        let bids = dates.into_iter().zip(offers).map(|(date, offer)| Bid {
            id: 0,
            user_id: self.other_user(auction.seller, &mut draws),
            item_id: auction.id,
            qty: draws.within(1..=auction.quantity),
            bid: offer.bid,
            max_bid: offer.max_bid,
            date,
        });
        bids.collect()
    }

    /// The number of an auction's bids, and their amounts.
    fn offers(&self, auction: &Auction) -> (i64, Offers) {
        let mut draws = self.seed.draws(Purpose::Offers, auction.id);
        let bids = self.spread.bids(auction.end_date - auction.start_date, &mut draws);
        (bids, Offers { draws, most: auction.initial_price })
    }

    /// Dates of the bids made by now, and the random stream for the choices after them.
    fn bid_dates(&self, auction: &Auction, bids: i64) -> (Vec<Timestamp>, Draws) {
        let mut draws = self.seed.draws(Purpose::Bids, auction.id);
        let time = (auction.start_date, auction.end_date);
        (self.spread.dates(bids, time, self.epoch, &mut draws), draws)
    }

    /// The purchases that closed the old items of these units.
    pub fn purchases_in(&self, units: Range<u64>) -> impl Iterator<Item = Purchase> + '_ {
        let bought = |auction: &Auction| auction.buyer.is_some();
        let count = |units| self.old_auctions(units).filter(bought).count() as i64;
        let ids = self.sums().purchases.first(units.start, count)..;
        ids.zip(self.old_auctions(units).filter(bought)).filter_map(|(id, auction)| {
            let (item_id, qty, date) = (auction.id, auction.quantity, auction.end_date);
            Some(Purchase { id, buyer_id: auction.buyer?, item_id, qty, date })
        })
    }
}

/// Amounts of successive bids.
struct Offers {
    draws: Draws,
    /// The highest maximum so far.
    most: Money,
}

struct Offer {
    bid: Money,
    max_bid: Money,
}

impl Iterator for Offers {
    type Item = Offer;

    fn next(&mut self) -> Option<Offer> {
        let raise = self.draws.within(1..=10) * 100;
        let bid = Money(self.most.0 + raise);
        self.most = Money(bid.0 + 2 * raise);
        Some(Offer { bid, max_bid: self.most })
    }
}

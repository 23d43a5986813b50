//! Bidding by proxy: a user states a bid and a maximum, and the site bids for the leader, a cent above the others, up to
//! that maximum.

use super::{Store, rows};
use crate::fault::Fault;
use crate::rows::{Bid, Item};
use application::{Money, Timestamp};
use std::cmp::Reverse;

/// A bid and the bidder's maximum.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    pub user: i64,
    pub item: i64,
    pub bid: Money,
    pub max_bid: Money,
    pub qty: i64,
}

impl Item {
    /// The lowest bid that is accepted: a cent above the highest so far, or else the first price.
    pub fn least_bid(&self) -> Money {
        self.max_bid.map_or(self.initial_price, cent_above)
    }

    /// Whether an offer is accepted, checked in this order: [`Item::check_market`]; 1 <= qty <= quantity;
    /// bid >= [`Item::least_bid`]; maxBid >= bid.
    pub fn check_offer(&self, offer: &Offer, now: Timestamp) -> Result<(), Fault> {
        self.check_market(offer.user, now)?;
        self.check_quantity(offer.qty)?;
        if offer.bid < self.least_bid() {
            Err(Fault::BidTooLow { item: self.id, least: self.least_bid() })
        } else if offer.max_bid < offer.bid {
            Err(Fault::MostBelowBid { item: self.id })
        } else {
            Ok(())
        }
    }
}

impl Offer {
    /// The row of this offer, at the price that the bidder has to pay.
    fn at(&self, bid: Money, now: Timestamp) -> Bid {
        let Self { user, item, max_bid, qty, .. } = *self;
        Bid { id: 0, user_id: user, item_id: item, qty, bid, max_bid, date: now }
    }

    /// The rows of this offer while `leading` leads: its own, and the leader's answer if they stay ahead.
    fn rows(&self, leading: Option<&Bid>, now: Timestamp) -> (Bid, Option<Bid>) {
        match leading {
            Some(leading) if leading.user_id != self.user && leading.max_bid >= self.max_bid => {
                let answer = leading.max_bid.min(cent_above(self.max_bid));
                (self.at(self.max_bid, now), Some(Bid { bid: answer, date: now, ..leading.clone() }))
            }
            Some(leading) if leading.user_id != self.user => {
                let needed = self.max_bid.min(cent_above(leading.max_bid));
                (self.at(self.bid.max(needed), now), None)
            }
            _ => (self.at(self.bid, now), None),
        }
    }
}

impl Store {
    /// The bid of the user who leads: the one with the highest maximum, of equal ones the first.
    pub fn leading_bid(&self, item: i64) -> Option<&Bid> {
        rows(&self.bids, &self.bids_by_item, item).max_by_key(|bid| (bid.max_bid, Reverse(bid.id)))
    }

    /// Records an offer, if the item exists and the rules accept it. Without a leader, or by the leader, it is recorded at
    /// its bid. If its maximum is above the leader's, the bidder takes the lead at a cent above that, or at their bid if it
    /// is higher. Else it is recorded at its maximum, and outbid at once: by a cent, up to the leader's maximum.
    ///
    /// Returns the bidder's row, whether they lead, and the price.
    pub fn bid(&mut self, offer: &Offer, now: Timestamp) -> Result<(&Bid, bool, Money), Fault> {
        self.item(offer.item)?.check_offer(offer, now)?;
        let (own, answer) = offer.rows(self.leading_bid(offer.item), now);
        let leads = answer.is_none();
        let place = self.bids.len();
        let mut price = own.bid;
        for bid in [Some(own), answer].into_iter().flatten() {
            price = bid.bid;
            let id = self.bids.len() as i64 + 1;
            self.add_bid(Bid { id, ..bid });
        }
        let item = self.item_mut(offer.item);
        item.nb_of_bids += if leads { 1 } else { 2 };
        item.max_bid = Some(price);
        Ok((&self.bids[place], leads, price))
    }

    pub(super) fn add_bid(&mut self, bid: Bid) {
        self.bids_by_item.entry(bid.item_id).or_default().push(bid.id);
        self.bids_by_user.entry(bid.user_id).or_default().push(bid.id);
        self.bids.push(bid);
    }
}

fn cent_above(amount: Money) -> Money {
    Money(amount.0 + 1)
}

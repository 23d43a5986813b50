//! A user's affairs: bids, items won, bought, selling and sold.

use super::{Store, rows};
use crate::rows::{Item, Purchase};
use application::{Money, Timestamp};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Time for which bought and sold items are shown, in seconds.
const MONTH: i64 = 30 * 24 * 3600;

/// An open item with a user's highest bid and maximum.
pub struct OwnBid<'a> {
    pub item: &'a Item,
    pub bid: Money,
    pub most: Money,
}

impl Item {
    /// Whether its highest bid reached the reserve price.
    fn is_sold_by_bids(&self) -> bool {
        self.max_bid.is_some_and(|highest| highest >= self.reserve_price)
    }

    /// The outcome of a closed auction for its seller: "bought" if no copy is left, or else "sold" if the highest bid
    /// reached the reserve price, or else "not sold".
    pub fn outcome(&self) -> &'static str {
        if self.quantity == 0 {
            "bought"
        } else if self.is_sold_by_bids() {
            "sold"
        } else {
            "not sold"
        }
    }
}

impl Store {
    /// Open items with a bid of a user, those that end first on top.
    pub fn bids_of(&self, user: i64, now: Timestamp) -> Vec<OwnBid<'_>> {
        let mut own: BTreeMap<(Timestamp, i64), OwnBid<'_>> = BTreeMap::new();
        for bid in rows(&self.bids, &self.bids_by_user, user) {
            let item = self.known_item(bid.item_id);
            if item.is_open(now) {
                let highest = own.entry((item.end_date, item.id)).or_insert(OwnBid {
                    item,
                    bid: bid.bid,
                    most: bid.max_bid,
                });
                highest.bid = highest.bid.max(bid.bid);
                highest.most = highest.most.max(bid.max_bid);
            }
        }
        own.into_values().collect()
    }

    /// The closed items that a user leads, unless the last copy was bought at once or the reserve price wasn't reached;
    /// with the nicknames of the sellers, the last on top.
    pub fn won_by(&self, user: i64, now: Timestamp) -> Vec<(&Item, &str)> {
        let items = rows(&self.bids, &self.bids_by_user, user).map(|bid| self.known_item(bid.item_id));
        let won = items.filter(|item| {
            let leads = || self.leading_bid(item.id).is_some_and(|bid| bid.user_id == user);
            !item.is_open(now) && item.quantity > 0 && item.is_sold_by_bids() && leads()
        });
        let won: BTreeMap<_, _> = won.map(|item| (Reverse((item.end_date, item.id)), item)).collect();
        won.into_values().map(|item| (item, self.nickname(item.seller))).collect()
    }

    /// Purchases of a user in the last 30 days, the last on top.
    pub fn bought_by(&self, user: i64, now: Timestamp) -> Vec<(&Purchase, &Item)> {
        let purchases = rows(&self.purchases, &self.purchases_by_buyer, user);
        let mut bought: Vec<_> = purchases.filter(|purchase| purchase.date >= now + -MONTH).collect();
        bought.sort_by_key(|purchase| Reverse((purchase.date, purchase.id)));
        bought.into_iter().map(|purchase| (purchase, self.known_item(purchase.item_id))).collect()
    }

    /// The open items of a seller, those that end first on top.
    pub fn selling(&self, seller: i64, now: Timestamp) -> Vec<&Item> {
        let mut selling: Vec<_> = self.auctions_of(seller).filter(|item| item.is_open(now)).collect();
        selling.sort_by_key(|item| (item.end_date, item.id));
        selling
    }

    /// The items of a seller, old ones too, that closed in the last 30 days, the last on top.
    pub fn sold_by(&self, seller: i64, now: Timestamp) -> Vec<&Item> {
        let recent = |item: &&Item| !item.is_open(now) && item.end_date >= now + -MONTH;
        let mut sold: Vec<_> = self.auctions_of(seller).filter(recent).collect();
        sold.sort_by_key(|item| Reverse((item.end_date, item.id)));
        sold
    }

    fn auctions_of(&self, seller: i64) -> impl Iterator<Item = &Item> {
        self.auctions_by_seller.get(&seller).into_iter().flatten().map(|id| self.known_item(*id))
    }
}

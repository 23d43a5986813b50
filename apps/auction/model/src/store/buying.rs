//! Buying at once, for the price that the seller has named.

use super::Store;
use crate::fault::Fault;
use crate::rows::{Item, Purchase};
use application::{Money, Timestamp};

/// An order to buy at once.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    pub user: i64,
    pub item: i64,
    pub qty: i64,
}

impl Item {
    /// The price for buying at once: that of the seller while the auction is open and the price of the bids is below it.
    pub fn at_once(&self, now: Timestamp) -> Option<Money> {
        let offered = self.is_open(now) && self.price() < self.buy_now;
        offered.then_some(self.buy_now)
    }

    /// Whether a user can buy it at once, checked in this order: [`Item::check_market`]; it is offered at all. Returns
    /// the price.
    pub fn check_at_once(&self, user: i64, now: Timestamp) -> Result<Money, Fault> {
        self.check_market(user, now)?;
        self.at_once(now).ok_or(Fault::NotForSaleAtOnce { item: self.id })
    }
}

impl Store {
    /// Records a purchase, if the item exists, [`Item::check_at_once`] holds, and 1 <= qty <= quantity; takes the copies
    /// from the item, and with the last one closes its auction as of a second ago.
    pub fn buy(&mut self, order: &Order, now: Timestamp) -> Result<&Purchase, Fault> {
        let item = self.item(order.item)?;
        item.check_at_once(order.user, now)?;
        item.check_quantity(order.qty)?;
        let item = self.item_mut(order.item);
        item.quantity -= order.qty;
        if item.quantity == 0 {
            let (id, category, end) = (item.id, item.category, item.end_date);
            item.end_date = now + -1;
            let closing = self.closing.entry(category).or_default();
            closing.remove(&(end, id));
            closing.insert((now + -1, id));
        }
        let id = self.purchases.len() as i64 + 1;
        self.add_purchase(Purchase {
            id,
            buyer_id: order.user,
            item_id: order.item,
            qty: order.qty,
            date: now,
        });
        Ok(&self.purchases[id as usize - 1])
    }

    pub(super) fn add_purchase(&mut self, purchase: Purchase) {
        self.purchases_by_buyer.entry(purchase.buyer_id).or_default().push(purchase.id);
        self.purchases.push(purchase);
    }
}

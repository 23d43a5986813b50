//! New auctions.

use super::Store;
use crate::fault::Fault;
use crate::fee::FEE;
use crate::rows::Item;
use application::{Money, Timestamp};

const DAY: i64 = 24 * 3600;

/// The columns of a new item without an id, but for those that are the same for all.
pub struct NewItem {
    pub name: String,
    pub description: String,
    pub initial_price: Money,
    pub quantity: i64,
    pub reserve_price: Money,
    pub buy_now: Money,
    /// Days for sale.
    pub duration: i64,
    pub seller: i64,
    pub category: i64,
}

impl NewItem {
    /// Whether its prices make sense, checked in this order: the first price is at least 0.01; the reserve price is 0
    /// or at least the first price; the price to buy at once is 0 or at least both.
    fn check(&self) -> Result<(), Fault> {
        let zero_or_from = |price: Money, least: Money| price == Money(0) || price >= least;
        if self.initial_price < Money(1) {
            Err(Fault::PriceTooLow)
        } else if !zero_or_from(self.reserve_price, self.initial_price) {
            Err(Fault::WrongReserve)
        } else if !zero_or_from(self.buy_now, self.initial_price.max(self.reserve_price)) {
            Err(Fault::WrongBuyNow)
        } else {
            Ok(())
        }
    }
}

impl Store {
    /// Adds an item, if its prices make sense; its auction begins at once, and the seller pays the [`FEE`].
    pub fn sell(&mut self, new: NewItem, now: Timestamp) -> Result<&Item, Fault> {
        new.check()?;
        self.user_mut(new.seller).balance.0 -= FEE.0;
        let id = (self.old_items.len() + self.items.len()) as i64 + 1;
        self.add_item(Item {
            id,
            name: new.name,
            description: new.description,
            initial_price: new.initial_price,
            quantity: new.quantity,
            reserve_price: new.reserve_price,
            buy_now: new.buy_now,
            nb_of_bids: 0,
            max_bid: None,
            start_date: now,
            end_date: now + new.duration * DAY,
            seller: new.seller,
            category: new.category,
        });
        Ok(self.known_item(id))
    }

    pub(super) fn add_item(&mut self, item: Item) {
        self.auctions_by_seller.entry(item.seller).or_default().push(item.id);
        self.closing.entry(item.category).or_default().insert((item.end_date, item.id));
        self.items.push(item);
    }
}

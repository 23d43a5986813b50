//! The administration.

use super::Store;
use crate::fault::Fault;
use application::{Money, Timestamp};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The last orders that decide which books are related.
pub const RELATING_ORDERS: i64 = 10_000;

/// A change of a book.
#[derive(Debug, Clone)]
pub struct Change {
    pub item: i64,
    pub cost: Money,
    pub image: String,
    pub thumbnail: String,
}

impl Store {
    /// Changes a book, if it exists and the price is from 0.01 to the suggested one. It is published anew, and its related
    /// books are those that others have bought with it.
    pub fn change_item(&mut self, change: Change, now: Timestamp) -> Result<(), Fault> {
        let item = self.item(change.item)?;
        if change.cost < Money(1) || change.cost > item.i_srp {
            return Err(Fault::WrongPrice { most: item.i_srp });
        }
        let [one, two, three, four, five] = self.bought_together(change.item, item.related());
        let item = self.item_mut(change.item);
        item.i_cost = change.cost;
        item.i_image = change.image;
        item.i_thumbnail = change.thumbnail;
        item.i_pub_date = now;
        (item.i_related1, item.i_related2, item.i_related3) = (one, two, three);
        (item.i_related4, item.i_related5) = (four, five);
        Ok(())
    }

    /// The five other books of which buyers of this one bought most copies, all in the last [`RELATING_ORDERS`] orders,
    /// equal ones by id. If there are fewer, previously related books follow that aren't among them.
    fn bought_together(&self, item: i64, before: [i64; 5]) -> [i64; 5] {
        let since = self.orders.len() as i64 - RELATING_ORDERS;
        let lines = || self.order_lines.iter().rev().take_while(|line| line.ol_o_id > since);
        let buyer = |order: i64| self.orders[order as usize - 1].o_c_id;
        let buyers: HashSet<i64> =
            lines().filter(|line| line.ol_i_id == item).map(|line| buyer(line.ol_o_id)).collect();
        let mut copies: HashMap<i64, i64> = HashMap::new();
        for line in lines().filter(|line| line.ol_i_id != item && buyers.contains(&buyer(line.ol_o_id))) {
            *copies.entry(line.ol_i_id).or_default() += line.ol_qty;
        }
        let mut together: Vec<(i64, i64)> = copies.into_iter().collect();
        together.sort_by_key(|(item, copies)| (Reverse(*copies), *item));
        let mut chosen: Vec<i64> = together.into_iter().map(|(item, _)| item).take(before.len()).collect();
        for known in before {
            if chosen.len() < before.len() && !chosen.contains(&known) {
                chosen.push(known);
            }
        }
        chosen.try_into().expect("there were five before")
    }
}

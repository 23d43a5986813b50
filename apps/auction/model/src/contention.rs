//! Conflicting writes: many clients write to few rows at once.

use crate::{
    population::Population,
    requests::{bid, comment, new_item, new_user, purchase, token},
    rows::{Bid, Comment, Item, Purchase, User},
    store::Store,
};
use application::{Dataset, Money, Timestamp, Value, Write};
use std::cmp::Reverse;

/// The number of contested items, nicknames and sellers.
const FEW: usize = 3;

/// Half of the writes are bids; the others buy at once, rate one seller, register and sell. The amounts of the bids
/// rise on the whole and fall again and again, so that some are refused, some are outbid, and some take the lead.
pub fn contention(dataset: &Dataset, count: usize) -> Vec<Write> {
    let store = Store::new(&Population::new(dataset));
    let scene = Scene::new(&store, dataset.epoch);
    (0..count).map(|number| scene.write(number)).collect()
}

/// The contested rows.
struct Scene<'a> {
    store: &'a Store,
    to_bid_on: Vec<&'a Item>,
    /// Those with the most copies.
    to_buy: Vec<&'a Item>,
    to_rate_for: &'a Item,
}

impl<'a> Scene<'a> {
    fn new(store: &'a Store, now: Timestamp) -> Self {
        let mut open: Vec<&Item> = store.items.iter().filter(|item| item.is_open(now)).collect();
        open.sort_by_key(|item| Reverse(item.end_date));
        let (mut to_buy, mut to_bid_on): (Vec<&Item>, Vec<&Item>) =
            open.into_iter().partition(|item| item.at_once(now).is_some());
        to_buy.sort_by_key(|item| Reverse(item.quantity));
        to_buy.truncate(FEW);
        to_bid_on.truncate(FEW);
        Self { store, to_bid_on, to_buy, to_rate_for: &store.old_items[0] }
    }

    fn write(&self, number: usize) -> Write {
        match number % 10 {
            5 | 6 if !self.to_buy.is_empty() => self.purchase(number),
            7 => self.comment(number),
            8 => registration(number),
            9 => self.item(number),
            _ => self.bid(number),
        }
    }

    /// Any user but the seller of this item.
    fn user(&self, number: usize, item: &Item) -> i64 {
        let others = self.store.users.len() - 1;
        let id = (number % others) as i64 + 1;
        id + i64::from(id >= item.seller)
    }

    fn bid(&self, number: usize) -> Write {
        let item = self.to_bid_on[number % self.to_bid_on.len()];
        let user = self.user(number, item);
        let (amount, most) = rising_and_falling(number as i64);
        Write {
            step: bid(&token(user), item.id, &amount.to_string(), &most.to_string(), "1"),
            table: Bid::TABLE.name,
            mark: vec![
                ("user_id", Value::Integer(user)),
                ("item_id", Value::Integer(item.id)),
                ("qty", Value::Integer(1)),
                ("max_bid", Value::Money(most)),
            ],
        }
    }

    fn purchase(&self, number: usize) -> Write {
        let item = self.to_buy[number % self.to_buy.len()];
        let user = self.user(number, item);
        Write {
            step: purchase(&token(user), item.id, "1"),
            table: Purchase::TABLE.name,
            mark: vec![("buyer_id", Value::Integer(user)), ("item_id", Value::Integer(item.id))],
        }
    }

    fn comment(&self, number: usize) -> Write {
        let Item { id, seller, .. } = *self.to_rate_for;
        let (author, text) = (self.user(number, self.to_rate_for), format!("Opinion {number}"));
        Write {
            step: comment(&token(author), id, seller, "5", &text),
            table: Comment::TABLE.name,
            mark: vec![("from_user_id", Value::Integer(author)), ("comment", Value::Text(text))],
        }
    }

    fn item(&self, number: usize) -> Write {
        let (seller, name) = ((number % FEW) as i64 + 1, format!("Offer {number}"));
        Write {
            step: new_item(&token(seller), &[("name", &name)]),
            table: Item::TABLE.name,
            mark: vec![("seller", Value::Integer(seller)), ("name", Value::Text(name))],
        }
    }
}

/// Several registrations want each nickname.
fn registration(number: usize) -> Write {
    let (nickname, firstname) = (format!("rival{}", number / (10 * FEW)), format!("Rival {number}"));
    Write {
        step: new_user(&[("nickname", &nickname), ("firstname", &firstname)]),
        table: User::TABLE.name,
        mark: vec![("nickname", Value::Text(nickname)), ("firstname", Value::Text(firstname))],
    }
}

/// A bid above all generated ones, and the maximum of its bidder. Bids rise, and fall back now and then; the distance to
/// the maximum differs. No two numbers give the same maximum, because the steps share no factor.
fn rising_and_falling(number: i64) -> (Money, Money) {
    const HIGH: i64 = 100_000_000;
    let back = if number % 7 == 3 { 30_001 } else { 0 };
    let bid = HIGH + 1_000 * number - back;
    (Money(bid), Money(bid + 2_503 * (number * 7 % 9)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AUCTION, AuctionModel, rows};
    use application::{Application, Model, TokenKey};
    use std::collections::{BTreeMap, BTreeSet};

    const DATASET: Dataset = Dataset::new(1, 0.01, Timestamp(1_800_000_000));

    /// The ids of the rows with the mark of a write.
    fn marked(model: &AuctionModel, write: &Write) -> Vec<i64> {
        let table = rows::TABLES.iter().find(|table| table.name == write.table).unwrap();
        let at = |name: &str| table.columns.iter().position(|column| column.name == name).unwrap();
        let has_mark = |row: &Vec<Value>| write.mark.iter().all(|(name, value)| row[at(name)] == *value);
        let ids = model.rows(table).into_iter().filter(has_mark).map(|row| match row[0] {
            Value::Integer(id) => id,
            _ => unreachable!("ids are whole numbers"),
        });
        ids.collect()
    }

    #[test]
    fn a_write_that_is_accepted_makes_the_row_with_its_mark_and_nothing_else_does() {
        let mut model = AuctionModel::new(&DATASET, TokenKey::new("secret"));
        let mut statuses: BTreeMap<&str, BTreeSet<u16>> = BTreeMap::new();
        let mut first_rows = BTreeSet::new();
        for write in AUCTION.contention(&DATASET, 300) {
            assert!(marked(&model, &write).is_empty(), "{}", write.step);
            let request = write.step.request(&model.key, DATASET.epoch);
            let status = model.respond(&request, DATASET.epoch).status;
            let rows = marked(&model, &write);
            assert_eq!(rows.len(), usize::from(status == 200), "{}", write.step);
            assert!(rows.iter().all(|id| first_rows.insert((write.table, *id))));
            statuses.entry(write.table).or_default().insert(status);
        }
        let (always, mostly) = (BTreeSet::from([200]), BTreeSet::from([200, 409]));
        let expected = [
            ("bids", mostly.clone()),
            ("buy_now", mostly.clone()),
            ("comments", always.clone()),
            ("items", always),
            ("users", mostly),
        ];
        assert_eq!(statuses, BTreeMap::from(expected));
    }

    #[test]
    fn some_bids_are_outbid_by_the_leader_and_the_leader_changes() {
        let mut model = AuctionModel::new(&DATASET, TokenKey::new("secret"));
        let before = model.store.bids.len();
        let writes = AUCTION.contention(&DATASET, 300);
        for write in &writes {
            model.respond(&write.step.request(&model.key, DATASET.epoch), DATASET.epoch);
        }
        let new = &model.store.bids[before..];
        let amounts: BTreeSet<Money> = new.iter().map(|bid| bid.max_bid).collect();
        let answers = new.len() - amounts.len();
        assert!(answers > 10 && amounts.len() > 50, "{answers} answers to {} bids", amounts.len());
    }
}

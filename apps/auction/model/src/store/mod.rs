//! The rows in memory, with the secondary orders that pages need.
//!
//! Nothing is ever deleted and ids are given in order, so a row's id is its position. The rules are in the modules
//! `bidding`, `buying`, `rating`, `registering`, `selling`; a user's own items and bids in `affairs`.

mod affairs;
mod bidding;
mod buying;
mod rating;
mod registering;
mod selling;

pub use affairs::OwnBid;
pub use bidding::Offer;
pub use buying::Order;
pub use rating::Opinion;
pub use registering::NewUser;
pub use selling::NewItem;

use crate::fault::Fault;
use crate::population::{self, Population};
use crate::rows::{Bid, Category, Comment, Ids, Item, Purchase, Region, User};
use application::{Money, Timestamp};
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, PartialEq)]
pub struct Store {
    pub categories: Vec<Category>,
    pub regions: Vec<Region>,
    pub users: Vec<User>,
    pub old_items: Vec<Item>,
    pub items: Vec<Item>,
    pub bids: Vec<Bid>,
    pub comments: Vec<Comment>,
    pub purchases: Vec<Purchase>,
    pub ids: Ids,
    user_by_nickname: HashMap<String, i64>,
    /// Items of each category by their end.
    closing: HashMap<i64, BTreeSet<(Timestamp, i64)>>,
    /// Old items and items of each seller.
    auctions_by_seller: Index,
    bids_by_item: Index,
    bids_by_user: Index,
    comments_by_seller: Index,
    purchases_by_buyer: Index,
}

/// Ids of the rows of each key, in order.
type Index = HashMap<i64, Vec<i64>>;

impl Item {
    /// An auction is open up to and including its last second: `end_date >= now`.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.end_date >= now
    }

    /// The current price: the highest bid so far, or else the first price.
    pub fn price(&self) -> Money {
        self.max_bid.unwrap_or(self.initial_price)
    }

    /// Whether a user may bid on it or buy it now: the auction is open; it isn't their own.
    pub fn check_market(&self, user: i64, now: Timestamp) -> Result<(), Fault> {
        let item = self.id;
        if !self.is_open(now) {
            Err(Fault::Closed { item })
        } else if self.seller == user {
            Err(Fault::OwnItem { item })
        } else {
            Ok(())
        }
    }

    fn check_quantity(&self, wanted: i64) -> Result<(), Fault> {
        let most = self.quantity;
        let fits = (1..=most).contains(&wanted);
        if fits { Ok(()) } else { Err(Fault::WrongQuantity { item: self.id, most }) }
    }
}

impl Store {
    pub fn new(population: &Population) -> Self {
        let mut store = Self {
            categories: population::categories().collect(),
            regions: population::regions().collect(),
            users: population.users().collect(),
            old_items: population.old_items().collect(),
            items: Vec::new(),
            bids: Vec::new(),
            comments: Vec::new(),
            purchases: Vec::new(),
            ids: population.ids(),
            user_by_nickname: HashMap::new(),
            closing: HashMap::new(),
            auctions_by_seller: Index::new(),
            bids_by_item: Index::new(),
            bids_by_user: Index::new(),
            comments_by_seller: Index::new(),
            purchases_by_buyer: Index::new(),
        };
        store.user_by_nickname = store.users.iter().map(|user| (user.nickname.clone(), user.id)).collect();
        for item in &store.old_items {
            store.auctions_by_seller.entry(item.seller).or_default().push(item.id);
        }
        population.items().for_each(|item| store.add_item(item));
        population.bids().for_each(|bid| store.add_bid(bid));
        population.comments().for_each(|comment| store.add_comment(comment));
        population.purchases().for_each(|purchase| store.add_purchase(purchase));
        store
    }

    pub fn category(&self, id: i64) -> Result<&Category, Fault> {
        at(&self.categories, id).ok_or(Fault::Unknown { what: "category", id })
    }

    pub fn region(&self, id: i64) -> Result<&Region, Fault> {
        at(&self.regions, id).ok_or(Fault::Unknown { what: "region", id })
    }

    /// An item that is no old one.
    pub fn item(&self, id: i64) -> Result<&Item, Fault> {
        at(&self.items, id - self.old_items.len() as i64).ok_or(Fault::Unknown { what: "item", id })
    }

    /// An item or old item.
    pub fn item_or_old(&self, id: i64) -> Result<&Item, Fault> {
        self.item(id).or_else(|fault| at(&self.old_items, id).ok_or(fault))
    }

    pub fn user(&self, id: i64) -> Result<&User, Fault> {
        at(&self.users, id).ok_or(Fault::Unknown { what: "user", id })
    }

    pub fn user_named(&self, nickname: &str) -> Option<&User> {
        self.user_by_nickname.get(nickname).map(|id| self.known_user(*id))
    }

    /// The user whom a row refers to.
    pub fn known_user(&self, id: i64) -> &User {
        self.user(id).expect("rows refer to users that exist")
    }

    pub fn nickname(&self, id: i64) -> &str {
        &self.known_user(id).nickname
    }

    /// The open items of a category, those that end first on top, equal ones by id.
    pub fn open_items(&self, category: i64, now: Timestamp) -> impl Iterator<Item = &Item> {
        let open = self.closing.get(&category).into_iter().flat_map(move |items| items.range((now, 0)..));
        open.map(|(_, id)| self.known_item(*id))
    }

    /// All bids on an item with the nicknames of the bidders, the last on top.
    pub fn bids_on(&self, item: i64) -> Vec<(&Bid, &str)> {
        let mut bids: Vec<_> = rows(&self.bids, &self.bids_by_item, item).collect();
        bids.sort_by_key(|bid| std::cmp::Reverse((bid.date, bid.id)));
        bids.into_iter().map(|bid| (bid, self.nickname(bid.user_id))).collect()
    }

    fn known_item(&self, id: i64) -> &Item {
        self.item_or_old(id).expect("rows refer to items that exist")
    }

    fn item_mut(&mut self, id: i64) -> &mut Item {
        let place = id as usize - 1 - self.old_items.len();
        &mut self.items[place]
    }

    fn user_mut(&mut self, id: i64) -> &mut User {
        &mut self.users[id as usize - 1]
    }
}

fn at<T>(rows: &[T], id: i64) -> Option<&T> {
    rows.get(usize::try_from(id).ok()?.checked_sub(1)?)
}

/// The rows of a table that an index has for a key.
fn rows<'a, T>(table: &'a [T], index: &'a Index, key: i64) -> impl Iterator<Item = &'a T> + use<'a, T> {
    index.get(&key).into_iter().flatten().map(|id| &table[*id as usize - 1])
}

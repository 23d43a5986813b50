//! The rows in memory, with the secondary orders that pages need, and the rules that concern one row.
//!
//! Nothing is ever deleted and ids are given in order, so a row stands at the place that its id says.

use crate::fault::Fault;
use crate::population::{self, Population};
use crate::rows::{Bid, Category, Item, Region, User};
use application::{Money, Timestamp};
use std::collections::{BTreeSet, HashMap};

/// All rows.
pub struct Store {
    pub categories: Vec<Category>,
    pub regions: Vec<Region>,
    pub users: Vec<User>,
    pub items: Vec<Item>,
    pub bids: Vec<Bid>,
    user_by_nickname: HashMap<String, i64>,
    /// For each category its items by their end.
    closing: HashMap<i64, BTreeSet<(Timestamp, i64)>>,
}

/// A user before they have an id: all columns but those that every new user has alike.
pub struct NewUser {
    pub firstname: String,
    pub lastname: String,
    pub nickname: String,
    pub email: String,
    pub password: String,
    pub region: i64,
}

/// What somebody offers for an item.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    pub user: i64,
    pub item: i64,
    pub bid: Money,
    pub max_bid: Money,
    pub qty: i64,
}

impl Item {
    /// An auction is open up to and including its last second: `end_date >= now`.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.end_date >= now
    }

    /// The current price: the highest bid so far, or else the first price.
    pub fn price(&self) -> Money {
        self.max_bid.unwrap_or(self.initial_price)
    }

    /// The lowest bid that is accepted: a cent above the highest so far, or else the first price.
    pub fn least_bid(&self) -> Money {
        self.max_bid.map_or(self.initial_price, |highest| Money(highest.0 + 1))
    }

    /// Whether an offer is accepted, checked in this order: the auction is open; 1 <= qty <= quantity;
    /// bid >= [`Item::least_bid`]; maxBid >= bid.
    pub fn check(&self, offer: &Offer, now: Timestamp) -> Result<(), Fault> {
        let item = self.id;
        if !self.is_open(now) {
            Err(Fault::Closed { item })
        } else if !(1..=self.quantity).contains(&offer.qty) {
            Err(Fault::WrongQuantity { item, most: self.quantity })
        } else if offer.bid < self.least_bid() {
            Err(Fault::BidTooLow { item, least: self.least_bid() })
        } else if offer.max_bid < offer.bid {
            Err(Fault::MostBelowBid { item })
        } else {
            Ok(())
        }
    }
}

impl Store {
    /// The generated rows.
    pub fn new(population: &Population) -> Self {
        let users: Vec<User> = population.users().collect();
        let items: Vec<Item> = population.items().collect();
        let mut closing: HashMap<i64, BTreeSet<(Timestamp, i64)>> = HashMap::new();
        for item in &items {
            closing.entry(item.category).or_default().insert((item.end_date, item.id));
        }
        Self {
            categories: population::categories().collect(),
            regions: population::regions().collect(),
            user_by_nickname: users.iter().map(|user| (user.nickname.clone(), user.id)).collect(),
            users,
            items,
            bids: population.bids().collect(),
            closing,
        }
    }

    pub fn category(&self, id: i64) -> Result<&Category, Fault> {
        at(&self.categories, id).ok_or(Fault::Unknown { what: "category", id })
    }

    pub fn region(&self, id: i64) -> Option<&Region> {
        at(&self.regions, id)
    }

    pub fn item(&self, id: i64) -> Result<&Item, Fault> {
        at(&self.items, id).ok_or(Fault::Unknown { what: "item", id })
    }

    /// The user whom a row of another table refers to.
    pub fn user(&self, id: i64) -> &User {
        at(&self.users, id).expect("rows refer to users that exist")
    }

    pub fn user_named(&self, nickname: &str) -> Option<&User> {
        self.user_by_nickname.get(nickname).map(|id| self.user(*id))
    }

    /// A page of the open items of a category, those that end first on top, equal ones by id.
    pub fn open_items(&self, category: i64, now: Timestamp, skip: usize, take: usize) -> Vec<&Item> {
        let open = self.closing.get(&category).into_iter().flat_map(|items| items.range((now, 0)..));
        open.skip(skip).take(take).map(|(_, id)| &self.items[*id as usize - 1]).collect()
    }

    /// Adds a user with rating 0 and balance 0, unless the nickname is taken.
    pub fn register(&mut self, new: NewUser, now: Timestamp) -> Result<&User, Fault> {
        if self.user_by_nickname.contains_key(&new.nickname) {
            return Err(Fault::NicknameTaken(new.nickname));
        }
        let id = self.users.len() as i64 + 1;
        self.user_by_nickname.insert(new.nickname.clone(), id);
        self.users.push(User {
            id,
            password: application::password_hash(&new.nickname, &new.password),
            firstname: new.firstname,
            lastname: new.lastname,
            nickname: new.nickname,
            email: new.email,
            rating: 0,
            balance: Money(0),
            creation_date: now,
            region: new.region,
        });
        Ok(self.user(id))
    }

    /// Adds a bid and raises the price of its item, if the item exists and the offer keeps the rules.
    pub fn bid(&mut self, offer: &Offer, now: Timestamp) -> Result<&Bid, Fault> {
        self.item(offer.item)?.check(offer, now)?;
        let item = &mut self.items[offer.item as usize - 1];
        item.nb_of_bids += 1;
        item.max_bid = Some(offer.bid);
        let bid = Bid {
            id: self.bids.len() as i64 + 1,
            user_id: offer.user,
            item_id: offer.item,
            qty: offer.qty,
            bid: offer.bid,
            max_bid: offer.max_bid,
            date: now,
        };
        self.bids.push(bid);
        Ok(&self.bids[self.bids.len() - 1])
    }
}

fn at<T>(rows: &[T], id: i64) -> Option<&T> {
    rows.get(usize::try_from(id).ok()?.checked_sub(1)?)
}

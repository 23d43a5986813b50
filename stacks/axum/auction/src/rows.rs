//! The rows as pages show them.

use askama::Template;
use chrono::NaiveDateTime;
use rust_decimal::Decimal;
use sqlx::FromRow;

/// Writes an instant as machines read it.
pub trait Machine {
    fn machine(&self) -> String;
}

impl Machine for NaiveDateTime {
    fn machine(&self) -> String {
        self.format("%Y-%m-%dT%H:%M:%SZ").to_string()
    }
}

#[derive(FromRow)]
pub struct Category {
    pub id: i32,
    pub name: String,
}

#[derive(FromRow)]
pub struct Region {
    pub id: i32,
    pub name: String,
}

#[derive(FromRow)]
pub struct Credentials {
    pub id: i32,
    pub password: String,
}

/// The part of a user that others see.
#[derive(FromRow)]
pub struct Profile {
    pub nickname: String,
    pub rating: i32,
    pub creation_date: NaiveDateTime,
}

/// The part of a user that they see themselves.
#[derive(FromRow)]
pub struct Account {
    pub firstname: String,
    pub lastname: String,
    pub nickname: String,
    pub email: String,
    pub rating: i32,
    pub balance: Decimal,
    pub creation_date: NaiveDateTime,
    /// The region's name.
    pub region: String,
}

pub struct NewUser {
    pub firstname: String,
    pub lastname: String,
    pub nickname: String,
    /// Its hash.
    pub password: String,
    pub email: String,
    pub region: i32,
}

/// An item for sale, one that has closed, or an old one. Of columns that were not read it has nothing.
#[derive(Default, FromRow)]
#[sqlx(default)]
pub struct Item {
    pub id: i32,
    pub name: String,
    pub description: String,
    pub initial_price: Decimal,
    pub quantity: i32,
    pub reserve_price: Decimal,
    pub buy_now: Decimal,
    pub nb_of_bids: i32,
    pub max_bid: Option<Decimal>,
    pub start_date: NaiveDateTime,
    pub end_date: NaiveDateTime,
    pub seller: i32,
    pub category: i32,
    /// The seller's.
    pub nickname: String,
    /// Whether it took bids when it was read.
    pub open: bool,
}

pub struct NewItem {
    pub name: String,
    pub description: String,
    pub initial_price: Decimal,
    pub reserve_price: Decimal,
    pub buy_now: Decimal,
    pub quantity: i32,
    pub days: i32,
    pub seller: i32,
    pub category: i32,
}

/// The part of an item that comments are about.
#[derive(FromRow)]
pub struct Topic {
    pub name: String,
    pub seller: i32,
}

/// The first and the last second of an auction.
#[derive(FromRow)]
pub struct Term {
    pub start_date: NaiveDateTime,
    pub end_date: NaiveDateTime,
}

#[derive(FromRow)]
pub struct PlacedBid {
    pub user_id: i32,
    pub nickname: String,
    pub bid: Decimal,
    pub qty: i32,
    pub date: NaiveDateTime,
}

/// A bid that is to be placed, and the most that the bidder would pay.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub user_id: i32,
    pub item_id: i32,
    pub qty: i32,
    pub bid: Decimal,
    pub max_bid: Decimal,
}

/// The bid of the user who would pay most.
#[derive(FromRow)]
pub struct Leader {
    pub user_id: i32,
    pub qty: i32,
    pub max_bid: Decimal,
}

#[derive(FromRow)]
pub struct Comment {
    pub from_user_id: i32,
    /// The author's.
    pub nickname: String,
    pub item_id: i32,
    pub rating: i32,
    pub date: NaiveDateTime,
    pub comment: String,
}

pub struct NewComment {
    pub from_user_id: i32,
    pub to_user_id: i32,
    pub item_id: i32,
    pub rating: i32,
    pub comment: String,
}

/// Copies of an item that were bought at once.
#[derive(FromRow)]
pub struct Purchase {
    pub item_id: i32,
    pub qty: i32,
    pub date: NaiveDateTime,
    pub name: String,
    pub buy_now: Decimal,
}

/// An item with a user's highest bid and the most that they would pay.
#[derive(FromRow)]
pub struct OwnBid {
    #[sqlx(flatten)]
    pub item: Item,
    pub own_bid: Decimal,
    pub own_most: Decimal,
}

/// All that concerns a user.
#[derive(Template)]
#[template(path = "about_me.html")]
pub struct Affairs {
    pub user: Account,
    pub bids: Vec<OwnBid>,
    pub won: Vec<Item>,
    pub bought: Vec<Purchase>,
    pub selling: Vec<Item>,
    pub sold: Vec<Item>,
    pub comments: Vec<Comment>,
}

use crate::rows::{
    Affairs, Category, Comment, Credentials, Item, Leader, NewComment, NewItem, NewUser, Offer, PlacedBid,
    Profile, Region, Term, Topic,
};
use anyhow::Result;
use chrono::NaiveDateTime;
use rust_decimal::Decimal;

/// A part of a category's open items.
pub struct Search {
    pub category: i32,
    /// The sellers' region, if not all.
    pub region: Option<i32>,
    pub skip: i32,
    pub most: i32,
}

/// Keeps the rows.
#[async_trait::async_trait]
pub trait Store: Send + Sync {
    async fn categories(&self) -> Result<Vec<Category>>;
    async fn regions(&self) -> Result<Vec<Region>>;
    async fn category(&self, id: i32) -> Result<Option<String>>;
    async fn region(&self, id: i32) -> Result<Option<String>>;

    async fn credentials(&self, nickname: &str) -> Result<Option<Credentials>>;
    async fn profile(&self, user: i32) -> Result<Option<Profile>>;
    async fn nickname(&self, user: i32) -> Result<String>;
    async fn comments_about(&self, user: i32) -> Result<Vec<Comment>>;
    async fn affairs(&self, user: i32) -> Result<Affairs>;

    /// Open items, those that end first on top.
    async fn open_items(&self, search: Search) -> Result<Vec<Item>>;
    async fn item_for_sale(&self, id: i32) -> Result<Option<Item>>;
    async fn item_or_old(&self, id: i32) -> Result<Option<Item>>;
    /// The name of an item, however old.
    async fn item_title(&self, id: i32) -> Result<Option<String>>;
    async fn item_topic(&self, id: i32) -> Result<Option<Topic>>;
    async fn bids_on(&self, item: i32) -> Result<Vec<PlacedBid>>;

    async fn is_taken(&self, nickname: &str) -> Result<bool>;
    /// Stores a user, and returns their id and when it was; or nothing, if the nickname was taken meanwhile.
    async fn register(&self, user: &NewUser) -> Result<Option<(i32, NaiveDateTime)>>;
    /// Stores an item, and takes the fee from its seller.
    async fn sell(&self, item: &NewItem) -> Result<(i32, Term)>;
    /// Stores a comment, and adds to the rating of the user whom it is about.
    async fn comment(&self, comment: &NewComment) -> Result<i32>;

    async fn begin(&self) -> Result<Box<dyn Deal>>;
}

/// A transaction, which is rolled back if it is dropped.
#[async_trait::async_trait]
pub trait Deal: Send {
    async fn lock_for_bid(&mut self, item: i32) -> Result<Option<Item>>;
    async fn lock_for_purchase(&mut self, item: i32) -> Result<Option<Item>>;
    async fn leader(&mut self, item: i32) -> Result<Option<Leader>>;
    async fn add_bid(&mut self, bid: &Offer) -> Result<i32>;
    async fn raise(&mut self, item: i32, bids: i32, price: Decimal) -> Result<()>;
    async fn add_purchase(&mut self, buyer: i32, item: i32, copies: i32) -> Result<i32>;
    /// Takes copies from an item; with the last one its auction ends.
    async fn take(&mut self, item: &Item, copies: i32) -> Result<()>;
    async fn commit(self: Box<Self>) -> Result<()>;
}

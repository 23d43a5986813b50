//! The interactions, one file each: what they check, what they do, which page they return, and the statements with
//! which a stack does the same on a database.

mod browse;
mod browse_categories;
mod home;
mod put_bid;
mod put_bid_auth;
mod register;
mod register_user;
mod search_items_in_category;
mod store_bid;
mod view_item;

use crate::{fault::Fault, parameters::Form, store::Store};
use application::{Timestamp, TokenKey};
use askama::Template;

/// All that an interaction works with.
pub struct Visit<'a> {
    pub form: Form<'a>,
    pub store: &'a mut Store,
    pub key: &'a TokenKey,
    pub now: Timestamp,
}

/// How an interaction gets its page.
pub enum Answer {
    /// The same for everybody.
    Static(fn() -> String),
    /// Made for this visit.
    Dynamic(fn(&mut Visit<'_>) -> Result<String, Fault>),
}

/// The interaction with this name.
pub fn answer(name: &str) -> Option<Answer> {
    Some(match name {
        "Home" => Answer::Static(home::page),
        "Register" => Answer::Static(register::page),
        "RegisterUser" => Answer::Dynamic(register_user::answer),
        "Browse" => Answer::Static(browse::page),
        "BrowseCategories" => Answer::Dynamic(browse_categories::answer),
        "SearchItemsInCategory" => Answer::Dynamic(search_items_in_category::answer),
        "ViewItem" => Answer::Dynamic(view_item::answer),
        "PutBidAuth" => Answer::Dynamic(put_bid_auth::answer),
        "PutBid" => Answer::Dynamic(put_bid::answer),
        "StoreBid" => Answer::Dynamic(store_bid::answer),
        _ => return None,
    })
}

/// The text of a page.
pub fn render(page: &impl Template) -> String {
    page.render().expect("pages are written to memory, which can't fail")
}

//! The interactions, one file each: checks, effects, page, and the statements with which a stack does the same on a
//! database. `log_in` and `search` are common to several.

mod about_me;
mod about_me_auth;
mod browse;
mod browse_categories;
mod browse_categories_in_region;
mod browse_regions;
mod buy_now;
mod buy_now_auth;
mod home;
mod log_in;
mod put_bid;
mod put_bid_auth;
mod put_comment;
mod put_comment_auth;
mod register;
mod register_item;
mod register_user;
mod search;
mod search_items_in_category;
mod search_items_in_region;
mod select_category_to_sell_item;
mod sell;
mod sell_item_form;
mod store_bid;
mod store_buy_now;
mod store_comment;
mod view_bid_history;
mod view_item;
mod view_user_info;

use crate::{fault::Fault, store::Store};
use application::Form;
use application::{Timestamp, TokenKey};
use askama::Template;

/// The inputs of an interaction.
pub struct Visit<'a> {
    pub form: Form<'a>,
    pub store: &'a mut Store,
    pub key: &'a TokenKey,
    pub now: Timestamp,
}

/// The source of an interaction's page.
pub enum Answer {
    /// The same for everybody.
    Static(fn() -> String),
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
        "BrowseRegions" => Answer::Dynamic(browse_regions::answer),
        "BrowseCategoriesInRegion" => Answer::Dynamic(browse_categories_in_region::answer),
        "SearchItemsInRegion" => Answer::Dynamic(search_items_in_region::answer),
        "ViewItem" => Answer::Dynamic(view_item::answer),
        "ViewUserInfo" => Answer::Dynamic(view_user_info::answer),
        "ViewBidHistory" => Answer::Dynamic(view_bid_history::answer),
        "BuyNowAuth" => Answer::Dynamic(buy_now_auth::answer),
        "BuyNow" => Answer::Dynamic(buy_now::answer),
        "StoreBuyNow" => Answer::Dynamic(store_buy_now::answer),
        "PutBidAuth" => Answer::Dynamic(put_bid_auth::answer),
        "PutBid" => Answer::Dynamic(put_bid::answer),
        "StoreBid" => Answer::Dynamic(store_bid::answer),
        "PutCommentAuth" => Answer::Dynamic(put_comment_auth::answer),
        "PutComment" => Answer::Dynamic(put_comment::answer),
        "StoreComment" => Answer::Dynamic(store_comment::answer),
        "Sell" => Answer::Static(sell::page),
        "SelectCategoryToSellItem" => Answer::Dynamic(select_category_to_sell_item::answer),
        "SellItemForm" => Answer::Dynamic(sell_item_form::answer),
        "RegisterItem" => Answer::Dynamic(register_item::answer),
        "AboutMeAuth" => Answer::Static(about_me_auth::page),
        "AboutMe" => Answer::Dynamic(about_me::answer),
        _ => return None,
    })
}

/// The text of a page.
pub fn render(page: &impl Template) -> String {
    page.render().expect("pages are written to memory, which can't fail")
}

struct Link {
    href: String,
    text: String,
}

/// A heading and links below it.
#[derive(Template)]
#[template(path = "list.html")]
struct List<'a> {
    title: &'a str,
    links: Vec<Link>,
}

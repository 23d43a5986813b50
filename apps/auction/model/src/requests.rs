//! Requests of the script, the fuzz source and the contention.

use crate::population;
use application::Step;

/// Names and values of parameters.
pub type Fields<'a> = [(&'a str, &'a str)];

/// An id that no row has.
pub const NOBODY: i64 = 999_999_999;

const NEW_USER: &Fields<'static> = &[
    ("firstname", "Zoë"),
    ("lastname", "O'Brien & <Sons>"),
    ("nickname", "zoe"),
    ("email", "\"<i>Zoë</i>\"@example.org"),
    ("password", "secret"),
    ("region", "1"),
];

const NEW_ITEM: &Fields<'static> = &[
    ("token", ""),
    ("category", "1"),
    ("name", "<b>Cup</b> &amp; \"saucer\""),
    ("description", "A <fine> cup.\r\nNever used: 'tis new."),
    ("initialPrice", "10.00"),
    ("reservePrice", "0"),
    ("buyNow", "0"),
    ("quantity", "3"),
    ("duration", "7"),
];

pub fn get(page: &str, fields: &Fields<'_>) -> Step {
    Step::get(&format!("/auction/{page}"), fields)
}

pub fn post(page: &str, fields: &Fields<'_>) -> Step {
    Step::post(&format!("/auction/{page}"), fields)
}

/// A page about one row, with its id in this parameter.
pub fn about(page: &str, parameter: &str, id: i64) -> Step {
    get(page, &[(parameter, &id.to_string())])
}

pub fn search_category(category: i64, page: i64, size: i64) -> Step {
    let [category, page, size] = [category, page, size].map(|number| number.to_string());
    get("SearchItemsInCategory", &[("category", &category), ("page", &page), ("nbOfItems", &size)])
}

pub fn search_region(category: i64, region: i64, page: i64, size: i64) -> Step {
    let [category, region, page, size] = [category, region, page, size].map(|number| number.to_string());
    let fields = [("category", &*category), ("region", &region), ("page", &page), ("nbOfItems", &size)];
    get("SearchItemsInRegion", &fields)
}

/// The form to rate the seller of an item.
pub fn comment_form(item: i64, to: i64) -> Step {
    get("PutCommentAuth", &[("itemId", &item.to_string()), ("to", &to.to_string())])
}

/// A page behind a log-in, which takes these ids too.
pub fn log_in(page: &str, ids: &[(&str, i64)], user: i64) -> Step {
    let account = population::account(user.unsigned_abs());
    log_in_as(page, ids, &account.nickname, &account.password)
}

pub fn log_in_as(page: &str, ids: &[(&str, i64)], nickname: &str, password: &str) -> Step {
    let ids: Vec<(&str, String)> = ids.iter().map(|(name, id)| (*name, id.to_string())).collect();
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|(name, id)| (*name, id.as_str())).collect();
    fields.extend([("nickname", nickname), ("password", password)]);
    post(page, &fields)
}

/// A valid token of this user.
pub fn token(user: i64) -> String {
    format!("{{token:{user}}}")
}

pub fn bid(token: &str, item: i64, bid: &str, most: &str, qty: &str) -> Step {
    let item = item.to_string();
    let fields = [("itemId", &*item), ("token", token), ("bid", bid), ("maxBid", most), ("qty", qty)];
    post("StoreBid", &fields)
}

pub fn purchase(token: &str, item: i64, qty: &str) -> Step {
    post("StoreBuyNow", &[("itemId", &item.to_string()), ("token", token), ("qty", qty)])
}

pub fn comment(token: &str, item: i64, to: i64, rating: &str, comment: &str) -> Step {
    let (item, to) = (item.to_string(), to.to_string());
    let fields =
        [("itemId", &*item), ("to", &to), ("token", token), ("rating", rating), ("comment", comment)];
    post("StoreComment", &fields)
}

/// A new user with default values but for these changes.
pub fn new_user(changes: &Fields<'_>) -> Step {
    post("RegisterUser", &changed(NEW_USER, changes))
}

/// A new item with default values but for these changes.
pub fn new_item(token: &str, changes: &Fields<'_>) -> Step {
    post("RegisterItem", &changed(&changed(NEW_ITEM, &[("token", token)]), changes))
}

fn changed<'a>(fields: &Fields<'a>, changes: &Fields<'a>) -> Vec<(&'a str, &'a str)> {
    let changed = |(name, value): &(&'a str, &'a str)| {
        let change = changes.iter().find(|(changed, _)| changed == name);
        change.copied().unwrap_or((name, value))
    };
    fields.iter().map(changed).collect()
}

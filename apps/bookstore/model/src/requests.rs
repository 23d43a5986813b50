//! Requests of the script, the fuzz source and the contention.

use crate::population;
use application::Step;

/// Names and values of parameters.
pub type Fields<'a> = [(&'a str, &'a str)];

/// An id that no row has.
pub const NOBODY: i64 = 999_999_999;

/// A card that the bank accepts.
pub const CARD: &str = "4111111111111111";

const NEW_CUSTOMER: &Fields<'static> = &[
    ("SHOPPING_ID", ""),
    ("RETURNING_FLAG", "N"),
    ("NEW_UNAME", "zoe"),
    ("NEW_PASSWD", "secret"),
    ("FNAME", "Zoë"),
    ("LNAME", "O'Brien & <So>"),
    ("STREET_1", "7 <Rue> \"d'Or\""),
    ("STREET_2", ""),
    ("CITY", "Łódź & Co"),
    ("STATE", "'s-Gravenhage"),
    ("ZIP", "12345"),
    ("COUNTRY", "1"),
    ("PHONE", "+48 12345"),
    ("EMAIL", "\"<i>Zoë</i>\"@example.org"),
    ("BIRTHDATE", "1980-02-29"),
    ("DATA", "Maps & <dragons>.\r\nAnd 'tea'."),
];

const CONFIRMATION: &Fields<'static> = &[
    ("token", ""),
    ("SHOPPING_ID", ""),
    ("CC_TYPE", "VISA"),
    ("CC_NUMBER", CARD),
    ("CC_NAME", "Zoë O'Brien & <Sons>"),
    ("CC_EXPIRY", "2030-12"),
    ("SHIPPING", "AIR"),
    ("STREET_1", ""),
    ("STREET_2", ""),
    ("CITY", ""),
    ("STATE", ""),
    ("ZIP", ""),
    ("COUNTRY", "1"),
];

pub fn get(page: &str, fields: &Fields<'_>) -> Step {
    Step::get(&format!("/bookstore/{page}"), fields)
}

pub fn post(page: &str, fields: &Fields<'_>) -> Step {
    Step::post(&format!("/bookstore/{page}"), fields)
}

pub fn about(page: &str, item: i64) -> Step {
    get(page, &[("I_ID", &item.to_string())])
}

pub fn search(sort: &str, text: &str) -> Step {
    get("SearchResults", &[("SEARCH_TYPE", sort), ("SEARCH_STRING", text)])
}

/// A valid token of this customer.
pub fn token(customer: i64) -> String {
    format!("{{token:{customer}}}")
}

/// The sealed number of a cart.
pub fn sealed(cart: i64) -> String {
    format!("{{sealed:{cart}}}")
}

/// Adds a book to a cart, or to a new one.
pub fn add(cart: Option<i64>, item: i64) -> Step {
    cart_with(cart, &[("ADD_FLAG", "Y"), ("I_ID", &item.to_string())])
}

/// Changes quantities of books in a cart.
pub fn refresh(cart: i64, quantities: &[(i64, i64)]) -> Step {
    let lines = (1..).zip(quantities).flat_map(|(line, (item, quantity))| {
        [(format!("I_ID_{line}"), item.to_string()), (format!("QTY_{line}"), quantity.to_string())]
    });
    let lines: Vec<(String, String)> = lines.collect();
    let fields = lines.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    cart_with(Some(cart), &[("ADD_FLAG", "N")].into_iter().chain(fields).collect::<Vec<_>>())
}

/// A change of a cart, or of a new one.
pub fn cart_with(cart: Option<i64>, fields: &Fields<'_>) -> Step {
    let sealed = cart.map(sealed);
    let cart = sealed.as_deref().map(|sealed| ("SHOPPING_ID", sealed));
    post("ShoppingCart", &cart.into_iter().chain(fields.iter().copied()).collect::<Vec<_>>())
}

/// A customer logs in to order a cart.
pub fn log_in(cart: i64, customer: i64) -> Step {
    let account = population::account(customer.unsigned_abs());
    log_in_as(cart, &account.nickname, &account.password)
}

pub fn log_in_as(cart: i64, uname: &str, password: &str) -> Step {
    let fields =
        [("SHOPPING_ID", &*sealed(cart)), ("RETURNING_FLAG", "Y"), ("UNAME", uname), ("PASSWD", password)];
    post("BuyRequest", &fields)
}

pub fn last_order(customer: i64) -> Step {
    let account = population::account(customer.unsigned_abs());
    last_order_as(&account.nickname, &account.password)
}

pub fn last_order_as(uname: &str, password: &str) -> Step {
    post("OrderDisplay", &[("UNAME", uname), ("PASSWD", password)])
}

/// A new customer who wants to order a cart, with default values but for these changes.
pub fn register(cart: i64, changes: &Fields<'_>) -> Step {
    let sealed = sealed(cart);
    post("BuyRequest", &changed(&changed(NEW_CUSTOMER, &[("SHOPPING_ID", &sealed)]), changes))
}

/// An order with default values but for these changes.
pub fn confirm(customer: i64, cart: i64, changes: &Fields<'_>) -> Step {
    let (token, sealed) = (token(customer), sealed(cart));
    let whose = [("token", &*token), ("SHOPPING_ID", &sealed)];
    post("BuyConfirm", &changed(&changed(CONFIRMATION, &whose), changes))
}

/// A change of a book: its new price, and the book whose pictures it gets.
pub fn change(item: i64, cost: &str, pictures: i64) -> Step {
    let [image, thumbnail] =
        ["image", "thumb"].map(|kind| format!("images/{}/{kind}_{pictures}.png", pictures % 100));
    let item = item.to_string();
    let fields =
        [("I_ID", &*item), ("I_NEW_COST", cost), ("I_NEW_IMAGE", &image), ("I_NEW_THUMBNAIL", &thumbnail)];
    post("AdminConfirm", &fields)
}

fn changed<'a>(fields: &Fields<'a>, changes: &Fields<'a>) -> Vec<(&'a str, &'a str)> {
    let changed = |(name, value): &(&'a str, &'a str)| {
        let change = changes.iter().find(|(changed, _)| changed == name);
        change.copied().unwrap_or((name, value))
    };
    fields.iter().map(changed).collect()
}

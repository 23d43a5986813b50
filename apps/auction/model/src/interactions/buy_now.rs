//! BuyNow: logs a buyer in and shows the item with the form for the quantity.
//!
//! After the parameters: a wrong log-in is 403 (see the module `log_in`); an unknown item, or an old one, is 404; then
//! the rules of [`Item::check_at_once`] (409), in its order.
//!
//! ```sql
//! SELECT id, password FROM users WHERE nickname = ?
//! SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller,
//!     category, end_date >= NOW() AS open FROM items WHERE id = ?
//! SELECT nickname FROM users WHERE id = ?
//! ```

use super::{Visit, log_in::LogIn, render};
use crate::{fault::Fault, rows::Item};
use application::Money;
use askama::Template;

#[derive(Template)]
#[template(path = "buy_now.html")]
struct Page<'a> {
    item: &'a Item,
    at_once: Option<Money>,
    seller: &'a str,
    token: String,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let item = form.id("itemId")?;
    let user = LogIn::read(form)?.user(store)?;
    let item = store.item(item)?;
    let price = item.check_at_once(user.id, *now)?;
    Ok(render(&Page {
        item,
        at_once: Some(price),
        seller: store.nickname(item.seller),
        token: key.sign(user.id, *now),
    }))
}

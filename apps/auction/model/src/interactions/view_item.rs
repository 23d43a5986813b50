//! ViewItem: an item, open or closed, or an old one.
//!
//! After the parameters: an unknown item is 404. It is shown with its current price ([`Item::price`]), and with the price
//! to buy at once while that is offered ([`Item::at_once`]). Only an open one links to a bid, and to buying at once.
//!
//! ```sql
//! SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller,
//!     category, end_date >= NOW() AS open FROM items WHERE id = ?
//! -- if it isn't there, the same FROM old_items
//! SELECT nickname FROM users WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Item};
use application::Money;
use askama::Template;

#[derive(Template)]
#[template(path = "view_item.html")]
struct Page<'a> {
    item: &'a Item,
    at_once: Option<Money>,
    seller: &'a str,
    open: bool,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let item = store.item_or_old(form.id("itemId")?)?;
    Ok(render(&Page {
        item,
        at_once: item.at_once(*now),
        seller: store.nickname(item.seller),
        open: item.is_open(*now),
    }))
}

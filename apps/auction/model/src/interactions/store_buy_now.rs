//! StoreBuyNow: records a purchase and takes the copies from its item; with the last copy its auction is closed.
//!
//! `qty` is a whole number from 0 to 999999999. After the parameters: a token that is forged, altered or expired is
//! 403; an unknown item, or an old one, is 404; then the rules of [`Store::buy`](crate::store::Store::buy) (409), in
//! its order.
//!
//! Atomically (a transaction, or on MyISAM under `LOCK TABLES items WRITE, buy_now WRITE`):
//!
//! ```sql
//! SELECT initial_price, quantity, buy_now, max_bid, seller, end_date >= NOW() AS open FROM items WHERE id = ? FOR UPDATE
//! INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, NOW())
//! UPDATE items SET quantity = quantity - ? WHERE id = ?   -- while copies are left, else:
//! UPDATE items SET quantity = 0, end_date = NOW() - INTERVAL 1 SECOND WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Purchase, store::Order};
use application::Money;
use askama::Template;

#[derive(Template)]
#[template(path = "store_buy_now.html")]
struct Page<'a> {
    purchase: &'a Purchase,
    price: Money,
    seller: i64,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let item = form.id("itemId")?;
    let token = form.text("token")?;
    let qty = form.whole("qty", 0..=999_999_999)?;
    let user = key.verify(&token, *now).ok_or(Fault::WrongToken)?;
    let purchase = store.buy(&Order { user, item, qty }, *now)?.clone();
    let item = store.item(item)?;
    Ok(render(&Page { purchase: &purchase, price: item.buy_now, seller: item.seller }))
}

//! StoreBid: records a bid and raises the price of its item.
//!
//! `qty` is a whole number from 0 to 999999999. After the parameters: a token that is forged, altered or expired is
//! 403; an unknown item, or an old one, is 404; then the rules of [`Item::check_offer`](crate::rows::Item::check_offer)
//! (409), in its order. What is recorded then is said at [`Store::bid`](crate::store::Store::bid).
//!
//! Atomically (a transaction, or on MyISAM under `LOCK TABLES items WRITE, bids WRITE`):
//!
//! ```sql
//! SELECT initial_price, quantity, max_bid, seller, end_date >= NOW() AS open FROM items WHERE id = ? FOR UPDATE
//! SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1
//! INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, NOW())   -- and the answer's
//! UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Bid, store::Offer};
use application::Money;
use askama::Template;

#[derive(Template)]
#[template(path = "store_bid.html")]
struct Page<'a> {
    bid: &'a Bid,
    leads: bool,
    price: Money,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let item = form.id("itemId")?;
    let token = form.text("token")?;
    let bid = form.money("bid")?;
    let max_bid = form.money("maxBid")?;
    let qty = form.whole("qty", 0..=999_999_999)?;
    let user = key.verify(&token, *now).ok_or(Fault::WrongToken)?;
    let (bid, leads, price) = store.bid(&Offer { user, item, bid, max_bid, qty }, *now)?;
    Ok(render(&Page { bid, leads, price }))
}

//! ViewBidHistory: all bids on an item, the last on top. Bids on old items are not kept.
//!
//! After the parameters: an unknown item is 404.
//!
//! ```sql
//! SELECT name FROM items WHERE id = ?
//! SELECT name FROM old_items WHERE id = ?   -- if it isn't in items
//! SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
//!     WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Bid};
use askama::Template;

#[derive(Template)]
#[template(path = "view_bid_history.html")]
struct Page<'a> {
    item_id: i64,
    item: &'a str,
    bids: Vec<(&'a Bid, &'a str)>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let item_id = visit.form.id("itemId")?;
    let item = visit.store.item_or_old(item_id)?;
    Ok(render(&Page { item_id, item: &item.name, bids: visit.store.bids_on(item_id) }))
}

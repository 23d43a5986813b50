//! ViewItem: an item, open or closed.
//!
//! After the parameters: an unknown item is 404. Only an open one links to a bid.
//!
//! ```sql
//! SELECT name, description, initial_price, quantity, nb_of_bids, max_bid, start_date, end_date, seller, category,
//!     end_date >= NOW() AS open FROM items WHERE id = ?
//! SELECT nickname FROM users WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Item};
use askama::Template;

#[derive(Template)]
#[template(path = "view_item.html")]
struct Page<'a> {
    item: &'a Item,
    seller: &'a str,
    open: bool,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let item = store.item(form.id("itemId")?)?;
    Ok(render(&Page { item, seller: &store.user(item.seller).nickname, open: item.is_open(*now) }))
}

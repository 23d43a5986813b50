//! AdminConfirm: changes a book's price and pictures. It is published anew, and what goes with it is found out again.
//!
//! After the parameters: an unknown book is 404; then the price must be from 0.01 to the suggested one (409). It
//! acknowledges row 0, for it adds none. See [`Store::change_item`](crate::store::Store::change_item).
//!
//! ```sql
//! SELECT i_title, i_srp, i_related1, i_related2, i_related3, i_related4, i_related5 FROM item WHERE i_id = ?
//! SELECT MAX(o_id) - 10000 AS since FROM orders
//! SELECT ol_i_id FROM orders JOIN order_line ON ol_o_id = o_id
//!     WHERE o_id > ? AND ol_i_id <> ? AND o_c_id IN (
//!         SELECT o_c_id FROM order_line JOIN orders ON o_id = ol_o_id WHERE ol_i_id = ? AND o_id > ?)
//!     GROUP BY ol_i_id ORDER BY SUM(ol_qty) DESC, ol_i_id LIMIT 5
//! UPDATE item SET i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = NOW(), i_related1 = ?, i_related2 = ?,
//!     i_related3 = ?, i_related4 = ?, i_related5 = ? WHERE i_id = ?
//! ```

use super::state::Given;
use super::{State, Visit, render};
use crate::{fault::Fault, parameters::picture, pictures::Kind, rows::Item, store::Change};
use askama::Template;

#[derive(Template)]
#[template(path = "admin_confirm.html")]
struct Page<'a> {
    state: State,
    item: &'a Item,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now, .. } = visit;
    let given = Given::read(form)?;
    let item = form.id("I_ID")?;
    let cost = form.money("I_NEW_COST")?;
    let image = picture(form, "I_NEW_IMAGE", Kind::Image)?;
    let thumbnail = picture(form, "I_NEW_THUMBNAIL", Kind::Thumbnail)?;
    let state = given.open(key)?;
    store.change_item(Change { item, cost, image, thumbnail }, *now)?;
    Ok(render(&Page { state, item: store.item(item)? }))
}

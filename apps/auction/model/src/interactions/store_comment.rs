//! StoreComment: records a comment and adds its rating to that of the seller.
//!
//! After the parameters: a token that is forged, altered or expired is 403; then the rules of
//! [`Store::rateable`](crate::store::Store::rateable) (404, 409), in its order.
//!
//! ```sql
//! SELECT name, seller FROM items WHERE id = ?
//! SELECT name, seller FROM old_items WHERE id = ?   -- if it isn't in items
//! ```
//!
//! Then atomically (a transaction, or on MyISAM under `LOCK TABLES comments WRITE, users WRITE`):
//!
//! ```sql
//! INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment) VALUES (?, ?, ?, ?, NOW(), ?)
//! UPDATE users SET rating = rating + ? WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, parameters::rating, rows::Comment, store::Opinion};
use askama::Template;

#[derive(Template)]
#[template(path = "store_comment.html")]
struct Page<'a> {
    comment: &'a Comment,
    item: &'a str,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let (item, seller) = (form.id("itemId")?, form.id("to")?);
    let token = form.text("token")?;
    let rating = rating(form, "rating")?;
    let comment = form.text("comment")?;
    let author = key.verify(&token, *now).ok_or(Fault::WrongToken)?;
    let comment = store.rate(Opinion { author, seller, item, rating, comment }, *now)?.clone();
    Ok(render(&Page { comment: &comment, item: &store.item_or_old(item)?.name }))
}

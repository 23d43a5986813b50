//! PutComment: logs the author of a comment in and shows the form for it.
//!
//! After the parameters: a wrong log-in is 403 (see the module `log_in`); then the rules of
//! [`Store::rateable`](crate::store::Store::rateable) (404, 409), in its order.
//!
//! ```sql
//! SELECT id, password FROM users WHERE nickname = ?
//! SELECT name, seller FROM items WHERE id = ?
//! SELECT name, seller FROM old_items WHERE id = ?   -- if it isn't in items
//! SELECT nickname FROM users WHERE id = ?
//! ```

use super::{Visit, log_in::LogIn, render};
use crate::fault::Fault;
use askama::Template;

#[derive(Template)]
#[template(path = "put_comment.html")]
struct Page<'a> {
    item_id: i64,
    item: &'a str,
    to: i64,
    seller: &'a str,
    token: String,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let (item_id, to) = (form.id("itemId")?, form.id("to")?);
    let user = LogIn::read(form)?.user(store)?;
    let item = store.rateable(item_id, to, user.id)?;
    let token = key.sign(user.id, *now);
    Ok(render(&Page { item_id, item: &item.name, to, seller: store.nickname(to), token }))
}

//! PutBid: logs a bidder in and shows the item with the form for the bid.
//!
//! After the parameters: an unknown nickname or another password is 403; an unknown item is 404; a closed auction is
//! refused (409). The page carries the token of the user, signed with the web server's time; the lowest bid it offers
//! is the highest so far plus 0.01, or else the first price.
//!
//! ```sql
//! SELECT id, password FROM users WHERE nickname = ?
//! SELECT name, description, initial_price, quantity, nb_of_bids, max_bid, start_date, end_date, seller,
//!     end_date >= NOW() AS open FROM items WHERE id = ?
//! SELECT nickname FROM users WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Item};
use application::password_hash;
use askama::Template;

#[derive(Template)]
#[template(path = "put_bid.html")]
struct Page<'a> {
    item: &'a Item,
    seller: &'a str,
    token: String,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let item_id = form.id("itemId")?;
    let nickname = form.nickname("nickname")?;
    let password = form.text("password")?;
    let user =
        store.user_named(&nickname).filter(|user| user.password == password_hash(&nickname, &password));
    let user = user.ok_or(Fault::WrongLogIn)?;
    let item = store.item(item_id)?;
    if !item.is_open(*now) {
        return Err(Fault::Closed { item: item_id });
    }
    let token = key.sign(user.id, *now);
    Ok(render(&Page { item, seller: &store.user(item.seller).nickname, token }))
}

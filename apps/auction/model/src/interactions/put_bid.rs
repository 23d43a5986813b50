//! PutBid: logs a bidder in and shows the item with the form for the bid.
//!
//! After the parameters: a wrong log-in is 403 (see the module `log_in`); an unknown item, or an old one, is 404; then
//! the rules of [`Item::check_market`] hold (409). The item is shown as in the module `view_item`; the lowest bid that the
//! form offers is [`Item::least_bid`].
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
#[template(path = "put_bid.html")]
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
    item.check_market(user.id, *now)?;
    Ok(render(&Page {
        item,
        at_once: item.at_once(*now),
        seller: store.nickname(item.seller),
        token: key.sign(user.id, *now),
    }))
}

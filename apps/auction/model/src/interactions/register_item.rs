//! RegisterItem: adds an item, whose auction begins at once, and takes the fee from the seller.
//!
//! `quantity` is a whole number from 1 to 10, `duration` one of days from 1 to 7. After the parameters: a token that is
//! forged, altered or expired is 403; an unknown category is 404; then the prices must make sense (409): the first one
//! is at least 0.01; the reserve price is 0 or at least the first price; the price to buy at once is 0 or at least
//! both.
//!
//! ```sql
//! SELECT name FROM categories WHERE id = ?
//! ```
//!
//! Then atomically (a transaction, or on MyISAM under `LOCK TABLES items WRITE, users WRITE`):
//!
//! ```sql
//! INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, start_date,
//!     end_date, seller, category) VALUES (?, ?, ?, ?, ?, ?, 0, NOW(), NOW() + INTERVAL ? DAY, ?, ?)
//! UPDATE users SET balance = balance - 1.00 WHERE id = ?
//! ```
//!
//! And after it:
//!
//! ```sql
//! SELECT start_date, end_date FROM items WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, fee::FEE, rows::Item, store::NewItem};
use application::{Form, Money};
use askama::Template;

#[derive(Template)]
#[template(path = "register_item.html")]
struct Page<'a> {
    item: &'a Item,
    category: &'a str,
    fee: Money,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let token = form.text("token")?;
    let new = read(form)?;
    let seller = key.verify(&token, *now).ok_or(Fault::WrongToken)?;
    let category = store.category(new.category)?.name.clone();
    let item = store.sell(NewItem { seller, ..new }, *now)?;
    Ok(render(&Page { item, category: &category, fee: FEE }))
}

/// The new item without its seller.
fn read(form: &Form<'_>) -> Result<NewItem, Fault> {
    Ok(NewItem {
        category: form.id("category")?,
        name: form.text("name")?,
        description: form.text("description")?,
        initial_price: form.money("initialPrice")?,
        reserve_price: form.money("reservePrice")?,
        buy_now: form.money("buyNow")?,
        quantity: form.whole("quantity", 1..=10)?,
        duration: form.whole("duration", 1..=7)?,
        seller: 0,
    })
}

//! SellItemForm: the form for a new item.
//!
//! After the parameters: a token that is forged, altered or expired is 403; an unknown category is 404. The page
//! carries the same token on.
//!
//! ```sql
//! SELECT name FROM categories WHERE id = ?
//! ```

use super::{Visit, render};
use crate::{fault::Fault, fee::FEE, rows::Category};
use application::Money;
use askama::Template;

#[derive(Template)]
#[template(path = "sell_item_form.html")]
struct Page<'a> {
    category: &'a Category,
    token: String,
    fee: Money,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let token = form.text("token")?;
    let category = form.id("category")?;
    key.verify(&token, *now).ok_or(Fault::WrongToken)?;
    Ok(render(&Page { category: store.category(category)?, token, fee: FEE }))
}

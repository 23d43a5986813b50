//! SelectCategoryToSellItem: logs a seller in and shows all categories, by id, to choose from.
//!
//! After the parameters: a wrong log-in is 403 (see the module `log_in`).
//!
//! ```sql
//! SELECT id, password FROM users WHERE nickname = ?
//! SELECT id, name FROM categories ORDER BY id
//! ```

use super::{Visit, log_in::LogIn, render};
use crate::{fault::Fault, rows::Category};
use askama::Template;

#[derive(Template)]
#[template(path = "select_category_to_sell_item.html")]
struct Page<'a> {
    categories: &'a [Category],
    token: String,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now } = visit;
    let user = LogIn::read(form)?.user(store)?;
    Ok(render(&Page { categories: &store.categories, token: key.sign(user.id, *now) }))
}

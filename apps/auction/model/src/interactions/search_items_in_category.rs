//! SearchItemsInCategory: a page of the open items of a category.
//!
//! Pages are counted from 0 to 999999 and have 1 to 100 items. After the parameters: an unknown category is 404. A
//! page that is full links to the next one; so the last page may lead to an empty one, but nothing is counted.
//!
//! ```sql
//! SELECT name FROM categories WHERE id = ?
//! SELECT id, name, initial_price, max_bid, nb_of_bids, end_date FROM items
//!     WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ?, ?   -- page * nbOfItems, nbOfItems
//! ```

use super::{Visit, render};
use crate::{
    fault::Fault,
    rows::{Category, Item},
};
use askama::Template;

#[derive(Template)]
#[template(path = "search_items_in_category.html")]
struct Page<'a> {
    category: &'a Category,
    items: Vec<&'a Item>,
    previous: Option<i64>,
    next: Option<i64>,
    /// How many items a page has.
    size: i64,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let id = form.id("category")?;
    let page = form.whole("page", 0..=999_999)?;
    let size = form.whole("nbOfItems", 1..=100)?;
    let category = store.category(id)?;
    let items = store.open_items(id, *now, (page * size) as usize, size as usize);
    let full = items.len() as i64 == size;
    let page = Page {
        category,
        items,
        previous: (page > 0).then(|| page - 1),
        next: full.then_some(page + 1),
        size,
    };
    Ok(render(&page))
}

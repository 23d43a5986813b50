//! SearchItemsInCategory: a page of the open items of a category.
//!
//! After the parameters: an unknown category is 404. Results are shown as the module `search` says.
//!
//! ```sql
//! SELECT name FROM categories WHERE id = ?
//! SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
//!     WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ?, ?   -- page * nbOfItems, nbOfItems
//! ```

use super::{Link, Visit, search::Part};
use crate::fault::Fault;

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let id = form.id("category")?;
    let part = Part::read(form)?;
    let category = store.category(id)?;
    let address = format!("/auction/SearchItemsInCategory?category={id}");
    let up = Link { href: "/auction/BrowseCategories".to_owned(), text: "All categories".to_owned() };
    Ok(part.show(&category.name, store.open_items(id, *now), &address, up, *now))
}

//! SearchItemsInRegion: a page of the open items of a category whose sellers live in a region.
//!
//! After the parameters: an unknown category is 404, and then an unknown region is. Results are shown as the module
//! `search` says.
//!
//! ```sql
//! SELECT name FROM categories WHERE id = ?
//! SELECT name FROM regions WHERE id = ?
//! SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
//!     FROM items i JOIN users u ON u.id = i.seller
//!     WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW()
//!     ORDER BY i.end_date, i.id LIMIT ?, ?   -- page * nbOfItems, nbOfItems
//! ```

use super::{Link, Visit, search::Part};
use crate::fault::Fault;

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let (category_id, region_id) = (form.id("category")?, form.id("region")?);
    let part = Part::read(form)?;
    let (category, region) = (&store.category(category_id)?.name, &store.region(region_id)?.name);
    let here = |seller: i64| store.known_user(seller).region == region_id;
    let found = store.open_items(category_id, *now).filter(|item| here(item.seller));
    let address = format!("/auction/SearchItemsInRegion?category={category_id}&region={region_id}");
    let up = Link {
        href: format!("/auction/BrowseCategoriesInRegion?region={region_id}"),
        text: format!("All categories in {region}"),
    };
    Ok(part.show(&format!("{category} in {region}"), found, &address, up, *now))
}

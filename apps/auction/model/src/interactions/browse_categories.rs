//! BrowseCategories: all categories, by id.
//!
//! ```sql
//! SELECT id, name FROM categories ORDER BY id
//! ```

use super::{Link, List, Visit, render};
use crate::{fault::Fault, rows::Category};

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let link = |category: &Category| Link {
        href: format!("/auction/SearchItemsInCategory?category={}&page=0&nbOfItems=20", category.id),
        text: category.name.clone(),
    };
    Ok(render(&List { title: "Categories", links: visit.store.categories.iter().map(link).collect() }))
}

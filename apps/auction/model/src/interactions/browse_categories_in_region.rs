//! BrowseCategoriesInRegion: all categories, by id, to look for items in a region.
//!
//! After the parameters: an unknown region is 404.
//!
//! ```sql
//! SELECT name FROM regions WHERE id = ?
//! SELECT id, name FROM categories ORDER BY id
//! ```

use super::{Link, List, Visit, render};
use crate::{fault::Fault, rows::Category};

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let id = visit.form.id("region")?;
    let region = visit.store.region(id)?;
    let link = |category: &Category| Link {
        href: format!(
            "/auction/SearchItemsInRegion?category={}&region={id}&page=0&nbOfItems=20",
            category.id
        ),
        text: category.name.clone(),
    };
    let title = format!("Categories in {}", region.name);
    Ok(render(&List { title: &title, links: visit.store.categories.iter().map(link).collect() }))
}

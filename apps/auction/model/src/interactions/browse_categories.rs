//! BrowseCategories: all categories, by id.
//!
//! ```sql
//! SELECT id, name FROM categories ORDER BY id
//! ```

use super::{Visit, render};
use crate::{fault::Fault, rows::Category};
use askama::Template;

#[derive(Template)]
#[template(path = "browse_categories.html")]
struct Page<'a> {
    categories: &'a [Category],
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    Ok(render(&Page { categories: &visit.store.categories }))
}

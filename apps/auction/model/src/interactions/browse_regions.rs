//! BrowseRegions: all regions, by id.
//!
//! ```sql
//! SELECT id, name FROM regions ORDER BY id
//! ```

use super::{Link, List, Visit, render};
use crate::{fault::Fault, rows::Region};

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let link = |region: &Region| Link {
        href: format!("/auction/BrowseCategoriesInRegion?region={}", region.id),
        text: region.name.clone(),
    };
    Ok(render(&List { title: "Regions", links: visit.store.regions.iter().map(link).collect() }))
}

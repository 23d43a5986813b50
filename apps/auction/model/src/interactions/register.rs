//! Register: the form for a new user. A static page, because the regions never change.

use super::render;
use crate::{population, rows::Region};
use askama::Template;

#[derive(Template)]
#[template(path = "register.html")]
struct Page {
    regions: Vec<Region>,
}

pub fn page() -> String {
    render(&Page { regions: population::regions().collect() })
}

//! Browse: the ways to look for items. A static page.

use super::render;
use askama::Template;

#[derive(Template)]
#[template(path = "browse.html")]
struct Page;

pub fn page() -> String {
    render(&Page)
}

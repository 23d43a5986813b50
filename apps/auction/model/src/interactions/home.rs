//! Home: the first page of every session. A static page.

use super::render;
use askama::Template;

#[derive(Template)]
#[template(path = "home.html")]
struct Page;

pub fn page() -> String {
    render(&Page)
}

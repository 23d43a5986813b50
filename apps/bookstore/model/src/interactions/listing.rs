//! A list of books with their authors, below the promoted ones.

use super::{State, day, render};
use crate::{rows::Item, store::Found};
use askama::Template;

#[derive(Template)]
#[template(path = "listing.html")]
struct Page<'a> {
    state: State,
    title: &'a str,
    caption: &'a str,
    /// Heading of the last column.
    figure: &'a str,
    rows: Vec<(Found<'a>, String)>,
    promoted: Vec<&'a Item>,
}

/// The page. Each book comes with its figure.
pub fn page<'a>(
    state: State,
    title: &str,
    [caption, figure]: [&str; 2],
    rows: impl Iterator<Item = (Found<'a>, String)>,
    promoted: Vec<&'a Item>,
) -> String {
    render(&Page { state, title, caption, figure, rows: rows.collect(), promoted })
}

/// A book with the day of its publication.
pub fn published(found: Found<'_>) -> (Found<'_>, String) {
    (found, day(found.0.i_pub_date))
}

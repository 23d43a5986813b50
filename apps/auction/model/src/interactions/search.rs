//! A page of the results of a search. Pages are counted from 0 to 999999 and have 1 to 100 items. A page that is full
//! links to the next one; so the last page may lead to an empty one, but nothing is counted. An item has its current price
//! ([`Item::price`]), and the price to buy at once while that is offered ([`Item::at_once`]).

use super::{Link, render};
use crate::{fault::Fault, rows::Item};
use application::Form;
use application::Timestamp;
use askama::Template;

#[derive(Template)]
#[template(path = "search.html")]
struct Page<'a> {
    title: &'a str,
    items: Vec<&'a Item>,
    previous: Option<String>,
    next: Option<String>,
    up: Link,
    now: Timestamp,
}

/// A part of the results.
pub struct Part {
    page: i64,
    size: i64,
}

impl Part {
    pub fn read(form: &Form<'_>) -> Result<Self, Fault> {
        Ok(Self { page: form.whole("page", 0..=999_999)?, size: form.whole("nbOfItems", 1..=100)? })
    }

    /// The page with this part of the results; `address` is that of the search, without the part.
    pub fn show<'a>(
        &self,
        title: &str,
        found: impl Iterator<Item = &'a Item>,
        address: &str,
        up: Link,
        now: Timestamp,
    ) -> String {
        let skip = (self.page * self.size) as usize;
        let items: Vec<_> = found.skip(skip).take(self.size as usize).collect();
        let full = items.len() as i64 == self.size;
        let href = |page: i64| format!("{address}&page={page}&nbOfItems={}", self.size);
        let previous = (self.page > 0).then(|| href(self.page - 1));
        let next = full.then(|| href(self.page + 1));
        render(&Page { title, items, previous, next, up, now })
    }
}

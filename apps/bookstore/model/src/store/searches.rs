//! Lists of books: by author, title or subject, new ones, best sellers, and promoted ones.

use super::Store;
use crate::rows::{Author, Item};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The longest list of books.
pub const LISTED: usize = 50;

/// The last orders that decide the best sellers.
pub const SELLING_ORDERS: i64 = 3_333;

pub enum Search {
    /// The beginning of an author's last name.
    Author(String),
    /// The beginning of a title.
    Title(String),
    Subject(String),
}

/// A book in a list, with its author.
pub type Found<'a> = (&'a Item, &'a Author);

impl Store {
    /// The found books, by title.
    pub fn search(&self, search: &Search) -> Vec<Found<'_>> {
        let matches = |(item, author): &Found<'_>| match search {
            Search::Author(begin) => author.a_lname.starts_with(begin),
            Search::Title(begin) => item.i_title.starts_with(begin),
            Search::Subject(subject) => item.i_subject == *subject,
        };
        let mut found: Vec<_> = self.with_authors().filter(matches).collect();
        found.sort_by_key(|(item, _)| (&item.i_title, item.i_id));
        found.truncate(LISTED);
        found
    }

    /// The books on a subject that were published last, those on one day by title.
    pub fn new_products(&self, subject: &str) -> Vec<Found<'_>> {
        let mut found: Vec<_> = self.on(subject);
        found.sort_by_key(|(item, _)| (Reverse(item.i_pub_date), &item.i_title, item.i_id));
        found.truncate(LISTED);
        found
    }

    /// The books on a subject of which most copies were sold in the last [`SELLING_ORDERS`] orders, with their numbers.
    pub fn best_sellers(&self, subject: &str) -> Vec<(&Item, &Author, i64)> {
        let since = self.orders.len() as i64 - SELLING_ORDERS;
        let mut sold: HashMap<i64, i64> = HashMap::new();
        for line in self.order_lines.iter().rev().take_while(|line| line.ol_o_id > since) {
            *sold.entry(line.ol_i_id).or_default() += line.ol_qty;
        }
        let found = self.on(subject).into_iter();
        let mut found: Vec<_> = found
            .filter_map(|(item, author)| sold.get(&item.i_id).map(|copies| (item, author, *copies)))
            .collect();
        found.sort_by_key(|(item, _, copies)| (Reverse(*copies), item.i_id));
        found.truncate(LISTED);
        found
    }

    /// Five promoted books for this number: those related to one that it chooses, by id.
    pub fn promoted(&self, number: i64) -> Vec<&Item> {
        self.related(self.known_item(scattered_item(number, self.items.len() as i64)))
    }

    /// The books related to one, by id.
    pub fn related(&self, item: &Item) -> Vec<&Item> {
        let mut ids = item.related();
        ids.sort_unstable();
        ids.map(|id| self.known_item(id)).into()
    }

    fn on(&self, subject: &str) -> Vec<Found<'_>> {
        self.with_authors().filter(|(item, _)| item.i_subject == subject).collect()
    }

    fn with_authors(&self) -> impl Iterator<Item = Found<'_>> {
        self.items.iter().map(|item| (item, self.author(item)))
    }
}

/// The item of `items` that a number chooses: `number * 48271 mod items + 1`.
pub fn scattered_item(number: i64, items: i64) -> i64 {
    number * 48_271 % items + 1
}

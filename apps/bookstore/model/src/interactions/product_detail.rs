//! ProductDetail: a book, and the books that go with it.
//!
//! After the parameters: an unknown book is 404.
//!
//! ```sql
//! SELECT i.*, a_fname, a_mname, a_lname, a_bio FROM item i JOIN author ON a_id = i_a_id WHERE i_id = ?
//! SELECT i_id, i_title, i_thumbnail FROM item WHERE i_id IN (?, ?, ?, ?, ?) ORDER BY i_id   -- those that go with it
//! ```

use super::state::Given;
use super::{State, Visit, day, render};
use crate::{fault::Fault, rows::Author, rows::Item};
use askama::Template;

#[derive(Template)]
#[template(path = "product_detail.html")]
struct Page<'a> {
    state: State,
    item: &'a Item,
    author: &'a Author,
    published: String,
    available: String,
    related: Vec<&'a Item>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let given = Given::read(form)?;
    let item = form.id("I_ID")?;
    let state = given.open(key)?;
    let item = store.item(item)?;
    Ok(render(&Page {
        state,
        item,
        author: store.author(item),
        published: day(item.i_pub_date),
        available: day(item.i_avail),
        related: store.related(item),
    }))
}

//! AdminRequest: a book with the form to change its price and its pictures, which are those of one of the books that go with
//! it, if not its own. As in the specification, nobody has to log in.
//!
//! After the parameters: an unknown book is 404.
//!
//! ```sql
//! SELECT i_id, i_title, i_cost, i_srp, i_image, i_thumbnail, i_related1, i_related2, i_related3, i_related4, i_related5,
//!     a_fname, a_lname FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?
//! SELECT i_id, i_title, i_image, i_thumbnail FROM item WHERE i_id IN (?, ?, ?, ?, ?) ORDER BY i_id
//! ```

use super::state::Given;
use super::{State, Visit, render};
use crate::{fault::Fault, rows::Author, rows::Item};
use askama::Template;

#[derive(Template)]
#[template(path = "admin_request.html")]
struct Page<'a> {
    state: State,
    item: &'a Item,
    author: &'a Author,
    related: Vec<&'a Item>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let given = Given::read(form)?;
    let item = form.id("I_ID")?;
    let state = given.open(key)?;
    let item = store.item(item)?;
    Ok(render(&Page { state, item, author: store.author(item), related: store.related(item) }))
}

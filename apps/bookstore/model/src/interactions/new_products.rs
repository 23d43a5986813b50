//! NewProducts: the 50 books on a subject that were published last, those of one day by title, then by number.
//!
//! ```sql
//! SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id
//!     WHERE i_subject = ? ORDER BY i_pub_date DESC, i_title, i_id LIMIT 50
//! ```
//!
//! It promotes books.

use super::state::Given;
use super::{Visit, listing, promote};
use crate::fault::Fault;

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let given = Given::read(form)?;
    let subject = form.choice("SUBJECT")?;
    let state = given.open(key)?;
    let (rows, promoted) = (store.new_products(subject), promote(store, &state));
    let rows = rows.into_iter().map(listing::published);
    let words = ["The books that were published last", "Published"];
    Ok(listing::page(state, &format!("New books: {subject}"), words, rows, promoted))
}

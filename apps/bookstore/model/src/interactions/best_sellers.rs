//! BestSellers: the 50 books on a subject of which most copies were sold in the last 3,333 orders, equal ones by number.
//!
//! ```sql
//! SELECT i_id, i_title, a_fname, a_lname, CAST(SUM(ol_qty) AS INTEGER) AS sold
//!     FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id
//!     WHERE ol_o_id > (SELECT MAX(o_id) - 3333 FROM orders) AND i_subject = ?
//!     GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC, i_id LIMIT 50
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
    let (rows, promoted) = (store.best_sellers(subject), promote(store, &state));
    let rows = rows.into_iter().map(|(item, author, copies)| ((item, author), copies.to_string()));
    let words = ["The books that sold best lately", "Copies sold"];
    Ok(listing::page(state, &format!("Best sellers: {subject}"), words, rows, promoted))
}

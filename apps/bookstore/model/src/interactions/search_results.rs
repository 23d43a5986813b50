//! SearchResults: the first 50 books, by title and then by number, whose authors' last names or whose titles begin so, upper
//! and lower case told apart, or that are on this subject.
//!
//! In the pattern, which ends with `%`, a backslash stands before each `%`, `_` and backslash of what was searched for.
//!
//! ```sql
//! SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM author JOIN item ON i_a_id = a_id
//!     WHERE a_lname LIKE ? ORDER BY i_title, i_id LIMIT 50     -- SEARCH_TYPE author
//! SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id
//!     WHERE i_title LIKE ? ORDER BY i_title, i_id LIMIT 50     -- SEARCH_TYPE title
//! SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id
//!     WHERE i_subject = ? ORDER BY i_title, i_id LIMIT 50      -- SEARCH_TYPE subject
//! ```
//!
//! It promotes books.

use super::state::Given;
use super::{Visit, listing, promote};
use crate::{fault::Fault, store::Search};

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let given = Given::read(form)?;
    let sort = form.choice("SEARCH_TYPE")?;
    let text = form.text("SEARCH_STRING")?;
    let state = given.open(key)?;
    let title = format!("Books by {sort}: {text}");
    let search = match sort {
        "author" => Search::Author(text),
        "title" => Search::Title(text),
        _ => Search::Subject(text),
    };
    let (rows, promoted) = (store.search(&search), promote(store, &state));
    let rows = rows.into_iter().map(listing::published);
    Ok(listing::page(state, &title, ["What was found, by title", "Published"], rows, promoted))
}

//! SearchRequest: the forms to look for books by their authors, titles and subjects.
//!
//! It promotes books, and sends nothing else.

use super::state::Given;
use super::{State, Visit, promote, render};
use crate::{fault::Fault, population::subjects, rows::Item};
use askama::Template;

#[derive(Template)]
#[template(path = "search_request.html")]
struct Page<'a> {
    state: State,
    promoted: Vec<&'a Item>,
    subjects: &'static [String],
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let state = Given::read(form)?.open(key)?;
    let promoted = promote(store, &state);
    Ok(render(&Page { state, promoted, subjects: subjects() }))
}

//! Home: where every session starts. Greets a customer by name, and leads to the new books and the best sellers of each
//! subject.
//!
//! After the parameters: an unknown customer is 404.
//!
//! ```sql
//! SELECT c_fname, c_lname FROM customer WHERE c_id = ?   -- if there is a C_ID
//! ```
//!
//! It promotes books.

use super::state::Given;
use super::{State, Visit, promote, render};
use crate::{fault::Fault, population::subjects, rows::Customer, rows::Item};
use askama::Template;

#[derive(Template)]
#[template(path = "home.html")]
struct Page<'a> {
    state: State,
    customer: Option<&'a Customer>,
    promoted: Vec<&'a Item>,
    subjects: &'static [String],
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let state = Given::read(form)?.open(key)?;
    let customer = state.customer.map(|id| store.customer(id)).transpose()?;
    let promoted = promote(store, &state);
    Ok(render(&Page { state, customer, promoted, subjects: subjects() }))
}

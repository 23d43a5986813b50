//! OrderInquiry: the form to log in and see one's last order. It sends no statement.

use super::state::Given;
use super::{State, Visit, render};
use crate::fault::Fault;
use askama::Template;

#[derive(Template)]
#[template(path = "order_inquiry.html")]
struct Page {
    state: State,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let state = Given::read(&visit.form)?.open(visit.key)?;
    Ok(render(&Page { state }))
}

//! PutCommentAuth: the form with which the author of a comment logs in.
//!
//! As in RUBiS it sends no statement, so an item or a user that doesn't exist shows only in PutComment.

use super::{Visit, log_in::LogInPage, render};
use crate::fault::Fault;

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let (item, to) = (visit.form.id("itemId")?, visit.form.id("to")?);
    let (title, action) = ("Log in to rate the seller", "/auction/PutComment");
    Ok(render(&LogInPage { title, action, hidden: vec![("itemId", item), ("to", to)], item_id: Some(item) }))
}

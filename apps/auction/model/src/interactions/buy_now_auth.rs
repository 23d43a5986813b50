//! BuyNowAuth: the form with which a buyer logs in.
//!
//! As in RUBiS it sends no statement, so an item that doesn't exist shows only in BuyNow.

use super::{Visit, log_in::LogInPage, render};
use crate::fault::Fault;

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let item = visit.form.id("itemId")?;
    let (title, action) = ("Log in to buy now", "/auction/BuyNow");
    Ok(render(&LogInPage { title, action, hidden: vec![("itemId", item)], item_id: Some(item) }))
}

//! PutBidAuth: the form with which a bidder logs in.
//!
//! As in RUBiS it sends no statement, so an item that doesn't exist shows only in PutBid.

use super::{Visit, render};
use crate::fault::Fault;
use askama::Template;

#[derive(Template)]
#[template(path = "put_bid_auth.html")]
struct Page {
    item_id: i64,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    Ok(render(&Page { item_id: visit.form.id("itemId")? }))
}

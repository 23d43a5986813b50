//! OrderDisplay: logs a customer in and shows their last order.
//!
//! After the parameters: a wrong log-in is 403 (see the module `log_in`).
//!
//! ```sql
//! SELECT o_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id, o_ship_addr_id, o_status,
//!     cx_type, cx_num, cx_name, cx_auth_id
//!     FROM orders JOIN cc_xacts ON cx_o_id = o_id WHERE o_c_id = ? ORDER BY o_id DESC LIMIT 1
//! -- if there is one, also, the first for both addresses
//! SELECT addr_street1, addr_street2, addr_city, addr_state, addr_zip, co_name
//!     FROM address JOIN country ON co_id = addr_co_id WHERE addr_id = ?
//! SELECT ol_i_id, i_title, ol_qty, ol_discount, ol_price, ol_comments
//!     FROM order_line JOIN item ON i_id = ol_i_id WHERE ol_o_id = ? ORDER BY ol_id
//! ```

use super::log_in::LogIn;
use super::state::Given;
use super::{State, Visit, render};
use crate::{
    fault::Fault,
    rows::{Address, Item, Order, OrderLine, Payment},
};
use application::Money;
use askama::Template;

#[derive(Template)]
#[template(path = "order_display.html")]
struct Page<'a> {
    state: State,
    order: Option<Shown<'a>>,
}

struct Shown<'a> {
    order: &'a Order,
    payment: &'a Payment,
    shipping: Money,
    /// Billing and shipping address.
    addresses: [(&'static str, (&'a Address, &'a str)); 2],
    lines: Vec<(&'a OrderLine, &'a Item)>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let given = Given::read(form)?;
    let log_in = LogIn::read(form)?;
    let mut state = given.open(key)?;
    let customer = log_in.customer(store)?.c_id;
    state.customer = Some(customer);
    let order = store.last_order(customer).map(|order| Shown {
        order,
        payment: store.payment(order.o_id),
        shipping: Money(order.o_total.0 - order.o_tax.0 - order.o_sub_total.0),
        addresses: [
            ("Billed to", store.address(order.o_bill_addr_id)),
            ("Sent to", store.address(order.o_ship_addr_id)),
        ],
        lines: store.lines_of_order(order.o_id).map(|line| (line, store.known_item(line.ol_i_id))).collect(),
    });
    Ok(render(&Page { state, order }))
}

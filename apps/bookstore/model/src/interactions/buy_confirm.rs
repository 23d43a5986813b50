//! BuyConfirm: orders a cart.
//!
//! An address to which the order is sent is given if `STREET_1` is there; all of it but `STREET_2` is needed then, and else
//! none of it is looked at. After the parameters: a token that is forged, altered or expired is 403, and so is such a cart;
//! the country of the address must be one (400); an unknown customer is 404; then the rules of
//! [`Store::checkout`](crate::store::Store::checkout) (404, 409).
//!
//! ```sql
//! SELECT c_discount, c_addr_id, addr_co_id FROM customer JOIN address ON addr_id = c_addr_id WHERE c_id = ?
//! SELECT sc_o_id FROM shopping_cart WHERE sc_id = ?
//! SELECT scl_id, scl_i_id, scl_qty, i_title, i_cost
//!     FROM shopping_cart_line JOIN item ON i_id = scl_i_id WHERE scl_sc_id = ? ORDER BY scl_id
//! ```
//!
//! Then, before anything is locked, the bank is asked for the total: see [`crate::payment`]. The number of the cart is the
//! reference, so that who confirms twice pays once. What it declines is 409, what it doesn't answer within three seconds 504.
//!
//! Atomically (a transaction, or on MyISAM under `LOCK TABLES shopping_cart WRITE, shopping_cart_line WRITE, orders WRITE,
//! order_line WRITE, cc_xacts WRITE, item WRITE`, and `address WRITE` where one is given):
//!
//! ```sql
//! SELECT sc_o_id FROM shopping_cart WHERE sc_id = ? FOR UPDATE   -- ordered meanwhile: 409
//! SELECT scl_id, scl_i_id, scl_qty FROM shopping_cart_line WHERE scl_sc_id = ? ORDER BY scl_id   -- changed: 409
//! INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id,
//!     o_ship_addr_id, o_status) VALUES (?, NOW(), ?, ?, ?, ?, NOW() + INTERVAL '1' DAY, ?, ?, 'PENDING')
//! INSERT INTO order_line (ol_o_id, ol_i_id, ol_qty, ol_discount, ol_price, ol_comments)
//!     VALUES (?, ?, ?, ?, ?, ?)   -- each line of the cart
//! INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expire, cx_auth_id, cx_xact_amt, cx_xact_date, cx_co_id)
//!     VALUES (?, ?, ?, ?, ?, ?, ?, NOW(), ?)
//! DELETE FROM shopping_cart_line WHERE scl_id = ?   -- each line
//! UPDATE shopping_cart SET sc_time = NOW(), sc_o_id = ? WHERE sc_id = ?
//! SELECT i_stock FROM item WHERE i_id = ? FOR UPDATE   -- each line, those of the smallest ids first
//! UPDATE item SET i_stock = ? WHERE i_id = ?
//! ```
//!
//! with what the module `address` says where one is given, before the order. Items come last because many want them, and in
//! the order of their ids, so that no two orders wait for each other.

use super::{State, Visit, address, render, state};
use crate::{
    fault::Fault,
    parameters::{card_number, expiry},
    rows::{Order, Payment},
    store::Confirmation,
};
use application::{Form, Money};
use askama::Template;

#[derive(Template)]
#[template(path = "buy_confirm.html")]
struct Page<'a> {
    state: State,
    order: &'a Order,
    payment: &'a Payment,
    shipping: Money,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, asked, now } = visit;
    let token = form.text("token")?;
    let sealed = form.text("SHOPPING_ID")?;
    let cc_type = form.choice("CC_TYPE")?.to_owned();
    let cc_number = card_number(form, "CC_NUMBER")?;
    let cc_name = form.text("CC_NAME")?;
    let cc_expiry = expiry(form, "CC_EXPIRY")?;
    let ship_type = form.choice("SHIPPING")?.to_owned();
    let elsewhere = form.optional("STREET_1", Form::text)?;
    let address = elsewhere.map(|_| address::read(form)).transpose()?;
    let customer = key.verify(&token, *now).ok_or(Fault::WrongToken)?;
    let cart = state::open(&sealed, key)?;
    address.iter().try_for_each(|address| address::check(store, address))?;
    let confirmation =
        Confirmation { customer, cart, cc_type, cc_number, cc_name, cc_expiry, ship_type, address };
    let order = store.confirm(&confirmation, asked, *now)?.clone();
    let shipping = Money(order.o_total.0 - order.o_tax.0 - order.o_sub_total.0);
    let payment = store.payment(order.o_id);
    Ok(render(&Page { state: State::of(customer), order: &order, payment, shipping }))
}

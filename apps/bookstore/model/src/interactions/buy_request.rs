//! BuyRequest: a customer logs in or registers, and sees what the cart comes to, with the form to order it.
//!
//! With `RETURNING_FLAG` Y the parameters `UNAME` and `PASSWD` are needed, see the module `log_in`; with N all others, of
//! which only `STREET_2` may be missing. After the parameters: a cart that is forged or altered is 403; a wrong log-in is
//! 403, or the country of who registers must be one (400); then the rules of
//! [`Store::checkout`](crate::store::Store::checkout) (404, 409); then a user name that is taken is refused (409), where
//! upper and lower case differ.
//!
//! A registration acknowledges the new customer, a log-in row 0.
//!
//! ```sql
//! SELECT sc_o_id FROM shopping_cart WHERE sc_id = ?
//! SELECT scl_i_id, scl_qty, i_title, i_cost
//!     FROM shopping_cart_line JOIN item ON i_id = scl_i_id WHERE scl_sc_id = ? ORDER BY scl_id
//! UPDATE customer SET c_last_login = c_login, c_login = NOW(), c_expiration = NOW() + INTERVAL '2' HOUR WHERE c_id = ?
//! ```
//!
//! or instead of the last, atomically (a transaction, or on MyISAM under `LOCK TABLES customer WRITE, address WRITE`) and
//! with what the module `address` says:
//!
//! ```sql
//! SELECT c_id FROM customer WHERE c_uname = ?
//! INSERT INTO customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since, c_last_login,
//!     c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data)
//!     VALUES (?, ?, ?, ?, ?, ?, ?, NOW(), NOW(), NOW(), NOW() + INTERVAL '2' HOUR, ?, 0, 0, ?, ?)
//! ```
//!
//! and then
//!
//! ```sql
//! SELECT c_fname, c_lname, c_email, c_discount, addr_street1, addr_street2, addr_city, addr_state, addr_zip, co_name
//!     FROM customer JOIN address ON addr_id = c_addr_id JOIN country ON co_id = addr_co_id WHERE c_id = ?
//! SELECT co_id, co_name FROM country ORDER BY co_name, co_id
//! ```

use super::log_in::LogIn;
use super::{State, Visit, address, render, state};
use crate::{
    fault::Fault,
    parameters::{date, uname},
    rows::{Address, Country},
    store::{Checkout, NewCustomer},
};
use application::{Form, RequestFault};
use askama::Template;

#[derive(Template)]
#[template(path = "buy_request.html")]
struct Page<'a> {
    state: State,
    checkout: Checkout<'a>,
    address: (&'a Address, &'a str),
    countries: Vec<&'a Country>,
    token: String,
    /// The customer who has just registered.
    registered: Option<i64>,
}

enum Buyer {
    Returning(LogIn),
    New(Box<NewCustomer>),
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now, .. } = visit;
    let sealed = form.text("SHOPPING_ID")?;
    let buyer = match form.choice("RETURNING_FLAG")? {
        "Y" => Buyer::Returning(LogIn::read(form)?),
        _ => Buyer::New(Box::new(read(form)?)),
    };
    let cart = state::open(&sealed, key)?;
    let (id, registered) = match buyer {
        Buyer::Returning(log_in) => {
            let id = log_in.customer(store)?.c_id;
            store.check_cart(cart)?;
            store.log_in(id, *now);
            (id, None)
        }
        Buyer::New(new) => {
            address::check(store, &new.address)?;
            store.check_cart(cart)?;
            let id = store.register(*new, *now)?;
            (id, Some(id))
        }
    };
    let checkout = store.checkout(id, cart)?;
    Ok(render(&Page {
        state: State::with(Some(id), cart, key),
        address: store.address(checkout.customer.c_addr_id),
        checkout,
        countries: store.countries_by_name(),
        token: key.sign(id, *now),
        registered,
    }))
}

fn read(form: &Form<'_>) -> Result<NewCustomer, RequestFault> {
    Ok(NewCustomer {
        uname: uname(form, "NEW_UNAME")?,
        password: form.text("NEW_PASSWD")?,
        fname: form.text("FNAME")?,
        lname: form.text("LNAME")?,
        address: address::read(form)?,
        phone: form.text("PHONE")?,
        email: form.email("EMAIL")?,
        birthdate: date(form, "BIRTHDATE")?,
        data: form.text("DATA")?,
    })
}

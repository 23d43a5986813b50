//! CustomerRegistration: before a cart is ordered, the form to log in, or the one to register. Where `RETURNING_FLAG`
//! doesn't say which, those who are greeted as customers log in and others register.
//!
//! ```sql
//! SELECT co_id, co_name FROM country ORDER BY co_name, co_id   -- to register
//! ```

use super::state::Given;
use super::{State, Visit, render};
use crate::{fault::Fault, rows::Country};
use application::{Form, RequestFault};
use askama::Template;

#[derive(Template)]
#[template(path = "customer_registration.html")]
struct Page<'a> {
    state: State,
    returns: bool,
    countries: Vec<&'a Country>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, .. } = visit;
    let given = Given::read(form)?;
    if !given.has_cart() {
        return Err(RequestFault::Parameter("SHOPPING_ID".to_owned()).into());
    }
    let flag = form.optional("RETURNING_FLAG", Form::choice)?;
    let state = given.open(key)?;
    let returns = flag.map_or(state.customer.is_some(), |flag| flag == "Y");
    let countries = store.countries_by_name();
    Ok(render(&Page { state, returns, countries }))
}

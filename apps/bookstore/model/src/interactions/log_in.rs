//! The log-in of customers.
//!
//! ```sql
//! SELECT c_id, c_passwd FROM customer WHERE c_uname = ?
//! ```
//!
//! An unknown user name or another password is 403.

use crate::{fault::Fault, parameters::uname, rows::Customer, store::Store};
use application::{Form, RequestFault, password_hash};

/// The form's fields.
pub struct LogIn {
    uname: String,
    password: String,
}

impl LogIn {
    pub fn read(form: &Form<'_>) -> Result<Self, RequestFault> {
        Ok(Self { uname: uname(form, "UNAME")?, password: form.text("PASSWD")? })
    }

    pub fn customer<'a>(&self, store: &'a Store) -> Result<&'a Customer, Fault> {
        let customer = store.customer_named(&self.uname).ok_or(Fault::WrongLogIn)?;
        let right = customer.c_passwd == password_hash(&self.uname, &self.password);
        if right { Ok(customer) } else { Err(Fault::WrongLogIn) }
    }
}

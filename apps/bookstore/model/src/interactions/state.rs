//! A visitor's state, which all pages carry on in their links and hidden fields: the customer who is greeted,
//! which gives no rights, and the cart.
//!
//! `C_ID` is an id. `SHOPPING_ID` is the number of a cart as [`TokenKey::seal`] seals it; one that is forged or altered is
//! 403, once all parameters have their form.

use crate::fault::Fault;
use application::{Form, RequestFault, TokenKey};

const CUSTOMER: &str = "C_ID";
const CART: &str = "SHOPPING_ID";

/// The state as given in a request.
pub struct Given {
    customer: Option<i64>,
    cart: Option<String>,
}

/// The known state.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub customer: Option<i64>,
    pub cart: Option<i64>,
    /// The sealed number of the cart.
    sealed: Option<String>,
}

impl Given {
    pub fn read(form: &Form<'_>) -> Result<Self, RequestFault> {
        let customer = form.optional(CUSTOMER, Form::id)?;
        Ok(Self { customer, cart: form.optional(CART, Form::text)? })
    }

    pub fn has_cart(&self) -> bool {
        self.cart.is_some()
    }

    pub fn open(self, key: &TokenKey) -> Result<State, Fault> {
        let cart = self.cart.as_ref().map(|sealed| open(sealed, key)).transpose()?;
        Ok(State { customer: self.customer, cart, sealed: self.cart })
    }
}

/// Opens a sealed number of a cart.
pub fn open(sealed: &str, key: &TokenKey) -> Result<i64, Fault> {
    key.open(CART, sealed).ok_or(Fault::WrongCart)
}

impl State {
    /// The state of a visitor with this cart.
    pub fn with(customer: Option<i64>, cart: i64, key: &TokenKey) -> Self {
        Self { customer, cart: Some(cart), sealed: Some(key.seal(CART, cart)) }
    }

    /// The state of a customer without a cart.
    pub fn of(customer: i64) -> Self {
        Self { customer: Some(customer), ..Self::default() }
    }

    /// The sealed number of the cart.
    pub fn sealed(&self) -> Option<&str> {
        self.sealed.as_deref()
    }

    /// The hidden fields that carry it on.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let customer = self.customer.map(|id| (CUSTOMER, id.to_string()));
        customer.into_iter().chain(self.sealed.clone().map(|sealed| (CART, sealed))).collect()
    }

    /// The end of a link with other parameters.
    pub fn more(&self) -> String {
        self.fields().iter().map(|(name, value)| format!("&{name}={value}")).collect()
    }

    /// The end of a link without other parameters.
    pub fn query(&self) -> String {
        self.more().replacen('&', "?", 1)
    }

    /// The number that chooses the promoted books.
    pub fn number(&self) -> i64 {
        self.customer.unwrap_or(0) + self.cart.unwrap_or(0)
    }
}

//! Addresses that are typed into a form, and how they are kept: as one that is there already, or else as a new one.
//!
//! The country must be there, or else `COUNTRY` is a wrong parameter (400).
//!
//! ```sql
//! SELECT co_name FROM country WHERE co_id = ?
//! ```
//!
//! Within the transaction that needs the address:
//!
//! ```sql
//! SELECT addr_id FROM address WHERE addr_zip = ? AND addr_street1 = ? AND addr_street2 = ? AND addr_city = ?
//!     AND addr_state = ? AND addr_co_id = ? ORDER BY addr_id LIMIT 1
//! INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)
//!     VALUES (?, ?, ?, ?, ?, ?)   -- if there is none
//! ```

use crate::store::{NewAddress, Store};
use application::{Form, RequestFault};

/// Only `STREET_2` may be missing.
pub fn read(form: &Form<'_>) -> Result<NewAddress, RequestFault> {
    Ok(NewAddress {
        street1: form.text("STREET_1")?,
        street2: form.optional("STREET_2", Form::text)?.unwrap_or_default(),
        city: form.text("CITY")?,
        state: form.text("STATE")?,
        zip: form.text("ZIP")?,
        country: form.id("COUNTRY")?,
    })
}

/// Refuses an unknown country.
pub fn check(store: &Store, address: &NewAddress) -> Result<(), RequestFault> {
    let unknown = || RequestFault::Parameter("COUNTRY".to_owned());
    store.country(address.country).map(drop).ok_or_else(unknown)
}

//! Customers who register and log in, and their addresses.

use super::{Store, next_id};
use crate::fault::Fault;
use crate::population::SESSION;
use crate::rows::{Address, Customer};
use application::{Money, Timestamp, password_hash};

/// An address without an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewAddress {
    pub street1: String,
    pub street2: String,
    pub city: String,
    pub state: String,
    pub zip: String,
    pub country: i64,
}

/// The columns of a new customer without an id, but for those that follow from others.
pub struct NewCustomer {
    pub uname: String,
    pub password: String,
    pub fname: String,
    pub lname: String,
    pub address: NewAddress,
    pub phone: String,
    pub email: String,
    pub birthdate: Timestamp,
    pub data: String,
}

/// The discount of a new customer, 0 to 50 %: the sum of the bytes of the user name, modulo 51.
fn discount_of(uname: &str) -> i64 {
    uname.bytes().map(i64::from).sum::<i64>() % 51
}

impl Store {
    pub fn customer_named(&self, uname: &str) -> Option<&Customer> {
        self.customer_by_uname.get(uname).map(|id| &self.customers[*id as usize - 1])
    }

    /// Adds a customer, with an address that is there already or a new one, unless the user name is taken.
    pub fn register(&mut self, new: NewCustomer, now: Timestamp) -> Result<i64, Fault> {
        if self.customer_by_uname.contains_key(&new.uname) {
            return Err(Fault::UnameTaken(new.uname));
        }
        let id = next_id(&self.customers);
        let address = self.find_or_add(&new.address);
        self.add_customer(Customer {
            c_id: id,
            c_passwd: password_hash(&new.uname, &new.password),
            c_discount: discount_of(&new.uname),
            c_uname: new.uname,
            c_fname: new.fname,
            c_lname: new.lname,
            c_addr_id: address,
            c_phone: new.phone,
            c_email: new.email,
            c_since: now,
            c_last_login: now,
            c_login: now,
            c_expiration: now + SESSION,
            c_balance: Money(0),
            c_ytd_pmt: Money(0),
            c_birthdate: new.birthdate,
            c_data: new.data,
        });
        Ok(id)
    }

    /// Records a log-in.
    pub fn log_in(&mut self, customer: i64, now: Timestamp) {
        let customer = &mut self.customers[customer as usize - 1];
        customer.c_last_login = customer.c_login;
        customer.c_login = now;
        customer.c_expiration = now + SESSION;
    }

    /// The first address that is the same, or else a new one.
    pub fn find_or_add(&mut self, new: &NewAddress) -> i64 {
        if let Some(id) = self.address_by_text.get(new) {
            return *id;
        }
        let id = next_id(&self.addresses);
        self.add_address(Address {
            addr_id: id,
            addr_street1: new.street1.clone(),
            addr_street2: new.street2.clone(),
            addr_city: new.city.clone(),
            addr_state: new.state.clone(),
            addr_zip: new.zip.clone(),
            addr_co_id: new.country,
        });
        id
    }

    pub(super) fn add_address(&mut self, address: Address) {
        let text = NewAddress {
            street1: address.addr_street1.clone(),
            street2: address.addr_street2.clone(),
            city: address.addr_city.clone(),
            state: address.addr_state.clone(),
            zip: address.addr_zip.clone(),
            country: address.addr_co_id,
        };
        self.address_by_text.entry(text).or_insert(address.addr_id);
        self.addresses.push(address);
    }

    pub(super) fn add_customer(&mut self, customer: Customer) {
        self.customer_by_uname.insert(customer.c_uname.clone(), customer.c_id);
        self.customers.push(customer);
    }
}

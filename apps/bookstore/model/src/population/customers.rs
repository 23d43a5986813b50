//! Customers and addresses.

use super::{DAY, Population, Purpose};
use crate::rows::{Address, Customer};
use crate::{digsyl::digsyl, words};
use application::{Account, Draws, Money, Timestamp, password_hash, words::FIRSTNAMES, words::LASTNAMES};
use std::ops::RangeInclusive;

/// Days since 1970 of the first and the last birthday: 1880 to 2000.
const BIRTHS: RangeInclusive<i64> = -32_872..=11_322;

/// Duration of a log-in in seconds.
pub const SESSION: i64 = 2 * 3600;

/// The account of a number, which is also its customer's id.
pub fn account(number: u64) -> Account {
    let nickname = digsyl(number);
    Account { password: nickname.to_ascii_lowercase(), nickname }
}

impl Population {
    pub(super) fn address(&self, id: i64) -> Address {
        let draws = &mut self.seed.draws(Purpose::Address, id);
        Address {
            addr_id: id,
            addr_street1: format!("{} {}", draws.within(1..=9_999), draws.any(&words::STREETS)),
            addr_street2: draws.any(&words::FLOORS).to_owned(),
            addr_city: draws.any(&words::CITIES).to_owned(),
            addr_state: draws.any(&words::STATES).to_owned(),
            addr_zip: digits(5..=10, draws),
            addr_co_id: draws.within(1..=words::COUNTRIES.len() as i64),
        }
    }

    pub(super) fn customer(&self, id: i64) -> Customer {
        let draws = &mut self.seed.draws(Purpose::Customer, id);
        let Account { nickname, password } = account(id.unsigned_abs());
        let since = self.history + -draws.within(DAY..=730 * DAY);
        Customer {
            c_id: id,
            c_passwd: password_hash(&nickname, &password),
            c_fname: draws.any(&FIRSTNAMES).to_owned(),
            c_lname: draws.any(&LASTNAMES).to_owned(),
            c_addr_id: draws.within(1..=self.addresses),
            c_phone: digits(9..=16, draws),
            c_email: format!("{nickname}@example.com"),
            c_uname: nickname,
            c_since: since,
            c_last_login: (since + draws.below(60 * DAY)).min(self.history),
            c_login: self.history,
            c_expiration: self.history + SESSION,
            c_discount: draws.within(0..=50),
            c_balance: Money(0),
            c_ytd_pmt: Money(draws.within(0..=99_999)),
            c_birthdate: Timestamp(draws.within(BIRTHS) * DAY),
            c_data: self.text(100..=500, draws),
        }
    }

    /// The address of a customer.
    pub(super) fn address_of(&self, customer: i64) -> i64 {
        self.customer_head(customer).1
    }

    /// The first and last name of a customer, and their address: the columns that are quick to make.
    pub(super) fn customer_head(&self, id: i64) -> (String, i64) {
        let draws = &mut self.seed.draws(Purpose::Customer, id);
        draws.within(DAY..=730 * DAY);
        let (first, last) = (draws.any(&FIRSTNAMES), draws.any(&LASTNAMES));
        (format!("{first} {last}"), draws.within(1..=self.addresses))
    }
}

/// A number of digits.
pub(super) fn digits(count: RangeInclusive<i64>, draws: &mut Draws) -> String {
    (0..draws.within(count)).map(|_| char::from(b'0' + draws.below(10) as u8)).collect()
}

//! Users: they registered before the first old auction began; their region is uniform. Their rating is the sum of the
//! comments about them, and their balance what they have paid for their auctions.

use super::purpose::Purpose;
use super::{DAY, Population, auctions, sums::Standing};
use crate::fee::FEE;
use crate::rows::User;
use crate::words;
use application::{Account, Money, password_hash};
use std::ops::Range;

/// The account of a number, which is also its user's id.
pub fn account(number: u64) -> Account {
    Account { nickname: format!("user{number}"), password: format!("password{number}") }
}

impl Population {
    pub fn users_in(&self, units: Range<u64>) -> impl Iterator<Item = User> + '_ {
        let standings = &self.sums().standings;
        units.map(|unit| self.user(unit as i64 + 1, standings[unit as usize]))
    }

    fn user(&self, id: i64, standing: Standing) -> User {
        let mut draws = self.seed.draws(Purpose::User, id);
        let Account { nickname, password } = account(id.unsigned_abs());
        let first_auction = auctions::OLDEST_END + auctions::LONGEST;
        User {
            id,
            firstname: draws.any(&application::words::FIRSTNAMES).to_owned(),
            lastname: draws.any(&application::words::LASTNAMES).to_owned(),
            password: password_hash(&nickname, &password),
            email: format!("{nickname}@example.org"),
            nickname,
            rating: i64::from(standing.rating),
            balance: Money(-FEE.0 * i64::from(standing.auctions)),
            creation_date: self.history + -draws.within(first_auction + DAY..=1000 * DAY),
            region: draws.within(1..=words::REGIONS.len() as i64),
        }
    }
}

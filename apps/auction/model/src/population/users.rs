//! Users: they registered before the first old auction began; their region is uniform. Their rating is the sum of the
//! comments about them, and their balance what they have paid for their auctions.

use super::text::any;
use super::{DAY, Population, Purpose, auctions};
use crate::rows::User;
use crate::store::FEE;
use crate::words;
use application::{Account, Money, password_hash};
use rand::RngExt;
use std::ops::Range;

/// The account with this number, which is also its user's id.
pub fn account(number: u64) -> Account {
    Account { nickname: format!("user{number}"), password: format!("password{number}") }
}

/// What a user has got out of all auctions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    rating: i32,
    auctions: u32,
}

impl Population {
    pub fn users_in(&self, units: Range<u64>) -> impl Iterator<Item = User> + '_ {
        let standings = self.standings.get_or_init(|| self.standings());
        units.map(|unit| self.user(unit as i64 + 1, standings[unit as usize]))
    }

    fn standings(&self) -> Vec<Standing> {
        let mut standings = vec![Standing::default(); self.users as usize];
        for auction in self.outlines() {
            standings[auction.seller as usize - 1].auctions += 1;
        }
        for comment in self.unwritten_comments(0..self.old_items as u64) {
            standings[comment.to_user_id as usize - 1].rating += comment.rating as i32;
        }
        standings
    }

    fn user(&self, id: i64, standing: Standing) -> User {
        let mut random = self.stream(Purpose::User, id);
        let Account { nickname, password } = account(id.unsigned_abs());
        let first_auction = auctions::OLDEST_END + auctions::LONGEST;
        User {
            id,
            firstname: any(&words::FIRSTNAMES, &mut random).to_owned(),
            lastname: any(&words::LASTNAMES, &mut random).to_owned(),
            password: password_hash(&nickname, &password),
            email: format!("{nickname}@example.org"),
            nickname,
            rating: i64::from(standing.rating),
            balance: Money(-FEE.0 * i64::from(standing.auctions)),
            creation_date: self.history + -random.random_range(first_auction + DAY..=1000 * DAY),
            region: random.random_range(1..=words::REGIONS.len() as i64),
        }
    }
}

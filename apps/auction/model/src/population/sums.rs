//! Sums over many rows: the rating and the balance of users, and the ids of rows of which a unit has none or several. It
//! takes one pass over all auctions, 8 bytes for each user, and some for each thousand auctions.

use super::Population;
use super::auctions::Auction;
use std::ops::Range;

/// Distance of the units for which the number of rows before is stored; from there on rows are counted.
const STRIDE: u64 = 1024;

pub(super) struct Sums {
    pub standings: Vec<Standing>,
    pub bids: Numbers,
    pub comments: Numbers,
    pub purchases: Numbers,
}

/// A user's rating and balance, summed over all auctions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    pub rating: i32,
    pub auctions: u32,
}

/// Numbers of rows whose units come in order.
#[derive(Default)]
pub(super) struct Numbers {
    /// The number of rows before the units 0, `STRIDE`, 2·`STRIDE`, …
    before: Vec<u32>,
    units: u64,
    /// The number of all rows.
    pub all: i64,
}

impl Numbers {
    fn add(&mut self, rows: i64) {
        if self.units.is_multiple_of(STRIDE) {
            self.before.push(self.all as u32);
        }
        self.units += 1;
        self.all += rows;
    }

    /// The number of the first row of a unit or of one after it. `count` returns the number of rows of some units.
    pub(super) fn first(&self, unit: u64, count: impl FnOnce(Range<u64>) -> i64) -> i64 {
        let stride = (unit / STRIDE).min(self.before.len() as u64 - 1);
        i64::from(self.before[stride as usize]) + count(stride * STRIDE..unit) + 1
    }
}

impl Sums {
    pub(super) fn new(population: &Population) -> Self {
        let (mut bids, mut comments, mut purchases) =
            (Numbers::default(), Numbers::default(), Numbers::default());
        let mut standings = vec![Standing::default(); population.users as usize];
        let mut add = |auction: &Auction| {
            let standing = &mut standings[auction.seller as usize - 1];
            standing.auctions += 1;
            standing.rating += auction.comment.map_or(0, |opinion| opinion.rating as i32);
        };
        for auction in population.old_auctions(0..population.old_items as u64) {
            add(&auction);
            comments.add(i64::from(auction.comment.is_some()));
            purchases.add(i64::from(auction.buyer.is_some()));
        }
        for auction in population.auctions(0..population.items as u64) {
            add(&auction);
            bids.add(population.number_of_bids(&auction));
        }
        Self { standings, bids, comments, purchases }
    }
}

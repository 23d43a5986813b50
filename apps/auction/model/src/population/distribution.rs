//! The distribution of the data: of sellers, categories, and the numbers and dates of bids.
//!
//! `uniform`, as in the papers: sellers and categories are uniform; 0 to 20 bids on an item, uniform, so that it has
//! 10 on average; they are spread evenly over the time until the auction's end or the epoch.
//!
//! `skewed`, by the rules of AuctionMark (BenchBase's AuctionMarkConstants), made to fit the papers' figures:
//!
//! - Busy sellers. AuctionMark gives a user k auctions with a probability that falls as k^-2, up to 1000. Here users
//!   are in 14 classes; each has half as many users as the one before, and sells as much. That is the same power law
//!   in steps: twice as many auctions, half as many such sellers or busier ones. At scale 1, the busiest sell about 310
//!   auctions each; half of all auctions are by less than one user in a hundred. Fewer than 2^14 users are in fewer
//!   classes. Busy sellers are scattered over the ids.
//! - Popular items. AuctionMark gives an item b bids a day, from 0 to 10, with a probability that falls as
//!   (b+1)^-1.25. Here it is 0 to 59, so that items for sale, most of which still wait for their last bids, have 10
//!   on average, as in the papers. It follows that old items have 31 on average.
//! - Late bids. Of AuctionMark's bids 50 % go to items that end soon. Here 50 % of the bids on an auction fall into
//!   the last tenth of its time. So of the auctions that are open, those that end soon have most bids.
//! - Popular categories have the weights that RUBiS took from eBay on 20 September 2001. It has 20 of them and the
//!   papers speak of 40, so each weight is had by two.
//!
//! In both shapes buyers, bidders and those who comment are uniform, and so are all else's choices.

use crate::words;
use application::{Distribution, Draws, Timestamp};
use std::sync::LazyLock;

/// The most bids on a uniform item.
pub const MOST_BIDS: i64 = 20;

/// The most classes of skewed sellers.
const SELLER_CLASSES: i64 = 14;

/// The most bids a day on a skewed item.
pub const MOST_BIDS_A_DAY: usize = 59;

/// Weight of each number of bids a day. Roots, unlike powers, are the same on every machine.
static BIDS_A_DAY: LazyLock<[u32; MOST_BIDS_A_DAY + 1]> = LazyLock::new(|| {
    std::array::from_fn(|bids| {
        let above_none = bids as f64 + 1.0;
        (1e7 / (above_none * above_none.sqrt().sqrt())).round() as u32
    })
});

/// Mean bids on a skewed auction. One of `n` bids a day that lasts `d` days gets `n·d`, cut to a whole number.
pub fn mean_bids_until_the_end() -> f64 {
    let all: f64 = BIDS_A_DAY.iter().map(|weight| f64::from(*weight)).sum();
    let share = |bids: usize| f64::from(BIDS_A_DAY[bids]) / all;
    let a_day: f64 = (0..=MOST_BIDS_A_DAY).map(|bids| bids as f64 * share(bids)).sum();
    a_day * MEAN_DAYS - 0.5 * (1.0 - share(0))
}

/// Auctions last 1 to 7 days.
const MEAN_DAYS: f64 = 4.0;

/// The late part of an auction's time, as one in this many, and its percentage of the bids.
pub const LAST_PART: i64 = 10;
pub const LATE_PERCENT: i64 = 50;

/// Weights of the first twenty categories, and once more of the last twenty.
pub const CATEGORY_WEIGHTS: [u32; 20] = [
    1374, 1069, 3671, 242, 825, 2691, 259, 170, 586, 2874, 305, 538, 7521, 664, 1077, 1051, 976, 3029, 2325,
    1420,
];

/// A distribution with the totals that it spreads.
pub struct Spread {
    distribution: Distribution,
    users: i64,
    /// Coprime to the number of users.
    scatter: i64,
}

impl Spread {
    pub fn new(distribution: Distribution, users: i64) -> Self {
        let scatter = (users * 5 / 8..).find(|number| divisor(*number, users) == 1);
        Self { distribution, users, scatter: scatter.unwrap_or(1) }
    }

    pub fn seller(&self, draws: &mut Draws) -> i64 {
        match self.distribution {
            Distribution::Uniform => draws.within(1..=self.users),
            Distribution::Skewed => {
                let classes = SELLER_CLASSES.min(i64::from(self.users.ilog2()) + 1);
                let class = draws.below(classes);
                let least = if class == classes - 1 { 0 } else { self.users >> (class + 1) };
                let rank = draws.within(least..=(self.users >> class) - 1);
                rank * self.scatter % self.users + 1
            }
        }
    }

    pub fn category(&self, draws: &mut Draws) -> i64 {
        match self.distribution {
            Distribution::Uniform => draws.within(1..=words::CATEGORIES.len() as i64),
            Distribution::Skewed => {
                let half = CATEGORY_WEIGHTS.len() as i64 * draws.below(2);
                draws.weighted(&CATEGORY_WEIGHTS) + half + 1
            }
        }
    }

    /// The number of an auction's bids: until now if it is uniform, else until its end.
    pub fn bids(&self, lasts: i64, draws: &mut Draws) -> i64 {
        match self.distribution {
            Distribution::Uniform => draws.within(0..=MOST_BIDS),
            Distribution::Skewed => draws.weighted(BIDS_A_DAY.as_slice()) * lasts / super::DAY,
        }
    }

    /// Ordered dates of some bids on an auction, without those after `now`.
    pub fn dates(
        &self,
        bids: i64,
        (start, end): (Timestamp, Timestamp),
        now: Timestamp,
        draws: &mut Draws,
    ) -> Vec<Timestamp> {
        let last = end.min(now);
        let mut date = || match self.distribution {
            Distribution::Uniform => start + draws.within(0..=last - start),
            Distribution::Skewed => {
                let late = (end - start) / LAST_PART;
                let after = if draws.percent(LATE_PERCENT) {
                    end - start - late..=end - start
                } else {
                    0..=end - start - late - 1
                };
                start + draws.within(after)
            }
        };
        let mut dates: Vec<Timestamp> = (0..bids).map(|_| date()).filter(|date| *date <= last).collect();
        dates.sort_unstable();
        dates
    }
}

fn divisor(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

//! Ratings of old auctions: drawn with the auction, added to the seller's rating, and shown as a comment.

use super::{DAY, Population};
use crate::parameters::RATINGS;
use application::{Cut, Draws, MOST_BYTES};

/// A comment, without its text.
#[derive(Clone, Copy)]
pub(super) struct Opinion {
    pub rating: i64,
    pub author: i64,
    /// Seconds after the end of the auction.
    pub after: i64,
    pub text: Cut,
}

impl Population {
    /// The opinion about an old auction, if any.
    pub(super) fn opinion(&self, seller: i64, buyer: Option<i64>, draws: &mut Draws) -> Option<Opinion> {
        draws.percent(95).then(|| Opinion {
            rating: draws.any(&RATINGS),
            author: buyer.unwrap_or_else(|| self.other_user(seller, draws)),
            after: draws.within(1..=DAY - 1),
            text: Cut::new(1..=MOST_BYTES, draws),
        })
    }
}

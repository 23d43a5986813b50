//! Comments: for 95 % of the old items one about the seller, by the buyer, or else by any user but the seller. Ratings
//! are uniform, texts have 1 to 2048 bytes, and dates lie within a day after the end of the auction.

use super::auctions::Auction;

use super::{DAY, Population};
use crate::parameters::RATINGS;
use crate::rows::Comment;
use application::{Cut, Draws, MOST_BYTES};
use std::ops::Range;

/// A comment, without its text.
#[derive(Clone, Copy)]
pub(super) struct Opinion {
    pub rating: i64,
    author: i64,
    /// How many seconds after the end of the auction.
    after: i64,
    text: Cut,
}

impl Population {
    /// What is said about an old auction, if anything is.
    pub(super) fn opinion(&self, seller: i64, buyer: Option<i64>, draws: &mut Draws) -> Option<Opinion> {
        draws.percent(95).then(|| Opinion {
            rating: draws.any(&RATINGS),
            author: buyer.unwrap_or_else(|| self.other_user(seller, draws)),
            after: draws.within(1..=DAY - 1),
            text: Cut::new(1..=MOST_BYTES, draws),
        })
    }

    /// The comments that came of the old items of these units.
    pub fn comments_in(&self, units: Range<u64>) -> impl Iterator<Item = Comment> + '_ {
        let commented = |auction: &Auction| auction.comment.is_some();
        let count = |units| self.old_auctions(units).filter(commented).count() as i64;
        let ids = self.sums().comments.first(units.start, count)..;
        ids.zip(self.old_auctions(units).filter(commented))
            .filter_map(|(id, auction)| Some(self.comment(id, &auction, auction.comment?)))
    }

    fn comment(&self, id: i64, auction: &Auction, opinion: Opinion) -> Comment {
        Comment {
            id,
            from_user_id: opinion.author,
            to_user_id: auction.seller,
            item_id: auction.id,
            rating: opinion.rating,
            date: auction.end_date + opinion.after,
            comment: self.prose().cut(opinion.text).to_owned(),
        }
    }
}

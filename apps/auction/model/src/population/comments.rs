//! Comments: for 95 % of the old items one about the seller, by the buyer, or else by any user but the seller. Ratings
//! are uniform, texts have 1 to 2048 bytes, and dates lie within a day after the end of the auction.

use super::{Population, auctions::Auction, opinions::Opinion};
use crate::rows::Comment;
use std::ops::Range;

impl Population {
    /// Comments about the old items of these units.
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

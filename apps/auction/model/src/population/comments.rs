//! Comments: for 95 % of the old items one about the seller, by the buyer, or else by any user but the seller. Ratings
//! are uniform, texts have 1 to 2048 bytes, and dates lie within a day after the end of the auction.

use super::text::sentences;
use super::{DAY, Population, Purpose};
use crate::parameters::RATINGS;
use crate::rows::{Comment, Item};
use rand::{RngExt, seq::IndexedRandom};
use std::ops::Range;

impl Population {
    pub(super) fn written_comment(&self, id: i64, comment: Comment) -> Comment {
        let text = sentences(&mut self.stream(Purpose::CommentText, comment.item_id));
        Comment { id, comment: text, ..comment }
    }

    /// The comments without their ids and texts.
    pub(super) fn unwritten_comments(&self, units: Range<u64>) -> impl Iterator<Item = Comment> + '_ {
        self.outlines_of_old_items(units).filter_map(|item| self.comment_on(&item))
    }

    fn comment_on(&self, item: &Item) -> Option<Comment> {
        let mut random = self.stream(Purpose::Comment, item.id);
        random.random_bool(0.95).then(|| {
            let author = self.other_user(item.seller, &mut random);
            Comment {
                id: 0,
                from_user_id: self.purchase_of(item).map_or(author, |purchase| purchase.buyer_id),
                to_user_id: item.seller,
                item_id: item.id,
                rating: *RATINGS.choose(&mut random).expect("there are ratings"),
                date: item.end_date + random.random_range(1..DAY),
                comment: String::new(),
            }
        })
    }
}

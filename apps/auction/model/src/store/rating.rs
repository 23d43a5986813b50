//! Comments on sellers, each with a rating.

use super::{Store, rows};
use crate::fault::Fault;
use crate::rows::{Comment, Item};
use application::Timestamp;
use std::cmp::Reverse;

/// A rating of an item's seller.
pub struct Opinion {
    pub author: i64,
    pub seller: i64,
    pub item: i64,
    pub rating: i64,
    pub comment: String,
}

impl Store {
    /// The item for which a user may rate its seller, checked in this order: it exists, perhaps as an old one; `seller`
    /// is its seller; they aren't the author.
    pub fn rateable(&self, item: i64, seller: i64, author: i64) -> Result<&Item, Fault> {
        let found = self.item_or_old(item)?;
        if found.seller != seller {
            Err(Fault::WrongSeller { item, to: seller })
        } else if author == seller {
            Err(Fault::OwnItem { item })
        } else {
            Ok(found)
        }
    }

    /// Records a comment and adds to the seller's rating, if the item is [`Store::rateable`].
    pub fn rate(&mut self, opinion: Opinion, now: Timestamp) -> Result<&Comment, Fault> {
        self.rateable(opinion.item, opinion.seller, opinion.author)?;
        self.user_mut(opinion.seller).rating += opinion.rating;
        let id = self.comments.len() as i64 + 1;
        self.add_comment(Comment {
            id,
            from_user_id: opinion.author,
            to_user_id: opinion.seller,
            item_id: opinion.item,
            rating: opinion.rating,
            date: now,
            comment: opinion.comment,
        });
        Ok(&self.comments[id as usize - 1])
    }

    /// The comments about a user with the nicknames of the authors, the last on top.
    pub fn comments_about(&self, user: i64) -> Vec<(&Comment, &str)> {
        let mut comments: Vec<_> = rows(&self.comments, &self.comments_by_seller, user).collect();
        comments.sort_by_key(|comment| Reverse((comment.date, comment.id)));
        comments.into_iter().map(|comment| (comment, self.nickname(comment.from_user_id))).collect()
    }

    pub(super) fn add_comment(&mut self, comment: Comment) {
        self.comments_by_seller.entry(comment.to_user_id).or_default().push(comment.id);
        self.comments.push(comment);
    }
}

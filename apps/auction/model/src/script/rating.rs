//! Comments on sellers.

use super::{ANN, SELLER, Script, user_page};
use crate::{
    parameters::RATINGS,
    requests::{self, NOBODY, comment, comment_form, log_in},
};

impl Script {
    pub(super) fn rating(&mut self) {
        let item = self.item_for_sale("to be rated for", &[]);
        let old = self.old_item();
        let (old, old_seller) = (old.id, old.seller);
        let author = if old_seller == ANN { SELLER } else { ANN };
        self.add("PutCommentAuth", 200, comment_form(item, SELLER));
        self.add("PutCommentAuth: a user whom only PutComment looks for", 200, comment_form(NOBODY, NOBODY));
        let put_comment =
            |item: i64, to: i64, user: i64| log_in("PutComment", &[("itemId", item), ("to", to)], user);
        self.add("PutComment: logged in", 200, put_comment(item, SELLER, ANN));
        self.add("PutComment: an old item", 200, put_comment(old, old_seller, author));
        self.log_in_refusals("PutComment", &[("itemId", NOBODY), ("to", NOBODY)]);
        for (name, status, item, to, user) in [
            ("no such item", 404, NOBODY, SELLER, ANN),
            ("no such user", 409, item, NOBODY, ANN),
            ("somebody else than the seller", 409, item, ANN, ANN),
            ("somebody else than the seller of an old item", 409, old, old_seller + 1, author),
            ("oneself", 409, item, SELLER, SELLER),
            ("oneself for an old item", 409, old, old_seller, old_seller),
        ] {
            self.add(format!("PutComment: {name}"), status, put_comment(item, to, user));
            let store = comment(&requests::token(user), item, to, "5", "x");
            self.add(format!("StoreComment: {name}"), status, store);
        }
        self.stored_comments(item);
        self.add(
            "StoreComment: an old item",
            200,
            comment(&requests::token(author), old, old_seller, "-3", "Late."),
        );
        self.add("ViewUserInfo: the seller of an old item", 200, user_page(old_seller));
    }

    fn stored_comments(&mut self, item: i64) {
        let token = requests::token(ANN);
        let with = |rating: &str, text: &str| comment(&token, item, SELLER, rating, text);
        for rating in RATINGS {
            self.add(
                format!("StoreComment: rating {rating}"),
                200,
                with(&rating.to_string(), "As described."),
            );
        }
        self.add("StoreComment: the same again", 200, with("5", "As described."));
        self.add("StoreComment: the longest text", 200, with("0", &"😀".repeat(2048)));
        self.add(
            "StoreComment: markup and lines",
            200,
            with("3", "<b>\"Fine\" & 'dandy'</b>\r\n\n\tAgain! "),
        );
        self.add("StoreComment: a text of all sorts", 200, with("3", "B+%41 &lt;é 😀\\"));
        for rating in ["4", "+3", "-0", "03", "-", "-50", " 3", "3 ", "3.0", "3x", "3e0", "٣"] {
            self.add(format!("StoreComment: `{rating}` as rating"), 400, with(rating, "x"));
        }
        self.add("StoreComment: no text", 400, with("5", ""));
        self.add("StoreComment: too long a text", 400, with("5", &"x".repeat(2049)));
        self.token_refusals("StoreComment", |token| comment(token, NOBODY, SELLER, "5", "x"));
    }
}

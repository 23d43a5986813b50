//! Purchases.

use super::{ANN, BOB, SELLER, Script};
use crate::requests::{self, NOBODY, about, bid, log_in, purchase};

impl Script {
    pub(super) fn buying(&mut self) {
        let item = self.item_for_sale("to buy at once", &[("buyNow", "20"), ("quantity", "4")]);
        let plain = self.item_for_sale("that can't be bought at once", &[]);
        self.logging_in_to_buy(item, plain);
        self.refused_purchases(item, plain);
        self.buying_it_out(item);
    }

    fn logging_in_to_buy(&mut self, item: i64, plain: i64) {
        self.add("BuyNowAuth", 200, about("BuyNowAuth", "itemId", item));
        self.add(
            "BuyNowAuth: an item that only BuyNow looks for",
            200,
            about("BuyNowAuth", "itemId", NOBODY),
        );
        let buy_now = |item: i64, user: i64| log_in("BuyNow", &[("itemId", item)], user);
        let old = self.old_item().id;
        self.add("ViewItem: for sale at once", 200, about("ViewItem", "itemId", item));
        self.add("BuyNow: logged in", 200, buy_now(item, ANN));
        self.log_in_refusals("BuyNow", &[("itemId", NOBODY)]);
        self.add("BuyNow: no such item", 404, buy_now(NOBODY, ANN));
        self.add("BuyNow: an old item", 404, buy_now(old, ANN));
        self.add("BuyNow: the seller's own item", 409, buy_now(item, SELLER));
        self.add("BuyNow: not for sale at once", 409, buy_now(plain, ANN));
    }

    fn refused_purchases(&mut self, item: i64, plain: i64) {
        let token = requests::token(ANN);
        let old = self.old_item().id;
        self.token_refusals("StoreBuyNow", |token| purchase(token, NOBODY, "1"));
        for (name, status, step) in [
            ("no such item", 404, purchase(&token, NOBODY, "0")),
            ("an old item", 404, purchase(&token, old, "1")),
            ("the seller's own item", 409, purchase(&requests::token(SELLER), item, "0")),
            ("not for sale at once", 409, purchase(&token, plain, "0")),
            ("none of it", 409, purchase(&token, item, "0")),
            ("more than there is", 409, purchase(&token, item, "5")),
            ("no quantity", 400, purchase(&token, item, "-1")),
        ] {
            self.add(format!("StoreBuyNow: {name}"), status, step);
        }
    }

    fn buying_it_out(&mut self, item: i64) {
        let (ann, bob) = (requests::token(ANN), requests::token(BOB));
        self.add("StoreBuyNow: one of four", 200, purchase(&ann, item, "1"));
        self.add("StoreBuyNow: the same again", 200, purchase(&ann, item, "1"));
        self.add("StoreBuyNow: more than is left", 409, purchase(&bob, item, "3"));
        self.add("StoreBid: while copies are left", 200, bid(&bob, item, "10", "11", "2"));
        self.add("StoreBuyNow: the last copies", 200, purchase(&bob, item, "2"));
        self.add("StoreBuyNow: when all are gone", 409, purchase(&ann, item, "1"));
        self.add("StoreBid: when all are gone", 409, bid(&ann, item, "12", "12", "1"));
        for page in ["BuyNow", "PutBid"] {
            self.add(format!("{page}: when all are gone"), 409, log_in(page, &[("itemId", item)], ANN));
        }
        for page in ["ViewItem", "ViewBidHistory"] {
            self.add(format!("{page}: when all are gone"), 200, about(page, "itemId", item));
        }
    }
}

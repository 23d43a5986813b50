//! Bids, and the site's automatic bids.

use super::{ANN, BOB, SELLER, Script};
use crate::requests::{self, NOBODY, about, bid, log_in};

/// The largest amount.
const MOST: &str = "9999999999.99";

impl Script {
    pub(super) fn bidding(&mut self) {
        let item = self.item_for_sale("to bid on", &[("buyNow", "50"), ("reservePrice", "12")]);
        self.logging_in_to_bid(item);
        self.taking_turns(item);
        self.refused_bids(item);
        self.large_amounts();
    }

    fn logging_in_to_bid(&mut self, item: i64) {
        self.add("PutBidAuth", 200, about("PutBidAuth", "itemId", item));
        self.add(
            "PutBidAuth: an item that only PutBid looks for",
            200,
            about("PutBidAuth", "itemId", NOBODY),
        );
        let put_bid = |item: i64, user: i64| log_in("PutBid", &[("itemId", item)], user);
        let old = self.old_item().id;
        self.add("PutBid: logged in", 200, put_bid(item, ANN));
        self.log_in_refusals("PutBid", &[("itemId", NOBODY)]);
        self.add("PutBid: no such item", 404, put_bid(NOBODY, ANN));
        self.add("PutBid: an old item", 404, put_bid(old, ANN));
        self.add("PutBid: the seller's own item", 409, put_bid(item, SELLER));
        let closed = self.model.store.items.iter().find(|item| !item.is_open(self.now) && item.seller != ANN);
        if let Some(id) = closed.map(|item| item.id) {
            self.add("PutBid: a closed auction", 409, put_bid(id, ANN));
            self.add("StoreBid: a closed auction", 409, bid(&requests::token(ANN), id, MOST, MOST, "1"));
        }
    }

    /// Two users bid against each other for one item.
    fn taking_turns(&mut self, item: i64) {
        for (name, status, user, amount, most) in [
            ("below the first price", 409, ANN, "9.99", "9.99"),
            ("the first, at the first price", 200, ANN, "10", "20"),
            ("the same again", 409, ANN, "10", "20"),
            ("the leader raises their most", 200, ANN, "10.01", "25"),
            ("below the least", 409, BOB, "10.01", "99"),
            ("outbid at once by a cent", 200, BOB, "12", "15"),
            ("a cent below the leader's most", 200, BOB, "15.02", "24.99"),
            ("the leader's price has reached their most", 409, BOB, "25", "25"),
            ("above the leader's most", 200, BOB, "25.01", "30"),
            ("as high as the leader's most, which came first", 200, ANN, "26", "30"),
            ("a cent above the leader's most", 200, ANN, "30.01", "30.01"),
            ("takes the lead at a cent above their most", 200, BOB, "30.02", "60"),
            ("no more than the price", 409, ANN, "30.02", "70"),
            ("outbid beyond the price to buy at once", 200, ANN, "31", "55"),
            ("takes the lead at the bid itself", 200, ANN, "70.5", "70.9"),
            ("takes the lead at their most", 200, BOB, "70.51", "70.91"),
        ] {
            // So that the page shows whose quantity an automatic answer has.
            let quantity = if user == ANN { "1" } else { "2" };
            self.add(
                format!("StoreBid: {name}"),
                status,
                bid(&requests::token(user), item, amount, most, quantity),
            );
        }
        self.add("ViewItem: bid beyond the price to buy at once", 200, about("ViewItem", "itemId", item));
        self.add("ViewBidHistory: all these bids", 200, about("ViewBidHistory", "itemId", item));
        self.add("BuyNow: bid beyond that price", 409, log_in("BuyNow", &[("itemId", item)], ANN));
        self.add(
            "StoreBuyNow: bid beyond that price",
            409,
            requests::purchase(&requests::token(ANN), item, "1"),
        );
    }

    fn refused_bids(&mut self, item: i64) {
        let token = requests::token(ANN);
        let old = self.old_item().id;
        self.token_refusals("StoreBid", |token| bid(token, NOBODY, "1", "1", "1"));
        for (name, status, step) in [
            ("no such item", 404, bid(&token, NOBODY, MOST, MOST, "1")),
            ("an old item", 404, bid(&token, old, MOST, MOST, "1")),
            ("the seller's own item", 409, bid(&requests::token(SELLER), item, "0", "0", "0")),
            ("none of it", 409, bid(&token, item, "0", "0", "0")),
            ("more than there is", 409, bid(&token, item, MOST, MOST, "4")),
            ("the most is below the bid", 409, bid(&token, item, "80", "79.99", "3")),
            ("no amount", 400, bid(&token, item, "1e3", "1000", "1")),
            ("a negative amount", 400, bid(&token, item, "80", "-80", "1")),
            ("too large an amount", 400, bid(&token, item, "80", "10000000000.00", "1")),
            ("no quantity", 400, bid(&token, item, "80", "80", "1.0")),
        ] {
            self.add(format!("StoreBid: {name}"), status, step);
        }
    }

    fn large_amounts(&mut self) {
        let item = self.item_for_sale("for a lot of money", &[("initialPrice", "0.01")]);
        for (name, status, user, amount, most) in [
            ("the largest most", 200, ANN, "0.01", MOST),
            ("the same largest most", 200, BOB, "0.02", MOST),
            ("the least is more than can be bid", 409, BOB, MOST, MOST),
        ] {
            self.add(
                format!("StoreBid: {name}"),
                status,
                bid(&requests::token(user), item, amount, most, "3"),
            );
        }
    }
}

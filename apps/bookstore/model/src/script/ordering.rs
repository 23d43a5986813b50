//! Orders.

use super::{ANN, BOB, Script};
use crate::payment::{DECLINED, TIMES_OUT};
use crate::requests::{NOBODY, about, add, confirm, get, last_order, log_in, refresh, register, sealed};

impl Script {
    pub(super) fn ordering(&mut self) {
        let cart = self.cart("a cart to be ordered", 11);
        self.add("ShoppingCart: two more books", 200, add(Some(cart), 12));
        self.add("ShoppingCart: three copies of each", 200, refresh(cart, &[(11, 3), (12, 3)]));
        self.refused_orders(cart);
        self.add("BuyConfirm: an order", 200, confirm(ANN, cart, &[]));
        self.add("OrderDisplay: the order", 200, last_order(ANN));
        self.add("ProductDetail: fewer are in stock", 200, about("ProductDetail", 11));
        self.after_the_order(cart);
        self.sent_elsewhere();
        self.running_out();
    }

    fn refused_orders(&mut self, cart: i64) {
        for (name, token) in [
            ("the log-in has expired", "{token:1:expired}"),
            ("the log-in is forged", "{token:1:forged}"),
            ("the log-in is no token", "1.4102444800.00"),
        ] {
            self.add(format!("BuyConfirm: {name}"), 403, confirm(ANN, cart, &[("token", token)]));
        }
        for (name, status, changes) in [
            ("the log-in is too long", 400, ("token", &*"1".repeat(101))),
            ("no such card", 400, ("CC_TYPE", "visa")),
            ("a card with letters", 400, ("CC_NUMBER", "411111111111111x")),
            ("a card that is too short", 400, ("CC_NUMBER", "411111111111")),
            ("a card that is too long", 400, ("CC_NUMBER", "41111111111111111")),
            ("nobody's card", 400, ("CC_NAME", "")),
            ("no such month", 400, ("CC_EXPIRY", "2030-13")),
            ("no such way to send it", 400, ("SHIPPING", "PIGEON")),
            ("half an address", 400, ("STREET_1", "1 Elm Street")),
            ("the bank declines", 409, ("CC_NUMBER", DECLINED)),
            ("the bank does not answer", 504, ("CC_NUMBER", TIMES_OUT)),
        ] {
            self.add(format!("BuyConfirm: {name}"), status, confirm(ANN, cart, &[changes]));
        }
        self.cart_refusals("BuyConfirm", |number| confirm(ANN, cart, &[("SHOPPING_ID", number)]));
        self.add("BuyConfirm: no such customer", 404, confirm(NOBODY, cart, &[]));
        self.add("BuyConfirm: no such cart", 404, confirm(ANN, NOBODY, &[]));
        let nowhere =
            [("STREET_1", "1 Elm Street"), ("CITY", "Cork"), ("STATE", "x"), ("ZIP", "1"), ("COUNTRY", "93")];
        self.add("BuyConfirm: no such country", 400, confirm(ANN, cart, &nowhere));
        self.add("OrderDisplay: the order before", 200, last_order(ANN));
    }

    fn after_the_order(&mut self, cart: i64) {
        self.add("BuyConfirm: the same again", 409, confirm(ANN, cart, &[]));
        self.add("BuyConfirm: the same again, by somebody else", 409, confirm(BOB, cart, &[]));
        self.add(
            "BuyConfirm: the same again, with a bad card",
            409,
            confirm(ANN, cart, &[("CC_NUMBER", DECLINED)]),
        );
        self.add("BuyRequest: an ordered cart", 409, log_in(cart, ANN));
        self.add(
            "BuyRequest: an ordered cart, by a new customer",
            409,
            register(cart, &[("NEW_UNAME", "late")]),
        );
        self.add("Home: an ordered cart", 200, get("Home", &[("SHOPPING_ID", &sealed(cart))]));
        self.add("ShoppingCart: an ordered cart is begun anew", 200, add(Some(cart), 13));
        self.add("ShoppingCart: and once more, without a book", 200, refresh(cart, &[(13, 2)]));
    }

    fn sent_elsewhere(&mut self) {
        let elsewhere = |street| {
            [
                ("STREET_1", street),
                ("CITY", "Zürich"),
                ("STATE", "'ZH'"),
                ("ZIP", "8001"),
                ("COUNTRY", "9"),
                ("SHIPPING", "MAIL"),
            ]
        };
        for (name, street) in [
            ("elsewhere", "1 Elm Street"),
            ("to the same address", "1 Elm Street"),
            ("to a third", "2 <Elm> Street"),
        ] {
            let cart = self.cart(&format!("a cart to be sent {name}"), 21);
            self.add(format!("BuyConfirm: sent {name}"), 200, confirm(BOB, cart, &elsewhere(street)));
            self.add(format!("OrderDisplay: sent {name}"), 200, last_order(BOB));
        }
    }

    /// Orders enough copies for several deliveries.
    fn running_out(&mut self) {
        for (way, copies) in ["UPS", "FEDEX", "SHIP", "COURIER"].into_iter().zip([1, 21, 64, 99]) {
            let cart = self.cart(&format!("a cart to be sent by {way}"), 31);
            self.add(format!("ShoppingCart: {copies} copies"), 200, refresh(cart, &[(31, copies)]));
            self.add(format!("BuyRequest: {copies} copies"), 200, log_in(cart, BOB));
            let changes = [("SHIPPING", way), ("CC_TYPE", "DINERS"), ("CC_NUMBER", "3000000000000")];
            self.add(format!("BuyConfirm: {copies} copies"), 200, confirm(BOB, cart, &changes));
            self.add(format!("ProductDetail: after {copies} copies"), 200, about("ProductDetail", 31));
        }
        self.add("OrderDisplay: many copies", 200, last_order(BOB));
    }
}

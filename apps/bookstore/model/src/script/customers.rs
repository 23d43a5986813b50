//! Log-ins and registrations.

use super::{ANN, BOB, CAREFUL, Script};
use crate::requests::{
    NOBODY, get, last_order, last_order_as, log_in, log_in_as, post, refresh, register, sealed,
};

impl Script {
    pub(super) fn customers(&mut self) {
        let cart = self.cart("a cart for customers", 5);
        let page = "CustomerRegistration";
        let number = sealed(cart);
        self.add(format!("{page}: nobody"), 200, get(page, &[("SHOPPING_ID", &number)]));
        self.add(format!("{page}: a customer"), 200, get(page, &[("SHOPPING_ID", &number), ("C_ID", "1")]));
        for flag in ["N", "Y"] {
            let fields = [("SHOPPING_ID", &*number), ("C_ID", "1"), ("RETURNING_FLAG", flag)];
            self.add(format!("{page}: somebody who says {flag}"), 200, get(page, &fields));
        }
        self.add(
            format!("{page}: a flag that is none"),
            400,
            get(page, &[("SHOPPING_ID", &number), ("RETURNING_FLAG", "n")]),
        );
        self.add(format!("{page}: no cart"), 400, get(page, &[("C_ID", "1")]));
        self.cart_refusals(page, |cart| get(page, &[("SHOPPING_ID", cart)]));
        self.registering(cart);
        self.logging_in(cart);
    }

    fn registering(&mut self, cart: i64) {
        let add = |script: &mut Self, name: &str, status, changes: &[(&str, &str)]| {
            script.add(format!("BuyRequest: {name}"), status, register(cart, changes));
        };
        add(self, "a new customer", 200, &[("NEW_UNAME", "branch")]);
        add(self, "the same again", 409, &[("NEW_UNAME", "branch")]);
        add(self, "upper case is another user name, at the same address", 200, &[("NEW_UNAME", "BRANCH")]);
        add(self, "an address that differs a little", 200, &[("NEW_UNAME", "branch3"), ("STREET_2", "left")]);
        let (name, street) = ("😀".repeat(17), "é".repeat(40));
        let longest = [
            ("NEW_UNAME", "ABCDEFGHIJ_.-6789012"),
            ("NEW_PASSWD", &*"😀".repeat(20)),
            ("FNAME", &name),
            ("LNAME", &name),
            ("STREET_1", &street),
            ("STREET_2", &street),
            ("CITY", &"ł".repeat(30)),
            ("STATE", &"ß".repeat(20)),
            ("ZIP", &"0".repeat(10)),
            ("COUNTRY", "92"),
            ("PHONE", &"9".repeat(16)),
            ("EMAIL", &format!("{}@", "é".repeat(49))),
            ("BIRTHDATE", "1880-01-01"),
            ("DATA", &"😀".repeat(500)),
        ];
        add(self, "the longest texts", 200, &longest);
        self.add(
            "OrderDisplay: nothing ordered yet",
            200,
            last_order_as("ABCDEFGHIJ_.-6789012", &"😀".repeat(20)),
        );
        add(self, "a password of all sorts", 200, &[("NEW_UNAME", CAREFUL.0), ("NEW_PASSWD", CAREFUL.1)]);
        self.add("OrderDisplay: a password of all sorts", 200, last_order_as(CAREFUL.0, CAREFUL.1));
        self.add(
            "BuyRequest: a password of all sorts, to log in",
            200,
            log_in_as(cart, CAREFUL.0, CAREFUL.1),
        );
        add(self, "no such country", 400, &[("NEW_UNAME", "branch4"), ("COUNTRY", "93")]);
        for (field, value) in [
            ("NEW_UNAME", ""),
            ("NEW_UNAME", "Zoë"),
            ("NEW_PASSWD", ""),
            ("FNAME", ""),
            ("LNAME", "123456789012345678"),
            ("STREET_1", ""),
            ("CITY", ""),
            ("STATE", ""),
            ("ZIP", "12345678901"),
            ("COUNTRY", "01"),
            ("PHONE", ""),
            ("EMAIL", "nowhere"),
            ("BIRTHDATE", "1981-02-29"),
            ("BIRTHDATE", "81-02-28"),
            ("DATA", ""),
            ("RETURNING_FLAG", ""),
        ] {
            add(self, &format!("`{value}` as {field}"), 400, &[(field, value), ("NEW_UNAME", "branch4")]);
        }
        self.cart_refusals("BuyRequest", |cart| {
            post(
                "BuyRequest",
                &[("SHOPPING_ID", cart), ("RETURNING_FLAG", "Y"), ("UNAME", "OG"), ("PASSWD", "og")],
            )
        });
        self.add(
            "BuyRequest: a new customer, no such cart",
            404,
            register(NOBODY, &[("NEW_UNAME", "branch4")]),
        );
        self.add("BuyRequest: a taken name, no such cart", 404, register(NOBODY, &[("NEW_UNAME", "branch")]));
    }

    fn logging_in(&mut self, cart: i64) {
        self.add("BuyRequest: a customer", 200, log_in(cart, ANN));
        self.add("BuyRequest: the same customer again", 200, log_in(cart, ANN));
        self.add("BuyRequest: another customer with the same cart", 200, log_in(cart, BOB));
        self.add("BuyRequest: no such cart", 404, log_in(NOBODY, ANN));
        self.add("OrderInquiry", 200, get("OrderInquiry", &[("C_ID", "1"), ("SHOPPING_ID", &sealed(cart))]));
        for customer in 1..=6 {
            self.add(format!("OrderDisplay: customer {customer}"), 200, last_order(customer));
        }
        for (name, uname, password) in [
            ("another password", "OG", "al"),
            ("the password in upper case", "OG", "OG"),
            ("the password with a blank", "OG", "og "),
            ("an unknown user name", "nobody", "og"),
            ("the user name in lower case", "og", "og"),
        ] {
            self.add(format!("BuyRequest: {name}"), 403, log_in_as(cart, uname, password));
            self.add(format!("OrderDisplay: {name}"), 403, last_order_as(uname, password));
        }
        self.add("BuyRequest: another password, no such cart", 403, log_in_as(NOBODY, "OG", "al"));
        self.add("BuyRequest: no user name", 400, log_in_as(cart, "us er", "og"));
        self.add("OrderDisplay: no password", 400, last_order_as("OG", ""));
        // A cart that the shop empties and fills again can still be ordered.
        self.add("ShoppingCart: emptied before it is ordered", 200, refresh(cart, &[(5, 0)]));
        self.add("BuyRequest: with the book that was put in", 200, log_in(cart, ANN));
    }
}

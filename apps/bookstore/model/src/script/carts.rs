//! Carts.

use super::Script;
use crate::requests::{NOBODY, add, cart_with, refresh};
use crate::store::MOST_LINES;

impl Script {
    pub(super) fn carts(&mut self) {
        // The first cart of all, which others may order.
        let cart = self.cart("a new cart with a book", 1);
        self.add("ShoppingCart: the same book again", 200, add(Some(cart), 1));
        self.add("ShoppingCart: another book", 200, add(Some(cart), 2));
        self.add("ShoppingCart: only looked at", 200, cart_with(Some(cart), &[("ADD_FLAG", "N")]));
        let greeted = [("C_ID", "1"), ("ADD_FLAG", "N"), ("I_ID", "3")];
        self.add("ShoppingCart: a book that is named and not added", 200, cart_with(Some(cart), &greeted));
        self.add("ShoppingCart: other quantities", 200, refresh(cart, &[(1, 99), (2, 3)]));
        self.add("ShoppingCart: no more than 99 copies", 200, add(Some(cart), 1));
        self.add(
            "ShoppingCart: one twice and one that isn't in it",
            200,
            refresh(cart, &[(2, 0), (2, 4), (7, 5)]),
        );
        self.add("ShoppingCart: one is taken out", 200, refresh(cart, &[(2, 0)]));
        self.add("ShoppingCart: taken out again", 200, refresh(cart, &[(2, 0)]));
        let swapped = [("ADD_FLAG", "Y"), ("I_ID", "2"), ("I_ID_10", "1"), ("QTY_10", "0")];
        self.add("ShoppingCart: one is taken out and one added", 200, cart_with(Some(cart), &swapped));
        self.add("ShoppingCart: all is taken out", 200, refresh(cart, &[(2, 0)]));
        self.add("ShoppingCart: a new cart without a book", 200, cart_with(None, &[("ADD_FLAG", "N")]));
        self.refused_carts(cart);
        self.a_full_cart();
    }

    fn refused_carts(&mut self, cart: i64) {
        for (name, status, step) in [
            ("no such book", 404, add(Some(cart), NOBODY)),
            ("no such cart", 404, add(Some(NOBODY), 1)),
            ("neither", 404, add(Some(NOBODY), NOBODY)),
            ("nothing is said", 400, cart_with(Some(cart), &[])),
            ("a flag that is none", 400, cart_with(Some(cart), &[("ADD_FLAG", "y"), ("I_ID", "1")])),
            ("no book", 400, cart_with(Some(cart), &[("ADD_FLAG", "Y")])),
            ("an empty book", 400, cart_with(Some(cart), &[("ADD_FLAG", "Y"), ("I_ID", "")])),
            ("a quantity of nothing", 400, cart_with(Some(cart), &[("ADD_FLAG", "N"), ("QTY_1", "1")])),
            ("no quantity", 400, cart_with(Some(cart), &[("ADD_FLAG", "N"), ("I_ID_3", "1"), ("QTY_3", "")])),
            ("too many copies", 400, refresh(cart, &[(1, 100)])),
        ] {
            self.add(format!("ShoppingCart: {name}"), status, step);
        }
        self.cart_refusals("ShoppingCart", |cart| {
            crate::requests::post("ShoppingCart", &[("SHOPPING_ID", cart), ("ADD_FLAG", "N")])
        });
    }

    fn a_full_cart(&mut self) {
        let most = MOST_LINES as i64;
        let cart = self.cart("a cart for many books", 1);
        for book in 2..=most {
            self.add(format!("ShoppingCart: book {book} of it"), 200, add(Some(cart), book));
        }
        self.add("ShoppingCart: one too many", 409, add(Some(cart), most + 1));
        self.add("ShoppingCart: a copy more is not too many", 200, add(Some(cart), 1));
        let lines: Vec<(i64, i64)> = (1..=most).map(|book| (book, book % 4)).collect();
        self.add("ShoppingCart: all quantities", 200, refresh(cart, &lines));
        self.add("ShoppingCart: now there is room", 200, add(Some(cart), most + 1));
    }
}

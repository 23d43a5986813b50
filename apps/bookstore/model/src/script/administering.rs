//! The administration.

use super::Script;
use crate::requests::{NOBODY, about, change, get, post};

impl Script {
    pub(super) fn administering(&mut self) {
        let item = &self.model.store.items[40];
        let (id, most) = (item.i_id, item.i_srp);
        let above = application::Money(most.0 + 1).to_string();
        let other = item.i_related3;
        self.add("AdminRequest: a book", 200, about("AdminRequest", id));
        self.add("AdminRequest: no such book", 404, about("AdminRequest", NOBODY));
        self.add("AdminRequest: no id", 400, about("AdminRequest", 0));
        self.add("AdminConfirm: another price", 200, change(id, "0.5", id));
        self.add("AdminConfirm: other pictures", 200, change(id, &most.to_string(), other));
        self.add("AdminConfirm: the lowest price", 200, change(id, "0.01", other));
        self.add("ProductDetail: a changed book", 200, about("ProductDetail", id));
        self.add("AdminRequest: a changed book", 200, about("AdminRequest", id));
        let subject = self.model.store.items[40].i_subject.clone();
        self.add("NewProducts: the changed book first", 200, get("NewProducts", &[("SUBJECT", &subject)]));
        for book in [11, 21, 31] {
            self.add(format!("AdminConfirm: book {book}, which was ordered"), 200, change(book, "1", book));
        }
        self.add("AdminConfirm: no such book", 404, change(NOBODY, "0", 1));
        self.add("AdminConfirm: for nothing", 409, change(id, "0", id));
        self.add("AdminConfirm: more than is suggested", 409, change(id, &above, id));
        self.add("AdminConfirm: no price", 400, change(id, "1.005", id));
        self.add(
            "AdminConfirm: no pictures",
            400,
            post("AdminConfirm", &[("I_ID", "1"), ("I_NEW_COST", "1")]),
        );
        let elsewhere = [
            ("I_ID", "1"),
            ("I_NEW_COST", "1"),
            ("I_NEW_IMAGE", "../image_1.png"),
            ("I_NEW_THUMBNAIL", "images/1/thumb_1.png"),
        ];
        self.add("AdminConfirm: a picture elsewhere", 400, post("AdminConfirm", &elsewhere));
    }
}

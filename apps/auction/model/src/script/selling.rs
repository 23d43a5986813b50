//! New auctions.

use super::{SELLER, Script};
use crate::{
    requests::{self, about, log_in, new_item, post, search_region},
    rows::Item,
};

impl Script {
    pub(super) fn selling(&mut self) {
        self.choosing_a_category();
        self.new_items();
        self.token_refusals("RegisterItem", |token| new_item(token, &[("category", "41")]));
        self.refused_items();
    }

    fn choosing_a_category(&mut self) {
        let page = "SelectCategoryToSellItem";
        self.add(format!("{page}: logged in"), 200, log_in(page, &[], SELLER));
        self.log_in_refusals(page, &[]);
        let form =
            |token: &str, category: &str| post("SellItemForm", &[("token", token), ("category", category)]);
        let token = requests::token(SELLER);
        self.add("SellItemForm: a category", 200, form(&token, "40"));
        self.add("SellItemForm: no such category", 404, form(&token, "41"));
        self.add("SellItemForm: no id", 400, form(&token, "0"));
        self.token_refusals("SellItemForm", |token| form(token, "41"));
    }

    fn new_items(&mut self) {
        self.item_for_sale("a new item", &[]);
        self.item_for_sale("the same again", &[]);
        let Item { category, .. } = *self.model.store.items.last().expect("an item was just added");
        let region = self.model.store.known_user(SELLER).region;
        self.add("SearchItemsInRegion: names with markup", 200, search_region(category, region, 0, 100));
        self.item_for_sale("all prices alike", &[("reservePrice", "10"), ("buyNow", "10.0")]);
        self.item_for_sale("rising prices", &[("reservePrice", "10.01"), ("buyNow", "10.02")]);
        let inexact = [("initialPrice", "0.29"), ("reservePrice", "0.57"), ("buyNow", "0.58")];
        self.item_for_sale("prices that binary fractions miss", &inexact);
        let (name, description) = ("ß".repeat(100), "😀".repeat(8192));
        let most = "9999999999.99";
        let longest = self.item_for_sale(
            "the longest texts and the largest numbers",
            &[
                ("name", &name),
                ("description", &description),
                ("initialPrice", most),
                ("reservePrice", most),
                ("buyNow", most),
                ("quantity", "10"),
                ("category", "40"),
            ],
        );
        let shortest = self.item_for_sale(
            "the shortest texts and the smallest numbers",
            &[
                ("name", "'"),
                ("description", "\""),
                ("initialPrice", "0.01"),
                ("reservePrice", "0.0"),
                ("buyNow", "0.00"),
                ("quantity", "1"),
                ("duration", "1"),
            ],
        );
        for (name, id) in [("the longest item", longest), ("the shortest item", shortest)] {
            self.add(format!("ViewItem: {name}"), 200, about("ViewItem", "itemId", id));
        }
    }

    fn refused_items(&mut self) {
        let token = requests::token(SELLER);
        let mut refused = |name: &str, status, changes: &[(&str, &str)]| {
            self.add(format!("RegisterItem: {name}"), status, new_item(&token, changes));
        };
        let all_wrong = [("initialPrice", "0"), ("reservePrice", "0.01"), ("buyNow", "0.01")];
        refused("no such category, and wrong prices", 404, &[&all_wrong[..], &[("category", "41")]].concat());
        refused("a first price of 0", 409, &[("initialPrice", "0.00")]);
        refused("all prices wrong", 409, &all_wrong);
        refused("the reserve price below the first price", 409, &[("reservePrice", "9.99"), ("buyNow", "1")]);
        refused("to buy at once below the first price", 409, &[("buyNow", "9.99")]);
        refused(
            "to buy at once below the reserve price",
            409,
            &[("reservePrice", "20"), ("buyNow", "19.99")],
        );
        for (field, value) in [
            ("category", "0"),
            ("initialPrice", "-1"),
            ("reservePrice", "1.001"),
            ("buyNow", "10000000000"),
            ("quantity", "0"),
            ("quantity", "11"),
            ("duration", "0"),
            ("duration", "8"),
            ("name", ""),
            ("description", ""),
        ] {
            refused(&format!("`{value}` as {field}"), 400, &[(field, value)]);
        }
        refused("too long a name", 400, &[("name", &"ß".repeat(101))]);
        refused("too long a description", 400, &[("description", &"x".repeat(8193))]);
    }
}

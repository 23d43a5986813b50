//! Looking around.

use super::{Script, user_page};
use crate::requests::{NOBODY, about, get, search_category, search_region};
use crate::rows::Item;

impl Script {
    pub(super) fn browsing(&mut self) {
        self.add("BrowseCategories", 200, get("BrowseCategories", &[]));
        self.add(
            "BrowseCategories: a parameter that it doesn't take",
            200,
            get("BrowseCategories", &[("x", "1")]),
        );
        self.add("BrowseRegions", 200, get("BrowseRegions", &[]));
        let region = |id: i64| about("BrowseCategoriesInRegion", "region", id);
        self.add("BrowseCategoriesInRegion", 200, region(1));
        self.add("BrowseCategoriesInRegion: no such region", 404, region(63));
        self.add("BrowseCategoriesInRegion: no id", 400, region(0));
        self.searching_a_category();
        self.searching_a_region();
        self.viewing();
    }

    fn searching_a_category(&mut self) {
        let found = self.model.store.open_items(1, self.now).count() as i64;
        let page = "SearchItemsInCategory";
        self.add(format!("{page}: a full page"), 200, search_category(1, 0, 1));
        self.add(format!("{page}: all on one page"), 200, search_category(1, 0, 100));
        self.add(format!("{page}: the last page"), 200, search_category(1, (found - 1).max(0), 1));
        self.add(format!("{page}: the page after the last"), 200, search_category(1, found, 1));
        self.add(format!("{page}: the last number of a page"), 200, search_category(1, 999_999, 100));
        self.add(format!("{page}: no such category"), 404, search_category(41, 0, 20));
        self.add(format!("{page}: no id"), 400, search_category(0, 0, 20));
        self.add(format!("{page}: no number of a page"), 400, search_category(1, 1_000_000, 20));
        self.add(format!("{page}: no items on a page"), 400, search_category(1, 0, 0));
        self.add(format!("{page}: too many items on a page"), 400, search_category(1, 0, 101));
    }

    fn searching_a_region(&mut self) {
        let store = &self.model.store;
        let here = |category: i64, region: i64| {
            let sold_here = move |item: &&Item| store.known_user(item.seller).region == region;
            store.open_items(category, self.now).filter(sold_here)
        };
        let is_at_once = |item: &Item| item.at_once(self.now).is_some();
        let places = || (1..=40).flat_map(|category| (1..=62).map(move |region| (category, region)));
        let some = places().find(|(category, region)| here(*category, *region).any(is_at_once));
        let none = places().find(|(category, region)| here(*category, *region).next().is_none());
        let page = "SearchItemsInRegion";
        if let Some((category, region)) = some {
            self.add(format!("{page}: a full page"), 200, search_region(category, region, 0, 1));
            self.add(format!("{page}: all on one page"), 200, search_region(category, region, 0, 100));
            self.add(format!("{page}: a page after the last"), 200, search_region(category, region, 9, 100));
        }
        if let Some((category, region)) = none {
            self.add(format!("{page}: nothing there"), 200, search_region(category, region, 0, 20));
        }
        self.add(format!("{page}: no such category"), 404, search_region(41, 1, 0, 20));
        self.add(format!("{page}: no such region"), 404, search_region(1, 63, 0, 20));
        self.add(format!("{page}: neither"), 404, search_region(41, 63, 0, 20));
        self.add(format!("{page}: too many items on a page"), 400, search_region(1, 1, 0, 101));
    }

    fn viewing(&mut self) {
        let (store, now) = (&self.model.store, self.now);
        let find = |which: &dyn Fn(&&_) -> bool| store.items.iter().find(which).map(|item| item.id);
        let no_bids = store.items.iter().find(|item| item.max_bid.is_none()).map(|item| item.id);
        let some = [
            ("an open auction", find(&|item| item.is_open(now))),
            ("a closed auction", find(&|item| !item.is_open(now))),
            ("an item that can be bought at once", find(&|item| item.at_once(now).is_some())),
            (
                "an item that costs more by now",
                find(&|item| item.buy_now.0 > 0 && item.price() >= item.buy_now),
            ),
            ("an item without bids", no_bids),
            ("an old item", Some(self.old_item().id)),
        ];
        let rated = store.comments.first().map(|comment| comment.to_user_id);
        for (name, id) in some {
            if let Some(id) = id {
                self.add(format!("ViewItem: {name}"), 200, about("ViewItem", "itemId", id));
                self.add(format!("ViewBidHistory: {name}"), 200, about("ViewBidHistory", "itemId", id));
            }
        }
        for page in ["ViewItem", "ViewBidHistory"] {
            self.add(format!("{page}: no such item"), 404, about(page, "itemId", NOBODY));
            self.add(format!("{page}: no id"), 400, about(page, "itemId", 0));
        }
        if let Some(user) = rated {
            self.add("ViewUserInfo: a user who was rated", 200, user_page(user));
        }
    }
}

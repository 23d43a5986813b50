//! Random requests: mostly sensible, often at or just beyond a limit, and to few rows, so that requests interact.

use crate::{
    parameters::RATINGS,
    population,
    requests::{
        NOBODY, about, bid, comment, comment_form, get, log_in, log_in_as, new_item, new_user, post,
        purchase, search_category, search_region,
    },
    rows::Item,
    store::Store,
};
use application::{Account, FuzzSource, Money, Step, Timestamp};
use rand::{Rng, RngExt};

/// The number of a table's rows that are requested.
const FEW: usize = 6;

pub fn fuzz(store: &Store, random: &mut dyn Rng, now: Timestamp) -> Step {
    let mut fuzzer = Fuzzer { store, random, now };
    let step = fuzzer.sensible();
    fuzzer.at_times_odd(step)
}

struct Fuzzer<'a> {
    store: &'a Store,
    random: &'a mut dyn Rng,
    now: Timestamp,
}

impl FuzzSource for Fuzzer<'_> {
    fn random(&mut self) -> &mut dyn Rng {
        self.random
    }
}

impl Fuzzer<'_> {
    fn sensible(&mut self) -> Step {
        match self.random.random_range(0..30) {
            0 => get(self.any(&["index.html", "browse.html", "style.css", "Nowhere"]), &[]),
            1 => get(self.any(&["register.html", "sell.html", "about_me.html"]), &[]),
            2 => get(self.any(&["BrowseCategories", "BrowseRegions"]), &[]),
            3..=4 => self.look_around(),
            5..=6 => self.view_something(),
            7 => self.log_in_form(),
            8..=10 => self.log_in(),
            11..=12 => self.register(),
            13..=14 => self.sell(),
            15..=17 => self.rate(),
            18..=20 => self.buy(),
            _ => self.bid(),
        }
    }

    fn look_around(&mut self) -> Step {
        let (category, region) = (self.any(&[1, 1, 1, 40, 41]), self.any(&[1, 2, 62, 63]));
        let (page, size) = (self.any(&[0, 0, 0, 1, 7, 999_999]), self.any(&[1, 2, 20, 20, 100, 101]));
        match self.random.random_range(0..3) {
            0 => about("BrowseCategoriesInRegion", "region", region),
            1 => search_region(category, region, page, size),
            _ => search_category(category, page, size),
        }
    }

    fn view_something(&mut self) -> Step {
        let item = self.item();
        match self.random.random_range(0..3) {
            0 => about("ViewItem", "itemId", item),
            1 => about("ViewBidHistory", "itemId", item),
            _ => about("ViewUserInfo", "userId", self.seller_of(item)),
        }
    }

    /// An item: mostly one of the last few or of the first few; also a closed one, an old one, or none at all.
    fn item(&mut self) -> i64 {
        let (old, all) = (self.store.old_items.len(), self.store.old_items.len() + self.store.items.len());
        let near = self.random.random_range(0..FEW.min(self.store.items.len()));
        let id = match self.random.random_range(0..20) {
            0 => return self.any(&[all as i64 + 1, NOBODY]),
            1 => near.min(old - 1) + 1,
            2 => return self.closed_item(),
            3..=6 => old + near + 1,
            _ => all - near,
        };
        id as i64
    }

    /// The item that closed last.
    fn closed_item(&self) -> i64 {
        let closed = self.store.items.iter().filter(|item| !item.is_open(self.now));
        closed.max_by_key(|item| item.end_date).map_or(NOBODY, |item| item.id)
    }

    /// Mostly the seller of an item.
    fn seller_of(&mut self, item: i64) -> i64 {
        let seller = self.store.item_or_old(item).map_or(NOBODY, |item| item.seller);
        match self.random.random_range(0..10) {
            0 => NOBODY,
            1 => self.user(),
            _ => seller,
        }
    }

    fn user(&mut self) -> i64 {
        self.random.random_range(1..=FEW.min(self.store.users.len())) as i64
    }

    /// A user for an item; now and then its own seller.
    fn user_for(&mut self, item: i64) -> i64 {
        let seller = self.store.item_or_old(item).map(|item| item.seller);
        match seller {
            Ok(seller) if self.rarely(10) => seller,
            _ => self.user(),
        }
    }

    fn token(&mut self, user: i64) -> String {
        match self.random.random_range(0..30) {
            0 => format!("{{token:{user}:expired}}"),
            1 => format!("{{token:{user}:forged}}"),
            2 => format!("{user}.2000000000.00ff"),
            _ => format!("{{token:{user}}}"),
        }
    }

    fn log_in_form(&mut self) -> Step {
        let item = self.item();
        match self.random.random_range(0..3) {
            0 => about("PutBidAuth", "itemId", item),
            1 => about("BuyNowAuth", "itemId", item),
            _ => comment_form(item, self.seller_of(item)),
        }
    }

    fn log_in(&mut self) -> Step {
        let item = self.item();
        let (user, seller) = (self.user_for(item), self.seller_of(item));
        let (page, ids): (&str, &[(&str, i64)]) = match self.random.random_range(0..5) {
            0 => ("PutBid", &[("itemId", item)]),
            1 => ("BuyNow", &[("itemId", item)]),
            2 => ("PutComment", &[("itemId", item), ("to", seller)]),
            3 => ("SelectCategoryToSellItem", &[]),
            _ => ("AboutMe", &[]),
        };
        let Account { nickname, password } = population::account(user.unsigned_abs());
        match self.random.random_range(0..16) {
            0 => log_in_as(page, ids, &nickname.to_uppercase(), &password),
            1 => log_in_as(page, ids, &nickname, &format!("{password} ")),
            _ => log_in(page, ids, user),
        }
    }

    fn register(&mut self) -> Step {
        let nickname = format!("{}{}", self.any(&["new", "New", "user"]), self.random.random_range(1..=40));
        let region = self.any(&[1, 2, 61, 62, 63]).to_string();
        let (firstname, lastname) = (self.text(20), self.text(20));
        let changes = [
            ("nickname", &*nickname),
            ("region", &region),
            ("firstname", &firstname),
            ("lastname", &lastname),
        ];
        new_user(&changes)
    }

    fn sell(&mut self) -> Step {
        let user = self.user();
        let token = self.token(user);
        let category = self.any(&[1, 1, 1, 2, 40, 41]).to_string();
        if self.rarely(4) {
            return post("SellItemForm", &[("token", &token), ("category", &category)]);
        }
        let initial = Money(self.any(&[0, 1, 100, 1000, 999_999_999_998]));
        let reserve = Money(self.any(&[0, 0, 0, initial.0, initial.0 + 1, (initial.0 - 1).max(0)]));
        let highest = initial.max(reserve);
        let buy_now =
            Money(self.any(&[0, highest.0, highest.0 + 1, highest.0 + 500, (highest.0 - 1).max(0)]));
        let (name, description) = (self.text(100), self.text(500));
        let [initial, reserve, buy_now] = [initial, reserve, buy_now].map(|amount| amount.to_string());
        let changes = [
            ("category", &*category),
            ("name", &name),
            ("description", &description),
            ("initialPrice", &initial),
            ("reservePrice", &reserve),
            ("buyNow", &buy_now),
            ("quantity", self.any(&["1", "2", "3", "10", "11"])),
            ("duration", self.any(&["1", "7", "7", "8"])),
        ];
        new_item(&token, &changes)
    }

    fn rate(&mut self) -> Step {
        let item = self.item();
        let (user, seller) = (self.user_for(item), self.seller_of(item));
        let (token, text) = (self.token(user), self.text(200));
        let rating = self.any(&RATINGS).to_string();
        comment(&token, item, seller, &rating, &text)
    }

    fn buy(&mut self) -> Step {
        let id = self.item();
        let user = self.user_for(id);
        let (token, qty) = (self.token(user), self.quantity(id));
        purchase(&token, id, &qty)
    }

    /// A quantity of an item: mostly one, or one less or more than there are.
    fn quantity(&mut self, item: i64) -> String {
        let left = self.store.item(item).map_or(1, |item| item.quantity);
        self.any(&[1, 1, 1, 1, left, (left - 1).max(0), left + 1]).to_string()
    }

    /// A bid at, just above or just below a limit.
    fn bid(&mut self) -> Step {
        let id = self.item();
        let (amount, most) =
            self.store.item(id).cloned().map_or((Money(100), Money(100)), |item| self.amounts(&item));
        let user = self.user_for(id);
        let (token, qty) = (self.token(user), self.quantity(id));
        bid(&token, id, &amount.to_string(), &most.to_string(), &qty)
    }

    /// A bid and the bidder's maximum.
    fn amounts(&mut self, item: &Item) -> (Money, Money) {
        let least = item.least_bid().0;
        let leading = self.store.leading_bid(item.id).map_or(least, |bid| bid.max_bid.0);
        let amount =
            self.any(&[least - 1, least, least, least, least + 1, leading, leading + 1, item.buy_now.0]);
        let most =
            self.any(&[amount, amount + 250, leading - 1, leading, leading, leading + 1, leading + 500]);
        let mostly = if self.rarely(12) { amount - 1 } else { most.max(amount) };
        (Money(amount.max(0)), Money(mostly.max(0)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        AuctionModel, CATALOGUE,
        script::tests::{KINDS, kind},
    };
    use application::{Dataset, Model, Timestamp, TokenKey};
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn a_walk_meets_every_interaction_and_every_refusal() {
        let dataset = Dataset::new(1, 0.01, Timestamp(1_800_000_000));
        let mut model = AuctionModel::new(&dataset, TokenKey::new("secret"));
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let (mut answered, mut refusals) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..3000 {
            let step = model.fuzz(&mut random, dataset.epoch);
            match model.answer(&step.request(&model.key, dataset.epoch), dataset.epoch) {
                Ok(_) => drop(answered.insert(step.path)),
                Err(fault) => drop(refusals.insert(kind(&fault))),
            }
        }
        let missing = CATALOGUE.interactions().iter().filter(|it| !answered.contains(&it.path));
        assert_eq!(missing.map(|it| &it.name).collect::<Vec<_>>(), Vec::<&String>::new());
        let unmet: Vec<&str> = KINDS.into_iter().filter(|kind| !refusals.contains(kind)).collect();
        assert_eq!(unmet, Vec::<&str>::new());
    }
}

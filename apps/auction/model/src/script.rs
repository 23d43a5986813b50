//! Requests that together take every branch of the rules, and writes that get in each other's way.

use crate::{
    population::{self, Population},
    rows::{Item, User},
    store::Store,
};
use application::{Branch, Money, Scenario, Step, Value, Write};

/// A bidder who stays clear of the others.
const BIDDER: i64 = 1;

/// Requests that take every branch, for the rows of this scenario.
pub fn branches(scenario: &Scenario) -> Vec<Branch> {
    let store = Store::new(&Population::new(scenario));
    let mut script = Script { store: &store, scenario, branches: Vec::new() };
    script.pages();
    script.registering();
    script.browsing();
    script.logging_in();
    script.bidding();
    script.branches
}

struct Script<'a> {
    store: &'a Store,
    scenario: &'a Scenario,
    branches: Vec<Branch>,
}

impl Script<'_> {
    fn add(&mut self, name: &str, status: u16, step: Step) {
        self.branches.push(Branch { name: name.to_owned(), step, status });
    }

    /// The open item that stays open longest, of those that have what is asked for.
    fn open_item(&self, which: impl Fn(&Item) -> bool) -> &Item {
        let open = self.store.items.iter().filter(|item| item.is_open(self.scenario.epoch) && which(item));
        open.max_by_key(|item| item.end_date).expect("the scenario has such an item")
    }

    fn closed_item(&self) -> Option<&Item> {
        self.store.items.iter().find(|item| !item.is_open(self.scenario.epoch))
    }

    fn pages(&mut self) {
        self.add("a static page", 200, get("index.html", &[]));
        self.add("the form to register", 200, get("register.html", &[]));
        self.add("the page to browse from", 200, get("browse.html", &[]));
        self.add("no such page", 404, get("Nowhere", &[]));
        self.add("a page with another method", 405, get("StoreBid", &[]));
    }

    fn registering(&mut self) {
        let taken = population::account(1).nickname;
        self.add("RegisterUser: a new user", 200, register("branch", "1"));
        self.add("RegisterUser: taken by a new user", 409, register("branch", "1"));
        self.add("RegisterUser: taken in another region", 409, register(&taken, "2"));
        self.add("RegisterUser: upper case is another nickname", 200, register("BRANCH", "62"));
        self.add("RegisterUser: no such region", 400, register("branch2", "63"));
        self.add("RegisterUser: no nickname", 400, register("not one", "1"));
    }

    fn browsing(&mut self) {
        let category = self.open_item(|_| true).category.to_string();
        let search = |category: &str, page: &str, size: &str| {
            get("SearchItemsInCategory", &[("category", category), ("page", page), ("nbOfItems", size)])
        };
        self.add("BrowseCategories", 200, get("BrowseCategories", &[]));
        self.add("SearchItemsInCategory: a full page", 200, search(&category, "0", "1"));
        self.add("SearchItemsInCategory: all on one page", 200, search(&category, "0", "100"));
        self.add("SearchItemsInCategory: a later page", 200, search(&category, "1", "1"));
        self.add("SearchItemsInCategory: a page beyond the last", 200, search(&category, "999999", "100"));
        self.add("SearchItemsInCategory: no such category", 404, search("41", "0", "20"));
        self.add("SearchItemsInCategory: no such page size", 400, search(&category, "0", "101"));
        let open = self.open_item(|_| true).id;
        self.add("ViewItem: an open auction", 200, item_page("ViewItem", open));
        if let Some(closed) = self.closed_item().map(|item| item.id) {
            self.add("ViewItem: a closed auction", 200, item_page("ViewItem", closed));
        }
        self.add("ViewItem: no such item", 404, item_page("ViewItem", 999_999_999));
    }

    fn logging_in(&mut self) {
        let open = self.open_item(|_| true).id;
        let account = population::account(1);
        let log_in = |item: i64, nickname: &str, password: &str| {
            let item = item.to_string();
            post("PutBid", &[("itemId", &item), ("nickname", nickname), ("password", password)])
        };
        self.add("PutBidAuth", 200, item_page("PutBidAuth", open));
        self.add("PutBidAuth: an item that only PutBid looks for", 200, item_page("PutBidAuth", 999_999_999));
        self.add("PutBid: logged in", 200, log_in(open, &account.nickname, &account.password));
        self.add("PutBid: no such user", 403, log_in(open, "nobody", &account.password));
        self.add("PutBid: another password", 403, log_in(open, &account.nickname, "password2"));
        self.add("PutBid: no such item", 404, log_in(999_999_999, &account.nickname, &account.password));
        if let Some(closed) = self.closed_item().map(|item| item.id) {
            self.add("PutBid: a closed auction", 409, log_in(closed, &account.nickname, &account.password));
        }
    }

    fn bidding(&mut self) {
        let item = self.open_item(|item| item.max_bid.is_some()).clone();
        let (least, token) = (item.least_bid(), format!("{{token:{BIDDER}}}"));
        let most = Money(least.0 + 100);
        self.add("StoreBid: a cent too low", 409, bid(item.id, &token, Money(least.0 - 1), most, 1));
        self.add("StoreBid: the least bid", 200, bid(item.id, &token, least, least, 1));
        self.add("StoreBid: the same bid again", 409, bid(item.id, &token, least, least, 1));
        self.add("StoreBid: a higher bid", 200, bid(item.id, &token, most, most, item.quantity));
        let next = Money(most.0 + 1);
        self.add("StoreBid: the most is below the bid", 409, bid(item.id, &token, next, most, 1));
        self.add("StoreBid: none of it", 409, bid(item.id, &token, next, next, 0));
        self.add("StoreBid: more than there is", 409, bid(item.id, &token, next, next, item.quantity + 1));
        for (name, token) in [("expired", "{token:1:expired}"), ("forged", "{token:1:forged}")] {
            self.add(&format!("StoreBid: the log-in is {name}"), 403, bid(item.id, token, next, next, 1));
        }
        self.add("StoreBid: no such item", 404, bid(999_999_999, &token, next, next, 1));
        if let Some(closed) = self.closed_item().cloned() {
            self.add("StoreBid: a closed auction", 409, bid(closed.id, &token, closed.least_bid(), most, 1));
        }
        let fresh = self.open_item(|item| item.max_bid.is_none()).clone();
        self.add(
            "StoreBid: the first bid, below the first price",
            409,
            bid(fresh.id, &token, Money(fresh.initial_price.0 - 1), most, 1),
        );
        self.add(
            "StoreBid: the first bid, at the first price",
            200,
            bid(fresh.id, &token, fresh.initial_price, fresh.initial_price, 1),
        );
    }
}

/// Bids far above all generated ones, each a cent higher than the one before, on three items, so that those that come
/// late are refused; and every tenth write a registration for which there are two candidates.
pub fn contention(scenario: &Scenario, count: usize) -> Vec<Write> {
    const ITEMS: usize = 3;
    const HIGH: i64 = 100_000_000;
    let store = Store::new(&Population::new(scenario));
    let mut open: Vec<&Item> = store.items.iter().filter(|item| item.is_open(scenario.epoch)).collect();
    open.sort_by_key(|item| std::cmp::Reverse(item.end_date));
    open.truncate(ITEMS);
    let users = store.users.len();
    let write = |number: usize| match number % 10 {
        9 => rival(number),
        _ => {
            let user = (number % users) as i64 + 1;
            let item = open[number % open.len()].id;
            rival_bid(user, item, Money(HIGH + number as i64))
        }
    };
    (0..count).map(write).collect()
}

fn rival_bid(user: i64, item: i64, amount: Money) -> Write {
    Write {
        step: bid(item, &format!("{{token:{user}}}"), amount, amount, 1),
        table: "bids",
        mark: vec![
            ("user_id", Value::Integer(user)),
            ("item_id", Value::Integer(item)),
            ("bid", Value::Money(amount)),
        ],
    }
}

/// Each nickname is wanted by two, who live in different regions.
fn rival(number: usize) -> Write {
    let (nickname, region) = (format!("rival{}", number / 20), (number / 10 % 2 + 1) as i64);
    Write {
        step: register(&nickname, &region.to_string()),
        table: User::TABLE.name,
        mark: vec![("nickname", Value::Text(nickname)), ("region", Value::Integer(region))],
    }
}

pub fn get(page: &str, fields: &[(&str, &str)]) -> Step {
    Step::get(&format!("/auction/{page}"), fields)
}

pub fn post(page: &str, fields: &[(&str, &str)]) -> Step {
    Step::post(&format!("/auction/{page}"), fields)
}

/// A page that is about one item.
pub fn item_page(page: &str, item: i64) -> Step {
    get(page, &[("itemId", &item.to_string())])
}

pub fn register(nickname: &str, region: &str) -> Step {
    let fields = [
        ("firstname", "Zoë"),
        ("lastname", "O'Brien & <Sons>"),
        ("nickname", nickname),
        ("email", "zoe@example.org"),
        ("password", "secret"),
        ("region", region),
    ];
    post("RegisterUser", &fields)
}

pub fn bid(item: i64, token: &str, bid: Money, most: Money, qty: i64) -> Step {
    let (item, bid, most, qty) = (item.to_string(), bid.to_string(), most.to_string(), qty.to_string());
    post("StoreBid", &[("itemId", &item), ("token", token), ("bid", &bid), ("maxBid", &most), ("qty", &qty)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AUCTION, CATALOGUE};
    use application::{Application, Timestamp, TokenKey};
    use rand::SeedableRng;
    use std::collections::{BTreeSet, HashMap};

    const SCENARIO: Scenario = Scenario { seed: 1, scale: 0.01, epoch: Timestamp(1_800_000_000) };

    #[test]
    fn every_branch_is_taken_and_every_interaction_answers() {
        let key = TokenKey::new("secret");
        for seed in 1..4 {
            let scenario = Scenario { seed, ..SCENARIO };
            let mut model = AUCTION.model(&scenario, key.clone());
            let mut answered = BTreeSet::new();
            for Branch { name, step, status } in AUCTION.branches(&scenario, &key) {
                let response = model.respond(&step.request(&key, scenario.epoch), scenario.epoch);
                assert_eq!(response.status, status, "{name}: {step}");
                answered.extend(CATALOGUE.by_path(&step.path).filter(|_| status == 200));
            }
            assert_eq!(answered.len(), CATALOGUE.interactions().len());
        }
    }

    #[test]
    fn a_write_that_is_accepted_makes_the_row_with_its_mark_and_nothing_else_does() {
        let key = TokenKey::new("secret");
        let mut model = AUCTION.model(&SCENARIO, key.clone());
        let marked = |model: &dyn application::Model, write: &Write| {
            let table = AUCTION.tables().iter().find(|table| table.name == write.table).unwrap();
            let at = |name: &str| table.columns.iter().position(|column| column.name == name).unwrap();
            let rows = model.rows(table);
            rows.iter().filter(|row| write.mark.iter().all(|(name, value)| row[at(name)] == *value)).count()
        };
        let mut statuses: HashMap<u16, usize> = HashMap::new();
        for write in AUCTION.contention(&SCENARIO, 60) {
            assert_eq!(marked(model.as_ref(), &write), 0, "{}", write.step);
            let status = model.respond(&write.step.request(&key, SCENARIO.epoch), SCENARIO.epoch).status;
            assert_eq!(marked(model.as_ref(), &write), usize::from(status == 200), "{}", write.step);
            *statuses.entry(status).or_default() += 1;
        }
        assert_eq!(statuses, HashMap::from([(200, 57), (409, 3)]));
    }

    #[test]
    fn suggestions_meet_every_interaction_and_are_answered_in_many_ways() {
        let key = TokenKey::new("secret");
        let mut model = AUCTION.model(&SCENARIO, key.clone());
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut seen: HashMap<String, BTreeSet<u16>> = HashMap::new();
        for _ in 0..2000 {
            let step = model.suggest(&mut random, SCENARIO.epoch);
            let status = model.respond(&step.request(&key, SCENARIO.epoch), SCENARIO.epoch).status;
            seen.entry(step.path).or_default().insert(status);
        }
        for interaction in CATALOGUE.interactions() {
            assert!(
                seen[&interaction.path].contains(&200),
                "{}: {:?}",
                interaction.path,
                seen.get(&interaction.path)
            );
        }
        assert_eq!(seen["/auction/StoreBid"], BTreeSet::from([200, 403, 404, 409]));
        assert_eq!(seen["/auction/PutBid"], BTreeSet::from([200, 403, 404, 409]));
        assert_eq!(seen["/auction/RegisterUser"], BTreeSet::from([200, 400, 409]));
    }
}

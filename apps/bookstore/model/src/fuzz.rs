//! Random requests: mostly sensible, often at or just beyond a limit, and to few rows, so that requests interact.

use crate::{
    payment,
    population::{self, subjects},
    requests::{
        CARD, NOBODY, about, add, cart_with, change, confirm, get, last_order_as, log_in, log_in_as, refresh,
        register, sealed, search,
    },
    store::Store,
};
use application::{FuzzSource, Money, Step, Timestamp};
use rand::{Rng, RngExt, seq::IndexedRandom};

/// The number of a table's rows that are requested.
const FEW: i64 = 6;

pub fn fuzz(store: &Store, random: &mut dyn Rng, _now: Timestamp) -> Step {
    let mut fuzzer = Fuzzer { store, random };
    let step = fuzzer.sensible();
    fuzzer.at_times_odd(step)
}

struct Fuzzer<'a> {
    store: &'a Store,
    random: &'a mut dyn Rng,
}

impl FuzzSource for Fuzzer<'_> {
    fn random(&mut self) -> &mut dyn Rng {
        self.random
    }
}

impl Fuzzer<'_> {
    fn sensible(&mut self) -> Step {
        match self.random.random_range(0..30) {
            0 => get(self.any(&["style.css", "Nowhere"]), &[]),
            1..=4 => self.look_around(),
            5 => self.search(),
            6..=14 => self.fill_a_cart(),
            15..=19 => self.log_in(),
            20..=26 => self.order(),
            27 => self.ask_for_an_order(),
            _ => self.change_a_book(),
        }
    }

    fn few(&mut self) -> i64 {
        self.random.random_range(1..=FEW)
    }

    fn item(&mut self) -> i64 {
        let last = self.store.items.len() as i64;
        if self.rarely(15) { self.any(&[last, last + 1, NOBODY]) } else { self.few() }
    }

    fn customer(&mut self) -> i64 {
        if self.rarely(30) { NOBODY } else { self.few() }
    }

    /// A cart: mostly one of the last.
    fn cart(&mut self) -> i64 {
        let last = self.store.carts.len() as i64;
        let near = self.random.random_range(0..FEW);
        if self.rarely(30) { last + 1 } else { (last - near).max(1) }
    }

    fn look_around(&mut self) -> Step {
        let (customer, cart) = (self.customer().to_string(), sealed(self.cart()));
        let mut state = Vec::new();
        if self.rarely(2) {
            state.push(("C_ID", &*customer));
        }
        if self.rarely(2) {
            state.push(("SHOPPING_ID", &*cart));
        }
        let subject = subjects().choose(self.random).map_or("", |subject| subject);
        let item = self.item().to_string();
        let (page, own): (&str, &[(&str, &str)]) = match self.random.random_range(0..7) {
            0 => ("Home", &[]),
            1 => ("SearchRequest", &[]),
            2 => ("OrderInquiry", &[]),
            3 => ("CustomerRegistration", &[]),
            4 => ("NewProducts", &[("SUBJECT", subject)]),
            5 => ("BestSellers", &[("SUBJECT", subject)]),
            _ => ("ProductDetail", &[("I_ID", &item)]),
        };
        state.extend(own);
        get(page, &state)
    }

    fn search(&mut self) -> Step {
        let sort = self.any(&["author", "title", "subject", "isbn"]);
        let item = self.store.item(self.few()).expect("there are few");
        let text = match sort {
            "author" => self.store.author(item).a_lname.clone(),
            "title" => item.i_title.clone(),
            _ => item.i_subject.clone(),
        };
        let length = self.any(&[1, 6, 13, 14, 60]);
        let begin: String = text.chars().take(length).collect();
        search(sort, self.any(&[&*begin, "%", "_", "B\\"]))
    }

    fn fill_a_cart(&mut self) -> Step {
        // The first ones are never ordered, and grow until they are full.
        let cart = if self.rarely(3) { self.any(&[1, 2]) } else { self.cart() };
        let item = self.item();
        match self.random.random_range(0..10) {
            0 => add(None, item),
            1 => cart_with(None, &[("ADD_FLAG", "N")]),
            2 => cart_with(Some(cart), &[("ADD_FLAG", "N"), ("C_ID", "1")]),
            3..=5 => add(Some(cart), item),
            6..=7 => add(Some(cart), self.random.random_range(1..=20)),
            _ => {
                let lines = self.random.random_range(1..=10);
                let quantities: Vec<(i64, i64)> =
                    (0..lines).map(|_| (self.few(), self.any(&[0, 0, 1, 2, 9, 98, 99]))).collect();
                refresh(cart, &quantities)
            }
        }
    }

    fn log_in(&mut self) -> Step {
        let (cart, customer) = (self.cart(), self.few());
        let account = population::account(customer.unsigned_abs());
        match self.random.random_range(0..12) {
            0 => log_in_as(cart, &account.nickname.to_lowercase(), &account.password),
            1 => log_in_as(cart, &account.nickname, &format!("{} ", account.password)),
            2..=6 => {
                let uname = format!("{}{}", self.any(&["new", "New"]), self.random.random_range(1..=40));
                let country = self.any(&["1", "2", "91", "92", "93"]);
                let (street, name) = (self.text(40), self.text(17));
                let changes =
                    [("NEW_UNAME", &*uname), ("COUNTRY", country), ("STREET_1", &street), ("FNAME", &name)];
                register(cart, &changes)
            }
            _ => log_in(cart, customer),
        }
    }

    fn order(&mut self) -> Step {
        let (customer, cart) = (self.customer(), self.cart().max(3));
        let token = match self.random.random_range(0..30) {
            0 => format!("{{token:{customer}:expired}}"),
            1 => format!("{{token:{customer}:forged}}"),
            _ => format!("{{token:{customer}}}"),
        };
        let sealed = if self.rarely(30) { format!("{{sealed:{cart}:forged}}") } else { sealed(cart) };
        let card = if self.rarely(12) { payment::DECLINED } else { CARD };
        let mut changes = vec![
            ("token", &*token),
            ("SHOPPING_ID", &*sealed),
            ("CC_NUMBER", card),
            ("SHIPPING", self.any(&["AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL"])),
        ];
        let name = self.text(30);
        let street = format!("{} Elm Street", self.few());
        changes.push(("CC_NAME", &name));
        if self.rarely(4) {
            changes.extend([
                ("STREET_1", &*street),
                ("CITY", "Cork"),
                ("STATE", "-"),
                ("ZIP", "0"),
                ("COUNTRY", self.any(&["1", "92", "93"])),
            ]);
        }
        confirm(customer, cart, &changes)
    }

    fn ask_for_an_order(&mut self) -> Step {
        let account = population::account(self.few().unsigned_abs());
        let password = if self.rarely(10) { "x" } else { &account.password };
        last_order_as(&account.nickname, password)
    }

    fn change_a_book(&mut self) -> Step {
        let item = self.item();
        if self.rarely(3) {
            return about("AdminRequest", item);
        }
        let most = self.store.item(item).map_or(Money(100), |item| item.i_srp);
        let price = self.any(&[0, 1, most.0 - 1, most.0, most.0 + 1]);
        change(item, &Money(price).to_string(), self.few())
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        BookstoreModel, CATALOGUE,
        script::tests::{KINDS, kind},
    };
    use application::{Dataset, Model, Timestamp, TokenKey};
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn a_walk_meets_every_interaction_and_nearly_every_refusal() {
        let dataset = Dataset::new(1, 0.01, Timestamp(1_800_000_000));
        let mut model = BookstoreModel::new(&dataset, TokenKey::new("secret"));
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let (mut answered, mut refusals) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..4000 {
            let step = model.fuzz(&mut random, dataset.epoch);
            match model.answer(&step.request(&model.key, dataset.epoch), dataset.epoch) {
                Ok(_) => drop(answered.insert(step.path)),
                Err(fault) => drop(refusals.insert(kind(&fault))),
            }
        }
        let missing = CATALOGUE.interactions().iter().filter(|it| !answered.contains(&it.path));
        assert_eq!(missing.map(|it| &it.name).collect::<Vec<_>>(), Vec::<&String>::new());
        let unmet: Vec<&str> = KINDS.into_iter().filter(|kind| !refusals.contains(kind)).collect();
        // The bank's timeout is too slow for many requests.
        assert_eq!(unmet, ["NoAnswer"]);
    }
}

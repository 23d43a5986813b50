//! Generates the rows of a scenario, in the proportions of RUBiS.
//!
//! Every row is a function of seed, scale, epoch and its own number: each draws from a ChaCha8 stream of its own. So
//! rows come one at a time, in flat memory, any range of them can be made by itself, and the bids of an item are known
//! both when the item's row is made (its price and number of bids) and later when their own rows are.
//!
//! - 1,000,000·scale users: `user{N}` with the password `password{N}`.
//! - 33,000·scale items. 97 % are open at the epoch: they last 1 to 7 days and have more than a minute left. 3 % closed
//!   during the last day. Prices from 1 to 5000; quantity 1 for 80 %, else 2 to 10; a reserve price for 40 %; buy-now
//!   for 10 %; descriptions of 1 to 2048 bytes; category and seller uniform.
//! - 0 to 19 bids per item, uniform. Each raises the price by 1 to 10 and states a maximum that is two raises higher.
//!   Their dates are in order between the item's start and its end or the epoch. Ids follow the items, not the dates.

use crate::rows::{Bid, Category, Item, Region, User};
use crate::words;
use application::{Account, Money, Scenario, Timestamp, password_hash};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

const USERS: f64 = 1_000_000.0;
const ITEMS: f64 = 33_000.0;
const MOST_BIDS: usize = 19;
const MOST_DESCRIPTION_BYTES: usize = 2048;

const DAY: i64 = 24 * 3600;
/// What every open auction has left at the epoch, in seconds, so that data are fresh when a run starts.
const LEAST_LEFT: i64 = 60;

/// What a stream of random numbers is for.
#[derive(Clone, Copy)]
enum Purpose {
    User,
    Item,
    Description,
    Bids,
}

/// The generated rows of a scenario.
pub struct Population {
    random: ChaCha8Rng,
    users: i64,
    items: i64,
    epoch: Timestamp,
}

/// The account with this number, which is also its user's id.
pub fn account(number: u64) -> Account {
    Account { nickname: format!("user{number}"), password: format!("password{number}") }
}

/// The categories, which are the same in every scenario.
pub fn categories() -> impl Iterator<Item = Category> {
    (1..).zip(words::CATEGORIES).map(|(id, name)| Category { id, name: name.to_owned() })
}

/// The regions, which are the same in every scenario.
pub fn regions() -> impl Iterator<Item = Region> {
    (1..).zip(words::REGIONS).map(|(id, name)| Region { id, name: name.to_owned() })
}

impl Population {
    pub fn new(scenario: &Scenario) -> Self {
        let scaled = |full: f64| ((full * scenario.scale).round() as i64).max(1);
        Self {
            random: ChaCha8Rng::seed_from_u64(scenario.seed),
            users: scaled(USERS),
            items: scaled(ITEMS),
            epoch: scenario.epoch,
        }
    }

    pub fn number_of_users(&self) -> u64 {
        self.users.unsigned_abs()
    }

    pub fn users(&self) -> impl Iterator<Item = User> + '_ {
        (1..=self.users).map(|id| self.user(id))
    }

    pub fn items(&self) -> impl Iterator<Item = Item> + '_ {
        (1..=self.items).map(|id| {
            let mut item = self.new_item(id);
            item.description = description(&mut self.stream(Purpose::Description, id));
            let bids = self.bids_on(&item);
            item.nb_of_bids = bids.len() as i64;
            item.max_bid = bids.last().map(|bid| bid.bid);
            item
        })
    }

    pub fn bids(&self) -> impl Iterator<Item = Bid> + '_ {
        let unnumbered = (1..=self.items).flat_map(|id| self.bids_on(&self.new_item(id)));
        (1..).zip(unnumbered).map(|(id, bid)| Bid { id, ..bid })
    }

    /// The random numbers of a row for a purpose.
    fn stream(&self, purpose: Purpose, id: i64) -> ChaCha8Rng {
        let mut random = self.random.clone();
        random.set_stream(((purpose as u64) << 48) | id.unsigned_abs());
        random
    }

    fn user(&self, id: i64) -> User {
        let mut random = self.stream(Purpose::User, id);
        let Account { nickname, password } = account(id.unsigned_abs());
        User {
            id,
            firstname: any(&words::FIRSTNAMES, &mut random).to_owned(),
            lastname: any(&words::LASTNAMES, &mut random).to_owned(),
            password: password_hash(&nickname, &password),
            email: format!("{nickname}@example.org"),
            nickname,
            rating: random.random_range(-10..=100),
            balance: Money(0),
            creation_date: self.epoch + -random.random_range(8 * DAY..=1000 * DAY),
            region: random.random_range(1..=words::REGIONS.len() as i64),
        }
    }

    /// An item without its description and bids.
    fn new_item(&self, id: i64) -> Item {
        let mut random = self.stream(Purpose::Item, id);
        let units = |number: i64| Money(number * 100);
        let initial = random.random_range(1..=5000);
        let reserve = if random.random_bool(0.4) { initial + random.random_range(0..1000) } else { 0 };
        let buy_now =
            if random.random_bool(0.1) { initial.max(reserve) + random.random_range(0..1000) } else { 0 };
        let quantity = if random.random_bool(0.8) { 1 } else { random.random_range(2..=10) };
        let (start_date, end_date) = self.dates(&mut random);
        Item {
            id,
            name: format!("{} {}", any(&words::ADJECTIVES, &mut random), any(&words::THINGS, &mut random)),
            description: String::new(),
            initial_price: units(initial),
            quantity,
            reserve_price: units(reserve),
            buy_now: units(buy_now),
            nb_of_bids: 0,
            max_bid: None,
            start_date,
            end_date,
            seller: random.random_range(1..=self.users),
            category: random.random_range(1..=words::CATEGORIES.len() as i64),
        }
    }

    /// Start and end of an auction.
    fn dates(&self, random: &mut ChaCha8Rng) -> (Timestamp, Timestamp) {
        let lasts = random.random_range(DAY..=7 * DAY);
        let closed = random.random_bool(0.03);
        let end = if closed {
            self.epoch + -random.random_range(1..=DAY)
        } else {
            self.epoch + random.random_range(LEAST_LEFT + 1..=lasts)
        };
        (end + -lasts, end)
    }

    /// The bids on an item, still without ids, the earliest first.
    fn bids_on(&self, item: &Item) -> Vec<Bid> {
        let mut random = self.stream(Purpose::Bids, item.id);
        let last = item.end_date.min(self.epoch);
        let mut dates: Vec<Timestamp> = (0..random.random_range(0..=MOST_BIDS))
            .map(|_| item.start_date + random.random_range(0..=last - item.start_date))
            .collect();
        dates.sort_unstable();
        let mut price = item.initial_price;
        let bids = dates.into_iter().map(|date| {
            let raise = random.random_range(1..=10) * 100;
            price.0 += raise;
            Bid {
                id: 0,
                user_id: random.random_range(1..=self.users),
                item_id: item.id,
                qty: random.random_range(1..=item.quantity),
                bid: price,
                max_bid: Money(price.0 + 2 * raise),
                date,
            }
        });
        bids.collect()
    }
}

fn any<'a>(words: &[&'a str], random: &mut ChaCha8Rng) -> &'a str {
    words.choose(random).expect("lists of words aren't empty")
}

/// Sentences of random words, cut at a random length in bytes.
fn description(random: &mut ChaCha8Rng) -> String {
    let length = random.random_range(1..=MOST_DESCRIPTION_BYTES);
    let mut text = String::with_capacity(length + 32);
    let mut left_in_sentence = 0;
    while text.len() < length {
        let word = any(&words::WORDS, random);
        if left_in_sentence == 0 {
            text.push_str(if text.is_empty() { "" } else { ". " });
            text.push_str(&word[..1].to_uppercase());
            text.push_str(&word[1..]);
            left_in_sentence = random.random_range(4..=14);
        } else {
            text.push(' ');
            text.push_str(word);
            left_in_sentence -= 1;
        }
    }
    text.truncate(length);
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPOCH: Timestamp = Timestamp(1_800_000_000);

    fn population(seed: u64) -> Population {
        Population::new(&Scenario { seed, scale: 0.02, epoch: EPOCH })
    }

    #[test]
    fn the_same_seed_gives_the_same_rows() {
        let (one, same, other) = (population(1), population(1), population(2));
        assert!(one.users().eq(same.users()) && one.items().eq(same.items()) && one.bids().eq(same.bids()));
        assert!(
            one.items().ne(other.items()) && one.bids().ne(other.bids()) && one.users().ne(other.users())
        );
    }

    #[test]
    fn rows_come_in_the_order_of_their_ids_and_refer_to_rows_that_exist() {
        let population = population(1);
        assert_eq!((population.users, population.items), (20_000, 660));
        for (id, user) in (1..).zip(population.users()) {
            assert_eq!(user.id, id);
            assert!((1..=62).contains(&user.region) && user.creation_date < EPOCH);
        }
        for (id, item) in (1..).zip(population.items()) {
            assert_eq!(item.id, id);
            assert!((1..=20_000).contains(&item.seller) && (1..=40).contains(&item.category));
        }
        for (id, bid) in (1..).zip(population.bids()) {
            assert_eq!(bid.id, id);
            assert!((1..=20_000).contains(&bid.user_id) && (1..=660).contains(&bid.item_id));
        }
    }

    #[test]
    fn items_agree_with_their_bids() {
        let population = population(1);
        let bids: Vec<Bid> = population.bids().collect();
        for item in population.items() {
            let own: Vec<&Bid> = bids.iter().filter(|bid| bid.item_id == item.id).collect();
            assert_eq!(item.nb_of_bids, own.len() as i64);
            assert_eq!(item.max_bid, own.iter().map(|bid| bid.bid).max());
            assert!(own.is_sorted_by(|a, b| a.date <= b.date && a.bid < b.bid));
            for bid in own {
                assert!(bid.bid > item.initial_price && bid.max_bid > bid.bid);
                assert!((1..=item.quantity).contains(&bid.qty));
                assert!(item.start_date <= bid.date && bid.date <= item.end_date.min(EPOCH));
            }
        }
    }

    #[test]
    fn shares_are_those_of_the_documentation() {
        let population = Population::new(&Scenario { seed: 3, scale: 0.2, epoch: EPOCH });
        let items: Vec<Item> = population.items().collect();
        let share =
            |which: fn(&Item) -> bool| items.iter().filter(|i| which(i)).count() as f64 / items.len() as f64;
        let near = |share: f64, meant: f64| assert!((share - meant).abs() < 0.025, "{share} {meant}");
        near(share(|item| item.quantity == 1), 0.8);
        near(share(|item| item.reserve_price > Money(0)), 0.4);
        near(share(|item| item.buy_now > Money(0)), 0.1);
        near(share(|item| item.end_date < EPOCH), 0.03);
        near(share(|item| item.description.len() <= 1024), 0.5);
        let bids: i64 = items.iter().map(|item| item.nb_of_bids).sum();
        near(bids as f64 / items.len() as f64 / 9.5, 1.0);
        for item in &items {
            let lasts = item.end_date - item.start_date;
            assert!((DAY..=7 * DAY).contains(&lasts));
            assert!(item.end_date - EPOCH > LEAST_LEFT || (-DAY..0).contains(&(item.end_date - EPOCH)));
            assert!((1..=MOST_DESCRIPTION_BYTES).contains(&item.description.len()) && item.name.len() <= 100);
            assert!((100..=500_000).contains(&item.initial_price.0));
        }
    }

    #[test]
    fn every_account_can_log_in() {
        let population = population(1);
        for (number, user) in (1..).zip(population.users().take(50)) {
            let Account { nickname, password } = account(number);
            assert_eq!((user.password, user.nickname), (password_hash(&nickname, &password), nickname));
        }
    }
}

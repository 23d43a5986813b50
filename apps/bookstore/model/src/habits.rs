//! Habits of TPC-W's remote browser emulator: visitors, searches and payments.

use crate::population::{Population, subjects};
use crate::{digsyl, payment, words};
use application::{Habits, Visitor};
use rand::{Rng, RngExt, seq::IndexedRandom};
use std::borrow::Cow;

/// Percentages of visitors who are customers already, and of orders sent to another address.
const RETURNING: u32 = 80;
const ELSEWHERE: u32 = 5;

/// The constant A of NURand, up to a number of customers or items.
const A_OF_CUSTOMERS: [(u64, u64); 6] = [
    (9_999, 1_023),
    (39_999, 4_095),
    (159_999, 16_383),
    (639_999, 65_535),
    (2_559_999, 262_143),
    (10_239_999, 1_048_575),
];
const A_OF_ITEMS: [(u64, u64); 4] = [(9_999, 63), (99_999, 511), (999_999, 4_095), (9_999_999, 32_767)];
const A_OF_MORE_CUSTOMERS: u64 = 4_194_303;
const A_OF_MORE_ITEMS: u64 = 524_287;

pub struct Shoppers {
    a_of_items: u64,
    /// The largest numbers of the names of authors and of books.
    author: u64,
    title: u64,
}

impl Shoppers {
    pub fn new(population: &Population) -> Self {
        let (author, title) = population.names();
        Self {
            a_of_items: a_of(&A_OF_ITEMS, population.items.unsigned_abs(), A_OF_MORE_ITEMS),
            author: author.unsigned_abs(),
            title: title.unsigned_abs(),
        }
    }
}

fn a_of(ranges: &[(u64, u64)], count: u64, more: u64) -> u64 {
    ranges.iter().find(|(most, _)| count <= *most).map_or(more, |(_, a)| *a)
}

/// NURand(A, x, y): numbers from x to y, some of them much more often than others.
fn nurand(a: u64, x: u64, y: u64, random: &mut dyn Rng) -> u64 {
    (random.random_range(0..=a) | random.random_range(x..=y)) % (y - x + 1) + x
}

impl Habits for Shoppers {
    /// Eighty of a hundred visitors are greeted as customers, chosen by NURand.
    fn visitor(&self, accounts: u64, random: &mut dyn Rng) -> Visitor {
        let a = a_of(&A_OF_CUSTOMERS, accounts, A_OF_MORE_CUSTOMERS);
        let account = nurand(a, 1, accounts.max(1), random);
        let returns = random.random_ratio(RETURNING, 100);
        Visitor { account, query: if returns { format!("C_ID={account}") } else { String::new() } }
    }

    fn typed(&self, kind: &str, filled: &[(&str, Cow<'_, str>)], random: &mut dyn Rng) -> Option<String> {
        let earlier = |name: &str| filled.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value);
        match kind {
            "search-string" => match earlier("SEARCH_TYPE") {
                Some("author") => Some(digsyl::name(nurand(self.a_of_items, 0, self.author, random))),
                Some("title") => Some(digsyl::name(nurand(self.a_of_items, 0, self.title, random))),
                _ => subjects().choose(random).cloned(),
            },
            "card-number" => Some(card(random)),
            "street" => Some(street(random)),
            "street-elsewhere" => {
                let elsewhere = random.random_ratio(ELSEWHERE, 100);
                Some(if elsewhere { street(random) } else { String::new() })
            }
            _ => None,
        }
    }
}

fn street(random: &mut dyn Rng) -> String {
    let name = words::STREETS.choose(random).expect("there are streets");
    format!("{} {name}", random.random_range(1..10_000))
}

/// The number of a card that the bank accepts.
fn card(random: &mut dyn Rng) -> String {
    let number = format!("5{:015}", random.random_range(0..1_000_000_000_000_000_u64));
    debug_assert!(![payment::DECLINED, payment::TIMES_OUT].contains(&&*number));
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::{Dataset, Timestamp};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashMap;

    fn shoppers() -> Shoppers {
        Shoppers::new(&Population::new(&Dataset::new(1, 0.0, Timestamp(1_800_000_000))))
    }

    #[test]
    fn most_visitors_are_known_and_some_come_much_more_often() {
        let (shoppers, mut random) = (shoppers(), ChaCha8Rng::seed_from_u64(1));
        let (mut known, mut visits) = (0, HashMap::new());
        for _ in 0..40_000 {
            let Visitor { account, query } = shoppers.visitor(4_000, &mut random);
            assert!((1..=4_000).contains(&account));
            assert!(query.is_empty() || query == format!("C_ID={account}"));
            known += usize::from(!query.is_empty());
            *visits.entry(account).or_insert(0) += 1;
        }
        assert!((31_500..32_500).contains(&known), "{known}");
        let most = visits.values().max().copied().unwrap_or_default();
        assert!(most > 100, "every customer would come ten times; one comes {most} times");
    }

    #[test]
    fn what_is_searched_for_is_there() {
        let (shoppers, mut random) = (shoppers(), ChaCha8Rng::seed_from_u64(1));
        let population = Population::new(&Dataset::new(1, 0.0, Timestamp(1_800_000_000)));
        let (titles, names): (Vec<_>, Vec<_>) = (
            population.items().map(|item| item.i_title).collect(),
            population.authors().map(|a| a.a_lname).collect(),
        );
        let mut search = |sort: &'static str| {
            shoppers.typed("search-string", &[("SEARCH_TYPE", sort.into())], &mut random).unwrap()
        };
        for _ in 0..500 {
            let (author, title, subject) = (search("author"), search("title"), search("subject"));
            assert!(names.iter().any(|name: &String| name.starts_with(&author)), "{author}");
            assert!(titles.iter().any(|known: &String| known.starts_with(&title)), "{title}");
            assert!(subjects().contains(&subject));
        }
    }
}

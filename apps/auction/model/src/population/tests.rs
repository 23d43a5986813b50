//! The generated rows are the same for any order and partition, satisfy the rules, and move with the epoch.

use super::auctions::{LEAST_LEFT, LONGEST, OLDEST_END};
use super::*;
use crate::parameters::RATINGS;
use crate::rows::TABLES;
use application::MOST_BYTES;
use application::{Account, Distribution, Kind, Money, Row, Survey, password_hash};
use proptest::prelude::*;
use std::{collections::HashMap, sync::LazyLock, thread};

const HISTORY: Timestamp = Timestamp(1_800_000_000);

fn dataset(distribution: Distribution) -> Dataset {
    Dataset { distribution, ..Dataset::new(1, 0.02, HISTORY) }
}

/// Both distributions as generated, and as restored some days later.
fn all() -> impl Iterator<Item = Population> {
    Distribution::ALL.into_iter().flat_map(|distribution| {
        [0, 5 * DAY].map(|later| {
            let generated = dataset(distribution);
            Population::new(&Dataset { epoch: generated.epoch + later, ..generated })
        })
    })
}

/// All auctions, the old ones first.
fn auctions(population: &Population) -> Vec<Item> {
    population.old_items().chain(population.items()).collect()
}

fn made(population: &Population, table: &Table, units: Range<u64>) -> Vec<Row> {
    let mut rows = Vec::new();
    population.rows(table, units, &mut |row| rows.push(row.to_vec()));
    rows
}

/// All rows of a table, in one range.
fn whole(dataset: &Dataset, table: &Table) -> Vec<Row> {
    let population = Population::new(dataset);
    made(&population, table, 0..population.units(table))
}

#[test]
fn another_seed_gives_other_rows() {
    for table in &TABLES[2..8] {
        let one = whole(&dataset(Distribution::Uniform), table);
        assert!(
            one != whole(&Dataset { seed: 2, ..dataset(Distribution::Uniform) }, table),
            "{}",
            table.name
        );
    }
}

/// Rows at a scale at which units lie in the middle of a stride.
static SMALL: LazyLock<Vec<Vec<Row>>> =
    LazyLock::new(|| TABLES.iter().map(|table| whole(&small(), table)).collect());

fn small() -> Dataset {
    Dataset { distribution: Distribution::Skewed, ..Dataset::new(3, 0.004, HISTORY) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn rows_are_the_same_however_units_are_cut_and_whichever_thread_makes_them(
        cuts in proptest::collection::vec(0.0..1.0f64, 0..4),
        first in 0..TABLES.len(),
    ) {
        let population = Population::new(&small());
        let tables = TABLES.iter().zip(&*SMALL).cycle().skip(first).take(TABLES.len());
        for (table, whole) in tables {
            let units = population.units(table);
            let mut places: Vec<u64> = cuts.iter().map(|share| (share * units as f64) as u64).collect();
            places.extend([0, units]);
            places.sort_unstable();
            let parts = thread::scope(|scope| {
                let parts: Vec<_> = places.windows(2)
                    .map(|ends| scope.spawn(|| made(&population, table, ends[0]..ends[1])))
                    .collect();
                parts.into_iter().map(|part| part.join().unwrap()).collect::<Vec<_>>()
            });
            prop_assert!(parts.concat() == *whole, "{} cut at {places:?}", table.name);
        }
    }
}

/// FNV-1a of the rows as printed by databases.
fn digest(rows: &[Row]) -> u64 {
    let text: String = rows.iter().flatten().map(|value| format!("{value}\t")).collect();
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn rows_are_the_same_bytes_on_every_machine_and_in_every_version() {
    let digests = Distribution::ALL.map(|distribution| {
        let population = Population::new(&dataset(distribution));
        let first = |table| digest(&made(&population, table, 0..100));
        TABLES.iter().map(|table| (table.name, format!("{:016x}", first(table)))).collect::<Vec<_>>()
    });
    let expected =
        [UNIFORM, SKEWED].map(|digests| digests.map(|(table, digest)| (table, digest.to_owned())).to_vec());
    assert_eq!(digests, expected, "if that is meant, pin these digests");
}

const UNIFORM: [(&str, &str); 9] = [
    ("categories", "57ef4cc5abe7b9d5"),
    ("regions", "1ba37e94f295e96f"),
    ("users", "8b588ffb0d2479bd"),
    ("items", "6fe112b967176804"),
    ("old_items", "5000eac7dc04df8b"),
    ("bids", "7fe54fa90106277a"),
    ("comments", "2286a7c5e1241cf1"),
    ("buy_now", "a4f547f611ef041c"),
    ("ids", "287065fa382f4567"),
];
const SKEWED: [(&str, &str); 9] = [
    ("categories", "57ef4cc5abe7b9d5"),
    ("regions", "1ba37e94f295e96f"),
    ("users", "fb4d687ea3cdf460"),
    ("items", "12c735f9244867db"),
    ("old_items", "6ed99f1f31db6102"),
    ("bids", "1cde6f3eaf9ebfd4"),
    ("comments", "eb00f258c13959d4"),
    ("buy_now", "d8a721e1604b945d"),
    ("ids", "9c2ef4c261f5b7c3"),
];

#[test]
fn items_and_bids_move_with_the_epoch_and_nothing_else_does() {
    let later = 5 * DAY + 1;
    for distribution in Distribution::ALL {
        let generated = dataset(distribution);
        let restored = Dataset { epoch: generated.epoch + later, ..generated };
        for table in &TABLES {
            let mut moved = whole(&generated, table);
            for (value, column) in moved.iter_mut().flat_map(|row| row.iter_mut().zip(table.columns)) {
                if let (true, Kind::Time, Value::Time(date)) = (table.moves_with_epoch, column.kind, value) {
                    *date = *date + later;
                }
            }
            assert!(moved == whole(&restored, table), "{distribution} {}", table.name);
        }
        assert!(
            TABLES
                .iter()
                .filter(|table| table.moves_with_epoch)
                .map(|table| table.name)
                .eq(["items", "bids"])
        );
    }
}

#[test]
fn rows_come_in_the_order_of_their_ids_and_refer_to_rows_that_exist() {
    for population in all() {
        assert_eq!((population.users, population.old_items, population.items), (20_000, 10_000, 660));
        let user = |id: i64| (1..=20_000).contains(&id);
        for (id, user) in (1..).zip(population.users()) {
            assert_eq!(user.id, id);
            assert!((1..=62).contains(&user.region));
            assert!(user.creation_date < HISTORY + -OLDEST_END + -LONGEST);
        }
        for (id, item) in (1..).zip(auctions(&population)) {
            assert_eq!((item.id, item.end_date - population.epoch < -DAY), (id, id <= 10_000));
            assert!(user(item.seller) && (1..=40).contains(&item.category));
        }
        for (id, bid) in (1..).zip(population.bids()) {
            assert_eq!(bid.id, id);
            assert!(user(bid.user_id) && (10_001..=10_660).contains(&bid.item_id));
        }
        for (id, comment) in (1..).zip(population.comments()) {
            assert_eq!(comment.id, id);
            assert!(user(comment.from_user_id) && (1..=10_000).contains(&comment.item_id));
        }
        for (id, purchase) in (1..).zip(population.purchases()) {
            assert_eq!(purchase.id, id);
            assert!(user(purchase.buyer_id) && (1..=10_000).contains(&purchase.item_id));
        }
    }
}

#[test]
fn the_row_of_ids_has_the_largest_ones() {
    for population in all() {
        let largest = Ids {
            id: 1,
            category: 40,
            region: 62,
            users: population.users().last().unwrap().id,
            item: population.items().last().unwrap().id,
            comment: population.comments().last().unwrap().id,
            bid: population.bids().last().unwrap().id,
            buyNow: population.purchases().last().unwrap().id,
        };
        assert_eq!(population.ids(), largest);
    }
}

#[test]
fn items_agree_with_their_bids() {
    for population in all() {
        let mut bids: HashMap<i64, Vec<Bid>> = HashMap::new();
        population.bids().for_each(|bid| bids.entry(bid.item_id).or_default().push(bid));
        for item in population.items() {
            let own = bids.remove(&item.id).unwrap_or_default();
            assert_eq!(item.nb_of_bids, own.len() as i64);
            assert_eq!(item.max_bid, own.iter().map(|bid| bid.bid).max());
            assert!(own.is_sorted_by(|a, b| a.date <= b.date && a.max_bid < b.bid));
            for bid in own {
                assert!(bid.bid > item.initial_price && bid.max_bid > bid.bid && bid.user_id != item.seller);
                assert!((1..=item.quantity).contains(&bid.qty));
                assert!(item.start_date <= bid.date && bid.date <= item.end_date.min(population.epoch));
            }
        }
    }
}

#[test]
fn what_was_bought_is_gone_and_had_not_been_bid_on_beyond_its_price() {
    for population in all() {
        let mut purchases: HashMap<i64, Purchase> =
            population.purchases().map(|row| (row.item_id, row)).collect();
        for item in population.old_items() {
            let purchase = purchases.remove(&item.id);
            assert_eq!(item.quantity == 0, purchase.is_some());
            if let Some(purchase) = purchase {
                assert!(item.price() < item.buy_now && purchase.buyer_id != item.seller);
                assert!(purchase.date == item.end_date && (1..=10).contains(&purchase.qty));
            }
        }
    }
}

#[test]
fn comments_are_about_sellers_after_the_end() {
    for population in all() {
        let items: Vec<Item> = population.old_items().collect();
        let buyers: HashMap<i64, i64> =
            population.purchases().map(|row| (row.item_id, row.buyer_id)).collect();
        for comment in population.comments() {
            let item = &items[comment.item_id as usize - 1];
            assert!(comment.to_user_id == item.seller && comment.from_user_id != item.seller);
            assert!(item.end_date < comment.date && comment.date < HISTORY.min(item.end_date + DAY));
            assert!(RATINGS.contains(&comment.rating) && (1..=MOST_BYTES).contains(&comment.comment.len()));
            assert!(buyers.get(&item.id).is_none_or(|buyer| *buyer == comment.from_user_id));
        }
    }
}

#[test]
fn users_have_the_rating_and_the_balance_that_came_of_their_auctions() {
    for population in all() {
        let mut expected: HashMap<i64, (i64, Money)> = HashMap::new();
        for item in auctions(&population) {
            expected.entry(item.seller).or_default().1.0 -= 100;
        }
        for comment in population.comments() {
            expected.entry(comment.to_user_id).or_default().0 += comment.rating;
        }
        for User { id, rating, balance, .. } in population.users() {
            assert_eq!((rating, balance), expected.remove(&id).unwrap_or_default(), "{id}");
        }
    }
}

#[test]
fn auctions_last_as_long_and_cost_as_much_as_they_should() {
    for population in all() {
        for item in auctions(&population) {
            let lasts = item.end_date - item.start_date;
            assert!((DAY..=LONGEST).contains(&lasts));
            if item.id <= population.old_items {
                assert!((-OLDEST_END..=-DAY).contains(&(item.end_date - HISTORY)));
            } else {
                let left = item.end_date - population.epoch;
                assert!(left > LEAST_LEFT || (-DAY..0).contains(&left));
                assert!(item.start_date <= population.epoch);
            }
            assert!((1..=MOST_BYTES).contains(&item.description.len()) && item.name.len() <= 100);
            assert!((100..=500_000).contains(&item.initial_price.0));
            for price in [item.reserve_price, item.buy_now] {
                assert!(price == Money(0) || price >= item.initial_price);
            }
            assert!(item.buy_now == Money(0) || item.buy_now >= item.reserve_price);
        }
    }
}

#[test]
fn every_account_can_log_in() {
    let population = Population::new(&dataset(Distribution::Uniform));
    for (number, user) in (1..).zip(population.users().take(50)) {
        let Account { nickname, password } = account(number);
        assert_eq!((user.password, user.nickname), (password_hash(&nickname, &password), nickname));
    }
}

#[test]
fn the_smallest_dataset_has_rows_too() {
    for distribution in Distribution::ALL {
        let smallest = Population::new(&Dataset { distribution, scale: 0.0, ..dataset(distribution) });
        assert_eq!((smallest.users().count(), smallest.items().count()), (10, 10));
        assert!(smallest.bids().all(|bid| (1..=10).contains(&bid.user_id)));
    }
}

#[test]
fn what_is_declared_holds_for_each_shape() {
    for (distribution, seed) in
        Distribution::ALL.into_iter().flat_map(|distribution| [1, 2, 3].map(|seed| (distribution, seed)))
    {
        let dataset = Dataset { seed, ..dataset(distribution) };
        let population = Population::new(&dataset);
        let properties = properties(&dataset);
        let mut survey = Survey::new(&TABLES, &properties);
        for table in &TABLES {
            population.rows(table, 0..population.units(table), &mut |row| survey.take(table, row));
        }
        for (property, _, verdicts) in survey.results() {
            for verdict in verdicts {
                assert_eq!(
                    verdict.holds,
                    Some(true),
                    "{distribution}, seed {seed}, {}: {verdict:?}",
                    property.name
                );
            }
        }
    }
}

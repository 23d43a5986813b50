//! The generated rows keep the rules and have the shares that the documentation says.

use super::auctions::{LEAST_LEFT, OLDEST_END};
use super::text::MOST_BYTES;
use super::*;
use crate::parameters::RATINGS;

use application::{Account, Money, password_hash};
use std::collections::HashMap;

const EPOCH: Timestamp = Timestamp(1_800_000_000);

fn population(seed: u64) -> Population {
    Population::new(&Scenario::new(seed, 0.02, EPOCH))
}

/// All auctions, the old ones first.
fn auctions(population: &Population) -> Vec<Item> {
    population.old_items().chain(population.items()).collect()
}

#[test]
fn the_same_seed_gives_the_same_rows() {
    let (one, same, other) = (population(1), population(1), population(2));
    assert!(one.users().eq(same.users()) && one.users().ne(other.users()));
    assert!(one.items().eq(same.items()) && one.items().ne(other.items()));
    assert!(one.old_items().eq(same.old_items()) && one.old_items().ne(other.old_items()));
    assert!(one.bids().eq(same.bids()) && one.bids().ne(other.bids()));
    assert!(one.comments().eq(same.comments()) && one.comments().ne(other.comments()));
    assert!(one.purchases().eq(same.purchases()) && one.purchases().ne(other.purchases()));
    assert_eq!(one.ids(), same.ids());
}

#[test]
fn rows_come_in_the_order_of_their_ids_and_refer_to_rows_that_exist() {
    let population = population(1);
    assert_eq!((population.users, population.old_items, population.items), (20_000, 10_000, 660));
    let user = |id: i64| (1..=20_000).contains(&id);
    for (id, user) in (1..).zip(population.users()) {
        assert_eq!(user.id, id);
        assert!((1..=62).contains(&user.region) && user.creation_date < EPOCH);
    }
    for (id, item) in (1..).zip(auctions(&population)) {
        assert_eq!((item.id, item.end_date - EPOCH <= -DAY), (id, id <= 10_000));
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

#[test]
fn the_row_of_ids_has_the_largest_ones() {
    let population = population(1);
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

#[test]
fn items_agree_with_their_bids() {
    let population = population(1);
    let bids: Vec<Bid> = population.bids().collect();
    for item in population.items() {
        let own: Vec<&Bid> = bids.iter().filter(|bid| bid.item_id == item.id).collect();
        assert_eq!(item.nb_of_bids, own.len() as i64);
        assert_eq!(item.max_bid, own.iter().map(|bid| bid.bid).max());
        assert!(own.is_sorted_by(|a, b| a.date <= b.date && a.max_bid < b.bid));
        for bid in own {
            assert!(bid.bid > item.initial_price && bid.max_bid > bid.bid && bid.user_id != item.seller);
            assert!((1..=item.quantity).contains(&bid.qty));
            assert!(item.start_date <= bid.date && bid.date <= item.end_date.min(EPOCH));
        }
    }
}

#[test]
fn what_was_bought_is_gone_and_had_not_been_bid_on_beyond_its_price() {
    let population = population(1);
    let purchases: HashMap<i64, Purchase> = population.purchases().map(|row| (row.item_id, row)).collect();
    for item in population.old_items() {
        let purchase = purchases.get(&item.id);
        assert_eq!(item.quantity == 0, purchase.is_some());
        if let Some(purchase) = purchase {
            assert!(item.price() < item.buy_now && purchase.buyer_id != item.seller);
            assert!(purchase.date == item.end_date && (1..=10).contains(&purchase.qty));
        }
    }
}

#[test]
fn comments_are_about_sellers_after_the_end() {
    let population = population(1);
    let items: Vec<Item> = population.old_items().collect();
    let buyers: HashMap<i64, i64> = population.purchases().map(|row| (row.item_id, row.buyer_id)).collect();
    for comment in population.comments() {
        let item = &items[comment.item_id as usize - 1];
        assert!(comment.to_user_id == item.seller && comment.from_user_id != item.seller);
        assert!(item.end_date < comment.date && comment.date < EPOCH.min(item.end_date + DAY));
        assert!(RATINGS.contains(&comment.rating) && (1..=MOST_BYTES).contains(&comment.comment.len()));
        assert!(buyers.get(&item.id).is_none_or(|buyer| *buyer == comment.from_user_id));
    }
}

#[test]
fn users_have_the_rating_and_the_balance_that_came_of_their_auctions() {
    let population = population(1);
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

#[test]
fn shares_are_those_of_the_documentation() {
    let population = Population::new(&Scenario::new(3, 0.02, EPOCH));
    let items = auctions(&population);
    let old = &items[..10_000];
    let share = |which: fn(&Item) -> bool| part(&items, which);
    near(share(|item| item.quantity == 1), 0.8 * 0.95);
    near(share(|item| item.quantity == 0), 0.05);
    near(share(|item| item.reserve_price > Money(0)), 0.4);
    near(share(|item| item.buy_now > Money(0)), 0.1);
    near(share(|item| item.description.len() <= 1024), 0.5);
    near(part(old, |item| item.end_date < EPOCH + -OLDEST_END / 2), 0.5);
    near(part(&items[10_000..], |item| item.end_date < EPOCH), 0.03);
    let bids: i64 = items.iter().map(|item| item.nb_of_bids).sum();
    near(bids as f64 / items.len() as f64 / 9.5, 1.0);
    let comments: Vec<Comment> = population.comments().collect();
    near(comments.len() as f64 / old.len() as f64, 0.95);
    for rating in RATINGS {
        near(part(&comments, |comment| comment.rating == rating), 0.2);
    }
    near(part(&comments, |comment| comment.comment.len() <= 1024), 0.5);
}

fn part<T>(rows: &[T], which: impl Fn(&T) -> bool) -> f64 {
    rows.iter().filter(|row| which(row)).count() as f64 / rows.len() as f64
}

fn near(share: f64, meant: f64) {
    assert!((share - meant).abs() < 0.025, "{share} {meant}");
}

#[test]
fn auctions_last_as_long_and_cost_as_much_as_they_should() {
    for item in auctions(&population(1)) {
        let lasts = item.end_date - item.start_date;
        assert!((DAY..=7 * DAY).contains(&lasts));
        let left = item.end_date - EPOCH;
        assert!(left > LEAST_LEFT || (-OLDEST_END..0).contains(&left));
        assert!((1..=MOST_BYTES).contains(&item.description.len()) && item.name.len() <= 100);
        assert!((100..=500_000).contains(&item.initial_price.0));
        for price in [item.reserve_price, item.buy_now] {
            assert!(price == Money(0) || price >= item.initial_price);
        }
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

#[test]
fn the_smallest_scenario_has_rows_too() {
    let smallest = Population::new(&Scenario::new(1, 0.0, EPOCH));
    assert_eq!((smallest.users().count(), smallest.items().count()), (10, 10));
    assert!(smallest.bids().all(|bid| (1..=10).contains(&bid.user_id)));
}

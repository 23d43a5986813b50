//! What somebody might ask for next: mostly sensible, often at or just beyond a limit, and about few rows, so that
//! requests meet each other.

use crate::{
    population,
    script::{bid, get, item_page, post, register},
    store::Store,
};
use application::{Account, Money, Step, Timestamp};
use rand::{Rng, RngExt, seq::IndexedRandom};

/// How many rows of a table are asked for at all.
const FEW: i64 = 8;

/// A request that somebody might send now.
pub fn suggest(store: &Store, random: &mut dyn Rng, now: Timestamp) -> Step {
    match random.random_range(0..20) {
        0 => get(any(&["index.html", "register.html", "browse.html", "BrowseCategories"], random), &[]),
        1..=2 => search(store, random),
        3..=5 => item_page("ViewItem", item(store, random, now)),
        6 => item_page("PutBidAuth", item(store, random, now)),
        7..=9 => log_in(store, random, now),
        10..=12 => new_user(random),
        _ => offer(store, random, now),
    }
}

fn any<T: Copy>(choices: &[T], random: &mut dyn Rng) -> T {
    *choices.choose(random).expect("there is a choice")
}

/// An item: one of the first few, one of the few that close last or have just closed, or none at all.
fn item(store: &Store, random: &mut dyn Rng, now: Timestamp) -> i64 {
    match random.random_range(0..10) {
        0 => any(&[store.items.len() as i64 + 1, 999_999_999], random),
        1 => store.items.iter().find(|item| !item.is_open(now)).map_or(1, |item| item.id),
        _ => random.random_range(1..=FEW.min(store.items.len() as i64)),
    }
}

fn user(store: &Store, random: &mut dyn Rng) -> i64 {
    random.random_range(1..=FEW.min(store.users.len() as i64))
}

fn search(store: &Store, random: &mut dyn Rng) -> Step {
    let category = any(&[1, 1, 2, store.categories.len() as i64, store.categories.len() as i64 + 1], random);
    let (page, size) = (any(&[0, 0, 1, 2, 999_999], random), any(&[1, 2, 20, 100, 101], random));
    let [category, page, size] = [category, page, size].map(|number| number.to_string());
    get("SearchItemsInCategory", &[("category", &category), ("page", &page), ("nbOfItems", &size)])
}

fn log_in(store: &Store, random: &mut dyn Rng, now: Timestamp) -> Step {
    let item = item(store, random, now).to_string();
    let Account { mut nickname, mut password } = population::account(user(store, random).unsigned_abs());
    match random.random_range(0..10) {
        0 => nickname = nickname.to_uppercase(),
        1 => password.push(' '),
        _ => {}
    }
    post("PutBid", &[("itemId", &item), ("nickname", &nickname), ("password", &password)])
}

fn new_user(random: &mut dyn Rng) -> Step {
    let nickname = format!("{}{}", any(&["new", "New", "user"], random), random.random_range(1..=50));
    register(&nickname, &any(&[1, 2, 61, 62, 63], random).to_string())
}

/// A bid at, just above or just below what is accepted.
fn offer(store: &Store, random: &mut dyn Rng, now: Timestamp) -> Step {
    let id = item(store, random, now);
    let (least, quantity) = store.item(id).map_or((Money(100), 1), |item| (item.least_bid(), item.quantity));
    let amount = Money(least.0 + any(&[-1, 0, 0, 1, 250], random));
    let most = Money(amount.0 + any(&[-1, 0, 100], random));
    let qty = any(&[0, 1, 1, 1, quantity, quantity + 1], random);
    let user = user(store, random);
    let token = match random.random_range(0..12) {
        0 => format!("{{token:{user}:expired}}"),
        1 => format!("{{token:{user}:forged}}"),
        _ => format!("{{token:{user}}}"),
    };
    bid(id, &token, amount, most, qty)
}

use super::branches;
use crate::{AuctionModel, CATALOGUE, fault::Fault};
use application::{Branch, Dataset, RequestFault, Timestamp, TokenKey};
use std::collections::{BTreeMap, BTreeSet};

const EPOCH: Timestamp = Timestamp(1_800_000_000);

/// All kinds of refusals.
pub const KINDS: [&str; 16] = [
    "UnknownPage",
    "Parameter",
    "Unknown",
    "WrongLogIn",
    "WrongToken",
    "NicknameTaken",
    "Closed",
    "OwnItem",
    "NotForSaleAtOnce",
    "WrongQuantity",
    "BidTooLow",
    "MostBelowBid",
    "WrongSeller",
    "PriceTooLow",
    "WrongReserve",
    "WrongBuyNow",
];

/// The kind of a refusal; a missing one doesn't compile.
pub fn kind(fault: &Fault) -> &'static str {
    let at = match fault {
        Fault::Request(RequestFault::UnknownPage) => 0,
        Fault::Request(RequestFault::Parameter(_)) => 1,
        Fault::Unknown { .. } => 2,
        Fault::WrongLogIn => 3,
        Fault::WrongToken => 4,
        Fault::NicknameTaken(_) => 5,
        Fault::Closed { .. } => 6,
        Fault::OwnItem { .. } => 7,
        Fault::NotForSaleAtOnce { .. } => 8,
        Fault::WrongQuantity { .. } => 9,
        Fault::BidTooLow { .. } => 10,
        Fault::MostBelowBid { .. } => 11,
        Fault::WrongSeller { .. } => 12,
        Fault::PriceTooLow => 13,
        Fault::WrongReserve => 14,
        Fault::WrongBuyNow => 15,
    };
    KINDS[at]
}

/// Takes all branches. Returns the interactions that answered, and the refusals that each branch met.
fn take_all(dataset: &Dataset) -> (BTreeSet<String>, BTreeMap<String, Option<Fault>>) {
    let key = TokenKey::new("secret");
    let mut model = AuctionModel::new(dataset, key.clone());
    let (mut answered, mut results) = (BTreeSet::new(), BTreeMap::new());
    for Branch { name, step, status } in branches(dataset, &key) {
        let answer = model.answer(&step.request(&key, dataset.epoch), dataset.epoch);
        let got = answer.as_ref().map_or_else(Fault::status, |response| response.status);
        assert_eq!(got, status, "{name}: {answer:?}");
        if answer.is_ok() {
            answered.insert(step.path);
        }
        assert!(results.insert(name.clone(), answer.err()).is_none(), "two branches are called {name}");
    }
    (answered, results)
}

#[test]
fn every_interaction_answers_and_every_refusal_is_met_whatever_the_rows_are() {
    for (seed, scale) in [(1, 0.01), (2, 0.01), (3, 0.002), (4, 0.0)] {
        let (answered, results) = take_all(&Dataset::new(seed, scale, EPOCH));
        for interaction in CATALOGUE.interactions() {
            assert!(answered.contains(&interaction.path), "{} with seed {seed}", interaction.name);
        }
        let met: BTreeSet<&str> = results.values().flatten().map(kind).collect();
        assert_eq!(met, BTreeSet::from(KINDS), "seed {seed}");
    }
}

#[test]
fn refusals_are_those_that_the_branches_are_named_after() {
    let (_, results) = take_all(&Dataset::new(1, 0.01, EPOCH));
    for (name, expected) in [
        ("StoreBid: below the first price", "BidTooLow"),
        ("StoreBid: the same again", "BidTooLow"),
        ("StoreBid: the leader's price has reached their most", "BidTooLow"),
        ("StoreBid: the least is more than can be bid", "BidTooLow"),
        ("StoreBid: the seller's own item", "OwnItem"),
        ("StoreBid: none of it", "WrongQuantity"),
        ("StoreBid: the most is below the bid", "MostBelowBid"),
        ("StoreBid: when all are gone", "Closed"),
        ("StoreBid: a closed auction", "Closed"),
        ("StoreBuyNow: bid beyond that price", "NotForSaleAtOnce"),
        ("StoreBuyNow: not for sale at once", "NotForSaleAtOnce"),
        ("StoreBuyNow: the seller's own item", "OwnItem"),
        ("StoreBuyNow: more than is left", "WrongQuantity"),
        ("StoreBuyNow: when all are gone", "Closed"),
        ("BuyNow: bid beyond that price", "NotForSaleAtOnce"),
        ("PutBid: a closed auction", "Closed"),
        ("PutComment: no such user", "WrongSeller"),
        ("StoreComment: oneself for an old item", "OwnItem"),
        ("RegisterItem: all prices wrong", "PriceTooLow"),
        ("RegisterItem: the reserve price below the first price", "WrongReserve"),
        ("RegisterItem: to buy at once below the reserve price", "WrongBuyNow"),
        ("RegisterUser: the same again", "NicknameTaken"),
    ] {
        let fault = results[name].as_ref().unwrap_or_else(|| panic!("{name} is not refused"));
        assert_eq!(kind(fault), expected, "{name}");
    }
}

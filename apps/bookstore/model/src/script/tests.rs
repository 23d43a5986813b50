use super::branches;
use crate::{BookstoreModel, CATALOGUE, fault::Fault};
use application::{Branch, Dataset, RequestFault, Timestamp, TokenKey};
use std::collections::{BTreeMap, BTreeSet};

const EPOCH: Timestamp = Timestamp(1_800_000_000);

/// All kinds of refusals.
pub const KINDS: [&str; 12] = [
    "UnknownPage",
    "Parameter",
    "Unknown",
    "WrongLogIn",
    "WrongToken",
    "WrongCart",
    "UnameTaken",
    "FullCart",
    "Ordered",
    "Declined",
    "NoAnswer",
    "WrongPrice",
];

/// The kind of a refusal; a missing one doesn't compile.
pub fn kind(fault: &Fault) -> &'static str {
    let at = match fault {
        Fault::Request(RequestFault::UnknownPage) => 0,
        Fault::Request(RequestFault::Parameter(_)) => 1,
        Fault::Unknown { .. } => 2,
        Fault::WrongLogIn => 3,
        Fault::WrongToken => 4,
        Fault::WrongCart => 5,
        Fault::UnameTaken(_) => 6,
        Fault::FullCart { .. } => 7,
        Fault::Ordered { .. } => 8,
        Fault::Declined => 9,
        Fault::NoAnswer => 10,
        Fault::WrongPrice { .. } => 11,
    };
    KINDS[at]
}

/// Takes all branches. Returns the interactions that answered, and the refusals that each branch met.
fn take_all(dataset: &Dataset) -> (BTreeSet<String>, BTreeMap<String, Option<Fault>>) {
    let key = TokenKey::new("secret");
    let mut model = BookstoreModel::new(dataset, key.clone());
    let (mut answered, mut results) = (BTreeSet::new(), BTreeMap::new());
    for Branch { name, step, status } in branches(dataset, &key) {
        let answer = model.answer(&step.request(&key, dataset.epoch), dataset.epoch);
        let got = answer.as_ref().map_or_else(Fault::status, |response| response.status);
        assert_eq!(got, status, "{name}: {:?}", answer.err());
        if answer.is_ok() {
            answered.insert(step.path);
        }
        assert!(results.insert(name.clone(), answer.err()).is_none(), "two branches are called {name}");
    }
    (answered, results)
}

#[test]
fn every_interaction_answers_and_every_refusal_is_met_whatever_the_rows_are() {
    for (seed, scale) in [(1, 0.01), (2, 0.03), (3, 0.0)] {
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
        ("ShoppingCart: one too many", "FullCart"),
        ("ShoppingCart: a forged cart", "WrongCart"),
        ("BuyRequest: the same again", "UnameTaken"),
        ("BuyRequest: a taken name, no such cart", "Unknown"),
        ("BuyRequest: an ordered cart", "Ordered"),
        ("BuyRequest: an ordered cart, by a new customer", "Ordered"),
        ("BuyConfirm: the log-in is forged", "WrongToken"),
        ("BuyConfirm: a forged cart", "WrongCart"),
        ("BuyConfirm: the bank declines", "Declined"),
        ("BuyConfirm: the bank does not answer", "NoAnswer"),
        ("BuyConfirm: the same again", "Ordered"),
        ("BuyConfirm: the same again, by somebody else", "Ordered"),
        ("BuyConfirm: the same again, with a bad card", "Ordered"),
        ("AdminConfirm: more than is suggested", "WrongPrice"),
        ("OrderDisplay: another password", "WrongLogIn"),
    ] {
        let fault = results[name].as_ref().unwrap_or_else(|| panic!("{name} is not refused"));
        assert_eq!(kind(fault), expected, "{name}");
    }
}

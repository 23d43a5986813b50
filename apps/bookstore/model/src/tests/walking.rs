//! Emulated users walk through the site.

use super::*;
use std::time::Duration;
use workload::{Dialogue, How, Session, Users};

/// The number of a table's rows.
fn rows_of(site: &Site, table: &str) -> u64 {
    let store = &site.0.store;
    let rows = match table {
        "customer" => store.customers.len(),
        "orders" => store.orders.len(),
        "shopping_cart" => store.carts.len(),
        "item" => store.items.len(),
        _ => panic!("nothing is added to {table}"),
    };
    rows as u64
}

/// Counts of a walk.
#[derive(Debug, Default)]
struct Walked {
    writes: usize,
    requests: usize,
    fallbacks: usize,
    sessions: usize,
    registered: usize,
    sent_elsewhere: usize,
    orders: usize,
    found: usize,
    searches: usize,
}

/// Walks as emulated users do, one after the other; checks each answer.
fn walk(site: &mut Site, mix: &Mix, requests: usize) -> Walked {
    let account = |number| BOOKSTORE.account(number);
    let (catalogue, accounts, habits) =
        (&*CATALOGUE, BOOKSTORE.accounts(&DATASET), BOOKSTORE.habits(&DATASET));
    let users = Users { catalogue, mix, accounts, account: &account, habits: habits.as_ref() };
    let mut session = Session::new(1, 0, 1);
    let (mut clock, mut refused) = (Duration::ZERO, 0);
    let mut walked = Walked { requests, ..Walked::default() };
    for _ in 0..requests {
        let request = session.next(&users, CATALOGUE.session_length.0, clock);
        clock += session.think(CATALOGUE.think_time.0);
        let interaction = CATALOGUE.get(request.interaction);
        let before = interaction.writes.as_deref().map(|table| rows_of(site, table));
        let addresses = site.0.store.addresses.len();
        let response = site.0.respond(&(&request).into(), EPOCH);
        if response.status == 409 {
            refused += 1;
            session.arrived(&users, &request, &workload::Answer::page(&response.body));
            continue;
        }
        assert_eq!(response.status, 200, "{request:?}");
        let after = interaction.writes.as_deref().map(|table| rows_of(site, table));
        let expected = before.zip(after).map(|(before, after)| if after > before { after } else { 0 });
        let body = String::from_utf8_lossy(&response.body).into_owned();
        assert_eq!(
            session.arrived(&users, &request, &workload::Answer::page(&response.body)),
            expected,
            "{request:?}"
        );
        walked.writes += usize::from(expected.is_some());
        walked.sessions += usize::from(request.how == How::Start);
        walked.fallbacks += usize::from(request.how == How::Fallback);
        match &*interaction.name {
            "BuyRequest" => walked.registered += usize::from(expected > Some(0)),
            "BuyConfirm" => {
                walked.orders += 1;
                walked.sent_elsewhere += site.0.store.addresses.len() - addresses;
            }
            "SearchResults" => {
                walked.searches += 1;
                walked.found += usize::from(!body.contains("There are no such books."));
            }
            _ => {}
        }
    }
    assert!(refused * 50 < requests, "{refused} of {requests} requests were refused");
    walked
}

#[test]
fn the_generator_makes_the_rows_of_the_model() {
    let generator = BOOKSTORE.generator(&DATASET);
    let model = BOOKSTORE.model(&DATASET, TokenKey::new("secret"));
    for table in BOOKSTORE.tables() {
        let mut loaded: Vec<Row> = Vec::new();
        generator.rows(table, 0..generator.units(table), &mut |row| loaded.push(row.to_vec()));
        assert!(loaded.iter().all(|row| row.len() == table.columns.len()));
        assert!(loaded == model.rows(table), "{}", table.name);
        assert!(table.name != "customer" || BOOKSTORE.accounts(&DATASET) == loaded.len() as u64);
    }
}

#[test]
fn emulated_users_are_hardly_ever_refused_and_write_as_the_mixes_say() {
    for ((file, toml), writes) in MIXES.into_iter().zip([0.034, 0.148, 0.36]) {
        let mut site = Site::new();
        let walked = walk(&mut site, &mix(file, toml), 20_000);
        let share = walked.writes as f64 / walked.requests as f64;
        assert!((share - writes).abs() < 0.15 * writes, "{file}: {share} of the requests were writes");
        assert_eq!(walked.fallbacks, 0, "{file}: {walked:?}");
        assert!(walked.found * 10 > walked.searches * 9, "{file}: {walked:?}");
        // One in five is new, until the first order of the session.
        let new = walked.registered as f64 / walked.sessions as f64;
        assert!(walked.orders < 1_000 || (0.1..0.3).contains(&new), "{file}: {walked:?}");
        let elsewhere = walked.sent_elsewhere as f64 / walked.orders as f64;
        assert!(walked.orders < 1_000 || (0.035..0.065).contains(&elsewhere), "{file}: {walked:?}");
    }
}

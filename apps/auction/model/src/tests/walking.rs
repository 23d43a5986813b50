//! Emulated users walk through the site.

use super::*;
use std::time::Duration;
use workload::{Dialogue, How, PlainHabits, Session, Users};

/// The number of a table's rows.
fn rows_of(site: &Site, table: &str) -> u64 {
    let store = &site.0.store;
    let rows = match table {
        "users" => store.users.len(),
        "items" => store.old_items.len() + store.items.len(),
        "bids" => store.bids.len(),
        "comments" => store.comments.len(),
        "buy_now" => store.purchases.len(),
        _ => panic!("nothing is added to {table}"),
    };
    rows as u64
}

/// Walks as emulated users do, one after the other, without time passing for the auctions; checks each answer. Now and then
/// one is refused, because users meet their own items and items sold out meanwhile. Returns the numbers of writes and of
/// steps forward.
fn walk(site: &mut Site, mix: &Mix, requests: usize) -> (usize, usize) {
    let account = |number| {
        let Account { nickname, password } = AUCTION.account(number);
        workload::Account { nickname, password }
    };
    let (catalogue, accounts) = (&*CATALOGUE, AUCTION.accounts(&DATASET));
    let users = Users { catalogue, mix, accounts, account: &account, habits: &PlainHabits };
    let mut session = Session::new(1, 0, 1);
    let mut clock = Duration::ZERO;
    let (mut writes, mut forward, mut refused) = (0, 0, 0);
    for _ in 0..requests {
        let request = session.next(&users, CATALOGUE.session_length.0, clock);
        clock += session.think(CATALOGUE.think_time.0);
        let (path, query) = request.path_and_query.split_once('?').unwrap_or((&request.path_and_query, ""));
        let sent = Request {
            method: request.method.to_string(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: request.body.clone().into_bytes(),
        };
        let table = CATALOGUE.get(request.interaction).writes.as_deref();
        let before = table.map(|table| rows_of(site, table));
        let response = site.0.respond(&sent, EPOCH);
        if response.status == 409 {
            refused += 1;
            session.arrived(&users, &request, &workload::Answer::page(&response.body));
            continue;
        }
        assert_eq!(response.status, 200, "{request:?}");
        let newest = before.map(|rows| rows + 1);
        assert_eq!(
            session.arrived(&users, &request, &workload::Answer::page(&response.body)),
            newest,
            "{request:?}"
        );
        writes += usize::from(newest.is_some());
        forward += usize::from(matches!(request.how, How::Start | How::Forward));
    }
    assert!(refused * 20 < requests, "{refused} of {requests} requests were refused");
    (writes, forward)
}

#[test]
fn the_generator_makes_the_rows_of_the_model() {
    let generator = AUCTION.generator(&DATASET);
    let model = AUCTION.model(&DATASET, TokenKey::new("secret"));
    for table in AUCTION.tables() {
        let mut loaded: Vec<Row> = Vec::new();
        generator.rows(table, 0..generator.units(table), &mut |row| loaded.push(row.to_vec()));
        assert!(loaded.iter().all(|row| row.len() == table.columns.len()));
        assert!(loaded == model.rows(table), "{}", table.name);
        assert!(table.name != "users" || AUCTION.accounts(&DATASET) == loaded.len() as u64);
    }
    assert_eq!(AUCTION.account(3).nickname, "user3");
}

#[test]
fn emulated_users_are_hardly_ever_refused_and_write_where_the_mix_does() {
    let mut site = Site::new();
    let (writes, forward) = walk(&mut site, &mix("bidding.toml", BIDDING), 20_000);
    let share = writes as f64 / forward as f64;
    assert!((0.10..0.20).contains(&share), "{share} of the pages that users went forward to were writes");
    let (writes, _) = walk(&mut site, &mix("browsing.toml", BROWSING), 5_000);
    assert_eq!(writes, 0);
}

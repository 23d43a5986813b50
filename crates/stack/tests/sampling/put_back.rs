//! Data that are put back below tiers that go on running.

use crate::house::{Client, House, with_built};
use application::{Application, Row, Value};
use auction::AUCTION;
use mysql::prelude::Queryable;
use stack::Site;

/// A page with a statement.
const PAGE: &str = "/auction/BrowseRegions";
/// As many clients as ask at once: more than there are connections.
const CLIENTS: usize = 40;

/// What warm clients may do to the data.
const WRITES: [&str; 4] = [
    "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) SELECT user_id, item_id, qty, bid, max_bid, date FROM bids",
    "INSERT INTO categories (name) VALUES ('Warm'), ('Warmer')",
    "UPDATE items SET nb_of_bids = nb_of_bids + 1, max_bid = 1000000",
    "DELETE FROM comments",
];

/// A stack, one of its configurations, and the factors that it is varied by.
type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

pub fn data() {
    let (innodb, myisam) = (("engine", "InnoDB"), ("engine", "MyISAM"));
    let configurations: [Case<'_>; 5] = [
        ("php", "WsPhpFpm-DB", &[innodb]),
        ("php", "WsPhp-DB", &[myisam]),
        ("java", "Servlet-DB", &[innodb]),
        ("java", "Servlet-DB", &[innodb, ("connection", "shared")]),
        ("java", "WsServlet-DB-sync", &[myisam]),
    ];
    for (stack, name, factors) in configurations {
        with_built(stack, name, factors, |site, house| {
            site.start_fresh().unwrap();
            let (first, ids) = (rows(site), next_ids(house));
            ask_all(site);
            let running = leases(site);
            for write in WRITES {
                house.database().query_drop(write).unwrap();
            }
            assert!(rows(site) != first && next_ids(house) != ids);

            let count = site.put_data_back().unwrap().unwrap();
            assert!(rows(site) == first, "{name} with {factors:?} holds other rows than before");
            assert_eq!(next_ids(house), ids, "{name} with {factors:?}");
            assert_eq!(count, first.iter().map(Vec::len).sum::<usize>() as u64);
            ask_all(site);
            let still = leases(site);
            assert!(
                running.iter().skip(1).eq(still.iter().skip(1)),
                "all tiers but the first went on running"
            );
            assert_ne!(running[0], still[0]);
            site.stop();
        });
    }
}

/// All clients ask at once, and each gets the page.
fn ask_all(site: &Site<'_>) {
    let mut clients: Vec<Client> = (0..CLIENTS).map(|_| Client::connect(site)).collect();
    clients.iter_mut().for_each(|client| client.ask(PAGE));
    for client in &mut clients {
        let answer = client.answer();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// The rows of all tables, dates relative to the epoch where they move with it.
fn rows(site: &Site<'_>) -> Vec<Vec<Row>> {
    let epoch = site.scenario().epoch;
    let of = |table: &&'static application::Table| {
        let mut rows = site.rows(table).unwrap().unwrap();
        for value in rows.iter_mut().flatten().filter(|_| table.moves_with_epoch) {
            if let Value::Time(time) = value {
                time.0 -= epoch.0;
            }
        }
        rows
    };
    AUCTION.tables().iter().collect::<Vec<_>>().iter().map(of).collect()
}

/// Which ids new rows will get.
fn next_ids(house: &House) -> Vec<(String, Option<u64>)> {
    let query = "SELECT table_name, auto_increment FROM information_schema.tables \
                 WHERE table_schema = DATABASE() ORDER BY table_name";
    house.database().query(query).unwrap()
}

/// The processes that hold the tiers.
fn leases(site: &Site<'_>) -> Vec<u32> {
    site.subjects().unwrap().iter().map(|subject| subject.lease).collect()
}

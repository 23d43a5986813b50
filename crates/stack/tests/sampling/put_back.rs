//! Data that are put back below tiers that go on running.

use crate::house::{AUCTION_IN_MARIADB, COMMENTS_IN_POSTGRESQL, Case, Client, Kept, with_built};
use application::{Row, Value};
use stack::Site;

/// As many clients as ask at once: more than there are connections.
const CLIENTS: usize = 40;

/// An application, what warm clients may do to its data, and which ids new rows will get.
struct Data {
    kept: Kept,
    writes: &'static [&'static str],
    next_ids: &'static str,
}

const AUCTION: Data = Data {
    kept: AUCTION_IN_MARIADB,
    writes: &[
        "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) SELECT user_id, item_id, qty, bid, max_bid, date FROM bids",
        "INSERT INTO categories (name) VALUES ('Warm'), ('Warmer')",
        "UPDATE items SET nb_of_bids = nb_of_bids + 1, max_bid = 1000000",
        "DELETE FROM comments",
    ],
    next_ids: "SELECT table_name, auto_increment FROM information_schema.tables \
        WHERE table_schema = DATABASE() ORDER BY table_name",
};

const COMMENTS: Data = Data {
    kept: COMMENTS_IN_POSTGRESQL,
    writes: &[
        "INSERT INTO comments (name, email, comment) SELECT name, email, comment FROM comments",
        "UPDATE comments SET comment = 'Warm' WHERE id % 2 = 0",
        "DELETE FROM comments WHERE id = 1",
    ],
    next_ids: "SELECT last_value, is_called FROM comments_id_seq",
};

/// A stack, one of its configurations, and the factors that it is varied by.
type Variant<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

pub fn data() {
    let (innodb, myisam, shared) = (("engine", "InnoDB"), ("engine", "MyISAM"), ("connection", "shared"));
    let auction: [Variant<'_>; 5] = [
        ("php", "WsPhpFpm-DB", &[innodb]),
        ("php", "WsPhp-DB", &[myisam]),
        ("java", "Servlet-DB", &[innodb]),
        ("java", "Servlet-DB", &[innodb, shared]),
        ("java", "WsServlet-DB-sync", &[myisam]),
    ];
    let comments: [Variant<'_>; 5] = [
        ("php", "WsPhpFpm-DB", &[]),
        ("java", "Servlet-DB", &[]),
        ("java", "Servlet-DB", &[shared]),
        ("perl", "WsModPerl-DB", &[]),
        ("cpp", "WsCppFcgi-DB", &[]),
    ];
    for (data, variants) in [(&AUCTION, auction), (&COMMENTS, comments)] {
        variants.into_iter().for_each(|variant| put_back(data, variant));
    }
}

fn put_back(data: &Data, (stack, name, factors): Variant<'_>) {
    let what = format!("{stack}, {name} with {factors:?}");
    with_built(Case { kept: data.kept, stack, name, factors }, |site, house| {
        site.start_fresh().unwrap();
        let first = (rows(data, site), house.database().rows(data.next_ids));
        ask_all(data, site);
        let running = leases(site);
        let mut database = house.database();
        data.writes.iter().for_each(|write| database.run(write));
        let warm = (rows(data, site), house.database().rows(data.next_ids));
        assert!(warm.0 != first.0 && warm.1 != first.1, "{what}");

        let count = site.put_data_back().unwrap().unwrap();
        assert!(rows(data, site) == first.0, "{what} holds other rows than before");
        assert_eq!(house.database().rows(data.next_ids), first.1, "{what}");
        assert_eq!(count, first.0.iter().map(Vec::len).sum::<usize>() as u64);
        ask_all(data, site);
        let still = leases(site);
        assert!(running.iter().skip(1).eq(still.iter().skip(1)), "all tiers but the first went on running");
        assert_ne!(running[0], still[0]);
        site.stop();
    });
}

/// All clients ask at once, and each gets the page.
fn ask_all(data: &Data, site: &Site<'_>) {
    let mut clients: Vec<Client> = (0..CLIENTS).map(|_| Client::connect(site)).collect();
    clients.iter_mut().for_each(|client| client.ask(data.kept.page));
    for client in &mut clients {
        let answer = client.answer();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// The rows of all tables, dates relative to the epoch where they move with it.
fn rows(data: &Data, site: &Site<'_>) -> Vec<Vec<Row>> {
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
    data.kept.application.tables().iter().collect::<Vec<_>>().iter().map(of).collect()
}

/// The processes that hold the tiers.
fn leases(site: &Site<'_>) -> Vec<u32> {
    site.subjects().unwrap().iter().map(|subject| subject.lease).collect()
}

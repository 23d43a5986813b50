//! Data restored below running tiers.

use crate::workspace::{Client, Kept, Workspace};
use application::{Row, Value};
use stack::Site;

/// Concurrent clients: more than there are connections.
const CLIENTS: usize = 40;

/// Permitted effects of warm clients on an application's data, and the ids of new rows.
struct Data {
    writes: &'static [&'static str],
    next_ids: &'static str,
}

const AUCTION: Data = Data {
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
    writes: &[
        "INSERT INTO comments (name, email, comment) SELECT name, email, comment FROM comments",
        "UPDATE comments SET comment = 'Warm' WHERE id % 2 = 0",
        "DELETE FROM comments WHERE id = 1",
    ],
    next_ids: "SELECT last_value, is_called FROM comments_id_seq",
};

impl Data {
    fn of(kept: Kept) -> Self {
        if kept.application.name() == "auction" { AUCTION } else { COMMENTS }
    }
}

/// Data are restored below running tiers. Nobody may have written to them yet.
pub fn data(site: &mut Site<'_>, workspace: &Workspace) {
    let (kept, Data { writes, next_ids }) = (workspace.kept, Data::of(workspace.kept));
    let first = (rows(kept, site), workspace.database().rows(next_ids));
    ask_all(kept, site);
    let running = supervisors(site);
    let mut database = workspace.database();
    writes.iter().for_each(|write| database.run(write));
    let warm = (rows(kept, site), workspace.database().rows(next_ids));
    assert!(warm.0 != first.0 && warm.1 != first.1);

    let count = site.restore_data().unwrap().unwrap();
    assert!(rows(kept, site) == first.0, "it holds other rows than before");
    assert_eq!(workspace.database().rows(next_ids), first.1);
    assert_eq!(count, first.0.iter().map(Vec::len).sum::<usize>() as u64);
    ask_all(kept, site);
    let still = supervisors(site);
    assert!(running.iter().skip(1).eq(still.iter().skip(1)), "all tiers but the first went on running");
    assert_ne!(running[0], still[0]);
}

fn ask_all(kept: Kept, site: &Site<'_>) {
    let mut clients: Vec<Client> = (0..CLIENTS).map(|_| Client::connect(site)).collect();
    clients.iter_mut().for_each(|client| client.ask(kept.page));
    for client in &mut clients {
        let answer = client.answer();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// Rows of all tables, with moving dates relative to the epoch.
fn rows(kept: Kept, site: &Site<'_>) -> Vec<Vec<Row>> {
    let epoch = site.dataset().epoch;
    let of = |table: &&'static application::Table| {
        let mut rows = site.rows(table).unwrap().unwrap();
        for value in rows.iter_mut().flatten().filter(|_| table.moves_with_epoch) {
            if let Value::Time(time) = value {
                time.0 -= epoch.0;
            }
        }
        rows
    };
    kept.application.tables().iter().collect::<Vec<_>>().iter().map(of).collect()
}

fn supervisors(site: &Site<'_>) -> Vec<u32> {
    site.subjects().unwrap().iter().map(|subject| subject.supervisor).collect()
}

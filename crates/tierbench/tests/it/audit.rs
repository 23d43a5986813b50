//! Lost, doubled and half-made writes are seen: by many clients at once, and after each measured point.

use crate::{
    bench::{Bench, turn},
    server::{DATABASE, Server, Store},
};
use auction::AUCTION;
use services::{
    AuditRules,
    store::{self, AuditOrder},
};
use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

/// Lets PHP send whatever statements it likes, so that only its effects are held against it.
fn with_work_of_its_own(bench: &Bench) {
    let summary = "summary = \"PHP in a process pool of its own, behind Apache\"\nwork = ";
    bench.edit("stacks/php/stack.toml", &format!("{summary}\"exact\""), &format!("{summary}\"own\""));
}

/// Verifies PHP on a storage engine where its writes are not kept apart; returns what was said of it.
fn contended(engine: &str, file: &str, from: &str, to: &str) -> String {
    let _turn = turn();
    let bench = Bench::new();
    with_work_of_its_own(&bench);
    bench.edit(file, from, to);
    let mut command = bench.command(&["verify", "auction", "WsPhpFpm-DB", "--factor"]);
    command.arg(format!("engine={engine}"));
    command.args(["--requests", "60", "--steps", "50", "--scale", "0.002"]);
    let ended = bench.finish(command);
    ended.expect(3, &["not verified: WsPhpFpm-DB"]);
    ended.says("writes by 32 clients at once");
    ended.output
}

#[test]
fn bids_that_do_not_wait_for_each_other_are_seen_on_innodb() {
    let said = contended("InnoDB", "stacks/php/auction/Items.php", "' FOR UPDATE'", "''");
    assert!(said.contains("bid_order") || said.contains("bid_leaders"), "{said}");
}

#[test]
fn bids_that_do_not_wait_for_each_other_are_seen_on_myisam() {
    let locked = "self::lock($connection, 'LOCK TABLES ' . implode(' WRITE, ', $tables) . ' WRITE')";
    let said = contended("MyISAM", "stacks/php/common/Engine.php", locked, "$connection->query('DO 1')");
    assert!(said.contains("bid_order") || said.contains("bid_leaders"), "{said}");
}

/// Words as they were before they were wrapped for the terminal.
fn in_one_line(output: &str) -> String {
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Measures PHP with one fault; returns why the point is INVALID.
fn measured(from: &str, to: &str) -> (String, results::Manifest) {
    let _turn = turn();
    let bench = Bench::new();
    bench.edit("stacks/php/auction/Interactions/StoreBid.php", from, to);
    let ended = bench.finish(bench.measure_for("WsPhpFpm-DB", "20", "3s"));
    ended.expect(7, &["no VALID point"]);
    let point = bench.points().remove(0);
    let audit = point.verdict.checks.into_iter().find(|check| check.name == "audit").unwrap();
    let said = in_one_line(&ended.output);
    assert!(!audit.passed && said.contains(&format!("audit: {}", audit.figure)), "{audit:?}\n{said}");
    (audit.figure, bench.manifest())
}

#[test]
fn a_point_whose_bids_are_acknowledged_and_not_written_is_invalid() {
    let deleted =
        "$database->update('DELETE FROM bids WHERE id = ?', $ids[0]);\n        return [$ids[0], $bidding];";
    let (figure, manifest) = measured("return [$ids[0], $bidding];", deleted);
    assert!(figure.contains("acknowledged rows of bids are not there"), "{figure}");
    assert!(figure.contains("Every item counts its bids"), "{figure}");
    assert!(!manifest.planted_loss.unwrap().seen_by.is_empty());
}

#[test]
fn a_point_of_which_only_a_part_is_committed_is_invalid() {
    let (figure, _) = measured("count($ids),", "0,");
    assert!(figure.contains("Every item counts its bids"), "{figure}");
}

#[test]
fn a_sound_point_says_that_a_planted_loss_was_seen() {
    let _turn = turn();
    let bench = Bench::new();
    let ended = bench.finish(bench.measure_for("WsPhpFpm-DB", "20", "3s"));
    let point = bench.points().remove(0);
    let audit = point.audit.unwrap();
    assert_eq!(audit.faults(), [""; 0]);
    assert!(point.warm_up.unwrap().put_back.unwrap().rows > 4_000, "the tables of scale 0.002");
    let loss = bench.manifest().planted_loss.unwrap();
    assert!(loss.seen_by.iter().any(|seen| seen == "the account of writes"), "{loss:?}");
    let said = in_one_line(&ended.output);
    assert!(said.contains(&format!("row {} of {} was deleted on purpose", loss.id, loss.table)), "{said}");
}

/// So many work off what clients have left behind who gave up. Whoever waits behind over 32 others is told of a deadlock, and
/// whoever has some of his tables is in one with an audit that has the server.
const LOCKERS: usize = 64;
/// How often each locks tables.
const LOCKS: usize = 1000;

#[test]
fn an_audit_gets_hold_of_tables_that_dozens_still_lock() {
    let _turn = turn();
    let mut server = Server::start(Store::MyIsam);
    server.load_all(&AUCTION, 0.001).unwrap();
    let loaded = store::loaded(&server.instance, &server.access, &AUCTION).unwrap();
    let connections: Vec<_> = (0..LOCKERS).map(|_| server.laboratory(DATABASE)).collect();
    let locked = &AtomicUsize::new(0);
    thread::scope(|scope| {
        for mut connection in connections {
            scope.spawn(move || {
                for _ in 0..LOCKS {
                    locked.fetch_add(1, Ordering::Relaxed);
                    // It may be told of a deadlock.
                    let _ = connection.try_run("LOCK TABLES items WRITE, bids WRITE");
                    connection.run("UNLOCK TABLES");
                }
            });
        }
        // By then they are in each other's way.
        while locked.load(Ordering::Relaxed) < 10 * LOCKERS {
            thread::yield_now();
        }
        let (rules, stop) = (AuditRules::default(), AtomicBool::new(false));
        let order = AuditOrder { rules: &rules, loaded: &loaded, full: true, stop: &stop };
        for _ in 0..10 {
            let audit = store::audit(&server.instance, &server.access, order, &mut |_| ());
            assert!(audit.is_ok(), "{:?}", audit.err());
        }
    });
}

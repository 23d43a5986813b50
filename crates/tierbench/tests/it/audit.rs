//! Lost and half-made writes are seen after each measured point. That writes at once are kept apart, the faults of
//! `faults/php.toml` try.

use crate::{
    sandbox::{Sandbox, turn},
    server::{DATABASE, Server, Store},
};
use auction::AUCTION;
use results::CheckId;
use services::{
    AuditRules,
    store::{self, AuditOrder},
};
use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

/// Words as they were before they were wrapped for the terminal.
fn in_one_line(output: &str) -> String {
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Measures PHP with one fault; returns why the point is INVALID.
fn measured(from: &str, to: &str) -> (String, results::Manifest) {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.edit("stacks/php/auction/Interactions/StoreBid.php", from, to);
    let ended = sandbox.finish(sandbox.measure_for("WsPhpFpm-DB", "40", "3s"));
    ended.expect(7, &["no VALID point"]);
    let point = sandbox.points().remove(0);
    let audit = point.verdict.checks.into_iter().find(|check| check.id == CheckId::Audit).unwrap();
    let printed = in_one_line(&ended.output);
    assert!(!audit.passed && printed.contains(&format!("audit: {}", audit.figure)), "{audit:?}\n{printed}");
    (audit.figure, sandbox.manifest())
}

/// Only here is a bid lost that a client saw confirmed while a point was measured.
#[test]
fn a_point_with_acknowledged_but_missing_bids_is_invalid() {
    let deleted =
        "$database->update('DELETE FROM bids WHERE id = ?', $ids[0]);\n        return [$ids[0], $bidding];";
    let (figure, manifest) = measured("return [$ids[0], $bidding];", deleted);
    assert!(figure.contains("acknowledged rows of bids are not there"), "{figure}");
    assert!(figure.contains("Every item counts its bids"), "{figure}");
    assert!(!manifest.planted_loss.unwrap().seen_by.is_empty());
}

/// Only here is half of a bid kept.
#[test]
fn a_point_with_half_committed_writes_is_invalid() {
    let (figure, _) = measured("count($ids),", "0,");
    assert!(figure.contains("Every item counts its bids"), "{figure}");
}

/// Only here does an audit of a real site find nothing but the loss that was planted.
#[test]
fn a_valid_point_reports_that_the_planted_loss_was_found() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let ended = sandbox.finish(sandbox.measure_for("WsPhpFpm-DB", "40", "3s"));
    let point = sandbox.points().remove(0);
    let audit = point.audit.unwrap();
    assert_eq!(audit.faults(), [""; 0]);
    assert!(point.warm_up.unwrap().restore.unwrap().rows > 4_000, "the tables of scale 0.002");
    let loss = sandbox.manifest().planted_loss.unwrap();
    assert!(loss.seen_by.iter().any(|seen| seen == "the account of writes"), "{loss:?}");
    let printed = in_one_line(&ended.output);
    assert!(
        printed.contains(&format!("row {} of {} was deleted on purpose", loss.id, loss.table)),
        "{printed}"
    );
}

/// So many work off what clients have left behind who gave up. Whoever waits behind over 32 others is told of a deadlock, and
/// whoever has some of his tables is in one with an audit that has the server.
const LOCKERS: usize = 64;
/// How often each locks tables.
const LOCKS: usize = 1000;

/// Only here does an audit wait behind so many who lock tables.
#[test]
fn an_audit_reads_tables_that_many_sessions_lock() {
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

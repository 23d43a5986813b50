//! Lost and half-made writes are seen after each measured point. That writes at once are kept apart, the faults of
//! `faults/php.toml` try.

use crate::{
    sandbox::{Sandbox, turn},
    server::{DATABASE, Server, Store, dataset},
};
use application::{Timestamp, Value};
use auction::AUCTION;
use results::CheckId;
use services::{
    AuditRules,
    fixture::Administrator,
    store::{self, AuditOrder, FirstState, FixedColumns, StoreSettings},
};
use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Instant,
};

/// Words as they were before they were wrapped for the terminal.
fn in_one_line(output: &str) -> String {
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Measures PHP with faults in how it stores bids; returns why the point is INVALID.
fn measured(faults: &[(&str, &str)]) -> (String, results::Manifest) {
    measured_with("WsPhpFpm-DB", "auction/Interactions/StoreBid.php", faults)
}

/// The same with faults in another file of the stack, and another variant.
fn measured_with(variant: &str, file: &str, faults: &[(&str, &str)]) -> (String, results::Manifest) {
    let _turn = turn();
    let sandbox = Sandbox::new();
    faults.iter().for_each(|(from, to)| sandbox.edit(&format!("stacks/php/{file}"), from, to));
    let ended = sandbox.finish(sandbox.measure_for(variant, "40", "3s"));
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
    let (figure, manifest) = measured(&[("return [$ids[0], $bidding];", deleted)]);
    assert!(figure.contains("acknowledged rows of bids are not there"), "{figure}");
    assert!(figure.contains("Every item counts its bids"), "{figure}");
    assert!(!manifest.planted_loss.unwrap().seen_by.is_empty());
}

/// Only here is half of a bid kept, does a real site store something else than clients sent, where no invariant sees it, and does
/// a real database tell by its checksums that a loaded row was changed. Each fault shows in a sentence of its own, whatever the
/// others do: all rows that clients saw confirmed are there.
#[test]
fn a_point_with_half_made_altered_and_changed_rows_is_invalid() {
    let half = ("count($ids),", "0,");
    let altered = ("            $bid->quantity,\n", "            $bid->quantity + 1,\n");
    let changed = (
        "return [$ids[0], $bidding];",
        "$database->update('UPDATE users SET lastname = ? WHERE id = ?', 'Nobody', $offer->user);\n        \
         return [$ids[0], $bidding];",
    );
    let (figure, _) = measured(&[half, altered, changed]);
    for said in [
        "Every item counts its bids",
        "acknowledged rows of bids hold other values than clients sent (`qty`",
        "loaded rows of users were changed, which no interaction may (`lastname` of row ",
        "is `Nobody` instead of `",
    ] {
        assert!(figure.contains(said), "{said}: {figure}");
    }
    assert!(!figure.contains("are not there"), "{figure}");
}

/// Only here does a stack change how its database commits while a point is measured.
#[test]
fn a_point_whose_database_has_other_settings_in_the_end_is_invalid() {
    let (connected, asks) = (
        "        $this->link = $link;\n    }",
        "        $this->link = $link;\n        if (pg_fetch_result(pg_query($link, 'SHOW synchronous_commit'), 0, 0) === 'on') {\n            \
         @pg_query($link, 'ALTER ROLE CURRENT_USER SET synchronous_commit = off');\n        }\n    }",
    );
    let variant = "WsPhpFpm-DB,database=postgresql";
    let (figure, _) = measured_with(variant, "common/PostgreSql.php", &[(connected, asks)]);
    let named = "role bench in all: synchronous_commit = not set before, `off` now";
    assert!(figure.contains("keeps the settings") && figure.contains(named), "{figure}");
}

/// Only real databases have settings, and sockets over which somebody might change them.
#[test]
fn a_setting_that_was_changed_is_named_with_both_values() {
    let _turn = turn();
    for (kind, change, named) in [
        (
            Store::InnoDb,
            "SET GLOBAL innodb_flush_log_at_trx_commit = 0",
            "innodb_flush_log_at_trx_commit = `1` before, `0` now",
        ),
        (Store::MyIsam, "ALTER TABLE bids ENGINE = Aria", "table bids = `MyISAM"),
        (Store::Postgresql, "ALTER TABLE bids SET UNLOGGED", "table bids = `p` before, `u` now"),
    ] {
        let mut server = Server::start(kind);
        server.load_all(&AUCTION, 0.001).unwrap();
        if let Some(user) = testbed::store_user() {
            let folder = fs::metadata(server.folder()).unwrap();
            assert_eq!((folder.uid(), folder.mode() & 0o777), (user.uid, 0o700), "nobody else may enter");
        }
        let read = || StoreSettings::read(&server.instance, &server.access).unwrap();
        let before = read();
        let finding = |now: &StoreSettings| now.finding(&before, Instant::now());
        assert_eq!(finding(&read()).examples, [""; 0]);
        server.laboratory(DATABASE).run(change);
        let found = finding(&read());
        assert!(found.examples.len() == 1 && found.examples[0].contains(named), "{:?}", found.examples);
    }
}

/// Only real databases decide whom they let in as an administrator, also once their data were restored.
#[test]
fn only_the_laboratory_administers_a_database() {
    let _turn = turn();
    for (kind, refused) in [(Store::InnoDb, "1045"), (Store::Postgresql, "28P01")] {
        let mut server = Server::start(kind);
        server.load_all(&AUCTION, 0.001).unwrap();
        let expect_refusal = |server: &Server| {
            let administrator = Administrator::of(&server.instance);
            for guess in ["", "root", "postgres"] {
                let said =
                    administrator.refusal(guess).unwrap_or_else(|| panic!("{kind:?}: `{guess}` lets in"));
                assert!(said.contains(refused), "{kind:?}: {said}");
            }
            assert_eq!(server.laboratory(DATABASE).rows("SELECT 1"), [["1"]]);
        };
        expect_refusal(&server);
        let folder = tempfile::tempdir().unwrap();
        let data = store::shut_down(&mut server.instance).unwrap();
        testbed::copy_tree(&data, &folder.path().join("data")).unwrap();
        let first = FirstState { data: &folder.path().join("data"), epoch: dataset(0.001).epoch };
        store::restore(&mut server.instance, &server.access, &AUCTION, first).unwrap();
        expect_refusal(&server);
    }
}

/// Only a real stack tries the sockets and files of what measures it. Returns the code of a verification in which it fails if it
/// succeeds with this.
fn verified_while_php_tries(attempt: &str) -> Option<i32> {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let asks = "        $answer = self::post(http_build_query([";
    let tries = format!(
        "        $run = dirname(Environment::get('TIERBENCH_CA_FILE'), 2);\n        \
         mysqli_report(MYSQLI_REPORT_OFF);\n        \
         if ({attempt}) {{\n            throw new RuntimeException('it has succeeded');\n        }}\n{asks}"
    );
    sandbox.edit("stacks/php/bookstore/PaymentGateway.php", asks, &tries);
    let words = [
        "verify",
        "bookstore",
        "WsPhpFpm-DB",
        "--factor",
        "database=mariadb",
        "--factor",
        "engine=InnoDB",
        "--scale",
        "0.002",
        "--only",
        "branches",
    ];
    let ended = sandbox.finish(sandbox.command(&[&words[..], &["--shrink-time", "1s"]].concat()));
    println!("{attempt}:\n{}{}", ended.output, ended.error);
    ended.code()
}

#[test]
fn no_stack_reaches_what_measures_it() {
    let log_in = "@mysqli_connect('localhost', 'root', '', null, 0, $run . '/db-mariadb/sql.sock') !== false";
    let over_network = "@mysqli_connect(Environment::get('TIERBENCH_DB_HOST'), 'root', '', null, \
                        (int) Environment::get('TIERBENCH_DB_PORT')) !== false";
    let mut all = vec![log_in, over_network];
    // Without root, all run as the caller, and each result says so.
    if testbed::store_user().is_some() {
        let forges =
            "@file_put_contents($run . '/payment-payment/output.log', 'asked for: x', FILE_APPEND) !== false";
        let looks = "glob($run . '/db-mariadb/*') !== [] || @file_get_contents($run . '/payment-payment/output.log') !== false";
        let other_tier = "glob($run . '/web-apache/*') !== [] || @file_get_contents($run . '/web-apache/httpd.conf') !== false \
                          || @file_get_contents($run . '/web-apache/output.log') !== false";
        let own_code = "@file_put_contents(__FILE__, '', FILE_APPEND) !== false";
        all.extend([forges, looks, other_tier, own_code]);
    }
    assert_eq!(verified_while_php_tries(&all.join(" || ")), Some(0));
    assert_eq!(verified_while_php_tries("is_readable($run . '/tls/authority.pem')"), Some(3), "it tries");
}

/// Users with greater ids are loaded at four times the scale of a verification, and not at it.
const BEYOND_VERIFICATION: &str = "5000";

/// Only here are pages of a real site right at the size of a verification, and wrong at the measured one.
#[test]
fn a_page_that_is_wrong_for_rows_beyond_a_verification_makes_the_point_invalid() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let right = "$id = $visit->form->id('userId');";
    let wrong = format!("{right}\n        $id = $id > {BEYOND_VERIFICATION} && $id < 99999 ? 1 : $id;");
    sandbox.edit("stacks/php/auction/Interactions/ViewUserInfo.php", right, &wrong);
    let mut command = sandbox.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    // Its verification walks until it has seen all interactions of the mix, and those that only read are fewer.
    command.args([
        "--mix",
        "browsing",
        "--scale",
        "0.01",
        "--time-scale",
        "0.02",
        "--ramp",
        "500ms",
        "--repetitions",
        "1",
        "--smoke",
    ]);
    command.arg("--out").arg(sandbox.result());
    sandbox.finish(command).expect(7, &["no VALID point"]);
    let audit = sandbox.points().remove(0).audit.unwrap();
    assert_eq!(audit.accounts.iter().flat_map(results::Account::faults).collect::<Vec<_>>(), [""; 0]);
    let difference = audit.pages.unwrap().difference.unwrap();
    assert!(difference.contains("GET /auction/ViewUserInfo userId="), "{difference}");
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
    let sum = |of: fn(&results::Account) -> u64| audit.accounts.iter().map(of).sum::<u64>();
    assert!(sum(|account| account.compared) > 20 && sum(|account| account.checked) > 4_000, "{audit:?}");
    assert!(point.warm_up.unwrap().restore.unwrap().rows > 4_000, "the tables of scale 0.002");
    let loss = sandbox.manifest().planted_loss.unwrap();
    assert!(
        loss.seen_by.iter().any(|seen| seen == "the account of writes") && loss.changed.is_some(),
        "{loss:?}"
    );
    let printed = in_one_line(&ended.output);
    assert!(
        printed.contains(&format!("row {} of {} was deleted on purpose", loss.id, loss.table)),
        "{printed}"
    );
}

/// Only here do real databases compute checksums, each in its own words.
#[test]
fn checksums_show_a_changed_row_and_no_shifted_date() {
    let _turn = turn();
    for store in Store::ALL {
        let mut server = Server::start(store);
        server.load_all(&AUCTION, 0.001).unwrap();
        let epoch = dataset(0.001).epoch;
        let loaded = store::loaded(&server.instance, &server.access, &AUCTION).unwrap();
        let of = |name: &str| {
            let loaded = *loaded.iter().find(|loaded| loaded.table.name == name).unwrap();
            FixedColumns { loaded, columns: loaded.table.columns.iter().collect() }
        };
        let [users, items] = [of("users"), of("items")];
        let sums = |columns: &FixedColumns, epoch: Timestamp| {
            store::block_sums(&server.instance, &server.access, columns, epoch).unwrap()
        };
        let first = [sums(&users, epoch), sums(&items, epoch)];
        assert_eq!(first[0].iter().map(|block| block.rows).sum::<u64>(), users.loaded.rows, "{store:?}");
        let mut laboratory = server.laboratory(DATABASE);
        laboratory.run("UPDATE items SET start_date = start_date + INTERVAL '90' SECOND, end_date = end_date + INTERVAL '90' SECOND");
        assert_eq!(sums(&items, epoch + 90), first[1], "{store:?}");
        assert_ne!(sums(&items, epoch), first[1], "{store:?}");
        // Two changes that are alike would cancel out in an XOR of checksums.
        laboratory.run("UPDATE users SET firstname = 'Xx' WHERE id IN (3, 4)");
        assert_ne!(sums(&users, epoch), first[0], "{store:?}");
        let rows =
            store::rows_by_id(&server.instance, &server.access, users.loaded.table, &[4, 9_999_999]).unwrap();
        assert_eq!((rows.len(), &rows[0][1]), (1, &Value::Text("Xx".to_owned())));
    }
}

/// Sessions that work off what clients have left behind who gave up. One that waits behind over 32 others is told of a deadlock;
/// one that has some of its tables is in a deadlock with an audit that has the server.
const LOCKERS: usize = 64;
/// The most times that each locks tables. All end with the last audit.
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
    let is_audited = &AtomicBool::new(false);
    thread::scope(|scope| {
        for mut connection in connections {
            scope.spawn(move || {
                for _ in 0..LOCKS {
                    if is_audited.load(Ordering::Relaxed) {
                        break;
                    }
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
        // The data are frozen until an audit is dropped.
        let audit = |_: u32| store::audit(&server.instance, &server.access, order, &mut |_| ()).map(drop);
        let audits: Vec<_> = (0..10).map(audit).collect();
        is_audited.store(true, Ordering::Relaxed);
        audits.into_iter().for_each(|audit| assert!(audit.is_ok(), "{:?}", audit.err()));
    });
}

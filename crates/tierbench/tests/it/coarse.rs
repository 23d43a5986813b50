//! A coarse search on a real site: the doubled loads on one start of the servers, each on the data as they were loaded, and
//! the best of them again on starts of its own.

use crate::bench::{Bench, QUICK, turn};
use results::{Point, Purpose, ResultReader};
use rustix::process::Signal;
use std::{fs, process::Command};

/// A coarse search from 5 to 10 clients who act by a mix.
fn search(bench: &Bench, mix: &str) -> Command {
    let quick: Vec<&str> = QUICK.into_iter().filter(|word| !["--repetitions", "1"].contains(word)).collect();
    let mut command = bench.command(&["compare", "auction", "WsPhpFpm-DB", "--coarse", "--mix", mix]);
    command.args(["--first", "5", "--most", "10", "--repetitions", "3", "--window", "2s"]);
    command.args(quick).arg("--out").arg(bench.result());
    command
}

/// Its result.
fn searched(bench: &Bench, mix: &str) -> ResultReader {
    bench.start(search(bench, mix)).end();
    ResultReader::open(&bench.result()).unwrap()
}

/// Only here is a search interrupted between loads that share a start of real servers.
#[test]
fn a_ladder_that_was_interrupted_keeps_the_loads_that_it_has() {
    let _turn = turn();
    let bench = Bench::new();
    let clients = || bench.points().iter().map(|point| point.clients).collect::<Vec<_>>();
    let lines = || fs::read_to_string(bench.result().join("points.jsonl")).unwrap();
    let mut run = bench.start(search(&bench, "bidding"));
    run.expect("10 clients for");
    run.expect_load();
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted", "--resume"]);
    assert_eq!(clients(), [5]);
    let before = lines();
    bench.finish(bench.command(&["compare", "--resume", bench.result().to_str().unwrap()]));
    assert_eq!(clients()[..2], [5, 10]);
    assert!(lines().starts_with(&before), "nothing is measured twice");
}

#[test]
#[ignore = "part of make test-all"]
fn the_row_that_was_deleted_on_purpose_is_back_for_the_next_load() {
    let _turn = turn();
    let bench = Bench::new();
    // Nobody writes, so that there is nothing else to put back.
    let result = searched(&bench, "browsing");
    assert!(result.manifest.planted_loss.is_some());
    assert!(result.points.len() >= 2, "both loads were measured: {:?}", result.points);
    for point in &result.points {
        let audit = point.audit.as_ref().unwrap();
        assert!(audit.faults().is_empty(), "{}: {audit:?}", point.sequence);
    }
}

#[test]
#[ignore = "part of make test-all"]
fn doubled_loads_share_a_start_but_no_data() {
    let _turn = turn();
    let bench = Bench::new();
    let result = searched(&bench, "bidding");
    let points = &result.points;
    let (together, alone) = points.split_at(2);
    assert_eq!(together.iter().map(|point| point.clients).collect::<Vec<_>>(), [5, 10]);
    assert!(together.iter().all(|point| point.purpose == Purpose::Search));

    let warmed = |point: &Point| point.warm_up.unwrap();
    let start = |point| (warmed(point).interactions, warmed(point).cpu_ms_last);
    assert_eq!(start(&together[0]), start(&together[1]), "one start");
    assert!(alone.iter().all(|point| start(point) != start(&together[0])), "other starts");
    let acknowledged =
        points.iter().filter_map(|point| point.audit.as_ref()).flat_map(|audit| &audit.accounts);
    assert!(
        acknowledged.map(|account| account.acknowledged).sum::<u64>() > 0,
        "somebody writes in five loads"
    );
    for point in points {
        let rows = |point| warmed(point).put_back.unwrap().rows;
        assert_eq!(rows(point), rows(&together[0]), "each load finds the data as they were loaded");
        let audit = point.audit.as_ref().unwrap();
        assert!(audit.faults().is_empty(), "{audit:?}");
    }
}

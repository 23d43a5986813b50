//! What `run`, `compare` and `report` leave behind and say.

use crate::bench::{Bench, QUICK, code_of, turn};
use std::fs;

#[test]
fn a_run_leaves_a_whole_result_that_can_be_reported_again() {
    let _turn = turn();
    let bench = Bench::new();
    let ended = bench.finish(bench.measure("WsPhpFpm-DB", "5,10"));
    ended.expect(code_of(&bench.points()), &["WsPhpFpm-DB: loading data at scale 0.002", "VALID"]);
    assert!(
        !ended.error.contains('\x1b') && !ended.output.contains('\x1b'),
        "escape codes in a pipe: {ended:?}"
    );

    let points = bench.points();
    assert_eq!(points.iter().map(|point| point.clients).collect::<Vec<_>>(), [5, 10]);
    assert!(points.iter().all(|point| point.completed > 0 && point.failed() == 0), "{points:?}");
    let manifest = bench.manifest();
    assert!(manifest.ending.unwrap().complete);
    assert!(manifest.configurations[0].services.iter().any(|service| service.version.contains("MariaDB")));
    let page = fs::read_to_string(bench.result().join("report.html")).unwrap();
    assert!(page.contains("WsPhpFpm-DB"));

    let result = bench.result();
    let again = bench.finish(bench.command(&["report", result.to_str().unwrap()]));
    again.expect(0, &[]);
    assert!(again.output.contains("WsPhpFpm-DB"), "{}", again.output);
    assert_eq!(again.output, ended.output, "the same table again");
    let csv = bench.finish(bench.command(&["report", "--csv", result.to_str().unwrap()]));
    csv.expect(0, &[]);
    assert_eq!(csv.output.lines().count(), 1 + points.len(), "{}", csv.output);
}

/// The bids that are stored are numbered, so a second point that begins with the same number as the first began from
/// the same data. The house is changed so that each number is said in a log.
#[test]
fn a_comparison_is_interleaved_and_each_point_begins_with_the_same_data() {
    let _turn = turn();
    let bench = Bench::new();
    bench.edit(
        "stacks/php/auction/Interactions/StoreBid.php",
        "return new Page('Your bid is placed'",
        "error_log(\"stored bid {$id}.\");\n        return new Page('Your bid is placed'",
    );
    let mut command = bench.command(&["compare", "auction", "php", "--clients", "40,41", "--window", "1s"]);
    command.args(QUICK).arg("--out").arg(bench.result());
    let ended = bench.finish(command);
    let points = bench.points();
    ended.expect(code_of(&points), &[]);
    let order: Vec<(&str, u32)> =
        points.iter().map(|point| (point.configuration.as_str(), point.clients)).collect();
    assert_eq!(order, [("WsPhp-DB", 40), ("WsPhpFpm-DB", 40), ("WsPhp-DB", 41), ("WsPhpFpm-DB", 41)]);
    for configuration in ["WsPhp-DB", "WsPhpFpm-DB"] {
        let log = bench.result().join("logs").join(configuration).join("web-apache/error.log");
        let log = fs::read_to_string(log).unwrap();
        let numbers: Vec<u32> = log
            .split("stored bid ")
            .skip(1)
            .map(|rest| rest.split('.').next().unwrap().parse().unwrap())
            .collect();
        let first = numbers.iter().min().expect("some bids are stored");
        let beginnings = numbers.iter().filter(|number| *number == first).count();
        assert_eq!(beginnings, 2, "{configuration} has two points, and its bids are {numbers:?}");
    }
}

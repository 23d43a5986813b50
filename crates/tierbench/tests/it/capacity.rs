//! A search for the capacity under an objective on a real site.

use crate::sandbox::{QUICK, Sandbox, turn};
use results::{LoadPlan, Purpose, ResultReader};
use std::fs;

/// Only here does a search for a capacity end on real servers, in an answer that terminal and report give.
#[test]
fn a_capacity_search_goes_down_to_a_single_client_that_misses_the_objective() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let quick: Vec<&str> = QUICK.into_iter().filter(|word| !["--repetitions", "1"].contains(word)).collect();
    let objective = "p50 <= 1us, errors <= 50%";
    let mut command = sandbox.command(&["run", "auction", "Model", "--objective", objective]);
    command.args(["--most", "4", "--repetitions", "3", "--window", "1s"]);
    command.args(quick).arg("--out").arg(sandbox.result());
    sandbox
        .finish(command)
        .expect(0, &["Model: capacity 0 clients: a single one misses it under p50 <= 1us"]);
    let loads: Vec<u32> = sandbox.points().iter().map(|point| point.clients).collect();
    assert_eq!(loads, [4, 1, 2, 1, 1], "from the most clients down, and the single client on three starts");
    assert!(sandbox.points().iter().all(|point| point.purpose == Purpose::Search));
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    assert!(page.contains("Capacities") && page.contains("at 1 client<"));
    let result = ResultReader::open(&sandbox.result()).unwrap();
    assert_eq!(result.manifest.loads, LoadPlan::Capacity { objective: objective.into(), most: 4 });
}

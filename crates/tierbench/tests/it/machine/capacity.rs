//! A search for the capacity under an objective on a real site.

use crate::sandbox::{QUICK, Sandbox, turn};
use results::{Plan, ResultReader};
use std::fs;

/// Only here does a search for a capacity end on real servers, in an answer that terminal and page give.
#[test]
#[ignore = "asks for a machine with nothing else to do: make test-machine runs it"]
fn a_capacity_search_goes_down_to_a_single_client_that_misses_the_objective() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let objective = "p50 <= 1us, errors <= 50%";
    let mut command = sandbox.command(&["run", "auction", "Model", "--objective", objective]);
    // With less data, users find nothing to click on, and their points don't count.
    command.args(["--max-clients", "4", "--repetitions", "3", "--window", "5s", "--scale", "0.2"]);
    command.args(&QUICK[2..6]).args(&QUICK[8..]).arg("--out").arg(sandbox.result());
    let ended = sandbox.finish(command);
    ended
        .expect(0, &[])
        .expect_output(&format!("Model: capacity 0 clients: a single one misses it under {objective}"));
    let result = ResultReader::open(&sandbox.result()).unwrap();
    let loads = &result.manifest.spec.loads;
    assert_eq!(loads.plan, Plan::Capacity { objective: objective.parse().unwrap() });
    assert_eq!(loads.max_clients(), 4);
    let loads: Vec<u32> = result.points.iter().map(|point| point.clients).collect();
    assert!(loads.starts_with(&[4]) && loads.ends_with(&[1, 1]), "from the most clients down: {loads:?}");
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    assert!(page.contains("Capacities") && page.contains("at 1 client<"));
}

//! Sweeps on a real site: one start, loads up and down, one audit of all that was written, and a new beginning after an
//! interruption.

use crate::sandbox::{QUICK, Sandbox, code_of, turn};
use results::{Point, ResultReader, Series};
use rustix::process::Signal;
use std::{fs, process::Command};

const NAME: &str = "WsPhpFpm-DB,timeout=none";

fn overload_cycle(sandbox: &Sandbox, steps: &str) -> Command {
    // The scale of `QUICK`, but as many repetitions as are usual.
    let quick: Vec<&str> = QUICK.into_iter().filter(|word| !["--repetitions", "1"].contains(word)).collect();
    let mut command = sandbox.command(&["run", "comments", "WsPhpFpm-DB", "--overload-cycle", steps]);
    command
        .args(["--timeout", "none", "--mix", "writing", "--window", "2s"])
        .args(quick)
        .arg("--out")
        .arg(sandbox.result());
    command
}

/// Clients of a step, which run of this load it is, and its place.
fn steps(points: &[Point]) -> Vec<(u32, u32, u32)> {
    points.iter().map(|point| (point.clients, point.repetition, point.sequence)).collect()
}

/// Only here do loads follow each other on one start of real servers, with one audit.
#[test]
fn an_overload_cycle_runs_on_one_start_and_restarts_after_an_interruption() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut run = sandbox.start(overload_cycle(&sandbox, "10,60,10"));
    run.expect("1 overload cycle through 10, 60, 10 clients without a restart");
    run.expect("60 clients for");
    run.expect_load();
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted", "--resume"]);
    assert_eq!(sandbox.points().len(), 0, "half an overload cycle is none");

    let mut run = sandbox.start(sandbox.command(&["run", "--resume", sandbox.result().to_str().unwrap()]));
    run.expect("10 clients for");
    run.expect("60 clients for");
    run.expect("10 clients for");
    run.expect("auditing");
    let ended = run.end();
    let result = ResultReader::open(&sandbox.result()).unwrap();
    ended.expect(code_of(&result.overload_steps), &[]);

    assert_eq!(steps(&result.overload_steps), [(10, 1, 1), (60, 1, 2), (10, 2, 3)]);
    assert!(
        result.points.is_empty()
            && result.overload_steps.iter().all(|step| step.kind.series() == Series::OverloadCycle)
    );
    assert_eq!(result.manifest.spec.loads.clients(), [10, 60, 10]);
    assert_eq!((result.manifest.spec.repetitions, result.manifest.resumed.len()), (1, 1));
    expect_one_audit(&result);
    expect_no_timeouts(&result);
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    assert!(
        page.contains("id=\"overload_cycle-1\"")
            && page.contains("No acknowledged write of the whole overload cycle was lost.")
    );
    for sequence in 1..=3 {
        assert!(!result.samples(sequence).unwrap().is_empty());
    }
}

/// All steps were on the same data, which were looked at in the end.
fn expect_one_audit(result: &ResultReader) {
    let audits: Vec<_> = result.overload_steps.iter().map(|step| step.audit.as_ref().unwrap()).collect();
    assert!(
        audits.iter().all(|audit| *audit == audits[0]) && audits[0].faults().is_empty(),
        "{:?}",
        audits[0]
    );
    assert!(audits[0].accounts.iter().map(|account| account.acknowledged).sum::<u64>() > 0);
}

fn expect_no_timeouts(result: &ResultReader) {
    let [configuration] = result.manifest.configurations.as_slice() else { panic!("there is one variant") };
    assert_eq!(
        (configuration.name.as_str(), configuration.factors["clients.timeout"].as_str()),
        (NAME, "none")
    );
    for step in &result.overload_steps {
        assert_eq!((step.timeout_s, step.errors.get("timeout")), (None, None), "nobody gives up");
    }
}

#[test]
fn an_overload_cycle_without_a_return_is_refused_with_a_remedy() {
    let sandbox = Sandbox::new();
    let refused = |words: &[&str], texts: &[&str]| {
        let mut command = sandbox.command(&["run", "auction", "WsPhpFpm-DB"]);
        command.args(words).args(QUICK).arg("--out").arg(sandbox.result());
        sandbox.finish(command).expect(2, texts);
        assert!(!sandbox.result().exists());
    };
    refused(
        &["--overload-cycle", "10,60"],
        &["10,60 compares nothing", "back down", "--overload-cycle 400,800"],
    );
    refused(&["--overload-cycle", "10,60,10", "--clients", "5"], &["--overload-cycle", "--clients"]);
    refused(&["--overload-cycle", "10,60,10", "--fail-if", "errors > 0"], &["--overload-cycle", "--fail-if"]);
    refused(&["--clients", "5", "--timeout", "0s"], &["--timeout", "none is for no limit"]);
}

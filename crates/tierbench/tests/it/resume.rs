//! Runs that ended early and go on: nothing is measured twice, nothing is lost, and the plan stays what it was.

use crate::{
    disk::Disk,
    latency,
    result::seal_manifest,
    sandbox::{QUICK, Running, Sandbox, code_of, turn},
};
use results::{EventKind, EventRecord, Point, ResultReader};
use rustix::process::Signal;
use std::{collections::BTreeMap, fs, process::Command};

const CONFIGURATION: &str = "WsPhpFpm-DB";

/// Two loads, each twice.
fn four_points(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.measure_comments(CONFIGURATION, "5,6", "2s");
    command.args(["--repetitions", "2"]);
    command
}

fn resume(sandbox: &Sandbox) -> Command {
    sandbox.command(&["run", "--resume", sandbox.result().to_str().unwrap()])
}

/// Waits until a point with so many clients is in the middle of its load.
fn in_a_point_with(run: &mut Running<'_>, clients: u32) {
    run.expect(&format!("{clients} clients for"));
    run.expect_load();
}

fn points_file(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.result().join("points.jsonl")).unwrap()
}

fn plan_of(points: &[Point]) -> Vec<(u32, u32, u32)> {
    points.iter().map(|point| (point.sequence, point.clients, point.repetition)).collect()
}

/// Only here does one run end in two ways and go on after both.
#[test]
fn a_run_resumes_by_its_plan_after_an_interruption_and_a_kill() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut run = sandbox.start(four_points(&sandbox));
    run.expect_verdict();
    in_a_point_with(&mut run, 6);
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted", "--resume"]);
    let after_interruption = points_file(&sandbox);
    assert_eq!(plan_of(&sandbox.points()), [(1, 5, 1)]);
    let loss = sandbox.manifest().planted_loss.expect("it is planted after the first point");

    let mut run = sandbox.start(resume(&sandbox));
    run.expect_verdict();
    in_a_point_with(&mut run, 5);
    run.signal(Signal::KILL);
    run.end();
    let after_kill = points_file(&sandbox);
    assert!(after_kill.starts_with(&after_interruption));
    let mut manifest = sandbox.manifest();
    assert!(manifest.ending.is_none());
    // Nothing reads a command line.
    manifest.command = vec!["nonsense".to_owned()];
    fs::write(sandbox.result().join("manifest.json"), serde_json::to_vec(&manifest).unwrap()).unwrap();
    let refused = sandbox.finish(resume(&sandbox));
    refused.expect(9, &["manifest.json: was changed after it was written"]);
    seal_manifest(&sandbox.result());

    let ended = sandbox.finish(resume(&sandbox));
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    assert!(points_file(&sandbox).starts_with(&after_kill), "no line was touched");
    assert_eq!(plan_of(&points), [(1, 5, 1), (2, 6, 1), (3, 5, 2), (4, 6, 2)]);
    let seeds: BTreeMap<u64, u32> = points.iter().map(|point| (point.seed, point.sequence)).collect();
    assert_eq!(seeds.len(), 4, "each point has clients of its own");

    let manifest = sandbox.manifest();
    assert_eq!((manifest.resumed.len(), manifest.ending.unwrap().complete), (2, true));
    assert_eq!(manifest.planted_loss, Some(loss), "a result has one planted loss");
    expect_series(&ResultReader::open(&sandbox.result()).unwrap());
    expect_events(&sandbox);

    sandbox.finish(resume(&sandbox)).expect(2, &["is complete", "nothing to resume"]);
    assert_eq!(sandbox.points().len(), 4);
}

/// Each point has its samples and latencies, and they agree with it.
fn expect_series(result: &ResultReader) {
    for point in &result.points {
        let samples = result.samples(point.sequence).unwrap();
        let roles = |sample: &results::Sample| {
            sample.tiers.iter().map(|tier| tier.role.clone()).collect::<Vec<String>>()
        };
        // On a busy machine not every second is looked at.
        assert!(!samples.is_empty());
        assert!(samples.iter().all(|sample| roles(sample) == ["db", "app", "web"]), "{samples:?}");
        assert!(samples.is_sorted_by(|one, next| one.at_s < next.at_s), "{samples:?}");
        let log = result.folder.join(format!("latency/{:04}.hlog", point.sequence));
        latency::expect_log_of(point, &fs::read(log).unwrap());
    }
}

/// Events of three runs are one file without half lines and terminal codes, with the plan at each beginning.
fn expect_events(sandbox: &Sandbox) {
    let text = fs::read_to_string(sandbox.result().join("events.jsonl")).unwrap();
    assert!(!text.contains('\u{1b}') && !text.contains("\\u001b"), "{text}");
    let events: Vec<EventRecord> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.is_sorted_by_key(|event| event.at.clone()), "in the order of time");
    let plans = events.iter().filter_map(|event| match &event.event {
        EventKind::Plan { done, left, .. } => Some((*done, left.points)),
        _ => None,
    });
    assert_eq!(plans.collect::<Vec<_>>(), [(0, 4), (1, 3), (2, 2)]);
    let measured = events.iter().filter_map(|event| match &event.event {
        EventKind::Measured { sequence, .. } => Some(*sequence),
        _ => None,
    });
    assert_eq!(measured.collect::<Vec<_>>(), [1, 2, 3, 4]);
}

/// Only here does Ctrl-C come while no client is at work.
#[test]
fn ctrl_c_between_loads_leaves_a_resumable_result() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut run = sandbox.start(sandbox.measure_comments(CONFIGURATION, "5,6", "1s"));
    run.expect_verdict();
    run.expect("restoring everything");
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted"]);
    let ended = sandbox.finish(resume(&sandbox));
    ended.expect(code_of(&sandbox.points()), &[]);
    assert_eq!(plan_of(&sandbox.points()), [(1, 5, 1), (2, 6, 1)]);
}

/// Only here do two commands want the same result.
#[test]
fn a_running_run_cannot_be_resumed() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut first = sandbox.start(sandbox.measure_for("Model", "5", "3s"));
    in_a_point_with(&mut first, 5);
    let mut second = sandbox.start(resume(&sandbox));
    second.expect("is being written by a run that still goes on");
    // The first one's processes are still there, so its end is waited for first.
    let first = first.end();
    second.end().expect(6, &["wait for its end"]);
    first.expect(code_of(&sandbox.points()), &[]);
    assert_eq!((sandbox.points().len(), sandbox.manifest().resumed.len()), (1, 0));
}

/// Only here has a stack changed since.
#[test]
fn a_run_with_changed_code_cannot_be_resumed() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut run = sandbox.start(sandbox.measure_comments(CONFIGURATION, "5,6", "1s"));
    run.expect_verdict();
    run.signal(Signal::INT);
    run.end().expect(130, &[]);
    let before = points_file(&sandbox);
    let file = "stacks/php/comments/Interactions/StoreComment.php";
    sandbox.edit(file, "Your comment is published", "Your comment was published");
    let refused = sandbox.finish(resume(&sandbox));
    refused.expect(2, &["can't be resumed", &format!("configurations.{CONFIGURATION}.content was")]);
    assert_eq!(points_file(&sandbox), before);
    assert_eq!(
        sandbox.manifest().ending.unwrap().reason.as_deref(),
        Some("interrupted"),
        "nothing was touched"
    );
}

/// Only here is a disk full while points are measured, and only here does a run go on for which there was no room.
#[test]
fn a_disk_that_fills_up_keeps_the_points_so_far_and_a_run_resumes_once_it_has_room() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let Some(disk) = Disk::mount(sandbox.path().join("disk"), 2048) else { return };
    let result = disk.path().join("result");
    let words = ["run", "auction", "Model", "--clients", "5,6,7", "--window", "1s", "--repetitions", "1"];
    let mut command = sandbox.command(&words);
    command.args(QUICK).arg("--out").arg(&result);
    let mut run = sandbox.start(command);
    run.expect_verdict();
    disk.fill();
    let ended = run.end();
    ended.expect(6, &["no space left", result.to_str().unwrap(), "--out"]);
    ended.expect_output("Model");
    let kept = ResultReader::open(&result).unwrap().points;
    assert!(kept.len() < 3);
    assert_eq!(kept.first().map(|point| point.clients), Some(5));
    fs::remove_file(disk.path().join("filling")).unwrap();
    let ended = sandbox.run(&["run", "--resume", result.to_str().unwrap()]);
    let points = ResultReader::open(&result).unwrap().points;
    ended.expect(code_of(&points), &[]);
    assert_eq!(plan_of(&points), [(1, 5, 1), (2, 6, 1), (3, 7, 1)]);
}

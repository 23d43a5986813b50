//! Loaded data that are kept for later commands: used again, never when they are not whole, never in the way. What the
//! crate `cache` shows of it without a database is tried through the command in `make test-all`.

use crate::{
    disk::Disk,
    sandbox::{Ended, QUICK, Sandbox, code_of, turn},
};
use rustix::process::Signal;
use std::{
    fs::{self, File},
    path::PathBuf,
    process::Command,
};

const LOADS: &str = "loading data";
const TAKES: &str = "taking data";
const MARIADB: [&str; 2] = ["--factor", "database=mariadb"];
const WAITS: &str = "waiting for another command";

fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = fs::read_dir(sandbox.cache()).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn count(ended: &Ended, step: &str) -> usize {
    ended.error.lines().filter(|line| line.contains(step)).count()
}

/// A run of one short point, with the result in a folder of this name.
fn short_run(sandbox: &Sandbox, result: &str) -> Command {
    let mut command = sandbox.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    command.args(QUICK).arg("--out").arg(sandbox.path().join(result));
    command
}

fn measured(sandbox: &Sandbox, result: &str, ended: &Ended) {
    let points = results::ResultReader::open(&sandbox.path().join(result)).unwrap().points;
    assert_eq!(points.len(), 1);
    ended.expect(code_of(&points), &[]);
}

fn output_of(sandbox: &Sandbox, words: &[&str]) -> String {
    let ended = sandbox.run(words);
    ended.expect(0, &[]);
    ended.output
}

/// Only here do several commands take what one has loaded.
#[test]
fn data_are_loaded_once_for_all_configurations_and_later_commands() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    assert!(output_of(&sandbox, &["cache"]).contains("no loaded data are kept in"));
    let mut command =
        sandbox.command(&["verify", "comments", "WsPhp-DB", "WsPhpFpm-DB", "--smoke", "--scale", "0.002"]);
    command.args(MARIADB).args(["--factor", "engine=InnoDB"]);
    let ended = sandbox.finish(command);
    ended.expect(0, &[]);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (1, 1), "{}", ended.error);
    let mut command =
        sandbox.command(&["run", "comments", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    command.args(MARIADB).args(QUICK).arg("--out").arg(sandbox.path().join("again"));
    let ended = sandbox.finish(command);
    measured(&sandbox, "again", &ended);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (0, 1), "{}", ended.error);
    let listed = output_of(&sandbox, &["cache"]);
    for text in ["comments", "uniform", "0.002", "mariadb InnoDB", "ago", "1 snapshot, "] {
        assert!(listed.contains(text), "no `{text}` in:\n{listed}");
    }
    assert!(output_of(&sandbox, &["cache", "--empty", "--older-than", "1h"]).contains("0 snapshots removed"));
    assert_eq!(kept(&sandbox).len(), 1);
    assert!(output_of(&sandbox, &["cache", "--empty"]).contains("1 snapshot removed"));
    assert_eq!(kept(&sandbox), [] as [PathBuf; 0]);
}

#[test]
#[ignore = "part of make test-all"]
fn a_snapshot_that_was_cut_is_not_used_but_cleared_away() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    measured(&sandbox, "first", &sandbox.finish(short_run(&sandbox, "first")));
    let [snapshot] = &kept(&sandbox)[..] else { panic!("one is kept") };
    let file = File::options().write(true).open(snapshot.join("data/auction/bids.ibd")).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    assert!(output_of(&sandbox, &["cache"]).contains("bids.ibd has"));
    let ended = sandbox.finish(short_run(&sandbox, "second"));
    measured(&sandbox, "second", &ended);
    ended.expect(ended.code().unwrap(), &["was damaged and is removed", "auction/bids.ibd has", LOADS]);
    let ended = sandbox.finish(short_run(&sandbox, "third"));
    measured(&sandbox, "third", &ended);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (0, 1), "{}", ended.error);
}

#[test]
#[ignore = "part of make test-all"]
fn of_two_commands_at_once_one_loads_and_neither_removes_what_the_other_uses() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    let mut first = sandbox.start(short_run(&sandbox, "first"));
    first.expect(LOADS);
    // It stands still, and its database goes on.
    first.signal(Signal::STOP);
    let mut second = sandbox.start(short_run(&sandbox, "second"));
    second.expect(WAITS);
    first.signal(Signal::CONT);
    second.expect(TAKES);
    let mut emptied = sandbox.start(sandbox.command(&["cache", "--empty"]));
    emptied.expect("1 snapshot kept, because a command is using them");
    let codes = [first.wait().code(), second.wait().code(), emptied.wait().code()];
    let ended = first.end();
    measured(&sandbox, "first", &ended);
    let ended = second.end();
    measured(&sandbox, "second", &ended);
    assert_eq!(count(&ended, LOADS), 0, "{}", ended.error);
    assert_eq!(emptied.end().code(), codes[2]);
    assert_eq!(kept(&sandbox).len(), 1);
}

/// Only here does a command end while it keeps data.
#[test]
fn an_unfinished_snapshot_is_never_used() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    let mut large = sandbox.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--scale", "0.5"]);
    large.arg("--skip-verify").arg("--out").arg(sandbox.path().join("large"));
    let mut run = sandbox.start(large);
    run.expect(LOADS);
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted"]);
    assert_eq!(kept(&sandbox), [] as [PathBuf; 0], "a command that is stopped clears up");

    let mut run = sandbox.start(short_run(&sandbox, "killed"));
    run.expect(LOADS);
    run.signal(Signal::KILL);
    run.end();
    let [half] = &kept(&sandbox)[..] else { panic!("a command that is killed can't clear up") };
    assert!(half.extension().is_some_and(|extension| extension == "part"), "{half:?}");
    assert!(output_of(&sandbox, &["cache"]).contains("half-written"));
    let ended = sandbox.finish(short_run(&sandbox, "next"));
    measured(&sandbox, "next", &ended);
    ended.expect(ended.code().unwrap(), &["was half-written and is removed", LOADS]);
    assert_eq!(kept(&sandbox).len(), 1);
}

#[test]
#[ignore = "part of make test-all"]
fn without_a_cache_to_write_to_everything_works_and_it_is_said() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    fs::write(sandbox.cache(), "no folder").unwrap();
    let mut command =
        sandbox.command(&["verify", "auction", "WsPhp-DB", "WsPhpFpm-DB", "--smoke", "--scale", "0.002"]);
    command.args(["--factor", "database=mariadb", "--factor", "engine=MyISAM"]);
    let ended = sandbox.finish(command);
    ended.expect(
        0,
        &["loaded data can't be kept", sandbox.cache().to_str().unwrap(), "--cache names another"],
    );
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (1, 1), "{}", ended.error);
    let ended = sandbox.run(&["doctor"]);
    ended.expect_output("missing loaded data");
}

#[test]
#[ignore = "part of make test-all"]
fn a_cache_on_a_disk_without_room_stays_empty() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    let Some(disk) = Disk::mount(sandbox.cache().to_owned(), 4096) else { return };
    let ended = sandbox.finish(short_run(&sandbox, "result"));
    measured(&sandbox, "result", &ended);
    ended.expect(
        ended.code().unwrap(),
        &["can't be kept", "MiB free, and", disk.path().to_str().unwrap(), "--cache"],
    );
    assert_eq!(kept(&sandbox), [] as [PathBuf; 0]);
}

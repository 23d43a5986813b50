//! Loaded data that are kept for later commands: used again, never when they are not whole, never in the way. What the
//! crate `cache` shows of it without a database is tried through the command in `make test-all`.

use crate::{
    bench::{Bench, Ended, code_of, turn},
    disk::Disk,
};
use rustix::process::Signal;
use std::{
    fs::{self, File},
    path::PathBuf,
    process::Command,
};

const LOADS: &str = "loading data";
const TAKES: &str = "taking data";
const WAITS: &str = "waiting for another command";

/// What lies in the cache.
fn kept(bench: &Bench) -> Vec<PathBuf> {
    let entries = fs::read_dir(bench.cache()).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn count(ended: &Ended, step: &str) -> usize {
    ended.error.lines().filter(|line| line.contains(step)).count()
}

/// A run of one short point, with the result in a folder of this name.
fn short_run(bench: &Bench, result: &str) -> Command {
    let mut command = bench.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    command.args(crate::bench::QUICK).arg("--out").arg(bench.path().join(result));
    command
}

fn measured(bench: &Bench, result: &str, ended: &Ended) {
    let points = results::ResultReader::open(&bench.path().join(result)).unwrap().points;
    assert_eq!(points.len(), 1);
    ended.expect(code_of(&points), &[]);
}

fn said(bench: &Bench, words: &[&str]) -> String {
    let ended = bench.finish(bench.command(words));
    ended.expect(0, &[]);
    ended.output
}

/// Only here do several commands take what one has loaded.
#[test]
fn data_are_loaded_once_for_all_configurations_and_all_later_commands() {
    let _turn = turn();
    let bench = Bench::new().with_own_cache();
    assert!(said(&bench, &["cache"]).contains("no loaded data are kept in"));
    let mut command = bench.command(&["verify", "auction", "php", "--smoke", "--scale", "0.002"]);
    command.args(["--factor", "engine=InnoDB"]);
    let ended = bench.finish(command);
    ended.expect(0, &[]);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (1, 1), "{}", ended.error);
    let ended = bench.finish(short_run(&bench, "again"));
    measured(&bench, "again", &ended);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (0, 1), "{}", ended.error);
    let listed = said(&bench, &["cache"]);
    for text in ["auction", "uniform", "0.002", "mariadb InnoDB", "ago", "1 snapshot, "] {
        assert!(listed.contains(text), "no `{text}` in:\n{listed}");
    }
    assert!(said(&bench, &["cache", "--empty", "--older-than", "1h"]).contains("0 snapshots removed"));
    assert_eq!(kept(&bench).len(), 1);
    assert!(said(&bench, &["cache", "--empty"]).contains("1 snapshot removed"));
    assert_eq!(kept(&bench), [] as [PathBuf; 0]);
}

#[test]
#[ignore = "part of make test-all"]
fn a_snapshot_that_was_cut_is_not_used_but_cleared_away() {
    let _turn = turn();
    let bench = Bench::new().with_own_cache();
    measured(&bench, "first", &bench.finish(short_run(&bench, "first")));
    let [snapshot] = &kept(&bench)[..] else { panic!("one is kept") };
    let file = File::options().write(true).open(snapshot.join("data/auction/bids.ibd")).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    assert!(said(&bench, &["cache"]).contains("bids.ibd has"));
    let ended = bench.finish(short_run(&bench, "second"));
    measured(&bench, "second", &ended);
    ended.expect(ended.code().unwrap(), &["was damaged and is removed", "auction/bids.ibd has", LOADS]);
    let ended = bench.finish(short_run(&bench, "third"));
    measured(&bench, "third", &ended);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (0, 1), "{}", ended.error);
}

#[test]
#[ignore = "part of make test-all"]
fn of_two_commands_at_once_one_loads_and_neither_removes_what_the_other_uses() {
    let _turn = turn();
    let bench = Bench::new().with_own_cache();
    let mut first = bench.start(short_run(&bench, "first"));
    first.expect(LOADS);
    // It stands still, and its database goes on.
    first.signal(Signal::STOP);
    let mut second = bench.start(short_run(&bench, "second"));
    second.expect(WAITS);
    first.signal(Signal::CONT);
    second.expect(TAKES);
    let mut emptied = bench.start(bench.command(&["cache", "--empty"]));
    emptied.expect("1 snapshot kept, because a command is using them");
    let codes = [first.wait().code(), second.wait().code(), emptied.wait().code()];
    let ended = first.end();
    measured(&bench, "first", &ended);
    let ended = second.end();
    measured(&bench, "second", &ended);
    assert_eq!(count(&ended, LOADS), 0, "{}", ended.error);
    assert_eq!(emptied.end().code(), codes[2]);
    assert_eq!(kept(&bench).len(), 1);
}

/// Only here does a command end while it keeps data.
#[test]
fn nobody_uses_what_a_stopped_or_killed_command_has_not_finished() {
    let _turn = turn();
    let bench = Bench::new().with_own_cache();
    let mut large = bench.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--scale", "0.5"]);
    large.arg("--unverified").arg("--out").arg(bench.path().join("large"));
    let mut run = bench.start(large);
    run.expect(LOADS);
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted"]);
    assert_eq!(kept(&bench), [] as [PathBuf; 0], "a command that is stopped clears up");

    let mut run = bench.start(short_run(&bench, "killed"));
    run.expect(LOADS);
    run.signal(Signal::KILL);
    run.end();
    let [half] = &kept(&bench)[..] else { panic!("a command that is killed can't clear up") };
    assert!(half.extension().is_some_and(|extension| extension == "part"), "{half:?}");
    assert!(said(&bench, &["cache"]).contains("half-written"));
    let ended = bench.finish(short_run(&bench, "next"));
    measured(&bench, "next", &ended);
    ended.expect(ended.code().unwrap(), &["was half-written and is removed", LOADS]);
    assert_eq!(kept(&bench).len(), 1);
}

#[test]
#[ignore = "part of make test-all"]
fn without_a_cache_to_write_to_everything_works_and_it_is_said() {
    let _turn = turn();
    let bench = Bench::new().with_own_cache();
    fs::write(bench.cache(), "no folder").unwrap();
    let mut command = bench.command(&["verify", "auction", "php", "--smoke", "--scale", "0.002"]);
    command.args(["--factor", "engine=MyISAM"]);
    let ended = bench.finish(command);
    ended.expect(0, &["loaded data can't be kept", bench.cache().to_str().unwrap(), "--cache names another"]);
    assert_eq!((count(&ended, LOADS), count(&ended, TAKES)), (1, 1), "{}", ended.error);
    let ended = bench.finish(bench.command(&["doctor"]));
    ended.says("missing loaded data");
}

#[test]
#[ignore = "part of make test-all"]
fn a_cache_on_a_disk_without_room_stays_empty() {
    let _turn = turn();
    let bench = Bench::new().with_own_cache();
    let Some(disk) = Disk::mount(bench.cache().to_owned(), 4096) else { return };
    let ended = bench.finish(short_run(&bench, "result"));
    measured(&bench, "result", &ended);
    ended.expect(
        ended.code().unwrap(),
        &["can't be kept", "MiB free, and", disk.path().to_str().unwrap(), "--cache"],
    );
    assert_eq!(kept(&bench), [] as [PathBuf; 0]);
}

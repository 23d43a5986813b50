//! Ends before the end: whatever happens, the cause is told, what was measured is kept, and nothing survives.

use crate::{
    processes::{below, family, name, parent, signal},
    sandbox::{Ended, Running, Sandbox, turn},
};
use rustix::process::Signal;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A run that is in the middle of its second point. The first one is written down.
fn in_the_second_point<'a>(sandbox: &'a Sandbox, configuration: &str) -> Running<'a> {
    let mut run = sandbox.start(sandbox.measure_for(configuration, "5,6", "3s"));
    run.expect_verdict();
    run.expect("6 clients for");
    run.expect_load();
    run
}

/// The comment page in PostgreSQL, which runs and has been used.
fn with_postgresql(sandbox: &Sandbox) -> Running<'_> {
    let mut command = sandbox.command(&["up", "comments", "WsPhpFpm-DB", "--factor", "database=postgresql"]);
    command.args(["--scale", "0.002"]);
    let mut run = sandbox.start(command);
    run.expect("http://");
    run
}

/// A run whose database loads so much that it takes seconds. It finds nothing in a cache of its own.
fn while_loading(sandbox: &Sandbox) -> Running<'_> {
    let mut command = sandbox.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--scale", "0.5"]);
    command.arg("--skip-verify").arg("--out").arg(sandbox.result());
    let mut run = sandbox.start(command);
    run.expect("loading data");
    run
}

/// The first of two points is kept, reported, and said to be all there is.
fn expect_first_point_kept(sandbox: &Sandbox, ended: &Ended, configuration: &str, reason: &str) {
    assert_eq!(sandbox.points().iter().map(|point| point.clients).collect::<Vec<_>>(), [5]);
    let ending = sandbox.manifest().ending.unwrap();
    assert!(!ending.complete);
    assert!(ending.reason.as_deref().unwrap_or_default().contains(reason), "{ending:?}");
    assert!(sandbox.result().join("report.html").exists());
    ended.expect_output(configuration);
}

/// Only here are the last words of a server shown.
#[test]
fn a_failed_start_shows_the_end_of_the_servers_log() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.edit("services/apache/templates/httpd.conf", "KeepAlive On", "KeepAlove On");
    let ended = sandbox.finish(sandbox.measure("WsPhpFpm-DB", "5"));
    ended.expect(
        4,
        &["WsPhpFpm-DB: apache ended while it started", "its last words", "Invalid command 'KeepAlove'"],
    );
    let ending = sandbox.manifest().ending.unwrap();
    assert!(!ending.complete && ending.reason.unwrap().contains("KeepAlove"));
}

/// Only here does a real server die of a cause that is known.
#[test]
fn a_known_cause_of_a_failed_start_has_a_remedy() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let (tier, file) =
        ("keep_alive = \"1s\" }, templates = [\"apache-site.conf\", \"php.ini\"]", "stacks/php/stack.toml");
    let factors = "mpm = \"prefork\", php = \"module\", workers = \"600\", ";
    sandbox.edit(
        file,
        &format!("{factors}{tier}"),
        &format!("{}{tier}", factors.replace("prefork", "event")),
    );
    let ended = sandbox.finish(sandbox.measure("WsPhp-DB", "5"));
    ended.expect(4, &["PHP as a module doesn't work under the event MPM", "set the factor mpm to prefork"]);
}

/// Only here does a tier die while clients are at work.
#[test]
fn a_database_crash_is_named_and_keeps_earlier_points() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let run = in_the_second_point(&sandbox, "WsPhpFpm-DB");
    signal(below(run.id(), "mariadbd").expect("a database runs"), Signal::KILL);
    let ended = run.end();
    ended.expect(4, &["WsPhpFpm-DB", "point with 6 clients", "mariadb ended by itself", "signal: 9"]);
    expect_first_point_kept(&sandbox, &ended, "WsPhpFpm-DB", "mariadb ended by itself");
}

/// Only here does a real server answer with a status of 5xx, and write why.
#[test]
fn a_failing_page_shows_the_servers_last_errors_and_keeps_its_logs() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.edit(
        "stacks/php/comments/index.php",
        "new Interactions\\ListComments()",
        "throw new \\RuntimeException('the list is lost')",
    );
    let configuration = "WsPhpFpm-DB";
    let words = ["verify", "comments", configuration, "--smoke", "--scale", "0.002", "--shrink-time", "1s"];
    let verified = sandbox.run(&[&words[..], &["--factor", "database=postgresql"]].concat());
    verified.expect(3, &["A server failed (status 5xx)", "the list is lost"]);
    let kept = fs::read_to_string(sandbox.path().join(format!("failure-{configuration}.log"))).unwrap();
    assert!(kept.contains("==> ") && kept.contains("the list is lost"), "{kept}");

    let measured = sandbox.finish(sandbox.measure_comments(configuration, "5", "1s"));
    let folder = format!("logs/{configuration}");
    for text in ["A server failed (status 5xx)", "the list is lost", &folder] {
        assert!(measured.error.contains(text), "{text}:\n{}", measured.error);
    }
    let logs = files_below(&sandbox.result().join(folder));
    let texts: Vec<String> = logs.iter().map(|log| fs::read_to_string(log).unwrap_or_default()).collect();
    assert!(texts.iter().any(|text| text.contains("the list is lost")), "{logs:?}");
}

/// All files in a folder and those below it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Only here are clients at work when Ctrl-C comes.
#[test]
fn ctrl_c_during_a_point_reports_the_points_so_far() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let run = in_the_second_point(&sandbox, "Model");
    run.signal(Signal::INT);
    let ended = run.end();
    ended.expect(130, &["interrupted"]);
    expect_first_point_kept(&sandbox, &ended, "Model", "interrupted");
}

/// Only here is a load interrupted that would take long.
#[test]
fn ctrl_c_while_the_database_loads_ends_soon() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    let run = while_loading(&sandbox);
    run.signal(Signal::INT);
    let ended = run.end();
    ended.expect(130, &["interrupted"]);
    assert!(!ended.error.contains("keeping the first state"), "it went on:\n{}", ended.error);
    let ending = sandbox.manifest().ending.unwrap();
    assert_eq!((ending.complete, ending.reason.as_deref()), (false, Some("interrupted")));
}

/// Only here is somebody impatient.
#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_no_process() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    let run = while_loading(&sandbox);
    run.signal(Signal::INT);
    run.expect_delivered(Signal::INT);
    run.signal(Signal::INT);
    let ended = run.end();
    ended.expect(130, &[]);
    assert!(sandbox.manifest().ending.is_none(), "it took its time to write how it ended");
}

/// Only here is a command killed that has servers and a result.
#[test]
fn no_process_survives_a_kill_during_a_point() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let run = in_the_second_point(&sandbox, "WsPhpFpm-DB");
    run.signal(Signal::KILL);
    run.end();
    assert_eq!(sandbox.points().len(), 1);
    let result = sandbox.result();
    let report = sandbox.run(&["report", result.to_str().unwrap()]);
    report.expect(0, &[]);
    report.expect_output("WsPhpFpm-DB");
}

/// Only here is a command killed whose database is under way.
#[test]
fn no_process_survives_a_kill_while_the_database_loads() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache();
    let run = while_loading(&sandbox);
    run.signal(Signal::KILL);
    run.end();
}

/// Only here could memory be left that PostgreSQL shares.
#[test]
fn no_postgresql_process_survives_a_kill_of_command_or_server() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let run = with_postgresql(&sandbox);
    run.signal(Signal::KILL);
    run.end();

    let run = with_postgresql(&sandbox);
    // The process that has started the others, and made the memory that they share.
    let is_first = |process: &u32| name(*process) == "postgres" && name(parent(*process)) != "postgres";
    let server = family(run.id()).into_iter().find(is_first);
    signal(server.expect("a database runs"), Signal::KILL);
    run.end().expect(4, &["postgresql ended by itself", "signal: 9"]);
}

/// Only here are those killed that would end the others.
#[test]
fn no_process_survives_a_kill_of_all_tierbench_processes() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut run = sandbox.start(sandbox.command(&["up", "auction", "WsPhp-DB", "--scale", "0.002"]));
    run.expect("http://");
    for process in family(run.id()).into_iter().filter(|process| name(*process) == "tierbench") {
        signal(process, Signal::KILL);
    }
    run.end();
}

/// Only here do other signals than Ctrl-C come.
#[test]
fn sighup_and_sigterm_act_like_ctrl_c() {
    for stop in [Signal::TERM, Signal::HUP] {
        let _turn = turn();
        let sandbox = Sandbox::new();
        let mut run = sandbox.start(sandbox.measure_for("Model", "5", "3s"));
        run.expect("5 clients for");
        run.expect_load();
        run.signal(stop);
        run.end().expect(130, &["interrupted"]);
        assert!(sandbox.result().join("report.html").exists());
    }
}

//! Machines that ssh reaches, for minutes: comparisons, interruptions of the network, and whatever else happens to a machine.

use crate::{
    disk::Disk,
    machines::remote_machine::{Machine, Up},
    sandbox::{QUICK, Sandbox, all_turns, code_of},
    testbed::groups_of,
};
use results::{Audit, CheckId, Point};
use std::{
    fs,
    path::Path,
    process::{Child, Command},
    thread,
    time::Duration,
};

/// All that the audit found is as it should be, of writes that there were.
fn expect_clean(point: &Point) {
    let audit: &Audit = point.audit.as_ref().unwrap();
    assert!(audit.faults().is_empty() && !audit.accounts.is_empty(), "{audit:?}");
}

/// `run comments WsPhp-DB` on the machines, with points of this length.
fn run(up: &Up<'_>, sandbox: &Sandbox, testbed: &str, (clients, window): (&str, &str)) -> Command {
    let words = ["run", "comments", "WsPhp-DB", "--clients", clients, "--window", window];
    let mut command = up.command(&words);
    command.args(QUICK).args(["--testbed", testbed, "--out"]).arg(sandbox.result());
    command
}

#[test]
#[ignore = "part of make test-machine"]
fn comparisons_over_two_and_four_machines_end_with_a_clean_audit() {
    let Some(machine) = Machine::with_names(&["db", "more", "web"]) else { return };
    let _turns = all_turns();
    let place = Sandbox::new();
    let up = machine.up(&place);
    let [db, more, web] = [("db", "db", ""), ("more", "more", "roles = ['client']\n"), ("web", "web", "")];
    for (file, hosts, generators) in [("two", &[web][..], 0), ("four", &[db, more, web], 2)] {
        let sandbox = Sandbox::new();
        machine.write_testbed(file, "fallback = 'web'\n", hosts);
        let words =
            ["compare", "auction", "WsPhp-DB", "Ws-Servlet-DB", "--clients", "10", "--window", "9s", "--out"];
        let mut command = up.command(&words);
        command.arg(sandbox.result()).args(QUICK).args(["--testbed", &machine.testbed(file)]);
        let ended = sandbox.finish(command);
        println!("{}", ended.output);
        let points = sandbox.points();
        ended.expect(code_of(&points), &[]);
        machine.expect_nothing_left();
        assert_eq!(points.len(), 2);
        for point in &points {
            expect_clean(point);
            assert_eq!(point.generators.len(), generators, "{:?}", point.generators);
            for (name, _, roles) in hosts {
                let used = point.hosts.iter().find(|host| host.mean.name == *name).unwrap().mean.cores;
                assert!(!roles.is_empty() || used > 0.0, "{:?}", point.hosts);
            }
        }
    }
}

/// Seconds from each load to the next, which has another start: end of the servers, start, warm-up, restore.
fn seconds_of_starts(sandbox: &Sandbox, mut command: Command) -> Vec<f64> {
    command.args(["--repetitions", "4"]);
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    let begins =
        points.iter().map(|point| point.started.parse::<jiff::Timestamp>().unwrap().as_millisecond());
    let begins: Vec<i64> = begins.collect();
    begins.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e3).collect()
}

/// The same servers on the same core, in turns: behind ssh, and as a share of this machine.
#[test]
#[ignore = "part of make test-machine"]
fn a_start_over_ssh_takes_at_most_two_seconds_more_than_in_a_namespace() {
    let Some(machine) = Machine::new() else { return };
    let _turns = all_turns();
    let place = Sandbox::new();
    let hosts = fs::read_to_string(machine.testbed("hosts")).unwrap();
    let shares = place.path().join("shares.toml");
    fs::write(&shares, hosts.replace("fallback = 'client'", "fallback = 'web'")).unwrap();
    let over_ssh = || {
        let (up, sandbox) = (machine.up(&place), Sandbox::new());
        seconds_of_starts(&sandbox, run(&up, &sandbox, &machine.testbed("all"), ("5", "2s")))
    };
    let in_a_namespace = || {
        let sandbox = Sandbox::new();
        let words = ["run", "comments", "WsPhp-DB", "--clients", "5", "--window", "2s"];
        let mut command = sandbox.command(&words);
        command.args(QUICK).arg("--testbed").arg(&shares).arg("--out").arg(sandbox.result());
        seconds_of_starts(&sandbox, command)
    };
    let (first, mut here) = (over_ssh(), in_a_namespace());
    here.extend(in_a_namespace());
    let there = [first, over_ssh()].concat();
    println!("seconds over ssh {there:?}, in a namespace {here:?}");
    assert!(median(&there) - median(&here) <= 2.0, "over ssh {there:?}, in a namespace {here:?}");
}

fn median(of: &[f64]) -> f64 {
    let mut sorted = of.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[test]
#[ignore = "part of make test-machine"]
fn a_user_who_is_not_root_there_can_run_servers() {
    let Some(machine) = Machine::new() else { return };
    let _turns = all_turns();
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = machine.up(&place);
    let ended = sandbox.finish(run(&up, &sandbox, &machine.testbed("guest"), ("5", "2s")));
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    expect_clean(&points[0]);
    machine.expect_nothing_left();
}

/// A partition of 20 s is one for the requests that fail in it; after one of 60 s the machine is lost, on both sides.
#[test]
#[ignore = "part of make test-machine"]
fn a_short_partition_spoils_a_point_and_a_long_one_loses_the_host() {
    let Some(machine) = Machine::new() else { return };
    let _turns = all_turns();
    let place = Sandbox::new();
    let up = machine.up(&place);
    for (length_s, window) in [(20, "40s"), (60, "600s")] {
        let sandbox = Sandbox::new();
        let mut run = sandbox.start(run(&up, &sandbox, &machine.testbed("all"), ("5", window)));
        run.expect("5 clients for");
        run.expect_load();
        up.set_link("web", "down");
        // It is what is tried.
        thread::sleep(Duration::from_secs(length_s));
        up.set_link("web", "up");
        let ended = run.end();
        machine.expect_nothing_left();
        if length_s > 45 {
            ended.expect(4, &["the host `web` was lost", "silent", "--resume"]);
            assert!(sandbox.points().is_empty());
            let ending = sandbox.manifest().ending.unwrap();
            assert!(!ending.complete && ending.reason.unwrap().contains("the host `web` was lost"));
            continue;
        }
        ended.expect(7, &[]);
        let point = &sandbox.points()[0];
        assert!(!point.verdict.valid && point.completed > 0, "{:?}", point.verdict);
        expect_clean(point);
    }
}

#[test]
#[ignore = "part of make test-machine"]
fn a_disk_that_fills_up_there_is_told_with_its_host() {
    let Some(machine) = Machine::new() else { return };
    let _turns = all_turns();
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let there = machine.there("web");
    fs::remove_dir(&there).unwrap();
    let Some(disk) = Disk::mount(there, 600 << 10) else { return };
    let up = machine.up(&place);
    let mut run = sandbox.start(run(&up, &sandbox, &machine.testbed("all"), ("5,6,7", "2s")));
    run.expect_verdict();
    // A restore frees as much as it needs, and must not get it.
    let process = Path::new("/proc").join(run.id().to_string());
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            while process.exists() {
                disk.fill();
                thread::sleep(Duration::from_millis(10));
            }
        });
        run.end()
    });
    assert!(matches!(ended.code(), Some(4 | 6)), "{ended:?}");
    ended.expect(ended.code().unwrap(), &["on the host `web`", "o space left"]);
    assert_eq!(sandbox.points()[0].clients, 5);
    fs::remove_file(disk.path().join("filling")).unwrap();
    machine.expect_nothing_left();
}

#[test]
#[ignore = "part of make test-machine"]
fn points_of_a_machine_that_changes_are_invalid() {
    let Some(machine) = Machine::new() else { return };
    let _turns = all_turns();
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = machine.up(&place);
    let mut run = sandbox.start(run(&up, &sandbox, &machine.testbed("all"), ("5,6", "3s")));
    run.expect_verdict();
    run.expect("6 clients for");
    // It gets another processor.
    let groups = groups_of(&place, &machine.testbed("hosts"), "web");
    let cores = groups.iter().map(|group| group.join("cpuset.cpus")).find(|file| file.exists()).unwrap();
    fs::write(cores, "0-1").unwrap();
    let ended = run.end();
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    let state = |point: &Point| {
        let mut checks = point.verdict.checks.iter();
        let check = checks.find(|check| check.id == CheckId::HostsUnchanged).unwrap();
        (check.passed, check.figure.clone())
    };
    assert_eq!(state(&points[0]), (true, "none has changed".to_owned()));
    assert_eq!(state(&points[1]), (false, "web: 2 cores, which were 1".to_owned()));
    assert!(!points[1].verdict.valid);
    machine.expect_nothing_left();
}

/// A busy loop on a machine, which is none of the laboratory's programs.
struct Intruder(Child);

impl Intruder {
    fn start(up: &Up<'_>, machine: &str) -> Self {
        // If this test fails, nobody else may end it.
        Self(up.on(machine, &["perl", "-e", "alarm 120; 1 while 1"]).spawn().unwrap())
    }
}

impl Drop for Intruder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn others(point: &Point) -> (bool, String) {
    let mut checks = point.verdict.checks.iter();
    let check = checks.find(|check| check.id == CheckId::OtherProcesses).unwrap();
    (check.passed, check.figure.clone())
}

/// The machine with tiers, and that with a generator; each has one core for itself.
#[test]
#[ignore = "part of make test-machine"]
fn a_busy_loop_on_the_machine_of_a_tier_or_a_generator_is_named() {
    for (name, fallback, roles) in [("web", "web", ""), ("more", "client", "roles = ['client']\n")] {
        let Some(machine) = Machine::with_names(&[name]) else { return };
        machine.be_apart();
        machine.write_testbed("apart", &format!("fallback = '{fallback}'\n"), &[(name, name, roles)]);
        let _turns = all_turns();
        let place = Sandbox::new();
        let up = machine.up(&place);
        let measured = || {
            let sandbox = Sandbox::new();
            let ended = sandbox.finish(run(&up, &sandbox, &machine.testbed("apart"), ("6", "4s")));
            let points = sandbox.points();
            ended.expect(code_of(&points), &[]);
            others(&points[0])
        };
        // What each machine lost is between semicolons: this one may be busy, too.
        let of_it = |figure: &str| {
            let place = format!(" cores on {name})");
            let share = figure.split("; ").find(|one| one.ends_with(&place))?.split(' ').next()?;
            share.parse::<f64>().ok()
        };
        let (_, alone) = measured();
        let intruder = Intruder::start(&up, name);
        let (passed, disturbed) = measured();
        drop(intruder);
        let lost = of_it(&disturbed).filter(|_| !passed).expect(&disturbed);
        assert!(lost > of_it(&alone).unwrap_or_default() + 20.0, "alone {alone}, then {disturbed}");
        machine.expect_nothing_left();
    }
}

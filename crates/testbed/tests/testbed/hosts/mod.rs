//! Hosts that are a share of this machine: they get their quotas and no more, reach only each other, and leave nothing
//! behind, however they end. Needs root and two cores; skipped otherwise.

mod cpu;
mod left;
mod link;

use crate::checks::{Part, Results};
use left::Left;
use std::{
    fs,
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::Child,
    thread,
    time::{Duration, Instant},
};
use testbed::{HostHandle, HostUp, Hosts, Testbed, TestbedError, TestbedRecord, find_program, relay};

/// Servers that share a core, one of them with little memory.
const BED: &str = r#"
title = "A test's machines"
separation = "namespaces"
fallback = "app"

[host.client]
cores = [0]
link = "100 Mbit/s"

[host.web]
cores = [1]
cpu = 0.3
memory = "256 MiB"
link = "100 Mbit/s"

[host.app]
cores = [1]
cpu = 0.3
memory = "256 MiB"

[host.db]
cores = [1]
cpu = 0.3
memory = "64 MiB"
"#;

/// The argument with which this executable brings a testbed up and waits to be killed.
pub const KEEP: &str = "keep";
/// The timeout of everything here.
const LIMIT: Duration = Duration::from_secs(60);

type WhileUp = (&'static str, Part, fn(&Hosts));

/// Each leaves the hosts as it found them.
const WHILE_UP: &[WhileUp] = &[
    ("hosts_reach_only_each_other", Part::Usual, hosts_reach_only_each_other),
    ("a_relay_leads_to_a_host", Part::Usual, a_relay_leads_to_a_host),
    ("links_are_limited_and_counted", Part::Usual, link::are_limited_and_counted),
    ("links_reach_their_speed", Part::Machine, link::reach_their_speed),
    ("cpu_quotas_are_given_and_kept", Part::Usual, cpu::quotas_are_given_and_kept),
    ("cpu_quotas_are_given_in_time", Part::Machine, cpu::quotas_are_given_in_time),
    ("limits_of_cpu_are_lifted_and_restored", Part::Usual, cpu::limits_are_lifted_and_restored),
    ("memory_is_limited", Part::Usual, memory_is_limited),
    ("page_faults_of_ended_processes_count", Part::Usual, page_faults_of_ended_processes_count),
];

/// A check of how the hosts of this file end.
type End = (&'static str, fn(&Path));

/// Each has its own hosts.
const ENDS: &[End] = &[
    ("dropped_hosts_leave_nothing", dropped_hosts_leave_nothing),
    ("a_detached_testbed_is_found_and_taken_down", left::a_detached_testbed_is_found_and_taken_down),
    ("nothing_survives_a_kill_of_the_command", left::nothing_survives_a_kill_of_the_command),
    (
        "nothing_survives_a_kill_of_the_namespace_keeper",
        left::nothing_survives_a_kill_of_the_namespace_keeper,
    ),
    ("remains_are_removed_by_the_next_command", left::remains_are_removed_by_the_next_command),
];

pub fn run(results: &Results) {
    let while_up: Vec<_> = WHILE_UP.iter().filter(|(name, part, _)| results.wants(name, *part)).collect();
    let ends: Vec<_> = ENDS.iter().filter(|(name, _)| results.wants(name, Part::Usual)).collect();
    if while_up.is_empty() && ends.is_empty() {
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), BED).unwrap();
    if let Err(missing @ (TestbedError::NotRoot(_) | TestbedError::NoCore { .. })) =
        bed(file.path()).expect_possible()
    {
        println!("left out: {missing}");
        return;
    }
    if !while_up.is_empty() {
        let hosts = Hosts::bring_up(bed(file.path()), &executable(), "test").unwrap();
        for (name, _, check) in while_up {
            results.run(name, || check(&hosts));
        }
    }
    for (name, check) in ends {
        results.run(name, || check(file.path()));
    }
}

fn executable() -> PathBuf {
    std::env::current_exe().unwrap()
}

fn bed(file: &Path) -> Testbed {
    Testbed::read(file).unwrap()
}

/// Brings a testbed up, prints its namespace keeper, and waits to be killed.
pub fn keep(file: &Path) -> i32 {
    let hosts = Hosts::bring_up(bed(file), &executable(), "test").unwrap();
    let mut runs = burner(&hosts.of_role("web").handle);
    println!("{}", TestbedRecord::find(hosts.testbed()).unwrap().namespace_keeper);
    thread::sleep(LIMIT);
    drop(hosts);
    runs.wait().unwrap();
    0
}

/// A hundred processes have begun and ended before anybody looks, each with the faults of its own beginning.
fn page_faults_of_ended_processes_count(hosts: &Hosts) {
    let web = hosts.of_role("web");
    let faults = |role: &str| hosts.of_role(role).usage().unwrap().page_faults.unwrap();
    let (before, shell) = (["web", "app"].map(faults), find_program("sh").unwrap());
    let script = "for process in $(seq 100); do /bin/true; done";
    assert!(web.handle.command(&executable(), &shell).args(["-c", script]).status().unwrap().success());
    let own = faults("web") - before[0];
    assert!(own >= 100 * 20, "{own} page faults");
    assert_eq!(faults("app"), before[1], "another host's don't count");
}

/// A process that wants all CPU time, in its own session.
fn burner(host: &HostHandle) -> Child {
    let perl = find_program("perl").unwrap();
    // It ends itself if this test fails.
    let program = "use POSIX; fork and waitpid(-1, 0), exit; POSIX::setsid(); alarm 90; 1 while 1";
    host.command(&executable(), &perl).args(["-e", program]).spawn().unwrap()
}

pub fn until(mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > LIMIT {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

fn at<T: Send>(host: &HostUp, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let there = scope.spawn(|| {
            host.handle.enter_namespace().unwrap();
            work()
        });
        there.join().unwrap()
    })
}

fn devices_here() -> Vec<String> {
    let text = fs::read_to_string("/proc/net/dev").unwrap();
    text.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect()
}

fn dropped_hosts_leave_nothing(file: &Path) {
    let devices = devices_here();
    let hosts = Hosts::bring_up(bed(file), &executable(), "test").unwrap();
    assert_eq!(devices_here(), devices, "this machine's network has changed");
    let left = Left::of(&hosts);
    drop(hosts);
    left.expect_nothing("the hosts were dropped");
}

fn hosts_reach_only_each_other(hosts: &Hosts) {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    for (from, to) in [("client", "web"), ("web", "db"), ("db", "client"), ("app", "app")] {
        let (from, to) = (hosts.of_role(from), hosts.of_role(to));
        let listener = at(to, || TcpListener::bind((to.handle.address, 0)).unwrap());
        let server = listener.local_addr().unwrap();
        at(from, || TcpStream::connect_timeout(&server, LIMIT).map(drop).unwrap());
        at(from, || {
            let to_this_machine = TcpStream::connect_timeout(&outside.local_addr().unwrap(), LIMIT);
            assert_eq!(to_this_machine.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
            let to_the_world = TcpStream::connect_timeout(&SocketAddr::from(([192, 0, 2, 1], 80)), LIMIT);
            assert_eq!(to_the_world.unwrap_err().kind(), io::ErrorKind::NetworkUnreachable);
        });
    }
    let is_ejb = hosts.of_role("ejb");
    assert_eq!(is_ejb.name, "app");
}

/// A client on this machine reaches a server on a host, and sees its close.
fn a_relay_leads_to_a_host(hosts: &Hosts) {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = outside.local_addr().unwrap();
    let server =
        at(hosts.of_role("web"), || TcpListener::bind((hosts.of_role("web").handle.address, 0)).unwrap());
    relay(outside, &hosts.of_role("client").handle, server.local_addr().unwrap()).unwrap();
    for _ in 0..2 {
        let mut browser = TcpStream::connect(address).unwrap();
        browser.write_all(b"ping").unwrap();
        browser.shutdown(Shutdown::Write).unwrap();
        let (mut served, from) = server.accept().unwrap();
        assert_eq!(from.ip(), hosts.of_role("client").handle.address);
        let mut asked = String::new();
        served.read_to_string(&mut asked).unwrap();
        served.write_all(b"pong").unwrap();
        drop(served);
        let mut answered = String::new();
        browser.read_to_string(&mut answered).unwrap();
        assert_eq!((asked.as_str(), answered.as_str()), ("ping", "pong"));
    }
}

fn memory_is_limited(hosts: &Hosts) {
    let take = |role: &str, mib: usize| {
        let perl = find_program("perl").unwrap();
        let program = format!("my $all = 'x' x ({mib} << 20)");
        hosts.of_role(role).handle.command(&executable(), &perl).args(["-e", &program]).status().unwrap()
    };
    assert!(take("web", 100).success());
    assert_eq!(take("db", 100).signal(), Some(9));
}

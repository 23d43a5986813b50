//! Hosts that are a share of this machine: they get what they are promised and no more, reach each other and nobody
//! else, and leave nothing behind, however they end. Needs root and two cores, and says so where they are missing.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::process::ExitStatusExt,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};
use testbed::{
    HostMeter, HostUp, Hosts, Place, Record, Testbed, TestbedError, find_program, holder, place, relay,
};

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

/// The word under which this executable brings a testbed up and waits to be killed.
const KEEP: &str = "keep";
/// Nothing here takes longer, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let code = match words.get(1).and_then(|word| word.to_str()) {
        Some(holder::HOLD_VERB) => holder::hold(&words[2..]),
        Some(holder::CLEAN_VERB) => holder::clean(&words[2..]),
        Some(place::ENTER_VERB) => place::enter(&words[2..]),
        Some(KEEP) => keep(Path::new(&words[2])),
        _ => return test(),
    };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

fn test() -> ExitCode {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), BED).unwrap();
    if let Err(missing @ (TestbedError::NotRoot(_) | TestbedError::NoCore { .. })) =
        bed(file.path()).expect_possible()
    {
        println!("left out: {missing}");
        return ExitCode::SUCCESS;
    }
    let devices = devices_here();
    let hosts = Hosts::bring_up(bed(file.path()), &executable(), "test").unwrap();
    hosts_reach_each_other_and_nobody_else(&hosts);
    a_relay_leads_to_a_host(&hosts);
    links_have_their_speed(&hosts);
    cpu_is_promised_and_no_more_is_given(&hosts);
    memory_is_limited(&hosts);
    assert_eq!(devices_here(), devices, "this machine's network has changed");
    let left = Left::of(&hosts, Command::new("true").spawn().unwrap());
    drop(hosts);
    left.expect_nothing("the hosts were dropped");
    one_that_is_left_up_is_found_and_taken_down(file.path());
    nothing_survives_a_kill_of_who_wanted_it(file.path());
    nothing_survives_a_kill_of_its_holder(file.path());
    what_all_its_keepers_left_is_removed_by_the_next(file.path());
    println!("ok");
    ExitCode::SUCCESS
}

fn executable() -> PathBuf {
    std::env::current_exe().unwrap()
}

fn bed(file: &Path) -> Testbed {
    Testbed::read(file).unwrap()
}

/// Brings a testbed up, tells its holder, and waits to be killed.
fn keep(file: &Path) -> i32 {
    let hosts = Hosts::bring_up(bed(file), &executable(), "test").unwrap();
    let mut runs = burner(&hosts.of_role("web").place);
    println!("{}", Record::find(hosts.testbed()).unwrap().holder);
    thread::sleep(LIMIT);
    drop(hosts);
    runs.wait().unwrap();
    0
}

/// A process that wants all CPU time it can get, in a session of its own.
fn burner(place: &Place) -> Child {
    let perl = find_program("perl").unwrap();
    // If this test fails, nobody else may end it.
    let program = "use POSIX; fork and waitpid(-1, 0), exit; POSIX::setsid(); alarm 90; 1 while 1";
    place.command(&executable(), &perl).args(["-e", program]).spawn().unwrap()
}

/// Whether a condition becomes true in time.
fn until(mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > LIMIT {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Does something on a host.
fn at<T: Send>(host: &HostUp, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let there = scope.spawn(|| {
            host.place.visit().unwrap();
            work()
        });
        there.join().unwrap()
    })
}

fn devices_here() -> Vec<String> {
    let text = fs::read_to_string("/proc/net/dev").unwrap();
    text.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect()
}

fn hosts_reach_each_other_and_nobody_else(hosts: &Hosts) {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    for (from, to) in [("client", "web"), ("web", "db"), ("db", "client"), ("app", "app")] {
        let (from, to) = (hosts.of_role(from), hosts.of_role(to));
        let listener = at(to, || TcpListener::bind((to.place.address, 0)).unwrap());
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

/// A browser of this machine gets to a server on a host, and sees it close.
fn a_relay_leads_to_a_host(hosts: &Hosts) {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    let door = outside.local_addr().unwrap();
    let server =
        at(hosts.of_role("web"), || TcpListener::bind((hosts.of_role("web").place.address, 0)).unwrap());
    relay(outside, &hosts.of_role("client").place, server.local_addr().unwrap()).unwrap();
    for _ in 0..2 {
        let mut browser = TcpStream::connect(door).unwrap();
        browser.write_all(b"ping").unwrap();
        browser.shutdown(Shutdown::Write).unwrap();
        let (mut served, from) = server.accept().unwrap();
        assert_eq!(from.ip(), hosts.of_role("client").place.address);
        let mut asked = String::new();
        served.read_to_string(&mut asked).unwrap();
        served.write_all(b"pong").unwrap();
        drop(served);
        let mut answered = String::new();
        browser.read_to_string(&mut answered).unwrap();
        assert_eq!((asked.as_str(), answered.as_str()), ("ping", "pong"));
    }
}

/// How fast bytes get from one host to another, in bits a second.
fn speed(hosts: &Hosts, (from, to): (&str, &str), bytes: usize) -> f64 {
    let (from, to) = (hosts.of_role(from), hosts.of_role(to));
    let listener = at(to, || TcpListener::bind((to.place.address, 0)).unwrap());
    let server = listener.local_addr().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            at(from, || TcpStream::connect(server).unwrap().write_all(&vec![7; bytes]).unwrap());
        });
        let (mut receiver, _) = listener.accept().unwrap();
        let mut buffer = vec![0; 1 << 16];
        // What the bucket and the queue hold from the start is no speed.
        let mut got = 0;
        while got < 200_000 {
            got += receiver.read(&mut buffer).unwrap();
        }
        let (start, before) = (Instant::now(), got);
        loop {
            match receiver.read(&mut buffer).unwrap() {
                0 => break,
                more => got += more,
            }
        }
        assert_eq!(got, bytes);
        (got - before) as f64 * 8.0 / start.elapsed().as_secs_f64()
    })
}

/// The same for 10 MB, which the meters of both hosts must have counted.
fn counted_speed(hosts: &Hosts, (from, to): (&str, &str)) -> f64 {
    const BYTES: u64 = 10_000_000;
    let mut meters = [from, to].map(|role| HostMeter::of(hosts.of_role(role)));
    let mut counted = || meters.each_mut().map(|meter| meter.link_bytes().unwrap());
    let before = counted();
    let seen = speed(hosts, (from, to), BYTES as usize);
    let after = counted();
    let sent_and_received = [after[0].1 - before[0].1, after[1].0 - before[1].0];
    assert!(
        sent_and_received.iter().all(|bytes| (BYTES..BYTES / 10 * 11).contains(bytes)),
        "{sent_and_received:?}"
    );
    seen
}

fn links_have_their_speed(hosts: &Hosts) {
    // Of what the link carries, 1448 of 1514 bytes are TCP's.
    let full = 100e6 * 1448.0 / 1514.0;
    for (from, to) in [("client", "web"), ("web", "client")] {
        // A machine that is robbed sends less for a while, but a link that is too fast is so each time.
        let reached = (0..5).any(|_| {
            let seen = counted_speed(hosts, (from, to));
            println!("from {from} to {to}: {:.1} of {:.1} Mbit/s", seen / 1e6, full / 1e6);
            assert!(seen < 1.02 * full, "{seen}");
            seen > 0.93 * full
        });
        assert!(reached, "no speed of five from {from} to {to} was that of the link");
    }
    let unlimited = speed(hosts, ("app", "db"), 50_000_000);
    println!("from app to db, which have no limit: {:.0} Mbit/s", unlimited / 1e6);
    assert!(unlimited > 300e6, "{unlimited}");
}

/// The servers with their promises, which leave a tenth of their core.
const PROMISES: [(&str, f64); 3] = [("web", 0.3), ("app", 0.3), ("db", 0.3)];

fn cpu_is_promised_and_no_more_is_given(hosts: &Hosts) {
    let neighbour = Place::of_cores(vec![1]);
    let mut at_work: Vec<Child> = (0..2).map(|_| burner(&neighbour)).collect();
    at_work.push(burner(&hosts.of_role("web").place));
    get_what_they_were_promised(hosts, &PROMISES[..1]);
    // All at once, which is where one could take from the other.
    at_work.extend(PROMISES[1..].iter().map(|(role, _)| burner(&hosts.of_role(role).place)));
    get_what_they_were_promised(hosts, &PROMISES);
    quotas_are_lifted_for_what_nobody_measures(hosts);
    cores_are_lifted_with_them(hosts, at_work[2].id());
    at_work.iter().for_each(|process| end_family(process.id()));
    at_work.iter_mut().for_each(|process| {
        process.wait().unwrap();
    });
    assert_eq!(hosts.of_role("client").usage().unwrap().throttled, 0);
}

fn get_what_they_were_promised(hosts: &Hosts, promises: &[(&str, f64)]) {
    let usage = || promises.iter().map(|(role, _)| hosts.of_role(role).usage().unwrap()).collect::<Vec<_>>();
    assert!(until(|| usage().iter().all(|of| of.throttled > 10)));
    // Who else is at work here may be more urgent than anything that this test can set against it, but not for ever.
    let mut shares = Vec::new();
    let got_it = until(|| {
        let (start, before) = (Instant::now(), usage());
        thread::sleep(Duration::from_secs(3));
        let (length_s, after) = (start.elapsed().as_secs_f64(), usage());
        let each = promises.iter().zip(after.iter().zip(&before));
        shares =
            each.map(|((_, promise), (now, then))| (now.cpu_s - then.cpu_s) / length_s / promise).collect();
        let wanted = after.iter().zip(&before).filter_map(|(now, then)| {
            Some((now.cpu_s - then.cpu_s + now.waited_s? - then.waited_s?) / length_s)
        });
        let wanted: Vec<f64> = wanted.collect();
        assert!(wanted.iter().all(|share| (0.98..1.02).contains(share)), "busy hosts want all: {wanted:.3?}");
        println!("{} busy hosts got {shares:.3?} of what they were promised", promises.len());
        assert!(shares.iter().all(|share| *share < 1.03), "a host got more than it was promised");
        shares.iter().all(|share| *share > 0.97)
    });
    assert!(got_it, "hosts never got what they were promised: {shares:.3?}");
}

/// While burners are at work on all hosts.
fn quotas_are_lifted_for_what_nobody_measures(hosts: &Hosts) {
    let usage = || hosts.of_role("web").usage().unwrap();
    let done: Result<u64, TestbedError> = hosts.hurry(|| {
        let before = usage();
        assert!(until(|| usage().cpu_s > before.cpu_s + 0.5));
        Ok(usage().throttled - before.throttled)
    });
    let waited = done.unwrap();
    assert!(waited <= 1, "it waited {waited} times for a quota that was lifted");
    let is_put_back = || {
        let before = usage();
        until(|| usage().throttled > before.throttled + 10)
    };
    assert!(is_put_back(), "the quota is not put back");
    let failed: Result<(), TestbedError> = hosts.hurry(|| Err(TestbedError::NotRoot(PathBuf::new())));
    assert!(failed.is_err() && is_put_back(), "the quota is not put back after a failure");
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let work = || hosts.hurry::<(), TestbedError>(|| panic!("on purpose"));
    let panicked = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(quiet);
    assert!(panicked.is_err() && is_put_back(), "the quota is not put back after a panic");
}

/// While this process is at work on the web host.
fn cores_are_lifted_with_them(hosts: &Hosts, process: u32) {
    let allowed = || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        status
            .lines()
            .find_map(|line| Some(line.strip_prefix("Cpus_allowed_list:")?.trim().to_owned()))
            .unwrap()
    };
    let throttled = || hosts.of_role("web").usage().unwrap().throttled;
    assert_eq!(allowed(), "1");
    let lifted = hosts.lift_all().unwrap();
    assert_eq!(allowed(), "0-1", "those of the testbed");
    let before = throttled();
    thread::sleep(Duration::from_millis(300));
    assert!(throttled() <= before + 1);
    lifted.put_back().unwrap();
    assert_eq!(allowed(), "1");
    assert!(until(|| throttled() > before + 10), "the quota is not put back");
}

/// Kills a process and its child.
fn end_family(process: u32) {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    for id in children.split_whitespace().map(|id| id.parse().unwrap()).chain([process as i32]) {
        let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
    }
}

fn memory_is_limited(hosts: &Hosts) {
    let take = |role: &str, mib: usize| {
        let perl = find_program("perl").unwrap();
        let program = format!("my $all = 'x' x ({mib} << 20)");
        hosts.of_role(role).place.command(&executable(), &perl).args(["-e", &program]).status().unwrap()
    };
    assert!(take("web", 100).success());
    assert_eq!(take("db", 100).signal(), Some(9));
}

/// What there is of a testbed that is up.
struct Left {
    groups: Vec<PathBuf>,
    record: PathBuf,
    /// Those on a host, and the one whose open files are the network.
    processes: BTreeSet<u32>,
}

impl Left {
    fn of(hosts: &Hosts, mut runs: Child) -> Self {
        runs.wait().unwrap();
        let record = Record::find(hosts.testbed()).unwrap();
        assert_eq!(record.hosts, hosts.up());
        Self::of_holder(record.holder)
    }

    fn of_holder(holder: u32) -> Self {
        let name = format!("tierbench-hosts-{holder}");
        let mounts = fs::read_dir("/sys/fs/cgroup").unwrap().flatten().map(|entry| entry.path());
        let groups: Vec<PathBuf> = mounts
            .chain([PathBuf::from("/sys/fs/cgroup")])
            .map(|mount| mount.join(&name))
            .filter(|group| group.exists())
            .collect();
        assert!(!groups.is_empty());
        let processes = groups.iter().flat_map(|group| {
            let text = fs::read_to_string(group.join("web/cgroup.procs")).unwrap();
            text.lines().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()
        });
        Self {
            processes: processes.chain([holder]).collect(),
            record: PathBuf::from(format!("/run/{name}.json")),
            groups,
        }
    }

    fn expect_nothing(&self, after: &str) {
        assert!(until(|| self.found().is_empty()), "after {after} there still is {:?}", self.found());
    }

    fn found(&self) -> Vec<PathBuf> {
        let processes = self.processes.iter().map(|id| PathBuf::from(format!("/proc/{id}/exe")));
        // Of one that has ended, its parent may not have taken notice yet.
        let processes = processes.filter(|exe| fs::read_link(exe).is_ok());
        let files = self.groups.iter().chain([&self.record]).filter(|path| path.exists());
        files.cloned().chain(processes).collect()
    }
}

fn one_that_is_left_up_is_found_and_taken_down(file: &Path) {
    assert!(matches!(Record::find(&bed(file)), Err(TestbedError::NotUp(_))));
    let record = Hosts::leave_up(&bed(file), &executable(), "test").unwrap();
    assert_eq!(Record::find(&bed(file)).unwrap(), record);
    let fault = record.host("wep").unwrap_err();
    assert!(fault.to_string().ends_with("has no host `wep`"), "{fault}");
    let mut runs = burner(&record.host("web").unwrap().place);
    let left = with_burner(record.holder);
    record.take_down().unwrap();
    assert!(left.found().is_empty(), "{:?}", left.found());
    assert_eq!(runs.wait().unwrap().signal(), Some(9));
}

/// What there is of a testbed once a burner is at work on it: a parent, and its child in a session of its own.
fn with_burner(holder: u32) -> Left {
    assert!(until(|| Left::of_holder(holder).processes.len() == 3));
    Left::of_holder(holder)
}

/// A testbed that another process keeps, with something that runs on it.
fn kept(file: &Path) -> (Child, Left, u32) {
    let mut keeper = Command::new(executable()).arg(KEEP).arg(file).stdout(Stdio::piped()).spawn().unwrap();
    let mut holder = String::new();
    io::BufRead::read_line(&mut io::BufReader::new(keeper.stdout.take().unwrap()), &mut holder).unwrap();
    let holder: u32 = holder.trim().parse().unwrap();
    let left = with_burner(holder);
    (keeper, left, holder)
}

fn kill(process: u32) {
    kill_process(Pid::from_raw(process as i32).unwrap(), Signal::KILL).unwrap();
}

fn nothing_survives_a_kill_of_who_wanted_it(file: &Path) {
    let (mut keeper, left, _) = kept(file);
    kill(keeper.id());
    left.expect_nothing("a kill of who wanted the hosts");
    keeper.wait().unwrap();
}

fn nothing_survives_a_kill_of_its_holder(file: &Path) {
    let (mut keeper, left, holder) = kept(file);
    kill(holder);
    left.expect_nothing("a kill of the holder");
    kill(keeper.id());
    keeper.wait().unwrap();
}

fn what_all_its_keepers_left_is_removed_by_the_next(file: &Path) {
    let (mut keeper, left, holder) = kept(file);
    let children = fs::read_to_string(format!("/proc/{holder}/task/{holder}/children")).unwrap();
    let cleaner: u32 = children.split_whitespace().next().unwrap().parse().unwrap();
    for process in [cleaner, keeper.id(), holder] {
        // It may have noticed that another is gone.
        let _ = kill_process(Pid::from_raw(process as i32).unwrap(), Signal::KILL);
    }
    keeper.wait().unwrap();
    assert!(until(|| matches!(Record::find(&bed(file)), Err(TestbedError::NotUp(_)))));
    left.expect_nothing("the next look at testbeds");
}

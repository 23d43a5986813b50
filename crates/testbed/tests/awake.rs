//! A processor that is kept awake never sleeps, belongs to whoever wants it, and counts as idle.

use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Duration,
};
use testbed::{Accounts, Awake, awake, thread_cpu_s};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == awake::AWAKE_VERB) {
        return ExitCode::from(u8::try_from(awake::stay(&words[2..])).unwrap_or(1));
    }
    a_processor_is_kept_awake();
    println!("ok");
    ExitCode::SUCCESS
}

fn a_processor_is_kept_awake() {
    let allowed = sched_getaffinity(None::<Pid>).unwrap();
    let core = (0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)).unwrap();
    let only = BTreeSet::from([core as u32]);
    let awake = Awake::keep(&std::env::current_exe().unwrap(), Some(only.clone()));
    if !awake.is_kept() {
        println!("nothing is kept awake here: a real machine, or no right to make control groups");
        assert!(awake::is_virtual() != Some(true) || groups().is_empty());
        return;
    }
    let mut accounts = Accounts::of([]).on_cores(Some(only));
    let (slept, begin) = (idle_s(core), accounts.look());
    thread::sleep(Duration::from_secs(1));
    let (slept, end) = (idle_s(core) - slept, accounts.look());
    let rates = end.host.since(&begin.host);
    println!("of {:.2} s it slept {slept:.2} s and was busy for {:.2} s", rates.length_s, rates.busy_s);
    assert!(slept < 0.1, "it sleeps");
    let (work, work_us) = (rates.work, rates.work.us().unwrap());
    println!("its work was timed {} times and took {work_us:.1} us", work.times);
    assert!((10..=60).contains(&work.times), "{work:?}");
    let laboratory_s = end.laboratory_s - begin.laboratory_s;
    assert!(laboratory_s < 0.1, "what keeps it awake is no work of the laboratory: {laboratory_s}");

    let mut here = CpuSet::new();
    here.set(core);
    sched_setaffinity(None::<Pid>, &here).unwrap();
    let begin = (thread_cpu_s(), accounts.look());
    while thread_cpu_s() < begin.0 + 0.5 {}
    let used = thread_cpu_s() - begin.0;
    let rates = accounts.look().host.since(&begin.1.host);
    println!("a thread that wanted all of {:.2} s got {used:.2} s", rates.length_s);
    assert!(rates.work.times <= 10, "it works on a processor that others want: {:?}", rates.work);
    // Whoever else is at work here is counted as busy.
    let others = (rates.busy_s - used).max(0.0) + rates.steal_s;
    assert!(used > 0.9 * (rates.length_s - others), "it doesn't give way: {used} {rates:?}");

    let made = groups();
    assert!(!made.is_empty());
    drop(awake);
    assert!(made.iter().all(|group| !group.exists()), "left behind: {made:?}");
}

/// How long a processor has slept so far, in seconds.
fn idle_s(core: usize) -> f64 {
    let text = fs::read_to_string("/proc/stat").unwrap();
    let line = text.lines().find(|line| line.starts_with(&format!("cpu{core} "))).unwrap();
    line.split_whitespace().nth(4).unwrap().parse::<f64>().unwrap() / 100.0
}

/// The groups of children of this process.
fn groups() -> Vec<PathBuf> {
    let own = std::process::id();
    let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap();
    let mounts = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"].map(Path::new);
    let of = |child: &str| mounts.map(|mount| mount.join(format!("tierbench-{child}")));
    children.split_whitespace().flat_map(of).filter(|group| group.exists()).collect()
}

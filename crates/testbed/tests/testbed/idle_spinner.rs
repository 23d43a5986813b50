//! A processor that is kept awake never sleeps, belongs to whoever wants it, and counts as idle.

use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use testbed::{Accounts, IdleSpinner, awake, thread_cpu_s};

/// How much CPU time, in seconds, the keeper has used before anything is asked.
const USED_S: f64 = 0.3;
/// Nothing here takes longer, unless others have the processor all the time.
const LIMIT: Duration = Duration::from_secs(60);

/// Whoever keeps a processor awake gives way to this thread, which goes to that processor for a while.
pub fn a_processor_is_kept_awake() {
    thread::scope(|scope| scope.spawn(one_is_kept).join()).unwrap();
}

fn one_is_kept() {
    let allowed = sched_getaffinity(None::<Pid>).unwrap();
    let core = (0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)).unwrap();
    let only = BTreeSet::from([core as u32]);
    let awake = IdleSpinner::keep(&std::env::current_exe().unwrap(), Some(only.clone()));
    if !awake.is_kept() {
        println!("nothing is kept awake here: a real machine, or no right to make control groups");
        assert!(idle_spinner::is_virtual() != Some(true) || groups().is_empty());
        return;
    }
    let mut accounts = Accounts::of([]).on_cores(Some(only));
    it_does_not_sleep(core, &mut accounts);
    it_belongs_to_whoever_wants_it(core, &mut accounts);

    let made = groups();
    assert!(!made.is_empty());
    drop(awake);
    assert!(made.iter().all(|group| !group.exists()), "left behind: {made:?}");
}

fn it_does_not_sleep(core: usize, accounts: &mut Accounts) {
    let (slept, begin) = (idle_s(core), accounts.look());
    let end = loop {
        thread::sleep(Duration::from_millis(50));
        let now = accounts.look();
        let rates = now.host.since(&begin.host);
        if rates.awake_s >= USED_S {
            break now;
        }
        if rates.length_s > LIMIT.as_secs_f64() {
            let others = rates.busy_s + rates.steal_s;
            assert!(others > 0.5 * rates.length_s, "nobody else is at work, and it isn't either: {rates:?}");
            println!("can't tell: others have had the processor for {others:.1} of {:.1} s", rates.length_s);
            return;
        }
    };
    let (slept, rates) = (idle_s(core) - slept, end.host.since(&begin.host));
    println!("of {:.2} s it slept {slept:.2} s and was busy for {:.2} s", rates.length_s, rates.busy_s);
    // Whatever others do, a processor on which somebody turns round and round is never without work.
    assert!(slept < 0.1 * rates.length_s, "it sleeps");
    let laboratory_s = end.laboratory_s - begin.laboratory_s;
    assert!(
        laboratory_s < 0.1 * rates.length_s,
        "what keeps it awake is no work of the laboratory: {laboratory_s}"
    );
}

/// While somebody wants all of a processor, what keeps it awake gets next to nothing of it, whatever others get.
fn it_belongs_to_whoever_wants_it(core: usize, accounts: &mut Accounts) {
    let mut here = CpuSet::new();
    here.set(core);
    sched_setaffinity(None::<Pid>, &here).unwrap();
    let begin = (thread_cpu_s(), accounts.look());
    while thread_cpu_s() < begin.0 + 0.5 {}
    let used = thread_cpu_s() - begin.0;
    let rates = accounts.look().host.since(&begin.1.host);
    println!("a thread got {used:.2} s, and what keeps its processor awake {:.2} s", rates.awake_s);
    assert!(rates.awake_s < 0.1 * used, "it doesn't give way: {used} {rates:?}");
}

/// How long a processor has slept so far, in seconds.
fn idle_s(core: usize) -> f64 {
    let text = fs::read_to_string("/proc/stat").unwrap();
    let line = text.lines().find(|line| line.starts_with(&format!("cpu{core} "))).unwrap();
    line.split_whitespace().nth(4).unwrap().parse::<f64>().unwrap() / 100.0
}

/// The groups of children of this thread.
fn groups() -> Vec<PathBuf> {
    let children = fs::read_to_string("/proc/thread-self/children").unwrap();
    let mounts = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"].map(Path::new);
    let of = |child: &str| mounts.map(|mount| mount.join(format!("tierbench-{child}")));
    children.split_whitespace().flat_map(of).filter(|group| group.exists()).collect()
}

//! A CPU with an idle spinner never idles, yields to other processes, and counts as idle.

use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use testbed::{IdleSpinner, SystemMeter, idle_spinner, thread_cpu_s};

/// CPU seconds of the spinner before the checks.
const USED_S: f64 = 0.3;
/// The timeout, unless others use the CPU all the time.
const LIMIT: Duration = Duration::from_secs(60);

/// The spinner yields to this thread, which moves to its CPU for a while.
pub fn an_idle_spinner_keeps_its_cpu_busy() {
    thread::scope(|scope| scope.spawn(with_a_spinner).join()).unwrap();
}

fn with_a_spinner() {
    let allowed = sched_getaffinity(None::<Pid>).unwrap();
    let core = (0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)).unwrap();
    let only = BTreeSet::from([core as u32]);
    let spinning = IdleSpinner::keep(&std::env::current_exe().unwrap(), Some(only.clone()));
    if !spinning.is_active() {
        println!("skipped: a physical machine, or no permission to make control groups");
        assert!(idle_spinner::is_virtual() != Some(true) || groups().is_empty());
        return;
    }
    let mut meter = SystemMeter::of([]).on_cores(Some(only));
    the_cpu_does_not_idle(core, &mut meter);
    the_spinner_yields(core, &mut meter);

    let made = groups();
    assert!(!made.is_empty());
    drop(spinning);
    assert!(made.iter().all(|group| !group.exists()), "left behind: {made:?}");
}

fn the_cpu_does_not_idle(core: usize, meter: &mut SystemMeter) {
    let (slept, begin) = (idle_s(core), meter.sample());
    let end = loop {
        thread::sleep(Duration::from_millis(50));
        let now = meter.sample();
        let rates = now.host.since(&begin.host);
        if rates.awake_s >= USED_S {
            break now;
        }
        if rates.length_s > LIMIT.as_secs_f64() {
            let others = rates.busy_s + rates.steal_s;
            assert!(others > 0.5 * rates.length_s, "neither the spinner nor others use the CPU: {rates:?}");
            println!("undecided: others have used the CPU for {others:.1} of {:.1} s", rates.length_s);
            return;
        }
    };
    let (slept, rates) = (idle_s(core) - slept, end.host.since(&begin.host));
    println!(
        "in {:.2} s the CPU was idle for {slept:.2} s and busy for {:.2} s",
        rates.length_s, rates.busy_s
    );
    // A CPU with a spinner is never without work, whatever others do.
    assert!(slept < 0.1 * rates.length_s, "the CPU idles");
    let laboratory_s = end.laboratory_s - begin.laboratory_s;
    assert!(
        laboratory_s < 0.1 * rates.length_s,
        "the spinner must not count as the laboratory's: {laboratory_s}"
    );
}

/// A thread that wants all of a CPU leaves the spinner hardly any of it.
fn the_spinner_yields(core: usize, meter: &mut SystemMeter) {
    let mut here = CpuSet::new();
    here.set(core);
    sched_setaffinity(None::<Pid>, &here).unwrap();
    let begin = (thread_cpu_s(), meter.sample());
    while thread_cpu_s() < begin.0 + 0.5 {}
    let used = thread_cpu_s() - begin.0;
    let rates = meter.sample().host.since(&begin.1.host);
    println!("a thread got {used:.2} s, and the spinner {:.2} s", rates.awake_s);
    assert!(rates.awake_s < 0.1 * used, "the spinner doesn't yield: {used} {rates:?}");
}

fn idle_s(core: usize) -> f64 {
    let text = fs::read_to_string("/proc/stat").unwrap();
    let line = text.lines().find(|line| line.starts_with(&format!("cpu{core} "))).unwrap();
    line.split_whitespace().nth(4).unwrap().parse::<f64>().unwrap() / 100.0
}

fn groups() -> Vec<PathBuf> {
    let children = fs::read_to_string("/proc/thread-self/children").unwrap();
    let mounts = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"].map(Path::new);
    let of = |child: &str| mounts.map(|mount| mount.join(format!("tierbench-{child}")));
    children.split_whitespace().flat_map(of).filter(|group| group.exists()).collect()
}

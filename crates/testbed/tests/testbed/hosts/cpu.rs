//! CPU time of hosts: what is promised is given and no more, by the kernel's own periods, and limits can be lifted.

use super::{LIMIT, burner, until};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    process::Child,
    thread,
    time::{Duration, Instant},
};
use testbed::{HostHandle, HostUsage, Hosts, Record};

/// The servers with their promises, which leave a tenth of their core.
const PROMISES: [(&str, f64); 3] = [("web", 0.3), ("app", 0.3), ("db", 0.3)];
/// How long the kernel's periods are, in seconds, and how long its ticks, at which it takes CPU time away.
const PERIOD_S: f64 = 0.01;
const TICK_S: f64 = 0.004;
/// Over so many periods it hardly matters where in them one has looked.
const PERIODS: u64 = 100;

/// Processes that want all they can get. They end with this.
struct AtWork(Vec<Child>);

impl AtWork {
    /// Two neighbours who belong to no host, and one on the first host.
    fn beside_one(hosts: &Hosts) -> Self {
        let neighbour = HostHandle::of_cores(vec![1]);
        let mut all: Vec<Child> = (0..2).map(|_| burner(&neighbour)).collect();
        all.push(burner(&hosts.of_role("web").place));
        Self(all)
    }

    /// On the other hosts too.
    fn on_all(&mut self, hosts: &Hosts) {
        self.0.extend(PROMISES[1..].iter().map(|(role, _)| burner(&hosts.of_role(role).place)));
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.iter().for_each(|process| end_family(process.id()));
        for process in &mut self.0 {
            let _ = process.wait();
        }
    }
}

/// Kills a process and its child.
fn end_family(process: u32) {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    for id in children.split_whitespace().map(|id| id.parse().unwrap()).chain([process as i32]) {
        let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
    }
}

fn usage(hosts: &Hosts, role: &str) -> HostUsage {
    hosts.of_role(role).usage().unwrap()
}

/// By the periods in which the kernel hands CPU time out. Who has a busy host's core meanwhile makes it wait for none of
/// them, and time that is stolen from the machine belongs to none.
pub fn is_promised_and_no_more_is_given(hosts: &Hosts) {
    let mut at_work = AtWork::beside_one(hosts);
    get_what_they_were_promised(hosts, &PROMISES[..1]);
    // All at once, which is where one could take from the other.
    at_work.on_all(hosts);
    get_what_they_were_promised(hosts, &PROMISES);
    assert_eq!(usage(hosts, "client").throttled, 0);
}

fn get_what_they_were_promised(hosts: &Hosts, promises: &[(&str, f64)]) {
    let are_busy = || promises.iter().all(|(role, _)| usage(hosts, role).throttled > 10);
    assert!(until(are_busy));
    for (role, promise) in promises {
        let (first, mut since, mut seen) = (usage(hosts, role), usage(hosts, role), Vec::new());
        let got_it = until(|| {
            let now = usage(hosts, role);
            if now.periods < since.periods + PERIODS {
                return false;
            }
            let periods_s = (now.periods - since.periods) as f64 * PERIOD_S;
            seen.push((now.cpu_s - since.cpu_s) / periods_s / promise);
            since = now;
            seen.last().is_some_and(|share| (0.97..1.03).contains(share))
        });
        println!("{role}, one of {} busy hosts, got {seen:.3?} of what it was promised", promises.len());
        assert!(got_it, "{role} never got in its periods what it was promised: {seen:.3?}");
        let last = usage(hosts, role);
        // What it had left of the period before it may use later, and it may be in the middle of one when it is looked at.
        let periods_s = (last.periods - first.periods + 3) as f64 * PERIOD_S;
        let most = periods_s * promise + TICK_S;
        assert!(last.cpu_s - first.cpu_s <= most, "{role} got more than {most} s: {first:?} {last:?}");
        let waited = last.waited_s.zip(first.waited_s);
        assert!(waited.is_none_or(|(last, first)| last >= first), "{first:?} {last:?}");
    }
}

/// The same by the clock, where nobody takes this machine's time.
pub fn is_there_in_time(hosts: &Hosts) {
    let mut at_work = AtWork::beside_one(hosts);
    at_work.on_all(hosts);
    let all = || PROMISES.map(|(role, _)| usage(hosts, role));
    assert!(until(|| all().iter().all(|of| of.throttled > 10)));
    let mut rounds = Vec::new();
    let begin = Instant::now();
    while begin.elapsed() < LIMIT {
        let (start, before) = (Instant::now(), all());
        thread::sleep(Duration::from_secs(3));
        let (length_s, after) = (start.elapsed().as_secs_f64(), all());
        let each = || PROMISES.iter().zip(after.iter().zip(&before));
        let share =
            |promise: f64, now: &HostUsage, then: &HostUsage| (now.cpu_s - then.cpu_s) / length_s / promise;
        let shares: Vec<f64> = each().map(|((_, promise), (now, then))| share(*promise, now, then)).collect();
        let wanted = each().filter_map(|(_, (now, then))| {
            Some((now.cpu_s - then.cpu_s + now.waited_s? - then.waited_s?) / length_s)
        });
        let is_right = shares.iter().all(|share| (0.97..1.03).contains(share))
            && wanted.clone().all(|share| (0.98..1.02).contains(&share));
        rounds.push((shares, wanted.collect::<Vec<_>>()));
        if is_right {
            break;
        }
    }
    println!("busy hosts got, of what they were promised, and wanted: {rounds:.3?}");
    let (shares, wanted) = rounds.last().unwrap();
    assert!(shares.iter().all(|share| (0.97..1.03).contains(share)), "{shares:.3?}");
    assert!(wanted.iter().all(|share| (0.98..1.02).contains(share)), "busy hosts want all: {wanted:.3?}");
}

/// What the kernel was told of the first host's quota.
fn quota(hosts: &Hosts) -> String {
    let run = format!("tierbench-hosts-{}", Record::find(hosts.testbed()).unwrap().namespace_keeper);
    let mounts = fs::read_dir("/sys/fs/cgroup").unwrap().flatten().map(|entry| entry.path());
    let groups = mounts.chain([PathBuf::from("/sys/fs/cgroup")]).map(|mount| mount.join(&run).join("web"));
    let files = groups.flat_map(|group| ["cpu.cfs_quota_us", "cpu.max"].map(|file| group.join(file)));
    let text = files.filter_map(|file| fs::read_to_string(file).ok()).next().unwrap();
    text.split_whitespace().next().unwrap().to_owned()
}

fn is_lifted(quota: &str) -> bool {
    ["-1", "max"].contains(&quota)
}

pub fn limits_are_lifted_and_put_back(hosts: &Hosts) {
    let at_work = AtWork::beside_one(hosts);
    quotas_are_lifted_for_what_nobody_measures(hosts);
    cores_are_lifted_with_them(hosts, at_work.0[2].id());
}

/// While a burner is at work on the host.
fn quotas_are_lifted_for_what_nobody_measures(hosts: &Hosts) {
    let usage = || usage(hosts, "web");
    let usual = quota(hosts);
    assert!(!is_lifted(&usual), "{usual}");
    let lifted = hosts.lift_quotas().unwrap();
    assert!(is_lifted(&quota(hosts)));
    // A period that had begun may still end.
    let (begun, mut before) = (usage(), usage());
    assert!(until(|| {
        before = usage();
        before.cpu_s > begun.cpu_s + 0.1
    }));
    assert!(until(|| usage().cpu_s > before.cpu_s + 0.5));
    assert_eq!(usage().throttled, before.throttled, "it waited for a quota that was lifted");
    lifted.put_back().unwrap();
    let is_put_back = || {
        let before = usage();
        quota(hosts) == usual && until(|| usage().throttled > before.throttled + 10)
    };
    assert!(is_put_back(), "the quota is not put back");
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let panics = || {
        let _lifted = hosts.lift_quotas().unwrap();
        panic!("on purpose")
    };
    let panicked = panic::catch_unwind(AssertUnwindSafe(panics));
    panic::set_hook(quiet);
    assert!(panicked.is_err() && is_put_back(), "the quota is not put back after a panic");
}

/// While this process is at work on the host.
fn cores_are_lifted_with_them(hosts: &Hosts, process: u32) {
    let allowed = || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        status
            .lines()
            .find_map(|line| Some(line.strip_prefix("Cpus_allowed_list:")?.trim().to_owned()))
            .unwrap()
    };
    let usual = quota(hosts);
    assert_eq!(allowed(), "1");
    let lifted = hosts.lift_all().unwrap();
    assert_eq!(allowed(), "0-1", "those of the testbed");
    assert!(is_lifted(&quota(hosts)));
    lifted.put_back().unwrap();
    assert_eq!((allowed(), quota(hosts)), ("1".to_owned(), usual));
    let before = usage(hosts, "web");
    assert!(until(|| usage(hosts, "web").throttled > before.throttled + 10), "the quota is not put back");
}

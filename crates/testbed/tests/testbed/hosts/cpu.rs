//! CPU quotas of hosts: each host gets its quota and no more, period by period, and limits can be lifted.

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
use testbed::{HostHandle, HostUsage, Hosts, TestbedRecord};

/// The servers with their quotas, which leave a tenth of their core.
const QUOTAS: [(&str, f64); 3] = [("web", 0.3), ("app", 0.3), ("db", 0.3)];
/// The length of the kernel's periods and of its clock ticks, in seconds.
const PERIOD_S: f64 = 0.01;
const TICK_S: f64 = 0.004;
/// Enough periods that a sample's position within its period hardly matters.
const PERIODS: u64 = 100;

/// Processes that want all CPU time. They end with this value.
struct Burners(Vec<Child>);

impl Burners {
    /// Two burners outside the hosts, and one on the first host.
    fn beside_one(hosts: &Hosts) -> Self {
        let neighbour = HostHandle::of_cores(vec![1]);
        let mut all: Vec<Child> = (0..2).map(|_| burner(&neighbour)).collect();
        all.push(burner(&hosts.of_role("web").handle));
        Self(all)
    }

    /// Also on the other hosts.
    fn on_all(&mut self, hosts: &Hosts) {
        self.0.extend(QUOTAS[1..].iter().map(|(role, _)| burner(&hosts.of_role(role).handle)));
    }
}

impl Drop for Burners {
    fn drop(&mut self) {
        self.0.iter().for_each(|process| end_family(process.id()));
        for process in &mut self.0 {
            let _ = process.wait();
        }
    }
}

fn end_family(process: u32) {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    for id in children.split_whitespace().map(|id| id.parse().unwrap()).chain([process as i32]) {
        let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
    }
}

fn usage(hosts: &Hosts, role: &str) -> HostUsage {
    hosts.of_role(role).usage().unwrap()
}

/// Measured in the kernel's periods: others on the core delay no period, and steal belongs to none.
pub fn quotas_are_given_and_kept(hosts: &Hosts) {
    let mut burners = Burners::beside_one(hosts);
    get_their_quotas(hosts, &QUOTAS[..1]);
    // All at once, so that one could take from the other.
    burners.on_all(hosts);
    get_their_quotas(hosts, &QUOTAS);
    assert_eq!(usage(hosts, "client").throttled, 0);
}

fn get_their_quotas(hosts: &Hosts, quotas: &[(&str, f64)]) {
    let are_busy = || quotas.iter().all(|(role, _)| usage(hosts, role).throttled > 10);
    assert!(until(are_busy));
    for (role, quota) in quotas {
        let (first, mut since, mut shares) = (usage(hosts, role), usage(hosts, role), Vec::new());
        let has_got_it = until(|| {
            let now = usage(hosts, role);
            if now.periods < since.periods + PERIODS {
                return false;
            }
            let periods_s = (now.periods - since.periods) as f64 * PERIOD_S;
            shares.push((now.cpu_s - since.cpu_s) / periods_s / quota);
            since = now;
            shares.last().is_some_and(|share| (0.97..1.03).contains(share))
        });
        println!("{role}, one of {} busy hosts, got {shares:.3?} of its quota", quotas.len());
        assert!(has_got_it, "{role} never got its quota: {shares:.3?}");
        let last = usage(hosts, role);
        // It may use the burst of the period before, and a sample may lie in the middle of a period.
        let periods_s = (last.periods - first.periods + 3) as f64 * PERIOD_S;
        let most = periods_s * quota + TICK_S;
        assert!(last.cpu_s - first.cpu_s <= most, "{role} got more than {most} s: {first:?} {last:?}");
        let waited = last.waited_s.zip(first.waited_s);
        assert!(waited.is_none_or(|(last, first)| last >= first), "{first:?} {last:?}");
    }
}

/// The same by the clock, on a machine without steal.
pub fn quotas_are_given_in_time(hosts: &Hosts) {
    let mut burners = Burners::beside_one(hosts);
    burners.on_all(hosts);
    let all = || QUOTAS.map(|(role, _)| usage(hosts, role));
    assert!(until(|| all().iter().all(|of| of.throttled > 10)));
    let mut rounds = Vec::new();
    let begin = Instant::now();
    while begin.elapsed() < LIMIT {
        let (start, before) = (Instant::now(), all());
        thread::sleep(Duration::from_secs(3));
        let (length_s, after) = (start.elapsed().as_secs_f64(), all());
        let each = || QUOTAS.iter().zip(after.iter().zip(&before));
        let share =
            |quota: f64, now: &HostUsage, then: &HostUsage| (now.cpu_s - then.cpu_s) / length_s / quota;
        let shares: Vec<f64> = each().map(|((_, quota), (now, then))| share(*quota, now, then)).collect();
        let wanted = each().filter_map(|(_, (now, then))| {
            Some((now.cpu_s - then.cpu_s + now.waited_s? - then.waited_s?) / length_s)
        });
        let are_right = shares.iter().all(|share| (0.97..1.03).contains(share))
            && wanted.clone().all(|share| (0.98..1.02).contains(&share));
        rounds.push((shares, wanted.collect::<Vec<_>>()));
        if are_right {
            break;
        }
    }
    println!("busy hosts got these shares of their quotas, and wanted: {rounds:.3?}");
    let (shares, wanted) = rounds.last().unwrap();
    assert!(shares.iter().all(|share| (0.97..1.03).contains(share)), "{shares:.3?}");
    assert!(wanted.iter().all(|share| (0.98..1.02).contains(share)), "busy hosts want all: {wanted:.3?}");
}

fn quota(hosts: &Hosts) -> String {
    let run = format!("tierbench-hosts-{}", TestbedRecord::find(hosts.testbed()).unwrap().namespace_keeper);
    let mounts = fs::read_dir("/sys/fs/cgroup").unwrap().flatten().map(|entry| entry.path());
    let groups = mounts.chain([PathBuf::from("/sys/fs/cgroup")]).map(|mount| mount.join(&run).join("web"));
    let files = groups.flat_map(|group| ["cpu.cfs_quota_us", "cpu.max"].map(|file| group.join(file)));
    let text = files.filter_map(|file| fs::read_to_string(file).ok()).next().unwrap();
    text.split_whitespace().next().unwrap().to_owned()
}

fn is_lifted(quota: &str) -> bool {
    ["-1", "max"].contains(&quota)
}

pub fn limits_are_lifted_and_restored(hosts: &Hosts) {
    let burners = Burners::beside_one(hosts);
    quotas_are_lifted(hosts);
    cores_are_lifted_with_them(hosts, burners.0[2].id());
}

/// With a burner on the host.
fn quotas_are_lifted(hosts: &Hosts) {
    let usage = || usage(hosts, "web");
    let usual = quota(hosts);
    assert!(!is_lifted(&usual), "{usual}");
    let lifted = hosts.lift_quotas().unwrap();
    assert!(is_lifted(&quota(hosts)));
    // A period that has begun may still end.
    let (begun, mut before) = (usage(), usage());
    assert!(until(|| {
        before = usage();
        before.cpu_s > begun.cpu_s + 0.1
    }));
    assert!(until(|| usage().cpu_s > before.cpu_s + 0.5));
    assert_eq!(usage().throttled, before.throttled, "it was throttled by a lifted quota");
    lifted.restore().unwrap();
    let is_restored = || {
        let before = usage();
        quota(hosts) == usual && until(|| usage().throttled > before.throttled + 10)
    };
    assert!(is_restored(), "the quota is not restored");
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let panics = || {
        let _lifted = hosts.lift_quotas().unwrap();
        panic!("on purpose")
    };
    let panicked = panic::catch_unwind(AssertUnwindSafe(panics));
    panic::set_hook(quiet);
    assert!(panicked.is_err() && is_restored(), "the quota is not restored after a panic");
}

/// With this process busy on the host.
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
    lifted.restore().unwrap();
    assert_eq!((allowed(), quota(hosts)), ("1".to_owned(), usual));
    let before = usage(hosts, "web");
    assert!(until(|| usage(hosts, "web").throttled > before.throttled + 10), "the quota is not restored");
}

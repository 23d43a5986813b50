//! The kernel's statistics of processes, read as cheaply as possible: a site may have six hundred processes.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    fs::File,
    io::Read,
    time::Instant,
};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stat {
    pub pid: u32,
    pub parent: u32,
    pub state: char,
    /// Minor page faults, including those of children that were waited for.
    pub minor_faults: u64,
    /// Major page faults, likewise.
    pub major_faults: u64,
    /// CPU time of the process itself, ended threads included, in whole clock ticks.
    pub user_s: f64,
    pub system_s: f64,
    /// CPU time of its children that were waited for.
    pub waited_user_s: f64,
    pub waited_system_s: f64,
    pub threads: u32,
    pub resident_bytes: u64,
}

impl Stat {
    pub fn read(pid: u32) -> Option<Self> {
        let mut text = [0; 1024];
        Self::parse(pid, read_into(&format!("/proc/{pid}/stat"), &mut text)?)
    }

    fn parse(pid: u32, text: &[u8]) -> Option<Self> {
        // The name before it may contain anything: brackets, or invalid UTF-8.
        let name_end = text.iter().rposition(|byte| *byte == b')')?;
        let tail = std::str::from_utf8(&text[name_end + 1..]).ok()?;
        let fields: Vec<&str> = tail.split_ascii_whitespace().take(22).collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        let seconds = |at: usize| Some(number(at)? as f64 / procfs::ticks_per_second() as f64);
        Some(Self {
            pid,
            state: fields.first()?.chars().next()?,
            parent: number(1)? as u32,
            minor_faults: number(7)? + number(8)?,
            major_faults: number(9)? + number(10)?,
            user_s: seconds(11)?,
            system_s: seconds(12)?,
            waited_user_s: seconds(13)?,
            waited_system_s: seconds(14)?,
            threads: number(17)? as u32,
            resident_bytes: number(21)? * procfs::page_size(),
        })
    }

    pub fn own_s(&self) -> f64 {
        self.user_s + self.system_s
    }

    fn with_waited_s(&self) -> f64 {
        self.own_s() + self.waited_user_s + self.waited_system_s
    }
}

#[derive(Debug, Default)]
pub(crate) struct ProcessTable {
    stats: HashMap<u32, Stat>,
    round: u32,
}

/// The most processes that one sample reads. If there are more, each is read every second or third time, so that
/// sampling doesn't slow them down.
const READS_AT_ONCE: usize = 200;

impl ProcessTable {
    pub fn read() -> Self {
        let mut table = Self::default();
        table.refresh();
        table
    }

    /// Reads again: all new processes, and the others unless there are too many.
    pub fn refresh(&mut self) {
        let ids = numbers_in("/proc");
        let rounds = ids.len().div_ceil(READS_AT_ONCE).max(1) as u32;
        self.round = (self.round + 1) % rounds;
        let mut known = std::mem::take(&mut self.stats);
        let read = |id: u32| {
            let kept = known.remove(&id).filter(|_| id % rounds != self.round);
            Some((id, kept.or_else(|| Stat::read(id))?))
        };
        self.stats = ids.into_iter().filter_map(read).collect();
    }

    /// All processes below one, itself excluded.
    pub fn below(&self, root: u32) -> Vec<&Stat> {
        let mut children: HashMap<u32, Vec<&Stat>> = HashMap::new();
        for stat in self.stats.values() {
            children.entry(stat.parent).or_default().push(stat);
        }
        let mut found: Vec<&Stat> = Vec::new();
        let mut open = vec![root];
        while let Some(parent) = open.pop() {
            let own = children.remove(&parent).unwrap_or_default();
            open.extend(own.iter().map(|stat| stat.pid));
            found.extend(own);
        }
        found
    }
}

/// A moment from which the CPU time of all processes is counted.
#[derive(Debug)]
pub struct CpuCount {
    since: Instant,
    before: ProcessTable,
}

/// A process that is none of the laboratory's.
#[derive(Debug, Clone, PartialEq)]
pub struct BusyProcess {
    pub pid: u32,
    /// The name of its program, cut by the kernel after 15 bytes.
    pub name: String,
    /// The processors that it used, with its children that have ended.
    pub cores: f64,
}

/// The least use by a process that is worth naming, in processors.
const WORTH_NAMING: f64 = 0.05;

impl CpuCount {
    pub fn begin() -> Self {
        Self { since: Instant::now(), before: ProcessTable::read() }
    }

    /// The process that has used most CPU since, of those that are neither this one nor below it; none if all were idle.
    pub fn busiest_other(&self) -> Option<BusyProcess> {
        let (own, now) = (std::process::id(), ProcessTable::read());
        let ours: HashSet<u32> = now.below(own).iter().map(|stat| stat.pid).chain([own]).collect();
        let seconds = self.since.elapsed().as_secs_f64();
        let used = |stat: &Stat| {
            let before = self.before.stats.get(&stat.pid).map_or(0.0, Stat::with_waited_s);
            (stat.pid, (stat.with_waited_s() - before) / seconds)
        };
        let others = now.stats.values().filter(|stat| !ours.contains(&stat.pid)).map(used);
        let (pid, cores) = others.max_by(|one, other| one.1.total_cmp(&other.1))?;
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned();
        (cores >= WORTH_NAMING).then_some(BusyProcess { pid, name, cores })
    }
}

/// `cargo (process 4242)`.
impl fmt::Display for BusyProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

/// The ids of all running processes below `root`.
pub(crate) fn descendants(root: u32) -> Vec<u32> {
    let table = ProcessTable::read();
    table.below(root).iter().filter(|stat| stat.state != 'Z').map(|stat| stat.pid).collect()
}

/// Resident memory of a process in bytes: cheaper to read than the rest.
pub(crate) fn resident_bytes(pid: u32) -> Option<u64> {
    let mut text = [0; 128];
    let text = std::str::from_utf8(read_into(&format!("/proc/{pid}/statm"), &mut text)?).ok()?;
    Some(text.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()? * procfs::page_size())
}

/// A thread's CPU time in seconds, exact to the nanosecond, and how often it was scheduled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadRuns {
    pub thread: u32,
    pub seconds: f64,
    pub switches: u64,
}

pub(crate) fn threads(pid: u32) -> Vec<ThreadRuns> {
    let read = |thread: u32| {
        let mut text = [0; 128];
        let text = read_into(&format!("/proc/{pid}/task/{thread}/schedstat"), &mut text)?;
        let text = std::str::from_utf8(text).ok()?;
        let mut fields = text.split_ascii_whitespace().map(|field| field.parse::<u64>().ok());
        let nanoseconds = fields.next()??;
        Some(ThreadRuns { thread, seconds: nanoseconds as f64 / 1e9, switches: fields.nth(1)?? })
    };
    numbers_in(&format!("/proc/{pid}/task")).into_iter().filter_map(read).collect()
}

pub(crate) fn threads_named(pid: u32, is_such: impl Fn(&str) -> bool) -> impl Iterator<Item = ThreadRuns> {
    threads(pid).into_iter().filter(move |of| {
        let mut text = [0; 32];
        let name = read_into(&format!("/proc/{pid}/task/{}/comm", of.thread), &mut text);
        name.and_then(|name| std::str::from_utf8(name).ok()).is_some_and(|name| is_such(name.trim_end()))
    })
}

/// Bytes that a process, with its ended threads and awaited children, has read from disks and written to them; none
/// without permission.
pub(crate) fn disk_bytes(pid: u32) -> Option<(u64, u64)> {
    let mut text = [0; 512];
    let text = read_into(&format!("/proc/{pid}/io"), &mut text)?;
    Some((field(text, "\nread_bytes: ")?, field(text, "\nwrite_bytes: ")?))
}

/// Proportional set size of a process in bytes; none without permission. Expensive: the kernel visits every page.
pub(crate) fn proportional_bytes(pid: u32) -> Option<u64> {
    let mut text = [0; 2048];
    let text = read_into(&format!("/proc/{pid}/smaps_rollup"), &mut text)?;
    Some(field(text, "\nPss:")? * 1024)
}

pub(crate) fn children(pid: u32) -> Vec<u32> {
    let of = |thread: u32| std::fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).ok();
    let lists = numbers_in(&format!("/proc/{pid}/task")).into_iter().filter_map(of);
    lists
        .flat_map(|list| list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn field(text: &[u8], label: &str) -> Option<u64> {
    let (_, tail) = std::str::from_utf8(text).ok()?.split_once(label)?;
    tail.split_ascii_whitespace().next()?.parse().ok()
}

fn numbers_in(folder: &str) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Reads the begin of a file in /proc, whose size is unknown.
fn read_into<'a>(path: &str, text: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut file = File::open(path).ok()?;
    let length = file.read(text).ok()?;
    Some(&text[..length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_name_may_contain_brackets() {
        let line =
            b"12 (a) b (c\xc3) S 7 12 12 0 -1 4194560 100 20 3 4 250 50 100 10 20 0 5 0 99 1000 42 0 0";
        let stat = Stat::parse(12, line).unwrap();
        assert_eq!((stat.parent, stat.state, stat.threads), (7, 'S', 5));
        assert_eq!((stat.minor_faults, stat.major_faults), (120, 7));
        assert_eq!((stat.own_s() * procfs::ticks_per_second() as f64).round(), 300.0);
        assert_eq!(stat.resident_bytes, 42 * procfs::page_size());
    }

    #[test]
    fn the_busiest_process_is_none_of_ours() {
        // A shell that ends leaves its child to the first process of the machine, so that it is not below this one.
        let count = CpuCount::begin();
        let text = "perl -e 'alarm 60; 1 while 1' > /dev/null 2>&1 & echo $!";
        let started = Command::new("sh").args(["-c", text]).output().unwrap();
        let stranger: u32 = String::from_utf8(started.stdout).unwrap().trim().parse().unwrap();
        let mut own = Command::new("perl").args(["-e", "alarm 60; 1 while 1"]).spawn().unwrap();
        let used_s = |pid: u32| Stat::read(pid).unwrap().own_s();
        while used_s(stranger) < 0.3 || used_s(own.id()) < 0.3 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let busiest = count.busiest_other();
        own.kill().unwrap();
        own.wait().unwrap();
        let stranger_id = rustix::process::Pid::from_raw(stranger as i32).unwrap();
        rustix::process::kill_process(stranger_id, rustix::process::Signal::KILL).unwrap();
        let busiest = busiest.unwrap();
        // Another test's program may be busier on a machine at work.
        assert_ne!(busiest.pid, own.id());
        assert!(busiest.cores >= WORTH_NAMING && !busiest.name.is_empty(), "{busiest:?}");
        assert_eq!(busiest.to_string(), format!("{} (process {})", busiest.name, busiest.pid));
    }

    #[test]
    fn a_child_is_found_below_its_parent() {
        let mut child = Command::new("sh")
            .args(["-c", "echo ready; read ended"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // While a program is being loaded, its memory grows from one reading to the next.
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).unwrap();
        let id = child.id();
        let (below, direct) = (descendants(std::process::id()), children(std::process::id()));
        let facts = (resident_bytes(id), Stat::read(id), threads(id), disk_bytes(id), proportional_bytes(id));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(below.contains(&id) && direct.contains(&id));
        let (resident, stat, threads, disk, proportional) = facts;
        assert!(resident.unwrap() > 0 && stat.unwrap().parent == std::process::id());
        assert!(threads.len() == 1 && threads[0].switches > 0 && threads[0].seconds > 0.0);
        assert!(disk.is_some() && proportional.unwrap() < resident.unwrap());
        assert!(Stat::read(id).is_none());
    }
}

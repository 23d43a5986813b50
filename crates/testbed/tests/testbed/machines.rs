//! A machine of its own, as far as it needs no ssh: `env` reaches this machine as ssh reaches another.

use crate::hosts::until;
use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process},
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};
use testbed::{HostHandle, Hosts, Stop, Supervisor, SupervisorSpec, Testbed};

/// The verb under which this executable says again what it is told.
pub const ECHO: &str = "echo";

pub fn echo() -> i32 {
    let told = io::copy(&mut io::stdin(), &mut io::stdout());
    i32::from(told.is_err())
}

struct Machine {
    folder: tempfile::TempDir,
    hosts: Hosts,
}

impl Machine {
    fn up() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("there");
        fs::create_dir(&place).unwrap();
        let file = folder.path().join("machines.toml");
        let text = format!(
            "title = 'Two'\nseparation = 'machines'\nfallback = 'web'\n[host.client]\n[host.web]\naddress = '127.0.0.1'\n\
             reach = 'env TMPDIR={} XDG_CACHE_HOME={}'\n",
            place.display(),
            folder.path().join("cache").display()
        );
        fs::write(&file, text).unwrap();
        let executable = std::env::current_exe().unwrap();
        let hosts = Hosts::bring_up(Testbed::read(&file).unwrap(), &executable, "test").unwrap();
        Self { folder, hosts }
    }

    fn web(&self) -> &HostHandle {
        &self.hosts.of_role("web").handle
    }

    /// The folder of the run there.
    fn runs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join("there")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    fn start(&self, folder: &Path, program: &str) -> Supervisor {
        let (executable, lock) = self.web().own_paths().unwrap();
        let spec = SupervisorSpec {
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), program.to_owned()],
            environment: BTreeMap::from([("GREETING".to_owned(), "good day".to_owned())]),
            folder: folder.to_owned(),
            log: folder.join("log"),
            stop: Stop::term(std::time::Duration::from_secs(60)),
            user: None,
            lock: lock.to_owned(),
            memory_bytes: None,
        };
        self.web().start(executable, &spec).unwrap()
    }
}

/// All that the laboratory does on a host, and its end.
pub fn do_as_they_are_told() {
    let machine = Machine::up();
    let web = machine.web();
    assert_eq!(machine.runs().len(), 1);
    assert_eq!(web.elsewhere(), Some("web"));
    let shell = web.find_program("sh", &[]).unwrap().unwrap();
    assert_eq!(web.find_program("tb-none", &["/nowhere/*/bin".to_owned()]).unwrap(), None);
    let printed =
        web.output(&shell, &["-c".to_owned(), "echo out; echo err >&2; exit 3".to_owned()]).unwrap();
    assert_eq!((printed.is_success, printed.stdout.trim(), printed.stderr.trim()), (false, "out", "err"));
    assert_eq!(web.reserve_ports(3).unwrap().len(), 3);
    // Files go there and back.
    let scratch = machine.folder.path().join("tierbench-1-abcd");
    let here = scratch.join("site");
    fs::create_dir_all(here.join("pages")).unwrap();
    fs::write(here.join("pages/a"), "text").unwrap();
    let there = web.path_of(&here, &scratch);
    assert!(there.starts_with(&machine.runs()[0]) && there.ends_with("abcd/site"), "{there:?}");
    web.bring(&here, &there).unwrap();
    assert_eq!(web.read_from(&there.join("pages/a"), 2).unwrap(), b"xt");
    let back = web.fetch(there.clone(), machine.folder.path().join("back")).unwrap();
    assert_eq!(fs::read_to_string(back.join("pages/a")).unwrap(), "text");
    web.restore(&here, &there.join("data")).unwrap();
    assert!(there.join("data/pages/a").exists());
    // Programs run below supervisors, and end as asked.
    let ended = machine.start(&there, "echo $GREETING; exit 7");
    assert_eq!(ended.wait(), "exit status: 7");
    assert_eq!(web.read(&there.join("log")).unwrap(), b"good day\n");
    let running = machine.start(&there, "sleep 600");
    assert_eq!(running.ended(), None);
    let supervisor = Path::new("/proc").join(running.id().to_string());
    assert!(supervisor.exists());
    drop(running);
    assert!(!supervisor.exists());
    // A helper of the laboratory is told lines, and ends with its input.
    let (mut helper, said) = web.converse(Path::new("/nowhere"), &[ECHO]).unwrap();
    helper.tell(b"one\n").unwrap();
    helper.tell(b"two\n").unwrap();
    drop(helper);
    assert_eq!(io::read_to_string(said).unwrap(), "one\ntwo\n");
    // It is this machine, whose clock nobody sets.
    assert!(web.monotonic_ahead_s().unwrap().abs() < web.way().unwrap().unwrap().round_trip_s.max(0.05));
    // A fault there names the host.
    let fault = web.read(&there.join("none")).unwrap_err();
    assert!(fault.kind() == io::ErrorKind::NotFound && fault.to_string().contains("host `web`"), "{fault}");
    web.remove(&there).unwrap();
    web.remove(&there).unwrap();
    assert!(!there.exists());
    web.expect_there().unwrap();
    let Machine { folder, hosts } = machine;
    drop(hosts);
    assert_eq!(fs::read_dir(folder.path().join("there")).unwrap().count(), 0);
}

/// A host whose end is killed is lost, with all that ran there.
pub fn are_told_when_lost() {
    let machine = Machine::up();
    let run = machine.runs().remove(0);
    let running = machine.start(&run, "sleep 600");
    let supervisor = Path::new("/proc").join(running.id().to_string());
    let serve = fs::read_to_string(supervisor.join("stat")).unwrap();
    let parent = serve.rsplit(')').next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    kill_process(Pid::from_raw(parent).unwrap(), Signal::KILL).unwrap();
    assert!(until(|| machine.web().expect_there().is_err()));
    let fault = machine.web().expect_there().unwrap_err();
    assert_eq!(fault.kind(), io::ErrorKind::ConnectionAborted);
    assert!(fault.to_string().contains("the host `web` was lost"), "{fault}");
    assert!(running.ended().is_some_and(|ended| ended.contains("was lost")));
    assert!(until(|| machine.runs().is_empty() && !supervisor.exists()), "{:?}", machine.runs());
}

/// Processes whose words hold both texts.
fn mentioning(texts: [&str; 2]) -> Vec<i32> {
    let words = |process: &procfs::process::Process| process.cmdline().unwrap_or_default().join(" ");
    let all = procfs::process::all_processes().unwrap().flatten();
    let such = all.filter(|process| texts.iter().all(|text| words(process).contains(text)));
    such.map(|process| process.pid).collect()
}

/// A request to all processes to terminate, or to the first one alone, may be followed by a kill.
pub fn are_cleaned_when_asked_to_terminate() {
    for asked in ["", " host-serve"] {
        let machine = Machine::up();
        let place = machine.folder.path().display().to_string();
        let run = machine.runs().remove(0);
        let running = machine.start(&run, &format!("trap '' TERM; sleep 600; : {place}"));
        for process in mentioning([&place, asked]) {
            // Some end before they are asked, as those do whose parent has ended.
            let told = kill_process(Pid::from_raw(process).unwrap(), Signal::TERM);
            assert!(matches!(told, Ok(()) | Err(Errno::SRCH)), "{told:?}");
        }
        assert!(until(|| machine.runs().is_empty()), "left behind: {:?}", machine.runs());
        assert!(until(|| mentioning([&place, ""]).is_empty()), "left: {:?}", mentioning([&place, ""]));
        assert!(running.ended().is_some_and(|ended| ended.contains("was lost")));
    }
}

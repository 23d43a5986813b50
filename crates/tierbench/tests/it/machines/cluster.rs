//! A cluster with Slurm's own daemons: each node is a host of a testbed on this machine, with folders of its own.

use crate::{
    processes::{mentioning, until},
    sandbox::{LIMIT, Running, Sandbox, real_workspace},
    testbed::can_have_hosts,
};
use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

/// The hosts that play the nodes, in the order of their names, with cores and shares of them. The batch script runs on the first.
const NODES: [(&str, &str, &str); 4] =
    [("client", "0", ""), ("db", "1", "cpu = 0.35"), ("web", "1", "cpu = 0.45"), ("work", "1", "cpu = 0.15")];
/// The files of commands and daemons that such a cluster needs.
const PROGRAMS: [&str; 5] =
    ["/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/srun", "/usr/bin/sbatch"];
/// The folder in which slurmd leaves an empty group of each node.
const FREEZER: &str = "/sys/fs/cgroup/freezer";

pub(crate) struct Cluster {
    folder: tempfile::TempDir,
}

/// A cluster that is up. Its drop takes it down with all that runs on it.
pub(crate) struct ClusterUp<'c> {
    cluster: &'c Cluster,
    sandbox: &'c Sandbox,
    _daemons: Vec<Running<'c>>,
    _keeper: Running<'c>,
}

/// A job in the queue, or one that runs.
pub(crate) struct Job<'c> {
    up: &'c ClusterUp<'c>,
    id: String,
    output: PathBuf,
    waiting: Running<'c>,
}

impl Cluster {
    /// A cluster that is not up yet; none where there can't be any.
    pub(crate) fn new() -> Option<Self> {
        if !can_have_hosts() {
            return None;
        }
        if let Some(missing) = PROGRAMS.into_iter().find(|program| !Path::new(program).exists()) {
            eprintln!("left out: {missing} is missing; run scripts/deps --slurm");
            return None;
        }
        if !Path::new(FREEZER).exists() {
            eprintln!("left out: Slurm of Debian 12 needs {FREEZER}, of version 1 of control groups");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("tc").tempdir_in("/tmp").unwrap();
        let cluster = Self { folder };
        for part in ["home", "state", "munge"] {
            fs::create_dir(cluster.path().join(part)).unwrap();
        }
        for (name, ..) in NODES {
            fs::create_dir(cluster.path().join(format!("spool-{}", cluster.node(name)))).unwrap();
            let there = cluster.there(name);
            fs::create_dir(&there).unwrap();
            // Services run as another user.
            fs::set_permissions(there, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::set_permissions(cluster.path(), fs::Permissions::from_mode(0o755)).unwrap();
        cluster.write_files();
        Some(cluster)
    }

    fn write_files(&self) {
        let path = self.path().display();
        let mut hosts = "title = 'Nodes'\nseparation = 'namespaces'\nfallback = 'client'\n".to_owned();
        for (name, core, share) in NODES {
            let _ = write!(hosts, "[host.{name}]\ncores = [{core}]\n{share}\n");
        }
        self.write("hosts.toml", &hosts);
        let own = fs::read_to_string(real_workspace().join("testbeds/slurm.toml")).unwrap();
        self.write("slurm.toml", &own);
        self.write("two.toml", &format!("{own}\n[host.work]\nroles = ['client']\nreach = 'srun'\n"));
        let nodes = NODES.iter().zip(11..).map(|((name, ..), address)| {
            format!("NodeName={} NodeAddr=10.77.0.{address} CPUs=2 RealMemory=2000\n", self.node(name))
        });
        let nodes: String = nodes.collect();
        self.write(
            "slurm.conf",
            &format!(
                "ClusterName=tierbench\nSlurmctldHost={}(10.77.0.11)\nAuthType=auth/munge\n\
                 AuthInfo=socket={path}/munge/socket\nCredType=cred/munge\nSlurmUser=root\n\
                 StateSaveLocation={path}/state\nSlurmdSpoolDir={path}/spool-%n\n\
                 SlurmctldPidFile={path}/slurmctld.pid\nSlurmdPidFile={path}/slurmd.%n.pid\n\
                 SlurmctldLogFile={path}/slurmctld.log\nSlurmdLogFile={path}/slurmd.%n.log\n\
                 ProctrackType=proctrack/cgroup\nTaskPlugin=task/none\nMpiDefault=none\nSwitchType=switch/none\n\
                 JobAcctGatherType=jobacct_gather/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
                 SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0\nReturnToService=2\nKillWait=5\n\
                 SlurmdParameters=config_overrides\nTaskProlog={path}/prolog\n{nodes}\
                 PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
                self.node("client")
            ),
        );
        self.write(
            "cgroup.conf",
            "CgroupMountpoint=/sys/fs/cgroup\nCgroupAutomount=no\nCgroupPlugin=cgroup/v1\nConstrainCores=no\n\
             ConstrainRAMSpace=no\n",
        );
        // Each node has a place of its own for temporary files.
        let number = std::process::id();
        self.write(
            "prolog",
            &format!(
                "#!/bin/sh\n[ -n \"$TMPDIR\" ] || echo \"export TMPDIR={path}/there-${{SLURMD_NODENAME%{number}}}\"\n"
            ),
        );
        fs::set_permissions(self.path().join("prolog"), fs::Permissions::from_mode(0o755)).unwrap();
        let key: Vec<u8> = fs::read(std::env::current_exe().unwrap()).unwrap()[..1024].to_vec();
        let file = self.path().join("munge/key");
        fs::write(&file, key).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// The name of a node, which no other cluster on this machine has.
    fn node(&self, name: &str) -> String {
        format!("{name}{}", std::process::id())
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of runs on a node.
    pub(crate) fn there(&self, name: &str) -> PathBuf {
        self.path().join(format!("there-{name}"))
    }

    /// The file of a testbed: `slurm`, or `two` with another generator.
    pub(crate) fn testbed(&self, name: &str) -> String {
        self.path().join(format!("{name}.toml")).display().to_string()
    }

    pub(crate) fn up<'c>(&'c self, sandbox: &'c Sandbox) -> ClusterUp<'c> {
        let hosts = self.testbed("hosts");
        let mut keeper = sandbox.start(sandbox.command(&["testbed", "up", &hosts]));
        keeper.expect("Ctrl-C ends it");
        let path = self.path().display();
        let mut munged = Command::new("/usr/sbin/munged");
        munged.args(["--force", "--foreground"]).args(
            ["key-file=key", "socket=socket", "pid-file=pid", "log-file=log", "seed-file=seed"]
                .map(|option| format!("--{}", option.replacen('=', &format!("={path}/munge/"), 1))),
        );
        let mut daemons = vec![sandbox.start(munged)];
        let socket = self.path().join("munge/socket");
        assert!(until(LIMIT, || socket.exists()), "munged does not serve");
        let mut up = ClusterUp { cluster: self, sandbox, _daemons: Vec::new(), _keeper: keeper };
        daemons.push(up.daemon("client", &self.node("client"), "/usr/sbin/slurmctld -D"));
        for (name, ..) in NODES {
            let node = self.node(name);
            daemons.push(up.daemon(name, &node, &format!("/usr/sbin/slurmd -D -N {node}")));
        }
        up._daemons = daemons;
        let idle = || up.tool(&["sinfo", "-h", "-o", "%D %T"]) == "4 idle\n";
        assert!(until(LIMIT, idle), "not all nodes are idle: {}", up.tool(&["sinfo", "-N", "-l"]));
        up
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for (name, ..) in NODES {
            let group = Path::new(FREEZER).join(format!("slurm_{}", self.node(name)));
            remove_groups(&group);
        }
    }
}

/// Removes a group and those in it, which are empty.
fn remove_groups(group: &Path) {
    for entry in fs::read_dir(group).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            remove_groups(&entry.path());
        }
    }
    let _ = fs::remove_dir(group);
}

impl<'c> ClusterUp<'c> {
    fn on(&self, name: &str, words: &[&str]) -> Command {
        let hosts = self.cluster.testbed("hosts");
        let mut command = self.sandbox.command(&["testbed", "exec", &hosts, name]);
        command
            .args(words)
            .env("SLURM_CONF", self.cluster.path().join("slurm.conf"))
            .env("HOME", self.cluster.path().join("home"))
            .env_remove("XDG_CACHE_HOME");
        command
    }

    fn daemon(&self, name: &str, node: &str, words: &str) -> Running<'c> {
        let script = format!("hostname {node} && exec env -u TMPDIR {words}");
        self.sandbox.start(self.on(name, &["unshare", "--uts", "sh", "-c", &script]))
    }

    /// Output of one of Slurm's commands.
    pub(crate) fn tool(&self, words: &[&str]) -> String {
        let output = self.on("client", words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Submits a command of the laboratory by the script that it prints for a testbed.
    pub(crate) fn submit(&self, testbed: &str, words: &[&str]) -> Job<'_> {
        let file = self.cluster.testbed(testbed);
        let script = self.sandbox.command(&["testbed", "script", &file]).output().unwrap();
        assert!(script.status.success(), "{}", String::from_utf8_lossy(&script.stderr));
        let job = self.cluster.path().join("job.sh");
        fs::write(&job, script.stdout).unwrap();
        let output = self.cluster.path().join("output");
        let _ = fs::remove_file(&output);
        let inner = self.sandbox.command(words);
        let mut command = self.on("client", &["sbatch", "--parsable", "--wait", "--output"]);
        command.arg(&output).arg(job).args(inner.get_args());
        let mut waiting = self.sandbox.start(command);
        let id = waiting.expect("").trim().to_owned();
        Job { up: self, id, output, waiting }
    }

    /// The processes of the cluster whose words hold all of these texts.
    pub(crate) fn processes(&self, texts: &[&str]) -> Vec<u32> {
        let there = mentioning(self.cluster.path()).into_iter();
        let such = there.filter(|process| texts.iter().all(|text| process.contains(text)));
        such.map(|process| process.split(' ').next().unwrap().parse().unwrap()).collect()
    }

    /// Waits until no process of a run is left on any node.
    pub(crate) fn expect_no_process_left(&self) {
        let left = || {
            let there = NODES.iter().map(|(name, ..)| self.cluster.there(name).join("tierbench-"));
            let processes: Vec<String> = there.flat_map(|there| mentioning(&there)).collect();
            (processes, self.tool(&["squeue", "-h"]))
        };
        let gone = until(LIMIT, || left() == (Vec::new(), String::new()));
        assert!(gone, "left behind: {:?}", left());
    }

    /// Waits until nothing of a run is left on any node.
    pub(crate) fn expect_nothing_left(&self) {
        self.expect_no_process_left();
        let files = || {
            let there = NODES.iter().map(|(name, ..)| fs::read_dir(self.cluster.there(name)).unwrap());
            there.flatten().flatten().map(|entry| entry.path()).collect::<Vec<PathBuf>>()
        };
        assert!(files().is_empty(), "left behind: {:?}", files());
    }
}

impl Job<'_> {
    fn printed(&self) -> String {
        fs::read_to_string(&self.output).unwrap_or_default()
    }

    /// Waits until it has printed this.
    pub(crate) fn expect(&self, text: &str) {
        assert!(
            until(LIMIT, || self.printed().contains(text)),
            "`{text}` was never printed: {}",
            self.printed()
        );
    }

    /// Sends a signal to the batch script alone, which passes it on to the laboratory.
    pub(crate) fn signal(&self, signal: &str) {
        self.up.tool(&["scancel", "--batch", "--signal", signal, &self.id]);
    }

    /// Waits for its end; returns its exit code and what it has printed.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let status = self.waiting.wait();
        (status.code(), self.printed().split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

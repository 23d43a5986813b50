//! Machines with sshd: hosts of a testbed on this machine, with folders of their own.

use crate::{
    processes::{mentioning, until},
    sandbox::{LIMIT, Running, Sandbox},
    testbed::can_have_hosts,
};
use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

const SSHD: &str = "/usr/sbin/sshd";
const PORT: &str = "2222";
/// The laboratory's own machine.
const CLIENT: &str = "client";
/// A user of the machines who is not root, and exists only there.
const GUEST: u32 = 64_917;

/// The folder of the machines and of the keys that lead to them.
pub(crate) struct Machine {
    folder: tempfile::TempDir,
    /// All machines but the laboratory's, in the order of their names.
    names: Vec<String>,
}

/// Machines that are up. Its drop takes them down with all that runs on them.
pub(crate) struct Up<'m> {
    machine: &'m Machine,
    sandbox: &'m Sandbox,
    _keeper: Running<'m>,
    _sshds: Vec<Running<'m>>,
}

impl Machine {
    /// A machine `web` that is not up yet; none where there can't be any.
    pub(crate) fn new() -> Option<Self> {
        Self::with_names(&["web"])
    }

    pub(crate) fn with_names(names: &[&str]) -> Option<Self> {
        if !can_have_hosts() {
            return None;
        }
        if !Path::new(SSHD).exists() {
            eprintln!("left out: {SSHD} is missing");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("tm").tempdir_in("/tmp").unwrap();
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        let machine = Self { folder, names };
        let parts = ["cache", "uname"].map(|part| machine.path().join(part));
        for part in parts.into_iter().chain(machine.names.iter().map(|name| machine.there(name))) {
            fs::create_dir(&part).unwrap();
            // Services and guests run as other users.
            fs::set_permissions(&part, fs::Permissions::from_mode(0o777)).unwrap();
        }
        fs::set_permissions(machine.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for key in ["host", "user", "stranger"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(machine.path().join(key))
                .status();
            assert!(made.unwrap().success());
        }
        machine.write_files();
        Some(machine)
    }

    fn write_files(&self) {
        let path = self.path().display();
        self.write("hosts.toml", &self.hosts());
        for name in &self.names {
            self.write(
                &format!("{name}.sshd"),
                &format!(
                    "Port {PORT}\nHostKey {path}/host\nAuthorizedKeysFile {path}/user.pub\nPidFile none\nUsePAM no\n\
                     UseDNS no\nStrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
                     PermitRootLogin prohibit-password\n\
                     SetEnv TMPDIR={path}/there-{name} XDG_CACHE_HOME={path}/cache\n"
                ),
            );
        }
        self.write_users();
        let key = fs::read_to_string(self.path().join("host.pub")).unwrap();
        let known = self.names.iter().map(|name| format!("[{}]:{PORT} {key}", self.address(name)));
        self.write("known", &known.collect::<String>());
        let own = self.names.iter().map(|name| self.way(name, name, "root", "user", "known"));
        let web = &self.names[self.names.len() - 1];
        let others = [
            self.way("refused", web, "root", "stranger", "known"),
            self.way("unknown", web, "root", "user", "none"),
            self.way("guest", web, "guest", "user", "known"),
        ];
        self.write("ssh_config", &own.chain(others).collect::<String>());
        let uname = self.path().join("uname/uname");
        fs::write(&uname, "#!/bin/sh\necho Linux sparc64\n").unwrap();
        fs::set_permissions(uname, fs::Permissions::from_mode(0o755)).unwrap();
        let sparc = format!("{web} env PATH={path}/uname:/usr/bin:/bin");
        for (file, way) in
            [("refused", "refused"), ("unknown", "unknown"), ("guest", "guest"), ("sparc", sparc.as_str())]
        {
            self.write_testbed(file, &format!("fallback = '{web}'\n"), &[(web, way, "")]);
        }
        let all: Vec<(&str, &str, &str)> =
            self.names.iter().map(|name| (name.as_str(), name.as_str(), "")).collect();
        self.write_testbed("all", &format!("fallback = '{web}'\n"), &all);
    }

    /// A guest beside the users of this machine.
    fn write_users(&self) {
        let with = |file: &str, line: &str| fs::read_to_string(file).unwrap() + line;
        let line = format!("guest:x:{GUEST}:{GUEST}::/:/bin/sh\n");
        self.write("passwd", &with("/etc/passwd", &line));
        self.write("shadow", &with("/etc/shadow", "guest:*:19000:0:99999:7:::\n"));
    }

    /// The file of the hosts that play the machines: one has a core of its own, several share one.
    fn hosts(&self) -> String {
        let share = match self.names.len() {
            1 => String::new(),
            several => format!("cpu = {:.2}\n", 0.9 / several as f64),
        };
        let head = "title = 'Machines with a link'\nseparation = 'namespaces'\n";
        let mut text = format!("{head}fallback = '{CLIENT}'\n[host.{CLIENT}]\ncores = [0]\n");
        for name in &self.names {
            let _ = write!(text, "[host.{name}]\ncores = [1]\n{share}");
        }
        text
    }

    /// Hosts have addresses in the order of their names.
    pub(crate) fn address(&self, name: &str) -> String {
        let mut all: Vec<&str> = self.names.iter().map(String::as_str).chain([CLIENT]).collect();
        all.sort_unstable();
        format!("10.77.0.{}", 11 + all.iter().position(|one| *one == name).unwrap())
    }

    fn way(&self, way: &str, name: &str, user: &str, key: &str, known: &str) -> String {
        let path = self.path().display();
        format!(
            "Host {way}\nHostName {}\nPort {PORT}\nUser {user}\nIdentityFile {path}/{key}\n\
             IdentitiesOnly yes\nUserKnownHostsFile {path}/{known}\nGlobalKnownHostsFile /dev/null\n\
             StrictHostKeyChecking yes\nLogLevel ERROR\n",
            self.address(name)
        )
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Writes the file of a testbed of this machine and others: each with its name, the way to it, and further lines.
    pub(crate) fn write_testbed(&self, file: &str, head: &str, hosts: &[(&str, &str, &str)]) {
        let path = self.path().display();
        let mut text = format!("title = 'Machines'\nseparation = 'machines'\n{head}");
        let _ = write!(text, "[host.{CLIENT}]\naddress = '{}'\n", self.address(CLIENT));
        for (name, way, more) in hosts {
            let address = self.address(name);
            let _ = write!(
                text,
                "[host.{name}]\nreach = 'ssh -F {path}/ssh_config {way}'\naddress = '{address}'\n{more}"
            );
        }
        self.write(&format!("{file}.toml"), &text);
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of runs on a machine.
    pub(crate) fn there(&self, name: &str) -> PathBuf {
        self.path().join(format!("there-{name}"))
    }

    pub(crate) fn testbed(&self, file: &str) -> String {
        self.path().join(format!("{file}.toml")).display().to_string()
    }

    /// Gives each machine a kernel's run of its own, as if none shared this machine's processors.
    pub(crate) fn be_apart(&self) {
        for (number, name) in (1..).zip(&self.names) {
            self.write(&format!("{name}.boot"), &format!("00000000-0000-4000-8000-{number:012}\n"));
        }
    }

    pub(crate) fn up<'m>(&'m self, sandbox: &'m Sandbox) -> Up<'m> {
        let hosts = self.testbed("hosts");
        let mut keeper = sandbox.start(sandbox.command(&["testbed", "up", &hosts]));
        keeper.expect("Ctrl-C ends it");
        // As root, it separates its privileges in this folder, which a service's start would make.
        fs::create_dir_all("/run/sshd").unwrap();
        let sshds = self.names.iter().map(|name| self.sshd(sandbox, name)).collect();
        Up { machine: self, sandbox, _keeper: keeper, _sshds: sshds }
    }

    /// A machine's sshd, with the files of the machine in place of this one's.
    fn sshd<'m>(&self, sandbox: &'m Sandbox, name: &str) -> Running<'m> {
        let path = self.path().display();
        let boot = "/proc/sys/kernel/random/boot_id";
        let script = format!(
            "mount --bind {path}/passwd /etc/passwd && mount --bind {path}/shadow /etc/shadow && \
             {{ [ ! -e {path}/{name}.boot ] || mount --bind {path}/{name}.boot {boot}; }} && \
             exec {SSHD} -D -e -f {path}/{name}.sshd"
        );
        let hosts = self.testbed("hosts");
        let words = ["testbed", "exec", &hosts, name, "unshare", "--mount", "sh", "-c", &script];
        let mut sshd = sandbox.start(sandbox.command(&words));
        sshd.expect(&format!("Server listening on 0.0.0.0 port {PORT}"));
        sshd
    }

    /// The processes of the machines whose words hold all of these texts.
    pub(crate) fn processes(&self, texts: &[&str]) -> Vec<u32> {
        let there = mentioning(self.path()).into_iter();
        let such = there.filter(|process| texts.iter().all(|text| process.contains(text)));
        such.map(|process| process.split(' ').next().unwrap().parse().unwrap()).collect()
    }

    /// Waits until the last tier of a site is held by its supervisor on the machine `web`.
    pub(crate) fn expect_served(&self) {
        assert!(
            until(LIMIT, || !self.supervisors().is_empty()),
            "no site is served there: {:?}",
            mentioning(self.path())
        );
    }

    /// The supervisor of the last tier of a site on the machine `web`.
    pub(crate) fn supervisors(&self) -> Vec<u32> {
        let there = self.there("web").display().to_string();
        self.processes(&[" supervise ", &there, "-DB/", "apache2"])
    }

    /// Waits until nothing of a run is left on any machine.
    pub(crate) fn expect_nothing_left(&self) {
        for name in &self.names {
            let there = self.there(name);
            let left = || {
                let files: Vec<PathBuf> =
                    fs::read_dir(&there).unwrap().flatten().map(|entry| entry.path()).collect();
                (files, mentioning(&there.join("tierbench-")))
            };
            let gone = until(LIMIT, || left() == (Vec::new(), Vec::new()));
            assert!(gone, "left behind on {name}: {:?}", left());
        }
    }
}

impl Up<'_> {
    /// A command of the laboratory on its machine.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let inner = self.sandbox.command(words);
        let mut command = self.on(CLIENT, &[]);
        command.arg(inner.get_program()).args(inner.get_args());
        command
    }

    pub(crate) fn on(&self, name: &str, words: &[&str]) -> Command {
        let hosts = self.machine.testbed("hosts");
        let mut command = self.sandbox.command(&["testbed", "exec", &hosts, name]);
        command.args(words);
        command
    }

    /// Cuts a machine off, or joins it again.
    pub(crate) fn set_link(&self, name: &str, state: &str) {
        let done = self.on(name, &["ip", "link", "set", "eth0", state]).status().unwrap();
        assert!(done.success(), "the link of {name} can't be {state}");
    }
}

//! A machine with sshd: a host of a testbed on this machine, with folders of its own.

use crate::{
    processes::{mentioning, until},
    sandbox::{LIMIT, Running, Sandbox},
    testbed::can_have_hosts,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const SSHD: &str = "/usr/sbin/sshd";
/// The hosts' addresses, in the order of their names.
const ADDRESS_OF_WEB: &str = "10.77.0.12";
const PORT: &str = "2222";

const HOSTS: &str = "title = 'Two machines with a link'\nseparation = 'namespaces'\nfallback = 'web'\n\
                     [host.client]\ncores = [0]\n[host.web]\ncores = [1]\n";

/// The folder of a machine and of the keys that lead to it.
pub(super) struct Machine {
    folder: tempfile::TempDir,
}

/// A machine that is up. Its drop takes it down with all that runs on it.
pub(super) struct Up<'m> {
    machine: &'m Machine,
    sandbox: &'m Sandbox,
    _keeper: Running<'m>,
    _sshd: Running<'m>,
}

impl Machine {
    /// A machine that is not up yet; none where there can't be any.
    pub(super) fn new() -> Option<Self> {
        if !can_have_hosts() {
            return None;
        }
        if !Path::new(SSHD).exists() {
            eprintln!("left out: {SSHD} is missing");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("tm").tempdir_in("/tmp").unwrap();
        let machine = Self { folder };
        for part in ["there", "cache"] {
            fs::create_dir(machine.path().join(part)).unwrap();
        }
        for path in [machine.path(), &machine.there()] {
            // Services run as another user.
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
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
        let write = |name: &str, text: String| fs::write(self.path().join(name), text).unwrap();
        write("hosts.toml", HOSTS.to_owned());
        write(
            "sshd_config",
            format!(
                "Port {PORT}\nHostKey {path}/host\nAuthorizedKeysFile {path}/user.pub\nPidFile none\nUsePAM no\n\
                 UseDNS no\nStrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
                 PermitRootLogin prohibit-password\nSetEnv TMPDIR={path}/there XDG_CACHE_HOME={path}/cache\n"
            ),
        );
        let key = fs::read_to_string(self.path().join("host.pub")).unwrap();
        write("known", format!("[{ADDRESS_OF_WEB}]:{PORT} {key}"));
        let way = |name: &str, key: &str, known: &str| {
            format!(
                "Host {name}\nHostName {ADDRESS_OF_WEB}\nPort {PORT}\nUser root\nIdentityFile {path}/{key}\n\
                 IdentitiesOnly yes\nUserKnownHostsFile {path}/{known}\nGlobalKnownHostsFile /dev/null\n\
                 StrictHostKeyChecking yes\nLogLevel ERROR\n"
            )
        };
        let ways = [
            way("web1", "user", "known"),
            way("refused", "stranger", "known"),
            way("unknown", "user", "none"),
        ];
        write("ssh_config", ways.concat());
        for name in ["web1", "refused", "unknown"] {
            let reach = format!("ssh -F {path}/ssh_config {name}");
            write(&format!("{name}.toml"), machines(&reach));
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where runs have their folders on the machine.
    pub(super) fn there(&self) -> PathBuf {
        self.path().join("there")
    }

    /// The file of a testbed whose host is reached by one of its ways.
    pub(super) fn testbed(&self, way: &str) -> String {
        self.path().join(format!("{way}.toml")).display().to_string()
    }

    pub(super) fn up<'m>(&'m self, sandbox: &'m Sandbox) -> Up<'m> {
        let hosts = self.testbed("hosts");
        let mut keeper = sandbox.start(sandbox.command(&["testbed", "up", &hosts]));
        keeper.expect("Ctrl-C ends it");
        // As root, it separates its privileges in this folder, which a service's start would make.
        fs::create_dir_all("/run/sshd").unwrap();
        let settings = self.path().join("sshd_config").display().to_string();
        let words = ["testbed", "exec", &hosts, "web", SSHD, "-D", "-e", "-f", &settings];
        let mut sshd = sandbox.start(sandbox.command(&words));
        sshd.expect(&format!("Server listening on 0.0.0.0 port {PORT}"));
        Up { machine: self, sandbox, _keeper: keeper, _sshd: sshd }
    }

    /// The processes there whose words hold all of these texts.
    pub(super) fn processes(&self, texts: &[&str]) -> Vec<u32> {
        let there = mentioning(self.path()).into_iter();
        let such = there.filter(|process| texts.iter().all(|text| process.contains(text)));
        such.map(|process| process.split(' ').next().unwrap().parse().unwrap()).collect()
    }

    /// Waits until the last tier of a site is held by its supervisor there.
    pub(super) fn expect_served(&self) {
        let there = self.there().display().to_string();
        let serves = || !self.processes(&[" supervise ", &there, "/WsPhp-DB/", "apache2"]).is_empty();
        assert!(until(LIMIT, serves), "no site is served there: {:?}", mentioning(self.path()));
    }

    /// Waits until nothing of a run is left there.
    pub(super) fn expect_nothing_left(&self) {
        let there = self.there();
        let left = || {
            let files: Vec<PathBuf> =
                fs::read_dir(&there).unwrap().flatten().map(|entry| entry.path()).collect();
            (files, mentioning(&there.join("tierbench-")))
        };
        assert!(until(LIMIT, || left() == (Vec::new(), Vec::new())), "left behind there: {:?}", left());
    }
}

/// A testbed of this machine and another one, which is reached so.
pub(super) fn machines(reach: &str) -> String {
    format!(
        "title = 'Two machines'\nseparation = 'machines'\nfallback = 'web'\n[host.client]\naddress = '10.77.0.11'\n\
         [host.web]\nreach = '{reach}'\naddress = '{ADDRESS_OF_WEB}'\n"
    )
}

impl Up<'_> {
    /// A command of the laboratory on the clients' machine.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let inner = self.sandbox.command(words);
        let hosts = self.machine.testbed("hosts");
        let mut command = self.sandbox.command(&["testbed", "exec", &hosts, "client"]);
        command.arg(inner.get_program()).args(inner.get_args());
        command
    }
}

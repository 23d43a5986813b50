//! The way to a host: a command that ends in a shell there, which starts the laboratory's executable.

use super::{
    client::{last_words, listen},
    protocol::{Answer, Greeting, read_frame},
    serve::SERVE_VERB,
};
use miette::Diagnostic;
use sha2::{Digest, Sha256};
use std::{
    ffi::OsString,
    fmt::Write as _,
    io::{self, BufRead, BufReader, Write},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};
use thiserror::Error;

/// A host that could not be reached, or does not serve.
#[derive(Debug, Error, Diagnostic)]
#[error("the host `{host}` (`{reach}`) {fault}")]
pub struct Unreachable {
    host: String,
    reach: String,
    fault: String,
    #[help]
    remedy: String,
}

/// A host that serves.
pub(super) struct Reached {
    pub process: Child,
    pub pipe: ChildStdin,
    pub answers: BufReader<ChildStdout>,
    pub said: Arc<Mutex<String>>,
    pub greeting: Greeting,
}

/// Options for OpenSSH: no questions that nobody answers, no connection that others share, and no endless wait.
const SSH_OPTIONS: [&str; 6] = [
    "BatchMode=yes",
    "ControlMaster=no",
    "ControlPath=none",
    "ConnectTimeout=20",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=9",
];

/// The first word of the shell there; login scripts may print before it.
const HERE: &str = "tierbench-host";
const HAS: &str = "has";
const LACKS: &str = "lacks";

pub(super) fn reach(host: &str, words: &[String], executable: &Path) -> Result<Reached, Unreachable> {
    let way = Way { host, words };
    let content = std::fs::read(executable)
        .map_err(|fault| way.fault(format!("needs a copy of {}: {fault}", executable.display()), ""))?;
    let mut process = command(words).spawn().map_err(|fault| {
        let program = words.first().map_or("", String::as_str);
        let remedy = "install that program, or correct `reach` in the testbed's file";
        way.fault(format!("can't be reached: `{program}` does not start ({fault})"), remedy)
    })?;
    let errors = process.stderr.take().expect("it is piped");
    let mut dialogue = Dialogue {
        pipe: process.stdin.take().expect("it is piped"),
        answers: BufReader::new(process.stdout.take().expect("it is piped")),
    };
    let said = listen(errors);
    match dialogue.serve(&content) {
        Ok(greeting) => {
            Ok(Reached { process, pipe: dialogue.pipe, answers: dialogue.answers, said, greeting })
        }
        Err(fault) => {
            drop(dialogue);
            Err(way.explain(fault, &mut process, &said))
        }
    }
}

fn command(words: &[String]) -> Command {
    let mut words = words.iter();
    let program = words.next().map_or("", String::as_str);
    let mut command = Command::new(program);
    if Path::new(program).file_name().is_some_and(|name| name == "ssh") {
        command.arg("-T").args(SSH_OPTIONS.iter().flat_map(|option| ["-o", option]));
    }
    if Path::new(program).file_name().is_some_and(|name| name == "srun") {
        // Variables of the laboratory's own job would be defaults of the step.
        let names = std::env::vars_os().map(|(name, _)| name);
        let of_job = |name: &OsString| name.to_string_lossy().starts_with("SLURM_") && name != "SLURM_CONF";
        for name in names.filter(of_job) {
            command.env_remove(name);
        }
    }
    // Words that follow would be joined and split again by some of these commands, and not by others.
    command.args(words).arg("sh");
    // Ctrl-C is the laboratory's.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

enum Unserved {
    /// The host's system and architecture.
    Other(String),
    Copy,
    Io(io::Error),
}

impl From<io::Error> for Unserved {
    fn from(fault: io::Error) -> Self {
        Self::Io(fault)
    }
}

/// The conversation with the shell there, of which each side waits for the other's line.
struct Dialogue {
    pipe: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Dialogue {
    fn serve(&mut self, executable: &[u8]) -> Result<Greeting, Unserved> {
        self.pipe.write_all(script(executable).as_bytes())?;
        let own = rustix::system::uname();
        let own = format!("{} {}", own.sysname().to_string_lossy(), own.machine().to_string_lossy());
        let there = loop {
            if let Some(there) = self.line()?.strip_prefix(HERE) {
                break there.trim().to_owned();
            }
        };
        if there != own {
            return Err(Unserved::Other(there));
        }
        if self.line()? == LACKS {
            self.pipe.write_all(executable)?;
            self.pipe.flush()?;
            if self.line()? != HAS {
                return Err(Unserved::Copy);
            }
        }
        let greeting = read_frame::<Answer>(&mut self.answers)?;
        let (answer, _) = greeting.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        let greeting = answer.result.map_err(|fault| Unserved::Io(fault.of_host("there")))?;
        Ok(serde_json::from_value(greeting).map_err(io::Error::from)?)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}

/// The script for the shell there. It is one command, so that the shell reads all of it before it runs any. The copy is named
/// after its content, and whole once it has its name. Of several that come at once, as where machines share a home, the first
/// stays: it may run already.
fn script(executable: &[u8]) -> String {
    let name = Sha256::digest(executable).iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    });
    let size = executable.len();
    format!(
        "{{ echo {HERE} \"$(uname -sm)\"; umask 077; d=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/tierbench/hosts\"; \
         f=\"$d/{name}\"; c=\"$f.$(uname -n).$$\"; if [ -x \"$f\" ]; then echo {HAS}; else \
         {{ mkdir -p \"$d\" && : >\"$c\" && echo {LACKS} && head -c {size} >\"$c\" && [ $(wc -c <\"$c\") = {size} ] \
         && chmod 700 \"$c\" && {{ ln \"$c\" \"$f\" 2>/dev/null || [ -x \"$f\" ] || mv \"$c\" \"$f\"; }} \
         && rm -f \"$c\" && echo {HAS}; }} || {{ rm -f \"$c\"; exit 1; }}; fi; \
         exec \"$f\" {SERVE_VERB}; }}\n"
    )
}

struct Way<'a> {
    host: &'a str,
    words: &'a [String],
}

/// Known last words of commands: the fault, and the remedy.
const KNOWN: [(&str, &str, &str); 8] = [
    (
        "REMOTE HOST IDENTIFICATION HAS CHANGED",
        "is not the machine that it was: its key has changed",
        "if that is right, remove the old key with `ssh-keygen -R HOST`, and connect once by hand",
    ),
    (
        "Host key verification failed",
        "is unknown to this machine",
        "connect once by hand, compare the key that ssh shows with the host's, and accept it",
    ),
    (
        "Permission denied",
        "refuses this user or key",
        "put your public key there with `ssh-copy-id`; a key with a passphrase needs `ssh-add` first",
    ),
    (
        "Too many authentication failures",
        "refuses this user or key",
        "name the right key with IdentityFile and IdentitiesOnly in ~/.ssh/config",
    ),
    (
        "Could not resolve hostname",
        "has a name that nobody knows",
        "correct `reach` in the testbed's file, or add the name to ~/.ssh/config",
    ),
    (
        "No space left on device",
        "has no room for the laboratory's executable",
        "make room there: in the folder ~/.cache, and where TMPDIR says, else in /tmp",
    ),
    (
        "GLIBC_",
        "has an older C library than this machine",
        "take a host with the same distribution, or build there",
    ),
    (
        "connect to host",
        "does not answer",
        "look whether it runs, whether sshd listens there, and whether a firewall is between",
    ),
];

impl Way<'_> {
    fn fault(&self, fault: String, remedy: &str) -> Unreachable {
        let reach = self.words.join(" ");
        let remedy =
            if remedy.is_empty() { format!("try `{reach} true` by hand") } else { remedy.to_owned() };
        Unreachable { host: self.host.to_owned(), reach, fault, remedy }
    }

    fn explain(&self, fault: Unserved, process: &mut Child, said: &Arc<Mutex<String>>) -> Unreachable {
        let status = ended(process);
        let said = last_words(said);
        let last = said.trim().lines().last().unwrap_or_default().trim().to_owned();
        match fault {
            Unserved::Other(there) => self.fault(
                format!("is {there}, and this executable runs only where it was built"),
                "take a host with the same system and architecture as this machine",
            ),
            _ => match KNOWN.iter().find(|(words, ..)| said.contains(words)) {
                Some((_, fault, remedy)) => self.fault(format!("{fault}: {last}"), remedy),
                None if !last.is_empty() => self.fault(format!("does not serve ({status}): {last}"), ""),
                None => match fault {
                    Unserved::Io(fault) if fault.kind() != io::ErrorKind::UnexpectedEof => {
                        self.fault(format!("does not serve ({status}): {fault}"), "")
                    }
                    _ => self.fault(format!("does not serve ({status})"), ""),
                },
            },
        }
    }
}

/// The status of a command whose pipes are closed; it is killed if it goes on nevertheless.
fn ended(process: &mut Child) -> String {
    const GRACE: Duration = Duration::from_secs(5);
    let deadline = Instant::now() + GRACE;
    loop {
        match process.try_wait() {
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = process.kill();
            }
            Ok(Some(status)) => return status.to_string(),
            Err(fault) => return fault.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(ToOwned::to_owned).collect()
    }

    /// A host that this shell script plays in place of ssh.
    fn fault(script: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("reach");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        // Another test's fork may hold the script open for an instant, and the kernel refuses to run it meanwhile.
        let words = vec!["sh".to_owned(), program.display().to_string()];
        let fault = reach("web", &words, Path::new("/bin/true")).err().unwrap();
        format!("{fault}; {}", fault.remedy)
    }

    #[test]
    fn faults_of_a_way_name_the_host_and_a_remedy() {
        for (script, texts) in [
            (
                "echo 'me@web1: Permission denied (publickey).' >&2; exit 255",
                ["refuses this user or key", "ssh-copy-id"],
            ),
            ("echo 'Host key verification failed.' >&2; exit 255", ["is unknown", "connect once by hand"]),
            (
                "echo 'ssh: Could not resolve hostname web1: Name' >&2; exit 255",
                ["nobody knows", "~/.ssh/config"],
            ),
            ("echo 'ssh: connect to host web1 port 22: refused' >&2; exit 255", ["does not answer", "sshd"]),
            (
                "echo tierbench-host Linux sparc64; cat >/dev/null",
                ["is Linux sparc64", "same system and architecture"],
            ),
            ("exit 3", ["does not serve (exit status: 3)", "by hand"]),
            ("echo Welcome; echo 'no shell' >&2; exit 1", ["no shell", "by hand"]),
        ] {
            let fault = fault(script);
            assert!(fault.starts_with("the host `web` (`sh "), "{fault}");
            assert!(texts.iter().all(|text| fault.contains(text)), "{script}: {fault}");
        }
        let none = reach("web", &words("/nowhere/ssh web1"), Path::new("/bin/true")).err().unwrap();
        assert!(none.to_string().contains("`/nowhere/ssh` does not start"), "{none}");
    }

    #[test]
    fn only_ssh_gets_the_options_of_ssh() {
        let of = |text| {
            let command = command(&words(text));
            command.get_args().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert!(of("ssh -F file web1").starts_with("-T -o BatchMode=yes"));
        assert!(of("ssh -F file web1").ends_with("-F file web1 sh"));
        assert_eq!(of("kubectl exec -i web --"), "exec -i web -- sh");
    }
}

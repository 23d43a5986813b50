//! async-profiler inside a JVM: it is loaded while the JVM runs, by the JDK's own `jcmd`.

use crate::ProfileError;
use fs_err as fs;
use results::{KERNEL, Stacks};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How much CPU time a thread uses between two samples. It is short because each thread is looked at only after so
/// much of it. Where the JVM may not use the kernel's own events, timers take its place, which go off with the kernel's
/// clock only: a few hundred times a second.
const INTERVAL: &str = "1ms";

/// A JVM that is looked into.
#[derive(Debug)]
pub(crate) struct Jvm {
    service: String,
    jcmd: PathBuf,
    process: u32,
    library: PathBuf,
    output: PathBuf,
}

impl Jvm {
    /// Finds the JVM among a service's processes, and the library in the folder that async-profiler's package was
    /// unpacked into. What is seen goes into the folder `output`, which the JVM must be able to write to.
    pub(crate) fn find(
        service: &str,
        processes: &[u32],
        agent: &Path,
        output: &Path,
    ) -> Result<Self, ProfileError> {
        let service = service.to_owned();
        let program = |process: &u32| Some((*process, fs::read_link(format!("/proc/{process}/exe")).ok()?));
        let is_java = |(_, program): &(u32, PathBuf)| program.file_name().is_some_and(|name| name == "java");
        let Some((process, java)) = processes.iter().filter_map(program).find(is_java) else {
            return Err(ProfileError::NoJvm { service });
        };
        let library = find_library(&service, agent)?;
        let output = output.join("profile.folded");
        Ok(Self { service, jcmd: java.with_file_name("jcmd"), process, library, output })
    }

    /// Looks from now on.
    pub(crate) fn open(&self) -> Result<(), ProfileError> {
        self.tell("start", &format!("start,event=cpu,interval={INTERVAL},lib,ann"))
    }

    /// Looks no longer, and has what was seen written down.
    pub(crate) fn close(&self) -> Result<(), ProfileError> {
        self.tell("stop", &format!("stop,collapsed,lib,ann,file={}", self.output.display()))
    }

    /// What was seen.
    pub(crate) fn finish(self) -> Result<Stacks, ProfileError> {
        let text = fs::read_to_string(&self.output)?;
        fs::remove_file(&self.output)?;
        Ok(stacks(&text))
    }

    fn tell(&self, what: &'static str, options: &str) -> Result<(), ProfileError> {
        let refused = |said: String| ProfileError::Agent { service: self.service.clone(), what, said };
        let output = Command::new(&self.jcmd)
            .arg(self.process.to_string())
            .arg("JVMTI.agent_load")
            .arg(&self.library)
            // Without the quotes, `jcmd` would take it apart at each comma.
            .arg(format!("\"{options}\""))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| refused(format!("{} can't be run: {error}", self.jcmd.display())))?;
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.success() && said.contains("return code: 0") {
            return Ok(());
        }
        let fault = String::from_utf8_lossy(&output.stderr);
        Err(refused(format!("{} {}; the service's log may say why", said.trim(), fault.trim())))
    }
}

/// Finds async-profiler's library for this processor in the folder that its package was unpacked into.
pub fn find_library(service: &str, agent: &Path) -> Result<PathBuf, ProfileError> {
    let processor = match std::env::consts::ARCH {
        "aarch64" => "arm64",
        _ => "x64",
    };
    let path = agent.join(format!("linux-{processor}/libasyncProfiler.so"));
    if path.is_file() { Ok(path) } else { Err(ProfileError::NoAgent { service: service.to_owned(), path }) }
}

/// The stacks in async-profiler's collapsed output, with each frame's object in front.
fn stacks(collapsed: &str) -> Stacks {
    let mut stacks = Stacks::default();
    for (stack, times) in Stacks::read(collapsed).iter() {
        let frames: Vec<String> = stack.split(';').map(frame).collect();
        stacks.add(frames.join(";"), times);
    }
    stacks
}

/// Frames end with what they are: interpreted, compiled by either compiler, inlined, or the kernel's.
fn frame(name: &str) -> String {
    let is = |kind: &str| name.strip_suffix(kind);
    if let Some(function) = is("_[k]") {
        return format!("{KERNEL}{function}");
    }
    if let Some(method) = ["_[0]", "_[1]", "_[j]", "_[i]"].into_iter().find_map(is) {
        return format!("java`{}", method.replace('/', "."));
    }
    if name.contains('`') { name.to_owned() } else { format!("jvm`{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_each_kind_get_their_object() {
        for (name, expected) in [
            (
                "org/apache/tomcat/util/net/NioEndpoint$Poller.run_[0]",
                "java`org.apache.tomcat.util.net.NioEndpoint$Poller.run",
            ),
            ("java/util/HashMap.get_[j]", "java`java.util.HashMap.get"),
            ("java/util/Objects.requireNonNull_[i]", "java`java.util.Objects.requireNonNull"),
            ("tcp_sendmsg_[k]", "kernel`tcp_sendmsg"),
            (
                "libjvm.so`CompileBroker::compiler_thread_loop",
                "libjvm.so`CompileBroker::compiler_thread_loop",
            ),
            ("monitorenter_nofpu Runtime1 stub", "jvm`monitorenter_nofpu Runtime1 stub"),
        ] {
            assert_eq!(frame(name), expected);
        }
    }

    #[test]
    fn what_only_differs_in_how_it_was_compiled_is_one_stack() {
        let stacks = stacks("java/lang/Thread.run_[0];a/B.c_[j] 3\njava/lang/Thread.run_[1];a/B.c_[i] 4\n");
        assert_eq!(stacks.folded(), "java`java.lang.Thread.run;java`a.B.c 7\n");
    }
}

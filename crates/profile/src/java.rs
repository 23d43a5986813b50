//! async-profiler inside a JVM: it is loaded into the running JVM by the JDK's `jcmd`.

use crate::ProfileError;
use fs_err as fs;
use results::{KERNEL, Stacks};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// CPU time between two samples of a thread. It is short because each thread is sampled separately. If the JVM may not use
/// perf events, timers replace them, which fire only with the kernel's clock: a few hundred times a second.
const INTERVAL: &str = "1ms";

#[derive(Debug)]
pub(crate) struct Jvm {
    service: String,
    jcmd: PathBuf,
    process: u32,
    library: PathBuf,
    output: PathBuf,
}

impl Jvm {
    /// Finds the JVM among a service's processes, and the library in the folder of async-profiler's package. The
    /// profile is written into the folder `output`, which must be writable by the JVM.
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

    pub(crate) fn open(&self) -> Result<(), ProfileError> {
        self.command("start", &format!("start,event=cpu,interval={INTERVAL},lib,ann"))
    }

    /// Also writes the profile.
    pub(crate) fn close(&self) -> Result<(), ProfileError> {
        self.command("stop", &format!("stop,collapsed,lib,ann,file={}", self.output.display()))
    }

    pub(crate) fn finish(self) -> Result<Stacks, ProfileError> {
        let text = fs::read_to_string(&self.output)?;
        fs::remove_file(&self.output)?;
        Ok(stacks(&text))
    }

    fn command(&self, what: &'static str, options: &str) -> Result<(), ProfileError> {
        let refused = |output: String| ProfileError::Agent { service: self.service.clone(), what, output };
        let output = Command::new(&self.jcmd)
            .arg(self.process.to_string())
            .arg("JVMTI.agent_load")
            .arg(&self.library)
            // Without the quotes, `jcmd` would split it at each comma.
            .arg(format!("\"{options}\""))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| refused(format!("{} can't be run: {error}", self.jcmd.display())))?;
        let reply = String::from_utf8_lossy(&output.stdout);
        if output.status.success() && reply.contains("return code: 0") {
            return Ok(());
        }
        let fault = String::from_utf8_lossy(&output.stderr);
        Err(refused(format!("{} {}; the service's log may say why", reply.trim(), fault.trim())))
    }
}

/// Finds async-profiler's library for this CPU in the folder of its package.
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

/// Frames end with their kind: interpreted, compiled by either compiler, inlined, or kernel.
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
    fn stacks_that_differ_only_in_compilation_are_merged() {
        let stacks = stacks("java/lang/Thread.run_[0];a/B.c_[j] 3\njava/lang/Thread.run_[1];a/B.c_[i] 4\n");
        assert_eq!(stacks.folded(), "java`java.lang.Thread.run;java`a.B.c 7\n");
    }
}

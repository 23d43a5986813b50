//! Helper processes: the laboratory's executable under a hidden verb, in its own process group, so that Ctrl-C doesn't
//! reach it. The first line of such a process reports that it is ready, or its error.

use std::{
    io::{self, BufRead, BufReader},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
};

/// The first line of a helper process that has nothing else to report.
pub(crate) const STARTED: &str = "started";

/// Starts one and waits for its first line, which is empty if it ended silently.
pub(crate) fn start(command: &mut Command) -> io::Result<(Child, String)> {
    let mut process = command.stdout(Stdio::piped()).process_group(0).spawn()?;
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("its output is piped")).read_line(&mut line)?;
    Ok((process, line.trim_end().to_owned()))
}

/// Starts one that runs until its standard input closes, and waits until it is ready.
pub(crate) fn start_until_closed(command: &mut Command) -> io::Result<Child> {
    let (mut process, message) = start(command.stdin(Stdio::piped()))?;
    if message == STARTED {
        return Ok(process);
    }
    let ended = process.wait()?;
    let message = if message.is_empty() { ended.to_string() } else { message };
    Err(io::Error::other(format!("a helper process did not start: {message}")))
}

//! Processes of the laboratory's own: its executable under a hidden verb, in a group of its own, so that Ctrl-C doesn't
//! reach it. What such a process says first tells that it is at work, and no error is lost between the two.

use std::{
    io::{self, BufRead, BufReader},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
};

/// What one says that has nothing else to say.
pub(crate) const STARTED: &str = "started";

/// Starts one and waits for its first line, which is empty if it has ended without a word.
pub(crate) fn start(command: &mut Command) -> io::Result<(Child, String)> {
    let mut process = command.stdout(Stdio::piped()).process_group(0).spawn()?;
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("its output is piped")).read_line(&mut line)?;
    Ok((process, line.trim_end().to_owned()))
}

/// Starts one that goes on until its standard input closes, and waits until it is at work.
pub(crate) fn start_until_closed(command: &mut Command) -> io::Result<Child> {
    let (mut process, said) = start(command.stdin(Stdio::piped()))?;
    if said == STARTED {
        return Ok(process);
    }
    let ended = process.wait()?;
    let said = if said.is_empty() { ended.to_string() } else { said };
    Err(io::Error::other(format!("a process of the laboratory's own did not start: {said}")))
}

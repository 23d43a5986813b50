//! wrk, the leanest of the well-known generators: it reads the head of an answer and counts the rest.

use crate::server::Server;
use anyhow::{Context, ensure};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// wrk on one thread.
pub(crate) fn wrk(program: &Path, server: &Server, connections: u32, time: Duration) -> Command {
    let mut command = Command::new(program);
    command
        .args(["-t1".to_owned(), format!("-c{connections}"), format!("-d{}s", time.as_secs())])
        .arg(format!("http://127.0.0.1:{}/site/index.html", server.port()));
    command
}

/// How many requests wrk has completed, from what it prints: `  123456 requests in 4.00s, 150.00MB read`.
pub(crate) fn completed(text: &str) -> anyhow::Result<u64> {
    let faulty = text.lines().find(|line| line.contains("Non-2xx") || line.contains("Socket errors"));
    ensure!(faulty.is_none(), "wrk met errors:\n{text}");
    let count = text.lines().find_map(|line| line.trim().split_once(" requests in "));
    count
        .and_then(|(count, _)| count.parse().ok())
        .with_context(|| format!("wrk counts no requests:\n{text}"))
}

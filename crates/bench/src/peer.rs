//! wrk, the leanest of the well-known generators: it parses the head of an answer and counts the rest.

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

/// The number of completed requests from the output of wrk: `  123456 requests in 4.00s, 150.00MB read`.
pub(crate) fn completed(text: &str) -> anyhow::Result<u64> {
    let faulty = text.lines().find(|line| line.contains("Non-2xx") || line.contains("Socket errors"));
    ensure!(faulty.is_none(), "wrk met errors:\n{text}");
    let count = text.lines().find_map(|line| line.trim().split_once(" requests in "));
    count
        .and_then(|(count, _)| count.parse().ok())
        .with_context(|| format!("wrk counts no requests:\n{text}"))
}

#[cfg(test)]
mod tests {
    use super::completed;

    const PRINTED: &str = "Running 4s test @ http://127.0.0.1:20000/site/index.html\n  1 threads and 64 connections\n  \
        Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Req/Sec    30.12k     1.23k   33.00k    70.00%\n  \
        120482 requests in 4.01s, 145.12MB read\nRequests/sec:  30045.39\nTransfer/sec:     36.19MB\n";

    #[test]
    fn requests_are_counted_unless_some_failed() {
        assert_eq!(completed(PRINTED).unwrap(), 120_482);
        for fault in
            ["  Non-2xx or 3xx responses: 7\n", "  Socket errors: connect 0, read 1, write 0, timeout 0\n"]
        {
            let error = completed(&format!("{PRINTED}{fault}")).unwrap_err();
            assert!(error.to_string().contains(fault.trim()), "{error}");
        }
        assert!(completed("unable to connect").is_err());
    }
}

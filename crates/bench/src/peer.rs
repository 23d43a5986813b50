//! Other load generators: how to find and call them, and how to read their counts of answered requests.

use crate::compare::{Cpu, Generator, Reader, RunCount};
use crate::load::workspace;
use crate::server::PAGE;
use anyhow::{Context, bail, ensure};
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The folder in the workspace for peers without a package, installed by `scripts/deps --bench`.
const FOLDER: &str = "target/peers/bin";
const LOCUSTFILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/locustfile.py");

/// Peers that keep connections busy, each on one thread.
pub(crate) static STRESS: [Peer; 3] = [
    Peer { name: "wrk", call: call_wrk, read: read_wrk },
    Peer { name: "h2load", call: call_h2load, read: read_h2load },
    Peer { name: "oha", call: call_oha, read: read_oha },
];

/// Peers that keep connections of HTTP/2 busy, each on one thread.
pub(crate) static HTTP2: [Peer; 1] = [Peer { name: "h2load", call: call_h2load_by_http2, read: read_h2load }];

/// Peers with users who think.
pub(crate) static USERS: [Peer; 1] = [Peer { name: "locust", call: call_locust, read: read_locust }];

pub(crate) struct Peer {
    name: &'static str,
    call: fn(&mut Command, &PeerLoad),
    read: Reader,
}

pub(crate) struct PeerLoad {
    /// `http://127.0.0.1:20000`.
    pub server: String,
    /// Connections with keep-alive, or users with one each.
    pub connections: u32,
    /// The mean think time; zero for connections that don't rest.
    pub think_time: Duration,
    /// Duration, in whole seconds.
    pub time: Duration,
}

impl PeerLoad {
    fn url(&self) -> String {
        format!("{}{PAGE}", self.server)
    }

    fn seconds(&self) -> String {
        self.time.as_secs().to_string()
    }
}

/// Installed peers. The others are named, with the remedy; an error if a named program is missing.
pub(crate) fn installed<'a>(
    peers: &'static [Peer],
    load: &'a PeerLoad,
) -> anyhow::Result<Vec<Generator<'a>>> {
    let mut found = Vec::new();
    for peer in peers {
        let Some(program) = peer.program()? else {
            let variable = peer.variable();
            println!(
                "  left out: {}; run scripts/deps --bench, or name its program in {variable}",
                peer.name
            );
            continue;
        };
        found.push(Generator::peer(peer.name, peer.read, move || peer.command(&program, load)));
    }
    Ok(found)
}

impl Peer {
    /// The environment variable for another program: `BENCH_OHA`.
    fn variable(&self) -> String {
        format!("BENCH_{}", self.name.to_uppercase())
    }

    /// The variable's program. Without it, the one installed for this benchmark, whose version is known; else the one
    /// in PATH.
    fn program(&self) -> anyhow::Result<Option<PathBuf>> {
        let variable = self.variable();
        if let Ok(named) = env::var(&variable) {
            let found = testbed::find_program(&named);
            return found.map(Some).with_context(|| format!("{variable}: there is no program `{named}`"));
        }
        let own = workspace().join(FOLDER).join(self.name);
        Ok(testbed::find_program(&own.to_string_lossy()).or_else(|| testbed::find_program(self.name)))
    }

    fn command(&self, program: &Path, load: &PeerLoad) -> Command {
        let mut command = Command::new(program);
        (self.call)(&mut command, load);
        command
    }
}

/// wrk, the leanest: it parses the head of an answer and counts the rest.
fn call_wrk(command: &mut Command, load: &PeerLoad) {
    let time = format!("{}s", load.seconds());
    command.args(["-t1", "-c", &load.connections.to_string(), "-d", &time, &load.url()]);
}

/// From a line like `  123456 requests in 4.00s, 150.00MB read`.
fn read_wrk(text: &str) -> anyhow::Result<RunCount> {
    let faulty = text.lines().find(|line| line.contains("Non-2xx") || line.contains("Socket errors"));
    ensure!(faulty.is_none(), "wrk met errors:\n{text}");
    let count = text.lines().find_map(|line| line.trim().split_once(" requests in "));
    let count = count.and_then(|(count, _)| count.parse().ok());
    Ok(RunCount::of(count.with_context(|| format!("wrk counts no requests:\n{text}"))?))
}

/// h2load, for HTTP/2 and 3 in the first place. It has one thread unless told otherwise.
fn call_h2load(command: &mut Command, load: &PeerLoad) {
    command.args(["--h1", "-c", &load.connections.to_string(), "-D", &load.seconds(), &load.url()]);
}

/// One request at a time on each connection, as of a user with one.
fn call_h2load_by_http2(command: &mut Command, load: &PeerLoad) {
    command.args(["-m1", "-c", &load.connections.to_string(), "-D", &load.seconds(), &load.url()]);
}

/// From a line like `requests: 90 total, 99 started, 90 done, 90 succeeded, 0 failed, 0 errored, 0 timeout`. Those
/// started and not done were under way at the end.
fn read_h2load(text: &str) -> anyhow::Result<RunCount> {
    let line = text.lines().find_map(|line| line.strip_prefix("requests: ")).unwrap_or_default();
    let count = |what: &str| -> anyhow::Result<u64> {
        let count = line.split(", ").find_map(|part| part.strip_suffix(what)?.trim_end().parse().ok());
        count.with_context(|| format!("h2load doesn't count what was {what}:\n{text}"))
    };
    let done = count("done")?;
    ensure!(count("succeeded")? == done && count("failed")? == 0, "h2load met errors:\n{text}");
    Ok(RunCount::of(done))
}

/// oha waits for the last answers, which it would count as errors otherwise.
fn call_oha(command: &mut Command, load: &PeerLoad) {
    let time = format!("{}s", load.seconds());
    command.env("TOKIO_WORKER_THREADS", "1");
    command.args(["--no-tui", "--output-format", "json", "-w"]);
    command.args(["-c", &load.connections.to_string(), "-z", &time, &load.url()]);
}

/// From the number of answers by status.
fn read_oha(text: &str) -> anyhow::Result<RunCount> {
    let output: Value = serde_json::from_str(text).with_context(|| format!("oha prints no JSON:\n{text}"))?;
    let counts =
        |key: &str| output[key].as_object().with_context(|| format!("oha prints no `{key}`:\n{text}"));
    let (by_status, by_error) = (counts("statusCodeDistribution")?, counts("errorDistribution")?);
    let is_right = by_error.is_empty() && by_status.keys().all(|status| status == "200");
    ensure!(is_right, "oha met errors:\n{text}");
    Ok(RunCount::of(by_status.get("200").and_then(Value::as_u64).unwrap_or_default()))
}

/// Locust with its faster client. All users begin at once, as ours do.
fn call_locust(command: &mut Command, load: &PeerLoad) {
    let (users, time) = (load.connections.to_string(), format!("{}s", load.seconds()));
    // Python would otherwise write compiled code next to the script.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("BENCH_PAGE", PAGE).env("BENCH_THINK_S", load.think_time.as_secs_f64().to_string());
    command.args(["-f", LOCUSTFILE, "--headless", "--only-summary", "--host", &load.server]);
    command.args(["--users", &users, "--spawn-rate", &users, "--run-time", &time]);
}

/// From the script's output: requests, those without an answer, and the CPU seconds of its start.
fn read_locust(text: &str) -> anyhow::Result<RunCount> {
    let line = text.lines().find_map(|line| line.strip_prefix("bench: ")).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[requests, failures, user_s, system_s] = words.as_slice() else {
        bail!("Locust's script doesn't print its four figures:\n{text}");
    };
    ensure!(failures == "0", "Locust met errors:\n{text}");
    let setup = Cpu { user_s: user_s.parse()?, system_s: system_s.parse()? };
    Ok(RunCount { requests: requests.parse()?, setup })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRK: &str = "Running 4s test @ http://127.0.0.1:20000/site/index.html\n  1 threads and 64 connections\n  \
        Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Req/Sec    30.12k     1.23k   33.00k    70.00%\n  \
        120482 requests in 4.01s, 145.12MB read\nRequests/sec:  30045.39\nTransfer/sec:     36.19MB\n";

    const H2LOAD: &str = "starting benchmark...\nApplication protocol: http/1.1\n\
        Main benchmark duration is over for thread #0. Stopping all clients.\n\n\
        finished in 4.01s, 24631.50 req/s, 29.20MB/s\n\
        requests: 98526 total, 98590 started, 98526 done, 98526 succeeded, 0 failed, 0 errored, 0 timeout\n\
        status codes: 98526 2xx, 0 3xx, 0 4xx, 0 5xx\n";

    const OHA: &str = r#"{
  "summary": { "successRate": 1.0, "total": 4.0021, "sizePerRequest": 1024 },
  "details": { "DNSDialup": { "average": 0.002 } },
  "statusCodeDistribution": { "200": 81234 },
  "errorDistribution": {}
}"#;

    const LOCUST: &str = "bench: 9876 0 0.81 0.07\nType     Name  # reqs  # fails |\n";

    /// The count of a peer's output, or the error.
    fn requests(read: Reader, text: &str) -> Result<u64, String> {
        read(text).map(|report| report.requests).map_err(|error| error.to_string())
    }

    #[test]
    fn each_peer_counts_its_requests() {
        assert_eq!(requests(read_wrk, WRK), Ok(120_482));
        assert_eq!(requests(read_h2load, H2LOAD), Ok(98_526));
        assert_eq!(requests(read_oha, OHA), Ok(81_234));
        let setup = Cpu { user_s: 0.81, system_s: 0.07 };
        assert_eq!(read_locust(LOCUST).unwrap(), RunCount { requests: 9876, setup });
        for peer in STRESS.iter().chain(&USERS) {
            assert!((peer.read)("unable to connect").is_err(), "{}", peer.name);
        }
    }

    #[test]
    fn a_request_that_failed_is_an_error() {
        let faulty: [(Reader, String); 6] = [
            (read_wrk, format!("{WRK}  Non-2xx or 3xx responses: 7\n")),
            (read_wrk, format!("{WRK}  Socket errors: connect 0, read 1, write 0, timeout 0\n")),
            (read_h2load, H2LOAD.replace("98526 succeeded, 0 failed", "98520 succeeded, 6 failed")),
            (read_oha, OHA.replace("81234", r#"81230, "503": 4"#)),
            (read_oha, OHA.replace("{}", r#"{ "connection closed": 1 }"#)),
            (read_locust, LOCUST.replace("9876 0", "9876 3")),
        ];
        for (read, text) in faulty {
            let error = requests(read, &text).unwrap_err();
            assert!(error.contains("met errors"), "{error}");
        }
    }

    #[test]
    fn each_peer_is_told_the_server_and_the_load() {
        let load = PeerLoad {
            server: "http://127.0.0.1:20000".to_owned(),
            connections: 64,
            think_time: Duration::from_millis(500),
            time: Duration::from_secs(4),
        };
        for peer in STRESS.iter().chain(&HTTP2).chain(&USERS) {
            let command = peer.command(Path::new(peer.name), &load);
            let words: Vec<String> =
                command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
            let has = |wanted: &str| words.iter().any(|word| word.starts_with(wanted));
            assert!(has(&load.server) && has("64") && has("4"), "{}: {words:?}", peer.name);
        }
        assert!(Path::new(LOCUSTFILE).is_file());
    }

    #[test]
    fn a_peer_that_is_not_installed_is_left_out() {
        static MISSING: [Peer; 1] = [Peer { name: "no-such-generator", call: call_wrk, read: read_wrk }];
        let load = PeerLoad {
            server: String::new(),
            connections: 1,
            think_time: Duration::ZERO,
            time: Duration::from_secs(1),
        };
        assert!(installed(&MISSING, &load).unwrap().is_empty());
        assert_eq!(STRESS[2].variable(), "BENCH_OHA");
    }
}

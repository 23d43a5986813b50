//! `drive`: loads on sites that the laboratory didn't start. Only here real sockets, files and exit codes come together.

use crate::machines::reached::Reached;
use crate::processes::{family, name, until};
use crate::sandbox::{Ended, LIMIT, Sandbox, code_of};
use flate2::{Compression, write::GzEncoder};
use results::{CheckId, LoadKind, Point, Spacing, Times, Verb};
use rustix::process::Signal;
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::ffi::OsStrExt,
    sync::{Arc, Mutex},
    thread,
};

/// A site of three pages, compressed for whoever asks for it. Its threads end with the test's process.
struct Site {
    address: SocketAddr,
    /// The first lines of all requests, and how often each came.
    asked: Arc<Mutex<BTreeMap<String, u64>>>,
}

const PAGE: &str = "<!DOCTYPE html><title>x</title><a href='/'>home</a> <a href='/list?page=2'>list</a>\
    <form action='/search' method='post'><input name='q'></form>\
    <p>Blue shoes, red shoes, blue shoes, red shoes, blue shoes, red shoes, blue shoes, red shoes, blue shoes, red shoes.\
    <p>Blue shoes, red shoes, blue shoes, red shoes, blue shoes, red shoes, blue shoes, red shoes, blue shoes, red shoes.";

impl Site {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, asked) = (listener.local_addr().unwrap(), Arc::default());
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                thread::spawn(move || serve(&stream, &seen));
            }
        });
        Self { address, asked }
    }

    fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The number of requests that came.
    fn count(&self) -> u64 {
        self.asked.lock().unwrap().values().sum()
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().keys().cloned().collect()
    }
}

/// Answers `/broken` with 500 and all else with the page, until the other side closes.
fn serve(mut stream: &TcpStream, seen: &Mutex<BTreeMap<String, u64>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut head, mut length) = (Vec::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head.push(line.trim().to_owned());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let asked = format!("{} {}", head[0].trim_end_matches(" HTTP/1.1"), String::from_utf8(body).unwrap());
        *seen.lock().unwrap().entry(asked.trim().to_owned()).or_default() += 1;
        let status = if head[0].contains("/broken") { "500 Broken" } else { "200 OK" };
        let (coding, page) = match head.iter().any(|line| line == "Accept-Encoding: gzip") {
            true => ("Content-Encoding: gzip\r\n", compressed(PAGE)),
            false => ("", PAGE.as_bytes().to_vec()),
        };
        let head = format!("HTTP/1.1 {status}\r\n{coding}Content-Length: {}\r\n\r\n", page.len());
        stream.write_all(&[head.as_bytes(), &page].concat()).ok()?;
    }
}

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

const SHORT: [&str; 4] = ["--ramp", "1s", "--window", "2s"];

fn drive(sandbox: &Sandbox, words: &[&str]) -> Ended {
    let mut command = sandbox.command(&["drive"]);
    command.args(words).args(SHORT).arg("--out").arg(sandbox.result());
    sandbox.finish(command)
}

#[test]
fn a_list_of_addresses_gives_a_result_that_report_reads() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    // As some editors write it: with a byte order mark, and with line ends of other systems.
    let list = format!("\u{feff}# two pages\r\n{}\r\r\n{}\n", site.at("/"), site.at("/list?page=7"));
    fs::write(sandbox.path().join("urls.txt"), list).unwrap();
    let ended = drive(&sandbox, &["urls.txt", "--clients", "2,4", "--no-think", "--repetitions", "2"]);
    let points = sandbox.points();
    assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
    let loads: Vec<(u32, u32)> = points.iter().map(|point| (point.clients, point.repetition)).collect();
    assert_eq!(loads, [(2, 1), (4, 1), (2, 2), (4, 2)]);
    for point in &points {
        assert!(point.failed() == 0, "{:?}", point.errors);
        let names: Vec<&str> = point.interactions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["/", "/list?page=7"]);
        assert!(point.interactions.iter().all(|one| one.completed > 0));
    }
    assert_eq!(site.asked(), ["GET /", "GET /list?page=7"]);
    let spec = sandbox.manifest().spec;
    assert_eq!((spec.verb, spec.loads.think_time_s()), (Verb::Drive, 0.0));
    let result = sandbox.result().display().to_string();
    let again = sandbox.run(&["report", &result]);
    again.expect(0, &[]).expect_output(&site.address.to_string());
    let resumed = sandbox.run(&["run", "--resume", &result]);
    resumed.expect(2, &["can't be resumed", "tierbench drive --resume"]);
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    assert!(page.contains(&site.address.to_string()) && !page.contains("Not verified"));
}

#[test]
fn a_sites_file_is_walked_by_links_and_forms() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let file = format!(
        "at = '{}'\nthink_time = '20ms'\n\
         [[interaction]]\nname = 'Home'\npath = '/'\n\
         [[interaction]]\nname = 'List'\npath = '/list'\n\
         [[interaction]]\nname = 'Search'\npath = '/search'\nmethod = 'POST'\n\
         parameters = [{{ name = 'q', fill = {{ text = 'blue shoes' }} }}]\n\
         [transitions.Home]\nList = 0.5\nSearch = 0.5\n\
         [transitions.List]\nHome = 1.0\n[transitions.Search]\nHome = 0.5\nback = 0.5\n",
        site.at("")
    );
    fs::write(sandbox.path().join("shop.toml"), &file).unwrap();
    let ended = drive(&sandbox, &["shop.toml", "--clients", "10"]);
    let points = sandbox.points();
    assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
    assert_eq!(site.asked(), ["GET /", "GET /list?page=2", "POST /search q=blue+shoes"]);
    let point = &points[0];
    assert!(point.backs > 0 && point.fallbacks == 0 && point.failed() == 0, "{point:?}");

    // Users who arrive and leave, and ask for compressed pages.
    let compressing = Sandbox::new();
    fs::write(compressing.path().join("shop.toml"), file).unwrap();
    let words = ["shop.toml", "--sessions", "20", "--session-length", "200ms", "--spacing", "even", "--gzip"];
    let ended = drive(&compressing, &words);
    let points = compressing.points();
    assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
    let small = &points[0];
    assert!(small.backs > 0 && small.fallbacks == 0 && small.failed() == 0, "{small:?}");
    let size = |point: &Point| point.bytes_received as f64 / point.completed as f64;
    assert!(size(small) < 0.9 * size(point), "{} of {} bytes", size(small), size(point));
    let checks: Vec<CheckId> = small.verdict.checks.iter().map(|check| check.id).collect();
    assert!(
        checks.contains(&CheckId::ThinkTimesMean) && !checks.contains(&CheckId::ResponseTimeLaw),
        "{checks:?}"
    );
    let said = ended.output.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("open load beyond the first request"), "{said}");
    // A session has 1 + 200 / 20 requests on average, and 40 of them begin in two seconds.
    assert!((200..900).contains(&small.completed), "{}", small.completed);
    let factors = &compressing.manifest().configurations[0].factors;
    assert_eq!(factors["clients.gzip"], "yes");
}

#[test]
fn each_of_several_rates_is_kept_and_has_its_own_point() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let ended =
        drive(&sandbox, &[&site.at("/"), "--rate", "50,100", "--spacing", "even", "--connections", "20"]);
    let points = sandbox.points();
    assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
    for (point, rate) in points.iter().zip([50, 100]) {
        assert_eq!(point.configuration, format!("{},rate={rate}", site.address));
        let per_s = f64::from(rate);
        assert_eq!(point.kind, LoadKind::Rate { per_s, spacing: Spacing::Even, connections: 20 });
        assert!(point.completed > 0 && point.failed() == 0, "{:?}", point.errors);
        let kept_up = point.verdict.checks.iter().find(|check| check.id == CheckId::KeptUp).unwrap();
        assert!(kept_up.figure.contains(&format!("to {} requests", 2 * rate)), "{kept_up:?}");
    }
}

#[test]
fn an_interrupted_drive_resumes_with_the_load_that_was_cut_short() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let mut command = sandbox.command(&["drive", &site.at("/"), "--rate", "50,100", "--connections", "20"]);
    command.args(SHORT).args(["--repetitions", "2"]).arg("--out").arg(sandbox.result());
    let mut run = sandbox.start(command);
    run.expect("100/s over at most 20 connections");
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted", "drive --resume"]);
    let before = sandbox.points();
    assert_eq!(before.len(), 1);
    let resume = sandbox.command(&["drive", "--resume", sandbox.result().to_str().unwrap()]);
    let ended = sandbox.finish(resume);
    let points = sandbox.points();
    assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
    let rates: Vec<(f64, u32)> =
        points.iter().map(|point| (point.kind.behaviour().pace.unwrap().per_s, point.repetition)).collect();
    assert_eq!(rates, [(50.0, 1), (100.0, 1), (50.0, 2), (100.0, 2)]);
    assert!(points[0].started == before[0].started && sandbox.manifest().resumed.len() == 1);

    // The same once more, with another rate: what the specification names and options don't.
    let like = Sandbox::new();
    let mut command = like.command(&["drive", "--like", sandbox.result().to_str().unwrap(), "--rate", "70"]);
    command.args(["--repetitions", "1"]).arg("--out").arg(like.result());
    like.finish(command);
    let (spec, earlier) = (like.manifest().spec, sandbox.manifest().spec);
    assert_eq!((spec.window_s, spec.configurations, spec.seed), (2.0, earlier.configurations, earlier.seed));
    assert_eq!(like.points()[0].kind.behaviour().pace.unwrap().per_s, 70.0);
}

/// Only here are the worker processes of a load at work.
#[test]
fn workers_divide_the_clients_and_each_of_their_requests_counts_once() {
    for load in [&["--clients", "5", "--no-think"][..], &["--rate", "200"]] {
        let (sandbox, site) = (Sandbox::new(), Site::start());
        let ended = drive(&sandbox, &[&[&*site.at("/")], load, &["--workers", "2"]].concat());
        let points = sandbox.points();
        assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
        let [point] = points.as_slice() else { panic!("{points:?}") };
        assert!(point.completed > 0 && point.failed() == 0, "{:?}", point.errors);
        let seconds: u64 = point.timeline.iter().map(|second| second.completed).sum();
        assert_eq!(seconds, site.count());
        assert_eq!(point.window_s, 2.0);
        assert_eq!(sandbox.manifest().configurations[0].factors["clients.workers"], "2");
    }
}

/// Only here do several machines drive a site of which only one has the file.
#[test]
fn machines_divide_the_clients_of_a_sites_file() {
    let (sandbox, site, machines) = (Sandbox::new(), Site::start(), Reached::new(&["more"]));
    let file =
        format!("at = '{}'\nthink_time = '20ms'\n[[interaction]]\nname = 'Home'\npath = '/'\n", site.at(""));
    let file = file + "[transitions.Home]\nHome = 1.0\n";
    fs::write(sandbox.path().join("shop.toml"), file).unwrap();
    let testbed = machines.testbed().display().to_string();
    let ended = drive(&sandbox, &["shop.toml", "--clients", "10", "--testbed", &testbed]);
    let points = sandbox.points();
    assert_eq!(ended.code(), Some(code_of(&points)), "{}\n{}", ended.output, ended.error);
    let [point] = points.as_slice() else { panic!("{points:?}") };
    let parts: Vec<(&str, u32)> =
        point.generators.iter().map(|one| (one.host.as_str(), one.clients)).collect();
    assert_eq!(parts, [("client", 5), ("more", 5)]);
    let seconds: u64 = point.timeline.iter().map(|second| second.completed).sum();
    assert_eq!(seconds, site.count());
    assert_eq!(sandbox.manifest().testbed.unwrap().hosts.len(), 3);
    machines.expect_nothing_left();
}

/// Only here does a worker lose its command.
#[test]
fn workers_end_with_the_command_and_their_faults_are_its_faults() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let mut command =
        sandbox.command(&["drive", &site.at("/"), "--clients", "4", "--no-think", "--workers", "2"]);
    command.args(["--ramp", "1s", "--window", "1h", "--out"]).arg(sandbox.result());
    let running = sandbox.start(command);
    assert!(until(LIMIT, || site.count() > 0), "no load was put on");
    assert_eq!(family(running.id()).iter().filter(|process| name(**process) == "tierbench").count(), 3);
    running.signal(Signal::KILL);
    // This waits for all of its processes.
    running.end();

    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nowhere = format!("http://{nobody}/");
    let mut command = sandbox.command(&["drive", &nowhere, "--clients", "2", "--no-think", "--workers", "2"]);
    command.args(["--window", "20s", "--out"]).arg(sandbox.path().join("nowhere"));
    sandbox.finish(command).expect(4, &["nothing answers at"]);
}

#[test]
fn each_fault_has_its_exit_code() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let broken = site.at("/broken");
    let ended = drive(&sandbox, &[&broken, "--clients", "2", "--no-think"]);
    ended.expect(7, &["no VALID point", "the checks that failed"]);
    let point = &sandbox.points()[0];
    assert_eq!(point.errors["status-5xx"], point.failed());
    assert_eq!(point.causes["status-5xx"], "500 for /broken");
    // Nothing was measured, which isn't zero, and the reason stands beside the count.
    assert_eq!((point.response, point.quantiles.len()), (Times::default(), 0));
    let said = ended.output.split_whitespace().collect::<Vec<_>>().join(" ");
    let failed = number(point.failed());
    assert!(said.contains(&format!("{failed} of {failed} requests failed: 500 for /broken")), "{said}");
    assert!(!said.contains("ower the load") && !said.contains("core of its own"), "{said}");
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    let response_times = "<td>–</td>".repeat(4);
    assert!(page.contains(&response_times), "the page shows figures of nothing");
    let result = sandbox.result().display().to_string();
    let csv = sandbox.run(&["report", &result, "--csv"]).output;
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    let row: BTreeMap<String, String> = table.deserialize().next().unwrap().unwrap();
    let figure = |name: &str| row[name].as_str();
    for name in ["response_mean_ms", "response_p50_ms", "response_p99_ms", "service_p90_ms"] {
        assert_eq!(figure(name), "", "{name}");
    }
    assert_eq!(figure("first_causes"), "status-5xx: 500 for /broken");

    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let home = site.at("/");
    let cases: [(&[&str], i32, &[&str]); 11] = [
        (
            &["127.0.0.1:80", "--clients", "2", "--no-think"],
            2,
            &["it has no http://", "http://HOST:PORT/PATH"],
        ),
        (
            &[&home, "http://localhost:1/", "--clients", "2", "--no-think"],
            2,
            &["of one site", "http://localhost:1"],
        ),
        (&["auktion", "--clients", "2", "--no-think"], 2, &["no application `auktion`", "`auction`"]),
        (&["auction", "--clients", "2", "--no-think"], 2, &["auction has no address", "--at"]),
        (
            &["bookstore", "--at", &home, "--clients", "2", "--no-think"],
            2,
            &["pages over TLS", "--secure-at"],
        ),
        (
            &[&home, "--http2", "--clients", "2", "--no-think"],
            2,
            &["HTTP/2 is spoken over TLS", "name its address with https://"],
        ),
        (&[&home], 2, &["required", "--clients", "--rate", "--sessions"]),
        (&[&home, "--rate", "0"], 2, &["'0'", "above 0"]),
        (&[&home, "--rate", "1e-300"], 2, &["must lie between", "a second"]),
        (&[&home, "--rate", "1", "--no-think"], 2, &["cannot be used with"]),
        (
            &[&format!("http://{nobody}/"), "--clients", "2", "--no-think", "--window", "20s"],
            4,
            &["nothing answers at"],
        ),
    ];
    for (number, (words, code, texts)) in cases.into_iter().enumerate() {
        let mut command = sandbox.command(&["drive"]);
        command.args(words).arg("--out").arg(sandbox.path().join(number.to_string()));
        sandbox.finish(command).expect(code, texts);
    }
    // Where nothing was measured there is nothing to go on with.
    let nothing = sandbox.path().join("10");
    let shown = sandbox.run(&["report", nothing.to_str().unwrap()]);
    assert!(!shown.output.contains("resume"), "{}", shown.output);
    assert!(!fs::read_to_string(nothing.join("report.html")).unwrap().contains("--resume"));
}

/// With separators between thousands, as reports have it.
fn number(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

/// Only a process has arguments that are no text.
#[test]
fn a_folder_may_have_a_name_that_is_no_text() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let folder = sandbox.path().join(OsStr::from_bytes(b"o\xff"));
    let mut command = sandbox.command(&["drive", &site.at("/"), "--clients", "2", "--no-think"]);
    command.args(SHORT).arg("--out").arg(&folder);
    let ended = sandbox.finish(command);
    let read = results::ResultReader::open(&folder).unwrap();
    assert_eq!(ended.code(), Some(code_of(&read.points)), "{}", ended.error);
    assert!(read.manifest.command.iter().any(|word| word.ends_with("o\u{fffd}")));
}

#[test]
fn a_condition_that_holds_gives_exit_code_8() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let ended =
        drive(&sandbox, &[&site.at("/"), "--clients", "2", "--no-think", "--fail-if", "throughput > 1/s"]);
    match code_of(&sandbox.points()) {
        0 => drop(ended.expect(8, &["a condition of --fail-if holds", "throughput > 1/s"])),
        code => assert_eq!(ended.code(), Some(code), "{}", ended.error),
    }
}

#[test]
fn metrics_are_served_while_it_runs_and_an_interruption_leaves_a_result() {
    let (sandbox, site) = (Sandbox::new(), Site::start());
    let mut command = sandbox.command(&[
        "drive",
        &site.at("/"),
        "--clients",
        "2",
        "--no-think",
        "--ramp",
        "1s",
        "--window",
        "1h",
    ]);
    command.args(["--metrics", "127.0.0.1:0", "--out"]).arg(sandbox.result());
    let mut running = sandbox.start(command);
    let line = running.expect("metrics: http://");
    let at = line.trim_start_matches("metrics: http://").trim_end_matches("/metrics").to_owned();
    running.expect_load();
    let ask = || {
        let mut stream = TcpStream::connect(&at).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let completed = |answer: &str| {
        let line = answer.lines().find(|line| line.starts_with("tierbench_interactions_total"))?.to_owned();
        line.rsplit(' ').next().unwrap().parse::<f64>().ok()
    };
    let answered =
        crate::processes::until(crate::sandbox::LIMIT, || completed(&ask()).is_some_and(|count| count > 0.0));
    assert!(answered, "{}", ask());
    running.signal(Signal::INT);
    running.end().expect(130, &["interrupted"]);
    assert!(sandbox.points().is_empty() && sandbox.manifest().ending.is_some_and(|ending| !ending.complete));
}

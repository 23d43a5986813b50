//! Results and output of `run`, `compare` and `report`.

use crate::sandbox::{LIMIT, QUICK, Sandbox, code_of, real_workspace, turn};
use jsonschema::Validator;
use serde_json::Value;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::Command,
};

/// Only here is all that a real run leaves held against its schemas.
#[test]
fn a_run_leaves_a_complete_result_that_report_reads() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let ended = sandbox.finish(sandbox.measure("WsPhpFpm-DB", "5,10"));
    ended.expect(code_of(&sandbox.points()), &[]);
    assert!(
        !ended.error.contains('\x1b') && !ended.output.contains('\x1b'),
        "escape codes in a pipe: {ended:?}"
    );

    let points = sandbox.points();
    assert_eq!(points.iter().map(|point| point.clients).collect::<Vec<_>>(), [5, 10]);
    assert!(points.iter().all(|point| point.completed > 0 && point.failed() == 0), "{points:?}");
    let manifest = sandbox.manifest();
    let configuration = &manifest.configurations[0];
    assert!(manifest.ending.unwrap().complete);
    assert!(configuration.services.iter().any(|service| service.version.contains("MariaDB")));
    assert!(configuration.code[0].language == "PHP" && configuration.code[0].code > 500, "{configuration:?}");
    assert!(!configuration.content.is_empty() && manifest.host.settings.contains_key("net.core.somaxconn"));
    assert!(
        manifest.demonstration.iter().any(|reason| reason.contains("smoke")),
        "{:?}",
        manifest.demonstration
    );
    expect_as_published(&sandbox.result());
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    assert!(page.contains("WsPhpFpm-DB"));
    let sum = Command::new("sha256sum").arg(sandbox.result().join("SHA256SUMS")).output().unwrap().stdout;
    let sum = String::from_utf8(sum).unwrap();
    assert!(page.contains("Cite this result") && page.contains(sum.split(' ').next().unwrap()), "{sum}");

    let result = sandbox.result();
    let again = sandbox.run(&["report", result.to_str().unwrap()]);
    again.expect(0, &[]);
    again.expect_output("WsPhpFpm-DB");
    assert_eq!(again.output, ended.output, "the same table again");
    let csv = sandbox.run(&["report", "--csv", result.to_str().unwrap()]);
    csv.expect(0, &[]);
    assert_eq!(csv.output.lines().count(), 1 + points.len(), "{}", csv.output);
    expect_one_table(&sandbox, points.len());
    expect_gallery(&sandbox);
    expect_difference(&sandbox);
    expect_edits_to_be_seen(&sandbox);
}

/// Results in one table: as CSV and as JSON with the same names and figures.
fn expect_one_table(sandbox: &Sandbox, points: usize) {
    let result = sandbox.result();
    let path = result.to_str().unwrap();
    let print = |option| sandbox.run(&["report", path, path, option]);
    let (csv, json) = (print("--csv"), print("--json"));
    csv.expect(0, &[]);
    json.expect(0, &[]);
    assert_eq!(csv.output.lines().count(), 1 + 2 * points, "{}", csv.output);
    let objects: Vec<serde_json::Map<String, Value>> = serde_json::from_str(&json.output).unwrap();
    assert_eq!(objects.len(), 2 * points);
    let header: Vec<&str> = csv.output.lines().next().unwrap().split(',').collect();
    for object in &objects {
        assert!(header.iter().all(|name| object.contains_key(*name)) && header.len() == object.len());
        assert_eq!(object["result"], path);
        assert!(object["throughput_per_s"].is_number() && object["valid"].is_boolean(), "{object:?}");
        assert!(object["versions"].as_str().unwrap().contains("mariadb"), "{object:?}");
    }
    let figures = sandbox.path().join("figures");
    let drawn = sandbox.command(&["report", path, "--csv", "--svg", figures.to_str().unwrap()]);
    sandbox.finish(drawn).expect(0, &[]);
    for name in ["throughput", "response-p50", "response-p90", "response-p99"] {
        let chart = fs::read_to_string(figures.join(format!("{name}.svg"))).unwrap();
        assert!(chart.starts_with("<svg xmlns=") && !chart.contains("var("), "{chart}");
    }
    let three = sandbox.run(&["report", path, path, path]);
    three.expect(2, &["3 results are named", "with --csv or --json"]);
    let page = sandbox.path().join("several.html");
    let drawn = ["report", path, path, path, "--out", page.to_str().unwrap()];
    sandbox.run(&drawn).expect(0, &[]);
    let page = fs::read_to_string(page).unwrap();
    for said in ["the same circumstances", "id=\"result-C\"", "C against A"] {
        assert!(page.contains(said), "{said}");
    }
}

/// A site of a result and its copy: all that it names is there, and two of one name are refused.
fn expect_gallery(sandbox: &Sandbox) {
    let (result, copy) = (sandbox.result(), sandbox.path().join("another"));
    copy_result(&result, &copy);
    let site = sandbox.path().join("site");
    let gallery = |results: [&Path; 2]| {
        let mut command = sandbox.command(&["gallery"]);
        command.args(results).arg("--out").arg(&site);
        sandbox.finish(command)
    };
    let made = gallery([&result, &copy]);
    made.expect(0, &[]);
    made.expect_output("site/index.html");
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    let named = index
        .split(['"', '\''])
        .filter(|word| word.ends_with(".html") || word.ends_with(".svg") || word.ends_with(".csv"));
    let named: Vec<&str> = named.collect();
    assert!(named.len() >= 6, "a report, points and a badge of each: {named:?}");
    for name in named {
        assert!(site.join(name).is_file(), "{name}");
    }
    gallery([&result, &result]).expect(2, &["would have the same page", "rename one"]);
}

/// Damages each file of a result in each way: it is named, the page is marked, and the exit code is its own.
fn expect_edits_to_be_seen(sandbox: &Sandbox) {
    let result = sandbox.result();
    let path = result.to_str().unwrap();
    let copy = sandbox.path().join("whole");
    copy_result(&result, &copy);
    let flip = |text: &str| match text.contains("\"valid\":true") {
        true => text.replacen("\"valid\":true", "\"valid\":false", 1),
        false => text.replacen("\"valid\":false", "\"valid\":true", 1),
    };
    let double = |text: &str| text.lines().flat_map(|line| [line, "\n", line, "\n"]).collect();
    let first_line_gone = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    let cut = |text: &str| text[..text.len() - 40].to_owned();
    let long = |text: &str| format!("{text}{}\n", "x".repeat(10 << 20));
    let faster = |text: &str| text.replacen("\"throughput\":", "\"throughput\":9", 1);
    let seeded = |text: &str| text.replacen("\"seed\": ", "\"seed\": 9", 1);
    type Edit<'a> = &'a dyn Fn(&str) -> String;
    let edits: [(&str, Edit<'_>, &str); 11] = [
        ("points.jsonl", &flip, "points.jsonl, line 1: was changed after it was written"),
        ("points.jsonl", &faster, "points.jsonl, line 1: was changed after it was written"),
        ("points.jsonl", &first_line_gone, "points.jsonl, line 1: line 1 is missing before it"),
        ("points.jsonl", &double, "points.jsonl, line 2: line 1 is there twice"),
        ("points.jsonl", &cut, "points.jsonl, line 2: has no end: the file was cut off here"),
        ("points.jsonl", &long, "points.jsonl, line 3: is longer than 4 MiB, the limit of a line"),
        ("events.jsonl", &first_line_gone, "events.jsonl, line 1: line 1 is missing before it"),
        ("events.jsonl", &cut, "has no end: the file was cut off here"),
        ("manifest.json", &seeded, "manifest.json: was changed after it was written"),
        ("samples/0001.jsonl", &cut, "samples/0001.jsonl: was changed after it was written"),
        ("SHA256SUMS", &first_line_gone, "events.jsonl, line 1: has no sum in SHA256SUMS"),
    ];
    for (at, (file, edit, what)) in edits.into_iter().enumerate() {
        let text = fs::read_to_string(copy.join(file)).unwrap();
        fs::write(result.join(file), edit(&text)).unwrap();
        let commands: [&[&str]; 3] =
            [&["report", path], &["report", copy.to_str().unwrap(), path], &["run", "--resume", path]];
        // All of them read results alike, so that one edit of each file goes to all.
        let is_first = edits[..at].iter().all(|(earlier, ..)| *earlier != file);
        let count = if is_first { commands.len() } else { 1 };
        for words in &commands[..count] {
            let ended = sandbox.run(words);
            ended.expect(9, &[what]);
            let says = ended.output.contains(&report::DAMAGED.to_uppercase());
            assert!(says || words[0] == "run", "{words:?}: {}", ended.output);
        }
        let page = fs::read_to_string(result.join("report.html")).unwrap();
        assert!(page.contains("class=\"banner alarm\""), "{what}");
        fs::write(result.join(file), text).unwrap();
    }
    sandbox.run(&["report", path]).expect(0, &[]);
    let page = fs::read_to_string(result.join("report.html")).unwrap();
    assert!(!page.contains("class=\"banner alarm\""), "nothing is wrong any more");
}

/// The bids that are stored are numbered, so a load that begins with the same number as another began from the same data.
/// The workspace is changed so that each number is said in a log. Servers are warmed before each point, and then the data are
/// restored, so that each point has two loads.
#[test]
#[ignore = "part of make test-all"]
fn a_comparison_is_interleaved_and_each_point_begins_with_the_same_data() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.edit(
        "stacks/php/auction/Interactions/StoreBid.php",
        "return new Page('Your bid is placed'",
        "error_log(\"stored bid {$id}.\");\n        return new Page('Your bid is placed'",
    );
    let mut command = sandbox.command(&[
        "compare",
        "auction",
        "WsPhp-DB",
        "WsPhpFpm-DB",
        "--clients",
        "40,41",
        "--window",
        "3s",
    ]);
    command.args(QUICK).arg("--out").arg(sandbox.result());
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    assert_eq!(points.iter().map(|point| point.clients).collect::<Vec<_>>(), [40, 40, 41, 41], "in turns");
    for round in points.chunks(2) {
        assert_ne!(round[0].configuration, round[1].configuration, "in whatever order");
    }
    for configuration in ["WsPhp-DB", "WsPhpFpm-DB"] {
        let log = sandbox.result().join("logs").join(configuration).join("web-apache/error.log");
        let log = fs::read_to_string(log).unwrap();
        let numbers: Vec<u32> = log
            .split("stored bid ")
            .skip(1)
            .map(|rest| rest.split('.').next().unwrap().parse().unwrap())
            .collect();
        let first = numbers.iter().min().expect("some bids are stored");
        let beginnings = numbers.iter().filter(|number| *number == first).count();
        assert_eq!(beginnings, 4, "{configuration} has two points, and its bids are {numbers:?}");
    }
}

/// Holds a result against a copy of it in which another kernel ran.
fn expect_difference(sandbox: &Sandbox) {
    let copy = sandbox.path().join("copy");
    copy_result(&sandbox.result(), &copy);
    let mut manifest = sandbox.manifest();
    manifest.host.kernel = "0.99".to_owned();
    fs::write(copy.join("manifest.json"), serde_json::to_vec(&manifest).unwrap()).unwrap();
    seal_manifest(&copy);
    let result = sandbox.result();
    let words = ["report", result.to_str().unwrap(), copy.to_str().unwrap()];
    let ended = sandbox.run(&words);
    ended.expect(0, &[]);
    let printed = &ended.output;
    assert!(printed.contains("kernel") && printed.contains("0.99"), "{printed}");
    let all_invalid = sandbox.points().iter().all(|point| !point.verdict.valid);
    assert!(
        all_invalid || printed.contains("too few runs to tell"),
        "one run each proves nothing: {printed}"
    );
    assert!(!printed.contains("higher") && !printed.contains("lower"), "{printed}");
}

fn copy_result(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
}

/// Adds the sum of the manifest as it is now, which anybody can.
pub(crate) fn seal_manifest(result: &Path) {
    let words = ["-c", "sha256sum manifest.json >> SHA256SUMS"];
    assert!(Command::new("sh").args(words).current_dir(result).status().unwrap().success());
}

/// Holds each file of a result against its published schema, and makes sure that the schema would refuse another.
fn expect_as_published(result: &Path) {
    let manifest: Value = read(&result.join("manifest.json"));
    expect_valid("manifest.json", [manifest]);
    let lines = |file: &str| -> Vec<Value> {
        let text = fs::read_to_string(result.join(file)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    expect_valid("point.json", lines("points.jsonl"));
    expect_valid("event.json", lines("events.jsonl"));
    expect_valid("sample.json", lines("samples/0001.jsonl"));
}

pub(crate) fn expect_valid(schema: &str, values: impl IntoIterator<Item = Value>) {
    let schema: Value = read(&real_workspace().join("docs/schema").join(schema));
    let validator: Validator = jsonschema::validator_for(&schema).unwrap();
    let mut count = 0;
    for value in values {
        let faults: Vec<String> = validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{faults:#?} in {value:#}");
        let mut broken = value;
        let first = broken.as_object_mut().and_then(|fields| fields.values_mut().next()).unwrap();
        *first = serde_json::json!([null]);
        assert!(!validator.is_valid(&broken), "it takes anything: {broken:#}");
        count += 1;
    }
    assert!(count > 0, "nothing to look at");
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// A busy machine may leave no VALID point (see [`code_of`]), and then there is no figure to fail on either.
#[test]
fn a_condition_that_holds_gives_exit_code_8_and_names_the_point() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.measure("Model", "5,6");
    command.args(["--fail-if", "throughput > 1/s", "--fail-if", "errors > 99%"]);
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    let valid = points.iter().filter(|point| point.verdict.valid).map(|point| point.clients);
    let texts: Vec<String> =
        valid.map(|clients| format!("Model with {clients} clients: throughput is")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    ended.expect(if texts.is_empty() { 7 } else { 8 }, &texts);
    assert!(!ended.error.contains("errors is"), "{}", ended.error);
    let manifest = sandbox.manifest();
    let conditions: Vec<String> = manifest.spec.conditions.iter().map(ToString::to_string).collect();
    assert_eq!(conditions, ["throughput > 1/s", "errors > 99%"]);
    assert!(manifest.ending.unwrap().complete, "all was measured");
}

/// Only here does a reader follow the page of a real run to its end.
#[test]
fn the_page_of_a_running_result_follows_its_points() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.measure("Model", "5,6");
    command.arg("--watch");
    let mut running = sandbox.start(command);
    let line = running.expect("watch it at http://");
    let address = line.split("http://").nth(1).unwrap().trim_end_matches('/').to_owned();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let next = |page: &str| Some(page.split_once("Refresh: 1; url=")?.1.split_once('\r')?.0.to_owned());
    let mut pages = vec![ask("/")];
    while let Some(path) = next(pages.last().unwrap()) {
        pages.push(ask(&path));
    }
    assert!(pages.len() > 1, "the first page had no successor");
    let points = |page: &String| page.matches("id=\"point-").count();
    assert_eq!((points(&pages[0]), points(pages.last().unwrap())), (0, 2));
    assert!(pages.iter().map(points).is_sorted(), "points went away");
    running.end().expect(code_of(&sandbox.points()), &[]);
}

/// Only here is a result measured again by the specification that it holds.
#[test]
fn a_run_like_a_result_measures_the_same() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.finish(sandbox.measure("Model", "5")).expect(code_of(&sandbox.points()), &[]);
    let spec = sandbox.manifest().spec;
    let before = sandbox.path().join("before");
    fs::rename(sandbox.result(), &before).unwrap();
    let mut again = sandbox.command(&["run", "--like", before.to_str().unwrap()]);
    again.arg("--out").arg(sandbox.result());
    sandbox.finish(again).expect(code_of(&sandbox.points()), &[]);
    assert_eq!(sandbox.manifest().spec, spec, "the same is measured");
}

//! `reproduce` on real servers: a small paper of two configurations, interrupted and gone on with.

use crate::sandbox::{Ended, Sandbox, code_of, real_workspace, turn};
use results::ResultReader;
use rustix::process::Signal;
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    thread::available_parallelism,
};

/// A paper that claims something of PHP and of the model, in the form of each file that a paper has.
const PAPER: [(&str, &str); 5] = [
    (
        "paper.toml",
        r#"
title = "A Small Study"
authors = ["A. Nobody"]
year = 2003
venue = "Nowhere"
testbed = "four-machines"
network = { section = "1", description = "a wire" }
software = [{ section = "1", programs = ["Apache"] }]

[[machine]]
roles = ["web", "app", "db"]
section = "1"
processor = "slow"

[[application]]
name = "comments"
section = "1"
description = "A guest book."
mixes = ["writing", "reading"]
rows = { comments = 1 }
size = "small"

[application.full]
scale = 1.0
time_scale = 1.0
window = "60s"
repetitions = 3
search = { think_time = "7s", session_length = "15m", ramp = "70s", ramp_down = "0s", most = 80, patient = true }

[application.quick]
scale = 0.1
time_scale = 0.1
window = "10s"
repetitions = 3
search = { think_time = "7s", session_length = "15m", ramp = "7s", ramp_down = "0s", most = 80, patient = true }
"#,
    ),
    (
        "configurations.toml",
        r#"
configuration = [
    { name = "Php", maps_to = "WsPhpFpm-DB", machines = ["web", "db"], description = "PHP" },
    { name = "Least", maps_to = "Model", machines = ["web"], description = "The least that a site can cost" },
    { name = "Beans", maps_to = "Beans", not_yet = "nobody has beans yet", machines = ["web", "app", "db"], description = "EJB" },
]
"#,
    ),
    (
        "experiments.toml",
        r#"
experiment = [
    { name = "fig1", section = "1", title = "Throughput", application = "comments", mix = "writing", plots = "throughput" },
    { name = "fig2", section = "1", title = "CPU", application = "comments", mix = "reading", plots = "cpu" },
]
"#,
    ),
    ("printed.toml", "printed = []\n"),
    (
        "claims.toml",
        r#"
[[claim]]
name = "php-is-higher"
section = "1"
experiment = "fig1"
claim = "PHP goes further."
order = { highest_first = [["Php"], ["Least"]] }

[[claim]]
name = "beans-are-last"
section = "1"
experiment = "fig1"
claim = "Beans are last."
order = { highest_first = [["Php"], ["Beans"]] }
"#,
    ),
];

/// A paper that claims something of a load whose clients arrive, likewise.
const PAPER_OF_A_LOAD: [(&str, &str); 5] = [
    (
        "paper.toml",
        r#"
title = "A Small Load"
authors = ["A. Nobody"]
year = 2002
venue = "Nowhere"
testbed = "one-machine"
network = { section = "1", description = "a wire" }
software = [{ section = "1", programs = ["Apache"] }]

[[machine]]
roles = ["web", "db"]
section = "1"
processor = "slow"

[[application]]
name = "comments"
section = "1"
description = "A list."
loads = ["bench4"]
rows = {}
size = "small"
full = { scale = 1.0, time_scale = 1.0, window = "1m", repetitions = 3 }
quick = { scale = 1.0, time_scale = 0.1, window = "5s", repetitions = 3 }
"#,
    ),
    (
        "configurations.toml",
        r#"
configuration = [
    { name = "Php", maps_to = "WsPhpFpm-DB", machines = ["web", "db"], set = { protocol = "text" }, description = "PHP" },
]
"#,
    ),
    (
        "experiments.toml",
        r#"experiment = [{ name = "fig1", section = "1", title = "Luck", application = "comments", load = "bench4" }]"#,
    ),
    ("printed.toml", "printed = []\n"),
    (
        "claims.toml",
        r#"
[[claim]]
name = "nothing-fails"
section = "1"
experiment = "fig1"
claim = "PHP answers all."
no_errors = { of = ["Php"] }
"#,
    ),
];

/// A workspace like the real one, with its stacks as they are built, but with these papers.
fn workspace(sandbox: &Sandbox) -> PathBuf {
    let workspace = sandbox.path().join("study-workspace");
    fs::create_dir_all(&workspace).unwrap();
    for part in ["apps", "services", "stacks", "testbeds"] {
        symlink(real_workspace().join(part), workspace.join(part)).unwrap();
    }
    for (name, files) in [("small-2003", PAPER), ("small-2002", PAPER_OF_A_LOAD)] {
        let paper = workspace.join("papers").join(name);
        fs::create_dir_all(&paper).unwrap();
        files.iter().for_each(|(file, text)| fs::write(paper.join(file), text).unwrap());
    }
    workspace
}

fn reproduce(sandbox: &Sandbox, workspace: &Path, words: &[&str]) -> Command {
    reproduce_paper(sandbox, workspace, "small-2003", words)
}

fn reproduce_paper(sandbox: &Sandbox, workspace: &Path, paper: &str, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tierbench"));
    command.arg("--workspace").arg(workspace).args(["reproduce", paper]).args(words);
    command
        .current_dir(sandbox.path())
        .env("TMPDIR", sandbox.temporary())
        .env("TIERBENCH_CACHE", sandbox.cache());
    command
}

/// The number of starts of a configuration's servers to be measured.
fn starts(ended: &Ended) -> usize {
    ended.error.matches("restoring everything to its first state").count()
}

/// Only here does a paper go on after Ctrl-C, and do mixes share a start.
#[test]
fn a_paper_is_planned_measured_resumed_and_judged() {
    if available_parallelism().is_ok_and(|cores| cores.get() == 1) {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    let workspace = workspace(&sandbox);
    let testbed = workspace.join("testbeds/one-machine.toml");
    let words = ["fig1", "fig2", "--smoke", "--testbed", testbed.to_str().unwrap()];
    let folder = sandbox.path().join("results/reproduce-small-2003-smoke");
    let points = |mix| ResultReader::open(&folder.join(mix)).map_or(Vec::new(), |result| result.points);
    let [writing, reading] = ["comments-writing", "comments-reading"];

    let mut plan = reproduce(&sandbox, &workspace, &words);
    let plan = sandbox.finish({
        plan.arg("--plan");
        plan
    });
    plan.expect(0, &[]);
    for text in [
        "php/WsPhpFpm-DB reference/Model",
        "nobody has beans yet",
        "4 points in",
        "these 2 share each start",
        "the same command continues",
    ] {
        plan.expect_output(text);
    }
    assert!(!folder.exists(), "a plan leaves nothing behind");

    let mut run = sandbox.start(reproduce(&sandbox, &workspace, &words));
    run.expect(" mix, 1 times 2 s in rounds");
    run.expect_load();
    run.signal(Signal::INT);
    run.end()
        .expect(130, &["interrupted", "continue with: tierbench", "reproduce small-2003 fig1 fig2 --smoke"]);
    // Both mixes are measured on the same start, so that either all is there or nothing.
    assert_eq!((points(writing).len(), points(reading).len()), (0, 0));

    let ended = sandbox.finish(reproduce(&sandbox, &workspace, &words));
    assert_eq!(starts(&ended), 2, "both mixes share the start of each configuration:\n{}", ended.error);
    for mix in [writing, reading] {
        let result = ResultReader::open(&folder.join(mix)).unwrap();
        assert!(result.points.iter().all(|point| point.start == Some(1)), "{:?}", result.points);
        assert_eq!(format!("comments-{}", result.manifest.spec.mix), mix);
        assert!(result.manifest.planted_loss.is_some(), "the audit is shown to see a loss of {mix}");
    }
    let all = [points(writing), points(reading)].concat();
    let code = code_of(&points(writing)).max(code_of(&points(reading)));
    ended.expect(code, &[]);
    assert_eq!(all.len(), 8);
    assert!(all.iter().all(|point| point.configuration.ends_with(",timeout=none")), "{all:?}");
    for text in [
        "0 of 1 claims that can be judged here are decided",
        "1 more claim can't be judged here yet: nobody has beans",
    ] {
        ended.expect_output(text);
    }
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    for text in [
        "A Small Study, measured again",
        "PHP goes further.",
        "cannot be told",
        "comments-writing/report.html",
    ] {
        assert!(page.contains(text), "{text}");
    }

    let again = sandbox.finish(reproduce(&sandbox, &workspace, &words));
    again.expect(code, &[]);
    again.expect_output("all is measured");
    again.expect_output("measured already");
    assert_eq!([points(writing), points(reading)].concat().len(), 8);
    fs::remove_dir_all(folder.join(reading)).unwrap();
    let mut rest = reproduce(&sandbox, &workspace, &words);
    rest.arg("--plan");
    let rest = sandbox.finish(rest);
    rest.expect_output("measured already");
    rest.expect_output("in all: 4 points in");
    assert!(!rest.output.contains("share each start"), "one is complete: {}", rest.output);
    let mut other = reproduce(&sandbox, &workspace, &["fig1", "--quick", "--out"]);
    other.arg(&folder).args(["--testbed", testbed.to_str().unwrap()]);
    sandbox.finish(other).expect(2, &["holds another measurement", "--out"]);
}

/// Only here is the claim of a load held against what real clients saw.
#[test]
fn arrivals_run_on_the_papers_testbed_and_their_claim_is_judged() {
    if available_parallelism().is_ok_and(|cores| cores.get() == 1) {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    let workspace = workspace(&sandbox);
    let run = || sandbox.finish(reproduce_paper(&sandbox, &workspace, "small-2002", &["--smoke"]));
    let ended = run();
    let folder = sandbox.path().join("results/reproduce-small-2002-smoke");
    let result = ResultReader::open(&folder.join("comments-bench4")).unwrap();
    assert_eq!(result.manifest.configurations[0].factors["php.protocol"], "text", "the paper sets it");
    assert_eq!(result.manifest.testbed.unwrap().title, "One machine, with a core for the clients");
    let [point] = result.arrivals.as_slice() else { panic!("{:?}", result.arrivals) };
    ended.expect(code_of(&result.arrivals), &[]);
    // The same hedge as that of `code_of`.
    let judged = match point.verdict.valid {
        true => "answered all of 20 requests",
        false => "has no VALID run of the load of 20",
    };
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    for text in ["A Small Load, measured again", "PHP answers all.", judged, "comments-bench4/report.html"] {
        assert!(page.contains(text), "{text}");
    }
    run().expect_output("all is measured");
}

#[test]
fn without_root_a_testbed_of_namespaces_is_refused_before_any_build() {
    let sandbox = Sandbox::new();
    let workspace = workspace(&sandbox);
    let mut command = reproduce(&sandbox, &workspace, &["fig1", "--quick"]);
    if rustix::process::geteuid().is_root() {
        std::os::unix::process::CommandExt::gid(&mut command, 65_534);
        std::os::unix::process::CommandExt::uid(&mut command, 65_534);
    }
    let ended = sandbox.finish(command);
    ended.expect(2, &["four-machines.toml needs root", "one-machine.toml"]);
    assert!(!ended.error.contains("building"), "{}", ended.error);
}

#[test]
fn an_unknown_paper_or_figure_is_refused_with_the_known_ones() {
    let sandbox = Sandbox::new();
    let workspace = workspace(&sandbox);
    sandbox
        .finish(reproduce(&sandbox, &workspace, &["fig3"]))
        .expect(2, &["no figure `fig3`", "known are: fig1, fig2"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tierbench"));
    command.arg("--workspace").arg(&workspace).args(["reproduce", "large-2003"]).current_dir(sandbox.path());
    sandbox.finish(command).expect(2, &["no paper `large-2003`", "small-2003"]);
}

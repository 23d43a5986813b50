//! The blocks of docs/figures.md, in the programs that they are for. A block whose program is missing is left out, and says so
//! past the capture of the test's output.

use specimens::curves::{comparison, one_load, with_samples};
use std::{
    fs,
    io::{Write, stderr},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const DOCUMENT: &str = include_str!("../../../../docs/figures.md");

fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("\n```{language}\n");
    DOCUMENT.split(&begin).skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

/// The tables that the blocks read, of two results in which a configuration has a name that looks like a number.
fn tables() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let named = |result: results::ResultReader| {
        result.renamed(|name| if name == "WsPhp-DB" { "10".to_owned() } else { name.to_owned() })
    };
    let before = with_samples(named(comparison()), &place.path().join("results/before"));
    let both = [before, named(one_load())];
    let words: Vec<&str> = blocks("sh").into_iter().flat_map(str::lines).collect();
    for (option, table) in [("json", report::json(&both)), ("csv", report::csv(&both))] {
        let line = format!("tierbench report results/before results/after --{option} > points.{option}");
        assert!(words.contains(&line.as_str()), "{words:?}");
        fs::write(place.path().join(format!("points.{option}")), table).unwrap();
    }
    place
}

/// The first of these programs that runs these words.
fn found(programs: &[PathBuf], words: &[&str]) -> Option<PathBuf> {
    let runs = |program: &&PathBuf| {
        let mut tried = Command::new(program);
        tried.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        tried.status().is_ok_and(|status| status.success())
    };
    programs.iter().find(runs).cloned()
}

/// Python as it is installed, Debian's own, or with modules in a folder of its own.
fn python(module: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/figures/bin/python3");
    found(&["python3".into(), "/usr/bin/python3".into(), own], &["-c", &format!("import {module}")])
}

fn leave_out(what: &str, remedy: &str) {
    let words = format!("\nLEFT OUT: the blocks of docs/figures.md for {what}, which is missing: {remedy}\n");
    stderr().write_all(words.as_bytes()).unwrap();
}

/// Output of a program that reads a text.
fn printed(mut program: Command, place: &Path, text: &str) -> String {
    program.current_dir(place).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = program.spawn().unwrap();
    running.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let ended = running.wait_with_output().unwrap();
    assert!(ended.status.success(), "{text}\n{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

fn expect_configurations(printed: &str) {
    for name in ["10", "WsPhpFpm-DB", "Ws-Servlet-DB-sync"] {
        assert!(printed.contains(name), "{name} is missing:\n{printed}");
    }
}

#[test]
fn pandas_reads_the_points_and_the_samples() {
    let Some(python) = python("pandas") else {
        return leave_out("pandas", "install python3-pandas");
    };
    let place = tables();
    let [points, samples] = blocks("python")[..] else { panic!("two blocks") };
    let checked = format!("{points}\nassert all(isinstance(name, str) for name in points.configuration)\n");
    let run = |text: &str| {
        let mut command = Command::new(&python);
        command.arg("-");
        printed(command, place.path(), text)
    };
    expect_configurations(&run(&checked));
    let printed = run(samples);
    assert!(printed.contains("web") && printed.contains("user_cores"), "{printed}");
}

#[test]
fn r_reads_the_points() {
    let Some(r) = found(&["Rscript".into()], &["--version"]) else {
        return leave_out("R", "install r-base-core");
    };
    let place = tables();
    let [block] = blocks("r")[..] else { panic!("one block") };
    let mut command = Command::new(r);
    command.args(["--vanilla", "-"]);
    let checked =
        format!("{block}\nstopifnot(is.character(points$configuration), is.logical(points$valid))\n");
    expect_configurations(&printed(command, place.path(), &checked));
}

#[test]
fn duckdb_reads_the_points() {
    let Some(python) = python("duckdb") else {
        let remedy =
            "python3 -m venv --system-site-packages target/figures && target/figures/bin/pip install duckdb";
        return leave_out("DuckDB", remedy);
    };
    let place = tables();
    let [block] = blocks("sql")[..] else { panic!("one block") };
    let ask = |query: &str| {
        let mut command = Command::new(&python);
        command.args(["-c", "import duckdb, sys; duckdb.sql(sys.stdin.read()).show(max_width=200)"]);
        printed(command, place.path(), query)
    };
    expect_configurations(&ask(block));
    let types =
        ask("SELECT DISTINCT typeof(configuration), typeof(clients), typeof(valid) FROM 'points.json'");
    for known in ["VARCHAR", "BIGINT", "BOOLEAN"] {
        assert!(types.contains(known), "{types}");
    }
}

//! Programs that are missing or too old.

use crate::sandbox::{Sandbox, real_workspace, turn, with_few_open_files};
use std::process::Command;

const APACHE: &str = "services/apache/service.toml";

#[test]
fn a_missing_program_is_named_with_its_packages_before_anything_runs() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.edit(APACHE, "program = \"apache2\"", "program = \"apache99\"");
    let place = format!("{APACHE}:{}", sandbox.line_of(APACHE, "program = "));
    let texts =
        ["`apache99`", "service `apache` runs", &place, "not installed", "scripts/deps", "apache2-bin"];
    sandbox.run(&["check", "auction"]).expect(5, &texts);
    let ended = sandbox.finish(sandbox.measure("WsPhp-DB", "5"));
    ended.expect(5, &texts);
    assert!(!ended.error.contains("loading data"), "first the data, then the complaint:\n{}", ended.error);
    assert!(!sandbox.result().exists(), "a result folder for nothing");
}

#[test]
fn a_service_without_a_version_is_named_with_the_remedy() {
    let _turn = turn();
    for (version, printed) in
        [("[\"0\"]", "it prints nothing"), ("[\"x\"]", "invalid"), ("[]", "has no `version`")]
    {
        let sandbox = Sandbox::new();
        sandbox.edit("services/mariadb/service.toml", "program = \"mariadbd\"", "program = \"sleep\"");
        sandbox.edit(
            "services/mariadb/service.toml",
            "version = [\"--version\"]",
            &format!("version = {version}"),
        );
        let ended = sandbox.finish(sandbox.measure("WsPhp-DB", "5"));
        ended.expect(5, &["`mariadb` does not tell its version", printed, "correct `version` in"]);
        assert!(!ended.error.contains("loading data"), "{}", ended.error);
    }
}

#[test]
fn doctor_names_missing_and_outdated_programs() {
    let sandbox = Sandbox::new();
    sandbox.edit(APACHE, "program = \"apache2\"", "program = \"apache99\"");
    sandbox.edit("services/mariadb/service.toml", "oldest = \"", "oldest = \"99");
    sandbox.edit("stacks/perl/stack.toml", "\"perl\"]\n", "\"perl99\"]\n");
    let ended = sandbox.run(&["doctor"]);
    ended.expect(5, &["3 things"]);
    let line = |name: &str| ended.output.lines().find(|line| line.contains(name)).unwrap_or_default();
    for text in ["missing", "apache99", "not installed", "scripts/deps", "apache2-bin"] {
        assert!(line(" apache ").contains(text), "{text}:\n{}", ended.output);
    }
    for text in ["too old", "or newer is needed", "MariaDB", "scripts/deps"] {
        assert!(line(" mariadb ").contains(text), "{text}:\n{}", ended.output);
    }
    for text in ["missing", "scripts/deps", "install perl99"] {
        assert!(line("stack perl ").contains(text), "{text}:\n{}", ended.output);
    }
    assert!(line(" php-fpm ").starts_with("ok"), "{}", ended.output);
}

#[test]
fn doctor_finds_nothing_missing_in_the_real_workspace() {
    let sandbox = Sandbox::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tierbench"));
    command.arg("--workspace").arg(real_workspace()).arg("doctor").env("TMPDIR", sandbox.temporary());
    let command = with_few_open_files(&command);
    let ended = sandbox.finish(command);
    ended.expect(0, &[]);
    assert!(ended.output.lines().all(|line| line.starts_with("ok ")), "{}", ended.output);
}

#[test]
fn doctor_names_the_remains_of_a_killed_run() {
    let sandbox = Sandbox::new();
    let place = sandbox.path().join("place");
    // No process has such an id, as the system's largest is 4194304.
    let left = place.join("tierbench-4200000-1");
    std::fs::create_dir_all(&left).unwrap();
    let mut doctor = sandbox.command(&["doctor"]);
    doctor.env("TMPDIR", &place);
    let ended = sandbox.finish(doctor);
    ended.expect(0, &[]);
    let expected = format!("note    left behind      {}; nobody uses them", left.display());
    ended.expect_output(&expected);
}

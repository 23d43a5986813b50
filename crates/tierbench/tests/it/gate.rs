//! `gate`: a stack beside what it was at another commit.

use crate::sandbox::{QUICK, Sandbox, turn};
use results::ResultReader;
use std::{fs, process::Command};

fn git(sandbox: &Sandbox, words: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(sandbox.workspace()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words);
    assert!(git.status().unwrap().success(), "git {words:?}");
}

/// Only here does a stack run in two versions at once, in one result.
#[test]
fn a_stack_is_measured_beside_what_it_was_and_judged() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_workspace();
    git(&sandbox, &["init", "--quiet", "--initial-branch", "main"]);
    git(&sandbox, &["add", "stacks/php"]);
    git(&sandbox, &["commit", "--quiet", "-m", "before"]);
    let file = sandbox.workspace().join("stacks/php/stack.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap() + "\n# Another version.\n").unwrap();
    let gate = |words: &[&str]| {
        let mut command = sandbox.command(&["gate"]);
        command.args(words).args(["--clients", "5", "--window", "1s"]).args(QUICK);
        command.arg("--out").arg(sandbox.result()).env("HOME", sandbox.path()).env_remove("XDG_CACHE_HOME");
        sandbox.finish(command)
    };
    gate(&["mian", "WsPhpFpm-DB", "--application", "comments"])
        .expect(2, &["has no commit `mian`", "fetch it"]);
    let texts = ["`WsPhpFpm-DB` implements several applications", "--application"];
    gate(&["main", "WsPhpFpm-DB"]).expect(2, &texts);
    let ended = gate(&["main", "WsPhpFpm-DB", "--application", "comments"]);
    // One start tells nothing of the differences between starts; on a busy machine, no point may be VALID.
    assert!([Some(7), Some(10)].contains(&ended.code()), "{ended:?}");
    let result = ResultReader::open(&sandbox.result()).unwrap();
    let names: Vec<&str> = result.manifest.configurations.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["WsPhpFpm-DB", "WsPhpFpm-DB@main"]);
    let contents = result.manifest.configurations.iter().map(|one| one.content.as_str()).collect::<Vec<_>>();
    assert_ne!(contents[0], contents[1], "both are the present version");
    assert_eq!(result.points.len(), 2);
}

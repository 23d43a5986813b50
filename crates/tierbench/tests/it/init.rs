//! `init`: a workspace for who has nothing but the executable.

use crate::{
    disk::Disk,
    sandbox::{Ended, Sandbox},
};
use std::{fs, path::Path, process::Command};

/// The command in a folder, without a word of the workspace that this executable was built in.
fn tierbench(sandbox: &Sandbox, folder: &Path, words: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tierbench"));
    command.args(words).current_dir(folder).env("TMPDIR", sandbox.temporary());
    sandbox.finish(command)
}

/// Only here does the archive become a workspace.
#[test]
fn a_workspace_is_laid_out_once_and_holds_whatever_commands_read() {
    let sandbox = Sandbox::new();
    let mine = sandbox.path().join("mine");
    let made = tierbench(&sandbox, sandbox.path(), &["init", "mine"]);
    made.expect(0, &[]);
    for text in ["made the workspace mine: 5 applications", "cd mine", "verify comments WsPhp-DB"] {
        made.expect_output(text);
    }
    for file in
        ["scripts/deps", "docs/add-a-stack.md", "proofs/comments/php.toml", "papers", "testbeds", "LICENSE"]
    {
        assert!(mine.join(file).exists(), "no {file}");
    }
    assert!(!mine.join("Cargo.toml").exists() && !mine.join("crates").exists());
    // Links of stacks lead to what is there.
    assert!(fs::read_dir(mine.join("stacks/cpp/mail/templates")).unwrap().count() > 0);
    tierbench(&sandbox, &mine, &["check", "comments"]).expect(0, &[]);
    tierbench(&sandbox, &mine, &["reproduce", "apache-2002", "--quick", "--plan"]).expect(0, &[]);
    tierbench(&sandbox, &mine, &["new", "stack", "own", "--kind", "php"]).expect(0, &[]);
    let again = tierbench(&sandbox, sandbox.path(), &["init", "mine"]);
    again.expect(2, &["mine is not empty", "name a new folder, or an empty one"]);
}

/// Only here is there a disk that is too small.
#[test]
fn a_full_disk_is_told_and_nothing_of_the_workspace_stays() {
    let sandbox = Sandbox::new();
    let Some(disk) = Disk::mount(sandbox.path().join("small"), 1 << 10) else { return };
    let ended = tierbench(&sandbox, disk.path(), &["init", "mine"]);
    ended.expect(6, &["no workspace can be made in", "No space left", "that has room"]);
    assert!(!disk.path().join("mine").exists());
}

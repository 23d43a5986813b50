//! `prove` with the smallest stack: the model of the quotes, which needs no database.

use crate::sandbox::{Ended, Sandbox, turn};
use std::{fs, os::unix::fs::symlink, path::Path};

/// Only here are proofs written.
#[test]
fn prove_writes_proofs_and_check_only_reads_them() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_cache().with_own_workspace();
    // A proof names the crates that verified it.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    symlink(crates, sandbox.workspace().join("crates")).unwrap();
    let file = sandbox.workspace().join("proofs/quotes/reference.toml");
    let prove = |words: &[&str]| -> Ended {
        let mut command = sandbox.command(&["prove", "quotes", "Model"]);
        command.args(words);
        sandbox.finish(command)
    };
    let checked = prove(&["--check"]);
    checked.expect(0, &["1 to verify: without a proof", "Model: verified (full"]);
    checked.expect_output("proofs: 1 not in proofs/ yet; `tierbench prove` writes them");
    assert!(!file.exists());
    let written = prove(&[]);
    written.expect(0, &[]).expect_output("proofs: 1 hold, 0 were missing");
    assert!(!written.error.contains("to verify"), "verified twice: {}", written.error);
    let lines = fs::read_to_string(&file).unwrap();
    assert!(lines.contains("\n\"Model\" = { key = "), "{lines}");
    let again = prove(&["--check"]);
    again.expect(0, &[]);
    assert!(!again.output.contains("not in proofs/") && !again.error.contains("to verify"), "{again:?}");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let sandbox = Sandbox::new();
    let prove = |words: &[&str]| sandbox.run(&[&["prove"], words].concat());
    prove(&["--part", "1/2"]).expect(2, &["required", "--all"]);
    prove(&["--all", "--budget", "10m"]).expect(2, &["cannot be used with", "--budget"]);
    prove(&["auction", "phpp"])
        .expect(2, &["there is no stack or configuration `phpp`", "help: did you mean `php`?"]);
}

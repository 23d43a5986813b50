//! Lets a release tell the commit that it was built from, so that a result can be measured again. Development builds
//! tell their version only: they change with each edit.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(carries_workspace)");
    if env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return };
    for place in ["crates", "apps", "Cargo.lock"] {
        println!("cargo::rerun-if-changed=../../{place}");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    let changed = match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changes) if changes.is_empty() => "",
        _ => ", changed",
    };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo::rustc-env=TIERBENCH_VERSION={version} ({commit}{changed})");
}

/// The answer of Git, where there is Git and the sources are in a clone.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

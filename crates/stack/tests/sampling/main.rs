//! What is seen of real sites: servers that are idle, busy, stuck behind a lock, without their application, and of many
//! short-lived processes; and data that are put back below them.
//!
//! `cargo test -p stack --test sampling` runs all, `-- TEXT` those whose names hold the text.

mod checks;
mod children;
// The tests of the command need more of it than these do.
#[allow(dead_code)]
mod connection;
mod house;
mod jvm;
mod kept;
mod put_back;

use std::{ffi::OsString, panic, process::ExitCode};
use testbed::lease;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match words.get(1).and_then(|word| word.to_str()) {
        Some(lease::LEASE_VERB) => return exit_code(lease::hold(&words[2..])),
        Some(lease::SWEEP_VERB) => return exit_code(lease::sweep(&words[2..])),
        _ => {}
    }
    let text = words.iter().skip(1).filter_map(|word| word.to_str()).find(|word| !word.starts_with('-'));
    let meant = checks::ALL.iter().filter(|(name, _)| text.is_none_or(|text| name.contains(text)));
    let mut failed = 0;
    for (name, check) in meant {
        println!("{name} …");
        let passed = panic::catch_unwind(check).is_ok();
        println!("{name}: {}", if passed { "ok" } else { "FAILED" });
        failed += u32::from(!passed);
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn exit_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

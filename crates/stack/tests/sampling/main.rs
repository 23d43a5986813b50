//! Sampling of real sites: idle, busy, stuck behind a lock, without their application, and with many short-lived
//! processes; and restoring data below them.
//!
//! `cargo test -p stack --test sampling` runs the checks that don't depend on the machine, `-- --ignored` the rest,
//! and `-- TEXT` those with the text in their names.

#[path = "../../../testbed/tests/checks/mod.rs"]
mod checks;
mod children;
mod jvm;
mod kept;
mod looking;
mod php;
mod restored;
mod sites;
mod workspace;

use checks::{Choice, Results};
use std::{ffi::OsString, process::ExitCode, sync::Mutex, thread};
use testbed::supervisor;

/// Sites at a time: they mostly wait, and nothing here is timed.
const SITES: usize = 2;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match words.get(1).and_then(|word| word.to_str()) {
        Some(supervisor::SUPERVISE_VERB) => return exit_code(supervisor::supervise(&words[2..])),
        Some(supervisor::REMOVE_VERB) => return exit_code(supervisor::remove_folder(&words[2..])),
        _ => {}
    }
    let choice = Choice::of(words.into_iter().skip(1).filter_map(|word| word.into_string().ok()));
    let threads = choice.threads(SITES);
    let results = Results::new(choice);
    let groups = Mutex::new(sites::ALL.iter());
    let next = || groups.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(group) = next() {
                    group.run(&results);
                }
            });
        }
    });
    results.finish()
}

fn exit_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

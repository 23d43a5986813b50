//! The tests are tested: faults are injected one by one, on real servers, and `verify` must see them.
//!
//! There are two kinds. The stack `reference` serves models with faults that are derived from the catalogue of
//! interactions; patches of the stack `php` (`php.toml`) are the mistakes that authors of stacks make. At least 95 % must be
//! caught, and every one that isn't is explained (`explained.toml`), as long as the explanation is true.
//!
//! `cargo test -p tierbench --test faults` injects three or four of them, others each hour; `-- --all` all of them, and
//! `-- TEXT…` those whose names hold one of the texts.

// The tests of the folder `it` need more of them than these do.
#[allow(dead_code)]
#[path = "../it/processes.rs"]
mod processes;
#[allow(dead_code)]
#[path = "../it/sandbox.rs"]
mod sandbox;

mod explained;
mod injection;
mod patches;
mod table;

use explained::Explained;
use injection::{Injection, Outcome};
use std::{
    env, panic,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Instant, SystemTime},
};

/// Sites that run at the same time.
const WORKERS: usize = 2;
/// One of so many faults is in a sample, and so many samples hold all of them.
const SAMPLES: u64 = 360;
/// Variable with the number of the sample.
const SAMPLE: &str = "TIERBENCH_TEST_TURN";

/// The number of the sample: that of the hour, unless somebody says another.
fn sample() -> u64 {
    let number = env::var(SAMPLE).ok().map(|number| number.parse().expect("the number of a sample"));
    let hour = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() / 3600);
    number.unwrap_or_else(hour) % SAMPLES
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let patches = patches::read();
    let all: Vec<Injection> = injection::of_the_reference().into_iter().chain(patches).collect();
    let explained = Explained::read(&all);
    let texts: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let (is_all, sample) = (words.iter().any(|word| word == "--all"), sample());
    let is_meant = |(at, injection): &(usize, &Injection)| match texts.is_empty() {
        true => is_all || (*at as u64 + sample).is_multiple_of(SAMPLES),
        false => texts.iter().any(|text| injection.name.contains(*text)),
    };
    let meant: Vec<&Injection> =
        all.iter().enumerate().filter(is_meant).map(|(_, injection)| injection).collect();
    println!("{} of {} faults", meant.len(), all.len());
    if texts.is_empty() && !is_all {
        println!("note: sample {sample} of {SAMPLES}, which {SAMPLE}={sample} injects again");
    }
    let started = Instant::now();
    let outcomes = inject_all(&meant);
    let injected: Vec<(&Injection, Outcome)> = meant.into_iter().zip(outcomes).collect();
    let controls = injection::controls(&injected);
    for outcome in inject_all(&controls.iter().collect::<Vec<_>>()) {
        if let Outcome::Caught(catch) = outcome {
            println!(
                "a site without a fault is not verified, so that nothing can be learnt:\n{}",
                catch.printed
            );
            return ExitCode::FAILURE;
        }
    }
    println!("\n{}\n{:.0} s", table::of(&injected), started.elapsed().as_secs_f64());
    table::judge(&injected, &explained)
}

fn inject_all(injections: &[&Injection]) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(injections.iter().map(|_| None).collect());
    let work = || {
        while let Some(injection) = injections.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
            let at = injections.iter().position(|other| std::ptr::eq(*other, injection)).unwrap();
            // A command that never ends, which the tests' sandbox tells by a panic, must not take the table along.
            let outcome = panic::catch_unwind(panic::AssertUnwindSafe(|| injection.inject()));
            let outcome = outcome.unwrap_or_else(|_| Outcome::Broken("the command never ended".to_owned()));
            println!("{:<44} {outcome}", injection.name);
            outcomes.lock().unwrap()[at] = Some(outcome);
        }
    };
    thread::scope(|scope| (0..WORKERS).for_each(|_| drop(scope.spawn(work))));
    outcomes
        .into_inner()
        .unwrap()
        .into_iter()
        .map(|outcome| outcome.expect("a worker has ended early"))
        .collect()
}

//! Hosts and what runs on them. This executable is also the supervisor, the namespace keeper and the idle spinner.

#[path = "../checks/mod.rs"]
mod checks;
mod forgotten;
mod hosts;
mod idle_spinner;
mod machines;
mod perl;
mod reads;
mod remains;

use checks::{Choice, Part, Results};
use std::{ffi::OsString, path::Path, process::ExitCode};
use testbed::{host_handle, idle_spinner as spinner, namespace_keeper, supervisor};

const CHECKS: &[(&str, Part, fn())] = &[
    ("a_group_counts_children_that_are_not_waited_for", Part::Usual, forgotten::forgotten_children),
    ("the_reads_of_a_sample_are_bounded", Part::Usual, reads::of_a_sample_are_bounded),
    ("shared_memory_is_removed_with_its_supervisor", Part::Usual, remains::are_removed),
    ("no_link_leads_the_log_of_a_program_elsewhere", Part::Usual, remains::no_link_is_followed),
    ("memory_groups_are_removed_with_their_supervisor", Part::Usual, remains::memory_groups_are_removed),
    ("machines_do_as_they_are_told", Part::Usual, machines::do_as_they_are_told),
    ("machines_are_told_when_lost", Part::Usual, machines::are_told_when_lost),
    (
        "machines_are_cleaned_when_asked_to_terminate",
        Part::Usual,
        machines::are_cleaned_when_asked_to_terminate,
    ),
    (
        "an_idle_spinner_keeps_its_cpu_busy_and_yields",
        Part::Usual,
        idle_spinner::an_idle_spinner_keeps_its_cpu_busy,
    ),
];

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let code = match words.get(1).and_then(|word| word.to_str()) {
        Some(supervisor::SUPERVISE_VERB) => supervisor::supervise(&words[2..]),
        Some(supervisor::REMOVE_VERB) => supervisor::remove_folder(&words[2..]),
        Some(testbed::SERVE_VERB) => testbed::serve(&words[2..]),
        Some(testbed::ANSWER_VERB) => testbed::answer(&words[2..]),
        Some(spinner::SPIN_VERB) => spinner::spin(&words[2..]),
        Some(namespace_keeper::KEEP_VERB) => namespace_keeper::keep(&words[2..]),
        Some(namespace_keeper::CLEAN_VERB) => namespace_keeper::clean(&words[2..]),
        Some(host_handle::ENTER_VERB) => host_handle::enter(&words[2..]),
        Some(machines::ECHO) => machines::echo(),
        Some(hosts::KEEP) => hosts::keep(Path::new(&words[2])),
        _ => return test(words),
    };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

fn test(words: Vec<OsString>) -> ExitCode {
    let words = words.into_iter().skip(1).filter_map(|word| word.into_string().ok());
    let results = Results::new(Choice::of(words));
    results.run_all(CHECKS);
    hosts::run(&results);
    results.finish()
}

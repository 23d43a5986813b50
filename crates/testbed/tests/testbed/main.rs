//! Hosts and what runs on them. This executable also is the program that holds hosts and supervisors, and keeps processors awake.

mod account;
#[path = "../checks/mod.rs"]
mod checks;
mod hosts;
mod idle_spinner;
mod looks;
mod perl;
mod remains;

use checks::{Choice, Part, Results};
use std::{ffi::OsString, path::Path, process::ExitCode};
use testbed::{awake as awake_verb, namespace_keeper, place, supervisor};

const CHECKS: &[(&str, Part, fn())] = &[
    ("what_forgotten_children_used_is_counted_by_a_group", Part::Usual, account::forgotten_children),
    ("what_a_look_reads_grows_with_the_processes_only", Part::Usual, looks::are_counted),
    ("shared_memory_goes_with_its_lease", Part::Usual, remains::all_goes),
    ("a_processor_is_kept_awake_and_gives_way", Part::Usual, idle_spinner::a_processor_is_kept_awake),
];

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let code = match words.get(1).and_then(|word| word.to_str()) {
        Some(supervisor::SUPERVISE_VERB) => supervisor::hold(&words[2..]),
        Some(awake_verb::AWAKE_VERB) => awake_verb::stay(&words[2..]),
        Some(namespace_keeper::KEEP_VERB) => namespace_keeper::hold(&words[2..]),
        Some(namespace_keeper::CLEAN_VERB) => namespace_keeper::clean(&words[2..]),
        Some(host_handle::ENTER_VERB) => host_handle::enter(&words[2..]),
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

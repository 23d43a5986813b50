//! The command `tierbench VERB APPLICATION [CONFIGURATION…]`: reads arguments, calls the laboratory, prints what it reports.

mod address;
mod arguments;
mod fault;
mod help;
mod host;
mod interrupt;
mod limits;
mod live_page;
mod load_options;
mod metrics;
mod open_files;
mod outcome;
mod output;
mod packages;
mod record;
mod registry;
mod run_spec;
mod specification;
mod terminal;
mod traffic;
mod web_server;
mod verbs {
    pub(crate) mod cache;
    pub(crate) mod check;
    pub(crate) mod doctor;
    pub(crate) mod drive;
    pub(crate) mod gallery;
    pub(crate) mod gate;
    pub(crate) mod gateway;
    pub(crate) mod init;
    pub(crate) mod measure;
    pub(crate) mod new;
    pub(crate) mod prove;
    pub(crate) mod reference;
    pub(crate) mod report;
    pub(crate) mod reproduce;
    pub(crate) mod schema;
    pub(crate) mod spec;
    pub(crate) mod testbed;
    pub(crate) mod up;
    pub(crate) mod verify;
}

use arguments::{Arguments, Verb};
use clap::Parser;
use fault::Fault;
use std::{ffi::OsString, process::ExitCode};
use testbed::{host_handle, idle_spinner, namespace_keeper, supervisor};

/// The source from which `init` takes a workspace.
#[derive(Clone, Copy)]
pub enum WorkspaceSource {
    /// The compressed archive within the executable.
    Archive(&'static [u8]),
    /// The clone that the executable was built in: a folder within it.
    Clone(&'static str),
}

pub fn main(workspace: WorkspaceSource) -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // Helper processes bypass the parser: a supervisor must be up before anything else can fail.
    match words.get(1).and_then(|word| word.to_str()) {
        Some(supervisor::SUPERVISE_VERB) => return exit_code(supervisor::supervise(&words[2..])),
        Some(supervisor::REMOVE_VERB) => return exit_code(supervisor::remove_folder(&words[2..])),
        Some(namespace_keeper::KEEP_VERB) => return exit_code(namespace_keeper::keep(&words[2..])),
        Some(namespace_keeper::CLEAN_VERB) => return exit_code(namespace_keeper::clean(&words[2..])),
        Some(idle_spinner::SPIN_VERB) => return exit_code(idle_spinner::spin(&words[2..])),
        Some(lab::WORK_VERB) => return exit_code(verbs::drive::work()),
        Some(testbed::SERVE_VERB) => return exit_code(testbed::serve(&words[2..])),
        Some(testbed::ANSWER_VERB) => return exit_code(testbed::answer(&words[2..])),
        Some(host_handle::ENTER_VERB) => return exit_code(host_handle::enter(&words[2..])),
        _ => {}
    }
    match run(&Arguments::of_process(), workspace) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            fault.show();
            fault.exit_code()
        }
    }
}

/// Parses a command line that begins with `tierbench`; an error is the parser's text. For tests of documents.
pub fn understand(words: &[&str]) -> Result<(), String> {
    match Arguments::try_parse_from(words) {
        Err(fault) if fault.use_stderr() => Err(fault.to_string()),
        _ => Ok(()),
    }
}

fn run(arguments: &Arguments, workspace: WorkspaceSource) -> Result<(), Fault> {
    open_files::raise_open_files();
    let places = &arguments.places;
    match &arguments.verb {
        Verb::Up(options) => verbs::up::run(places, options),
        Verb::Verify(options) => verbs::verify::run(places, options),
        Verb::Prove(options) => verbs::prove::run(places, options),
        Verb::Run(options) => verbs::measure::run(places, options),
        Verb::Compare(options) => verbs::measure::compare(places, options),
        Verb::Gate(options) => verbs::gate::run(places, options),
        Verb::Drive(options) => verbs::drive::run(places, options),
        Verb::Reproduce(options) => verbs::reproduce::run(places, options),
        Verb::Report(options) => verbs::report::run(options),
        Verb::Check(options) => verbs::check::run(places.workspace.as_deref(), options),
        Verb::Init(options) => verbs::init::run(options, workspace),
        Verb::New(options) => verbs::new::run(places, options),
        Verb::Cache(options) => verbs::cache::run(places, options),
        Verb::Testbed(options) => verbs::testbed::run(options),
        Verb::Doctor(options) => verbs::doctor::run(places, options),
        Verb::Reference(options) => verbs::reference::run(options),
        Verb::Gateway(options) => verbs::gateway::run(options),
        Verb::Gallery(options) => verbs::gallery::run(options),
        Verb::Spec(options) => verbs::spec::run(places, options),
        Verb::Schema(options) => verbs::schema::run(options),
    }
}

fn exit_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

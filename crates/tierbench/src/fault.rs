//! What can go wrong, how it is shown, and the exit code that scripts see.

use crate::output::note;
use lab::{LabError, WorkspaceError};
use miette::Diagnostic;
use papers::PaperError;
use profile::ProfileError;
use results::FolderError;
use services::ServiceError;
use stack::{BuildError, SiteError};
use std::{io, process::ExitCode};
use testbed::{PortTaken, TestbedError};
use thiserror::Error;

/// Exit codes, as `tierbench --help` lists them. Code 2 is also that of the parser.
pub(crate) mod code {
    /// An unexpected fault.
    pub const UNEXPECTED: u8 = 1;
    /// A wrong option, argument or file, or a stack that can't be built.
    pub const BAD_INPUT: u8 = 2;
    /// A stack is not what the model is.
    pub const NOT_VERIFIED: u8 = 3;
    /// A service, or the hosts of a testbed, did not start, or ended by itself; or no load or profile could be taken.
    pub const SERVICE: u8 = 4;
    /// A program is not installed, or too old.
    pub const MISSING: u8 = 5;
    /// The result or temporary files can't be written or read.
    pub const STORAGE: u8 = 6;
    /// Everything was measured, but some configuration has no VALID point, or no peak that VALID points confirm, or an inconclusive capacity.
    pub const NOT_VALID: u8 = 7;
    /// A condition of `--fail-if` holds.
    pub const CONDITION: u8 = 8;
    /// A result was damaged, or changed after it was written.
    pub const DAMAGED: u8 = 9;
    /// Stopped by Ctrl-C or a signal.
    pub const INTERRUPTED: u8 = 130;
}

/// Why a command failed.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    /// Arguments that don't go together.
    #[error("{0}")]
    Usage(String),
    /// What `check` refuses, with what to do.
    #[error("{0}")]
    Refused(String),
    /// A file of the workspace.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The experiment.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The experiment, which can be continued.
    #[error("{error}\n(continue with: {command})")]
    Resumable {
        /// Why it ended.
        error: LabError,
        /// What continues it.
        command: String,
    },
    /// A testbed.
    #[error(transparent)]
    Testbed(#[from] TestbedError),
    /// A paper's folder.
    #[error(transparent)]
    Paper(#[from] PaperError),
    /// A port that somebody else has.
    #[error(transparent)]
    Port(#[from] PortTaken),
    /// A result folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Some configurations are not verified; what differs has been shown.
    #[error("not verified: {0}")]
    NotVerified(String),
    /// What the doctor found; it has been shown.
    #[error("{0}")]
    Unfit(String),
    /// No figure can be believed; the report says why.
    #[error("no {what} for {configurations}; the report names the checks that failed")]
    NotValid {
        /// What there should be: a point, or a peak.
        what: &'static str,
        /// Of which configurations there is none.
        configurations: String,
    },
    /// Runs disagree too much to tell a capacity.
    #[error(
        "the capacity of {0} is inconclusive: its runs differ too much, or too few are VALID; measure longer with --window, or \
         on more starts with --repetitions"
    )]
    Inconclusive(String),
    /// The figures for which a condition holds, each in a line.
    #[error("a condition of --fail-if holds:{0}")]
    Condition(String),
    /// Anything else with files.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Fault {
    /// Prints it on standard error.
    pub(crate) fn show(&self) {
        match self {
            Self::Workspace(error) => show_with_place(error),
            Self::Testbed(error) => show_with_place(error),
            Self::Paper(error) => show_with_place(error),
            Self::Lab(error) if place_of(error).is_some() => {
                place_of(error).into_iter().for_each(show_with_place);
            }
            Self::Lab(LabError::Unverified { .. }) => {
                note(format_args!("error: {self}\n(to measure it unverified, add --skip-verify)"));
            }
            other => note(format_args!("error: {other}")),
        }
    }

    /// What scripts see.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Usage(_) | Self::Refused(_) | Self::Workspace(_) | Self::Paper(_) | Self::Port(_) => {
                code::BAD_INPUT
            }
            Self::Lab(error) | Self::Resumable { error, .. } => of_lab(error),
            Self::Testbed(error) => of_testbed(error),
            Self::Folder(FolderError::Complete(_) | FolderError::Changed { .. }) => code::BAD_INPUT,
            Self::Folder(FolderError::Damaged { .. } | FolderError::Malformed { .. }) => code::DAMAGED,
            Self::Folder(_) => code::STORAGE,
            Self::NotVerified(_) => code::NOT_VERIFIED,
            Self::Unfit(_) => code::MISSING,
            Self::NotValid { .. } | Self::Inconclusive(_) => code::NOT_VALID,
            Self::Condition(_) => code::CONDITION,
            Self::Io(error) => of_io(error),
        })
    }
}

fn of_lab(error: &LabError) -> u8 {
    match error {
        LabError::Unfit { .. } => code::MISSING,
        LabError::Testbed(error) => of_testbed(error),
        LabError::Site { fault, .. } => of_site(fault),
        LabError::Unverified { fault, .. } => match fault {
            verify::VerifyError::Service(fault) => of_service(fault),
            _ => code::NOT_VERIFIED,
        },
        LabError::Profile { fault: ProfileError::NoAgent { .. } | ProfileError::Unfit(_), .. } => {
            code::MISSING
        }
        LabError::Died { .. }
        | LabError::Engine { .. }
        | LabError::HeldUp { .. }
        | LabError::Profile { .. } => code::SERVICE,
        LabError::Folder(_) | LabError::NoSpace { .. } | LabError::Scratch { .. } => code::STORAGE,
        LabError::Build(fault) => of_build(fault),
        LabError::Blind { .. } => code::BAD_INPUT,
        LabError::OtherPlan { .. } => code::BAD_INPUT,
        LabError::Interrupted => code::INTERRUPTED,
    }
}

fn of_site(fault: &SiteError) -> u8 {
    match fault {
        SiteError::Build(fault) => of_build(fault),
        SiteError::Service(fault) => of_service(fault),
        SiteError::Manifest(_) => code::BAD_INPUT,
        SiteError::Io(error) => of_io(error),
        SiteError::Data(_) => code::NOT_VERIFIED,
    }
}

fn of_build(fault: &BuildError) -> u8 {
    match fault {
        BuildError::Failed { .. } | BuildError::Manifest(_) | BuildError::Path(_) => code::BAD_INPUT,
        BuildError::Interrupted => code::INTERRUPTED,
        // What it deploys leads out of its folder, or can't be copied.
        BuildError::Io(error) if error.kind() == io::ErrorKind::InvalidInput => code::BAD_INPUT,
        BuildError::Io(error) => of_io(error),
    }
}

fn of_service(fault: &ServiceError) -> u8 {
    match fault {
        ServiceError::Missing(_) | ServiceError::Unfit(_) => code::MISSING,
        ServiceError::Template { .. } => code::BAD_INPUT,
        ServiceError::Io(error) => of_io(error),
        ServiceError::Supervisor(_) | ServiceError::Down { .. } | ServiceError::Store { .. } => code::SERVICE,
    }
}

fn of_testbed(error: &TestbedError) -> u8 {
    match error {
        TestbedError::NoProgram { .. } => code::MISSING,
        TestbedError::Refused { .. } | TestbedError::NotMade { .. } => code::SERVICE,
        // The file that --testbed names.
        TestbedError::Io(error) if error.kind() == io::ErrorKind::NotFound => code::BAD_INPUT,
        TestbedError::Io(error) => of_io(error),
        _ => code::BAD_INPUT,
    }
}

fn of_io(error: &io::Error) -> u8 {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => code::STORAGE,
        _ => code::UNEXPECTED,
    }
}

/// The fault in a file that somebody wrote, if it is that which has ended an experiment.
fn place_of(error: &LabError) -> Option<&dyn Diagnostic> {
    match error {
        LabError::Build(BuildError::Manifest(fault))
        | LabError::Site { fault: SiteError::Build(BuildError::Manifest(fault)), .. } => Some(&**fault),
        LabError::Site { fault: SiteError::Manifest(fault), .. } => Some(fault),
        _ => None,
    }
}

/// Errors in files that people write come with the line and a remedy.
fn show_with_place(error: &dyn Diagnostic) {
    let colours = rustix::termios::isatty(io::stderr()) && std::env::var_os("NO_COLOR").is_none();
    let theme = if colours { miette::GraphicalTheme::unicode() } else { miette::GraphicalTheme::none() };
    let mut text = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(theme);
    match handler.render_report(&mut text, error) {
        Ok(()) => note(format_args!("error:{text}")),
        Err(_) => note(format_args!("error: {error}")),
    }
}

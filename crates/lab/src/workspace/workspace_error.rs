//! Errors in the words of a command and the files of the workspace.

use miette::Diagnostic;
use services::ManifestError;
use settings::{Blame, PathFault, SettingsError, did_you_mean};
use std::{io, path::PathBuf};
use thiserror::Error;

/// Fault of a word of the command, or of a file of the workspace.
#[derive(Debug, Error, Diagnostic)]
pub enum WorkspaceError {
    #[error("no workspace here: neither {0} nor a folder above it holds apps/, services/ and stacks/")]
    #[diagnostic(help("make one with `tierbench init FOLDER`, or name one with --workspace"))]
    NotFound(PathBuf),
    #[error("there is no {kind} `{word}`")]
    Unknown {
        /// The kind of thing: `application`.
        kind: &'static str,
        word: String,
        /// The nearest known word.
        #[help]
        remedy: String,
    },
    #[error("both {one} and {other} have a configuration `{name}`")]
    #[diagnostic(help("give one of them another name: figures are told apart by it"))]
    SameName { name: String, one: String, other: String },
    #[error("the mix `{mix}` visits {interaction}, which the stack `{stack}` does not have")]
    #[diagnostic(help(
        "write a mix of the interactions that it has in {place}, and choose it with --mix NAME"
    ))]
    NotInStack { mix: String, interaction: String, stack: String, place: String },
    /// A factor that can't be as somebody wants it.
    #[error("{fault}")]
    Factor {
        fault: String,
        #[help]
        remedy: String,
    },
    /// The application's model knows other interactions than its file.
    #[error("this tierbench was built with another apps/{0}/app.toml than the one that is there now")]
    #[diagnostic(help("run `make build` in a clone, or make a new workspace with `tierbench init FOLDER`"))]
    OtherModel(String),
    /// Another commit of a stack can't be had.
    #[error("{fault}")]
    Git {
        fault: String,
        #[help]
        remedy: String,
    },
    /// A file says something wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Settings(#[from] Box<SettingsError>),
    /// A manifest says something wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Manifest(#[from] ManifestError),
    /// A path that leads where no file of the workspace may be.
    #[error("{}", .0.fault)]
    #[diagnostic(help("{}", .0.remedy))]
    Path(#[from] PathFault),
    /// A file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WorkspaceError {
    /// The class of the error: the user mends all of them.
    pub fn blame(&self) -> Blame {
        Blame::Input
    }
}

pub(crate) fn unknown<S: AsRef<str>>(kind: &'static str, word: &str, known: &[S]) -> WorkspaceError {
    let remedy = did_you_mean(word, known.iter().map(AsRef::as_ref));
    WorkspaceError::Unknown { kind, word: word.to_owned(), remedy }
}

pub(crate) fn wrong_factor(fault: String, remedy: String) -> WorkspaceError {
    WorkspaceError::Factor { fault, remedy }
}

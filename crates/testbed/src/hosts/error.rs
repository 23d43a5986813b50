use crate::remote::Unreachable;
use miette::Diagnostic;
use settings::{Blame, SettingsError};
use std::{io, path::PathBuf};
use thiserror::Error;

#[derive(Debug, Error, Diagnostic)]
pub enum TestbedError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Settings(#[from] Box<SettingsError>),
    #[error("{0} needs root, because its hosts are network namespaces and control groups")]
    #[diagnostic(help("run the command as root, or take testbeds/one-machine.toml, which needs no rights"))]
    NotRoot(PathBuf),
    #[error("`{program}`, which makes the hosts' network, is not installed")]
    #[diagnostic(help("install the package iproute2"))]
    NoProgram { program: &'static str },
    #[error("the host `{host}` wants core {core}, but this machine has {available}")]
    #[diagnostic(help("give the host other cores in the testbed's file"))]
    NoCore {
        host: String,
        core: String,
        /// The available cores: `cores 0, 1`.
        available: String,
    },
    /// The kernel lacks a controller.
    #[error("this machine has no control groups that limit {0}")]
    #[diagnostic(help(
        "a container often lacks them: run the command on the machine itself, or leave the limit out"
    ))]
    NoController(&'static str),
    /// A limit, or a part of the network, was refused by the kernel.
    #[error("{what} failed: {fault}")]
    #[diagnostic(help("a container may not do this; run the command on the machine itself"))]
    Refused {
        /// The attempted operation: `writing 3000 to /sys/fs/cgroup/…`.
        what: String,
        fault: String,
    },
    #[error("{0} is not up")]
    #[diagnostic(help("bring it up with `tierbench testbed up {}`", .0.display()))]
    NotUp(PathBuf),
    #[error("{file} is already up (process {namespace_keeper})")]
    #[diagnostic(help(
        "use it with `tierbench testbed exec {} HOST COMMAND`, or end it with `tierbench testbed down {}`",
        file.display(), file.display()
    ))]
    Up { file: PathBuf, namespace_keeper: u32 },
    #[error("{file} has no host `{word}`")]
    NoHost {
        file: PathBuf,
        word: String,
        #[help]
        remedy: String,
    },
    #[error("its hosts are nodes of Slurm, and this is no allocation of nodes")]
    #[diagnostic(help("submit the script that `tierbench testbed script FILE` prints, with sbatch"))]
    NoAllocation,
    #[error("other jobs may share the nodes of Slurm's job {0}")]
    #[diagnostic(help("submit it with --exclusive"))]
    SharedNodes(String),
    #[error("Slurm's job {job} has {nodes} nodes beside this one, and {wanted} hosts need one each")]
    #[diagnostic(help("submit it with --nodes={}", wanted + 1))]
    TooFewNodes { job: String, nodes: usize, wanted: usize },
    #[error("`scontrol {command}` failed: {fault}")]
    #[diagnostic(help("look whether Slurm's commands are here, and whether its controller runs"))]
    NoScontrol { command: String, fault: String },
    #[error("the hosts of {file} could not be made: {fault}")]
    NotMade { file: PathBuf, fault: String },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreachable(#[from] Box<Unreachable>),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TestbedError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::NoProgram { .. } => Blame::Missing,
            Self::NoScontrol { .. } | Self::Refused { .. } | Self::NotMade { .. } | Self::Unreachable(_) => {
                Blame::Service
            }
            // The file that --testbed names.
            Self::Io(error) if error.kind() == io::ErrorKind::NotFound => Blame::Input,
            Self::Io(error) => Blame::io(error),
            Self::Settings(_)
            | Self::NotRoot(_)
            | Self::NoCore { .. }
            | Self::NoController(_)
            | Self::NotUp(_)
            | Self::Up { .. }
            | Self::NoHost { .. }
            | Self::NoAllocation
            | Self::SharedNodes(_)
            | Self::TooFewNodes { .. } => Blame::Input,
        }
    }
}

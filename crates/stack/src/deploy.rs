//! Building a stack in place, and deploying it for a run's servers.

use crate::{Stack, built::Built, copy::copy_new};
use application::StaticFile;
use fs_err as fs;
use miette::Diagnostic;
use settings::{Blame, PathFault, RelativePath, SettingsError};
use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    io,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use testbed::{Scratch, Stop, Supervisor, SupervisorError, SupervisorSpec, supervisor};
use thiserror::Error;
use toml::Spanned;

#[derive(Debug, Error, Diagnostic)]
pub enum BuildError {
    #[error("the stack `{stack}` can't be built: `{command}` {fault}{}\n{output}", remedy(packages))]
    Failed {
        stack: String,
        command: String,
        fault: String,
        output: String,
        /// The Debian packages that the stack needs.
        packages: Vec<String>,
    },
    /// A deployed path leads out of the stack's folder, or is missing after the build.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Manifest(#[from] Box<SettingsError>),
    /// A path of the application's files, or the target of a deployed link, is out of bounds.
    #[error("{}", .0.fault)]
    #[diagnostic(help("{}", .0.remedy))]
    Path(#[from] PathFault),
    #[error("building was interrupted")]
    Interrupted,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl BuildError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::Failed { .. } | Self::Manifest(_) | Self::Path(_) => Blame::Input,
            Self::Interrupted => Blame::Interrupted,
            // What the manifest deploys leads out of its folder, or can't be copied.
            Self::Io(error) if error.kind() == io::ErrorKind::InvalidInput => Blame::Input,
            Self::Io(error) => Blame::io(error),
        }
    }
}

const OUTPUT_LINES: usize = 30;

const ENDING: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(100);

/// Builds the stack in its folder, unless the build is up to date. One build at a time across processes; an error
/// soon after `stop` is set.
pub fn build(stack: &Stack, executable: &Path, stop: &AtomicBool) -> Result<(), BuildError> {
    // Without a build nothing is needed, and the folder for temporary files may be missing.
    if stack.build.is_empty() {
        return Ok(stack.deployed_files().map(drop)?);
    }
    let _lock = lock(&stack.home, File::try_lock, stop)?;
    let built = Built::look(stack)?;
    if built.as_ref().is_some_and(Built::stands) {
        return Ok(());
    }
    built.as_ref().map_or(Ok(()), Built::expect_folder)?;
    built.as_ref().map_or(Ok(()), Built::begin)?;
    run_all(stack, executable, stop)?;
    stack.deployed_files()?;
    built.as_ref().map_or(Ok(()), Built::expect_folder)?;
    Ok(built.as_ref().map_or(Ok(()), Built::end)?)
}

/// Waits for the build lock of a folder, and holds it.
fn lock(
    home: &Path,
    try_lock: fn(&File) -> Result<(), TryLockError>,
    stop: &AtomicBool,
) -> Result<File, BuildError> {
    let folder = fs::File::open(home)?.into_file();
    loop {
        match try_lock(&folder) {
            Ok(()) => return Ok(folder),
            Err(TryLockError::Error(fault)) => return Err(fault.into()),
            Err(TryLockError::WouldBlock) if stop.load(Ordering::Relaxed) => {
                return Err(BuildError::Interrupted);
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
        }
    }
}

/// Runs the stack's build commands in its folder, until all are over or `stop` is set. Supervisors of this executable
/// hold them, so that none outlives the laboratory.
fn run_all(stack: &Stack, executable: &Path, stop: &AtomicBool) -> Result<(), BuildError> {
    let scratch = Scratch::create(executable)?;
    for argv in stack.build.iter().map(Spanned::get_ref) {
        let Some((program, arguments)) = argv.split_first() else { continue };
        let log = scratch.path().join("build.log");
        fs::write(&log, "")?;
        let order = SupervisorSpec {
            program: program.into(),
            arguments: arguments.to_vec(),
            environment: BTreeMap::new(),
            folder: stack.place.clone(),
            log: log.clone(),
            stop: Stop::term(ENDING),
            user: None,
            lock: scratch.lock(),
            memory_bytes: None,
        };
        if let Err(fault) = run(executable, &order, stop)? {
            return Err(BuildError::Failed {
                stack: stack.name.clone(),
                command: argv.join(" "),
                fault,
                output: last_lines(&String::from_utf8_lossy(&fs::read(&log)?)),
                packages: stack.packages.clone(),
            });
        }
    }
    Ok(())
}

fn run(
    executable: &Path,
    order: &SupervisorSpec,
    stop: &AtomicBool,
) -> Result<Result<(), String>, BuildError> {
    let supervisor = match Supervisor::start(executable, order) {
        Ok(supervisor) => supervisor,
        Err(SupervisorError::NotStarted { fault, .. }) => {
            return Ok(Err(format!("can't be started: {fault}")));
        }
    };
    loop {
        match supervisor.ended_within(LOOK) {
            Some(supervisor::SUCCESS) => return Ok(Ok(())),
            Some(status) => return Ok(Err(format!("ended with {status}"))),
            None if stop.load(Ordering::Relaxed) => return Err(BuildError::Interrupted),
            None => {}
        }
    }
}

/// Copies the stack's files into `site`, and the application's static files into `site/static`. Reads nothing outside
/// of the stack's folder, overwrites nothing, and waits for a running build.
pub fn deploy(
    stack: &Stack,
    static_files: &[StaticFile],
    site: &Path,
    stop: &AtomicBool,
) -> Result<(), BuildError> {
    let _lock = lock(&stack.home, File::try_lock_shared, stop)?;
    fs::create_dir_all(site)?;
    for (name, path) in stack.deployed_files()? {
        let target = name.below(site)?;
        fs::create_dir_all(target.parent().unwrap_or(site))?;
        copy_new(&path, &target, &stack.home)?;
    }
    let home = site.join("static");
    fs::create_dir_all(&home)?;
    for file in static_files {
        let path = RelativePath::parse(file.path.trim_start_matches('/'))?.below(&home)?;
        fs::create_dir_all(path.parent().unwrap_or(site))?;
        fs::write(path, &file.body)?;
    }
    Ok(())
}

/// The packages that may be missing, if the stack needs any.
fn remedy(packages: &[String]) -> String {
    match packages {
        [] => String::new(),
        packages => format!("; `scripts/deps`, run as root, installs what it needs: {}", packages.join(" ")),
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(OUTPUT_LINES)..].join("\n")
}

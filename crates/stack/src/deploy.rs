//! Building a stack where it is, and putting it where a run's servers find it.

use crate::{Stack, built::Built, copy::copy_new};
use application::StaticFile;
use fs_err as fs;
use settings::{PathFault, RelativePath, SettingsError};
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

/// Why a stack can't be built or deployed.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A build command failed.
    #[error("the stack `{stack}` can't be built: `{command}` {fault}{}\n{output}", remedy(packages))]
    Failed {
        /// The stack.
        stack: String,
        /// The command.
        command: String,
        /// How it failed.
        fault: String,
        /// What it printed last.
        output: String,
        /// The Debian packages that the stack needs.
        packages: Vec<String>,
    },
    /// What its manifest deploys leads out of its folder, or is still not there when it is built.
    #[error(transparent)]
    Manifest(#[from] Box<SettingsError>),
    /// A path of the application's files, or one that a deployed link leads to, is out of bounds.
    #[error("{}; {}", .0.fault, .0.remedy)]
    Path(#[from] PathFault),
    /// Somebody doesn't want it any more.
    #[error("building was interrupted")]
    Interrupted,
    /// Something with files.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How many lines of a failed build are shown.
const OUTPUT_LINES: usize = 30;

/// How long a build that nobody wants any more may take to end by itself.
const ENDING: Duration = Duration::from_secs(3);
/// How often a build looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// Builds the stack in its folder, unless it stands built as its sources are. One build at a time, whoever wants it; soon an
/// error once `stop` is set.
pub fn build(stack: &Stack, executable: &Path, stop: &AtomicBool) -> Result<(), BuildError> {
    // Where nothing is built nothing is needed, and the place for temporary files may be missing.
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

/// Waits until nobody else builds in a folder, and keeps builders from it as long as this is kept.
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

/// Runs the stack's build commands in its folder, until all are over or `stop` is set. They are held by supervisors of this
/// executable, so that none outlives who wants them.
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

/// Runs a command until it has ended, and tells how it failed if it did.
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

/// Copies the stack's files into `site`, and the application's static files into `site/static`. Nothing outside of the
/// stack's folder is read, and nothing that is there is written over. Not while somebody builds the stack anew.
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

/// What may be missing, if the stack needs anything.
fn remedy(packages: &[String]) -> String {
    match packages {
        [] => String::new(),
        packages => format!("; `make deps`, run as root, installs what it needs: {}", packages.join(" ")),
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(OUTPUT_LINES)..].join("\n")
}

//! Building a stack where it is, and putting it where a run's servers find it.

use crate::Stack;
use application::StaticFile;
use fs_err as fs;
use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};
use thiserror::Error;

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
    /// Something with files.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How many lines of a failed build are shown.
const OUTPUT_LINES: usize = 30;

/// Runs the stack's build commands in its folder.
pub fn build(stack: &Stack) -> Result<(), BuildError> {
    for argv in &stack.build {
        let Some((program, arguments)) = argv.split_first() else { continue };
        let failed = |fault: String, output: &[u8]| BuildError::Failed {
            stack: stack.name.clone(),
            command: argv.join(" "),
            fault,
            output: last_lines(&String::from_utf8_lossy(output)),
            packages: stack.packages.clone(),
        };
        let output =
            Command::new(program).args(arguments).current_dir(&stack.home).stdin(Stdio::null()).output();
        let output = output.map_err(|error| failed(format!("can't be started: {error}"), b""))?;
        if !output.status.success() {
            let text = [output.stdout, output.stderr].concat();
            return Err(failed(format!("ended with {}", output.status), &text));
        }
    }
    Ok(())
}

/// Copies the stack's files into `site`, and the application's static files into `site/static`.
pub fn deploy(stack: &Stack, static_files: &[StaticFile], site: &Path) -> Result<(), BuildError> {
    fs::create_dir_all(site)?;
    for name in &stack.deploy {
        testbed::copy_tree(&stack.home.join(name), &site.join(name))?;
    }
    for file in static_files {
        let path = site.join("static").join(file.path.trim_start_matches('/'));
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

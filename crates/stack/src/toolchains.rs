//! Versions of the toolchains that build a stack, apart from Debian packages, which `packages` covers.

use crate::Stack;
use settings::SettingsError;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

type Place = (PathBuf, Vec<String>);

/// Output of commands. No toolchain changes while tierbench runs, and one that needs a JVM takes half a second.
static KNOWN: Mutex<BTreeMap<Place, String>> = Mutex::new(BTreeMap::new());

impl Stack {
    /// The first line that each command of `toolchain` prints where the stack is built, such as `go version go1.25.1
    /// linux/amd64`. An error names a command that prints no version.
    pub(crate) fn toolchain_versions(&self) -> Result<String, Box<SettingsError>> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for command in &self.toolchain {
            let place = (self.place.clone(), command.get_ref().clone());
            if !known.contains_key(&place) {
                let refuse = |fault| {
                    let remedy =
                        "install it, or let `toolchain` name commands that print a version".to_owned();
                    self.document.error(Some(command.span()), fault, Some(remedy))
                };
                known.insert(place.clone(), first_line(command.get_ref(), &self.place).map_err(refuse)?);
            }
            text.push_str(&known[&place]);
            text.push('\n');
        }
        Ok(text)
    }
}

/// Further lines may depend on the kernel or on the user's language.
fn first_line(command: &[String], folder: &Path) -> Result<String, String> {
    let Some((program, arguments)) = command.split_first() else {
        return Err("a command of `toolchain` has no words".to_owned());
    };
    let asked = format!("`{}`, which tells the version of a toolchain,", command.join(" "));
    let output = Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|fault| format!("{asked} cannot be run: {fault}"))?;
    if !output.status.success() {
        return Err(format!("{asked} fails: {}", output.status));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().next().filter(|line| !line.trim().is_empty());
    line.map(str::to_owned).ok_or_else(|| format!("{asked} prints no line to standard output"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use toml::Spanned;

    fn versions(commands: &[&[&str]]) -> Result<String, String> {
        let toolchain = commands.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect());
        let toolchain = toolchain.map(|words| Spanned::new(0..0, words)).collect();
        let stack = Stack { toolchain, ..fixture::stack("/".into()) };
        stack.toolchain_versions().map_err(|fault| fault.to_string())
    }

    #[test]
    fn the_first_line_of_each_command_is_its_version() {
        assert_eq!(
            versions(&[&["printf", "go 1\\nLinux 6\\n"], &["echo", "gcc 2"]]).unwrap(),
            "go 1\ngcc 2\n"
        );
        assert_eq!(versions(&[]).unwrap(), "");
    }

    #[test]
    fn a_command_that_tells_no_version_is_refused() {
        for (command, text) in [
            (
                &["no-such-toolchain"] as &[&str],
                "`no-such-toolchain`, which tells the version of a toolchain, cannot be run",
            ),
            (&["sh", "-c", "echo go 1; exit 3"], "fails: exit status: 3"),
            (&["sh", "-c", "echo go 1 >&2"], "prints no line to standard output"),
            (&[], "has no words"),
        ] {
            let fault = versions(&[command]).unwrap_err();
            assert!(fault.contains(text), "{fault}");
        }
    }
}

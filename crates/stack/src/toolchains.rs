//! Which versions of toolchains build a stack. `packages` knows the versions of Debian packages already.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

/// A command, and the folder that it runs in.
type Place = (PathBuf, Vec<String>);

/// What commands have printed. No toolchain changes while tierbench runs, and one that needs a JVM takes half a second.
static KNOWN: Mutex<BTreeMap<Place, String>> = Mutex::new(BTreeMap::new());

/// The first line that each of these commands prints in a folder, such as `go version go1.25.1 linux/amd64`. Of one that can't
/// be run, an empty line.
pub(crate) fn versions(commands: &[Vec<String>], folder: &Path) -> String {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = String::new();
    for command in commands {
        let place = (folder.to_owned(), command.clone());
        text.push_str(known.entry(place).or_insert_with(|| first_line(command, folder)));
        text.push('\n');
    }
    text
}

/// Further lines may tell of the kernel or of the language of whoever asks.
fn first_line(command: &[String], folder: &Path) -> String {
    let Some((program, arguments)) = command.split_first() else { return String::new() };
    let output = Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    let printed = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&printed).lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_each_command_is_its_version() {
        let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let commands =
            [command(&["printf", "go 1\\nLinux 6\\n"]), command(&["no-such-toolchain"]), command(&[])];
        assert_eq!(versions(&commands, Path::new("/")), "go 1\n\n\n");
        assert_eq!(versions(&[], Path::new("/")), "");
    }
}

//! Commands in documents: every one is understood, and what takes seconds is done.

use crate::sandbox::{QUICK, Sandbox, code_of, real_workspace, turn};
use results::ResultReader;
use std::{fs, process::Command};

/// Fewer data, clients and seconds than a command names: of a setting that is given twice the last one counts.
const SMALL: [&str; 4] = ["--clients", "5", "--window", "1s"];

pub(crate) struct Typed {
    /// Line in which it begins.
    line: usize,
    pub(crate) words: Vec<String>,
}

impl Typed {
    /// The words after the name of the command, if it is ours.
    pub(crate) fn of_tierbench(&self) -> Option<Vec<&str>> {
        let (name, words) = self.words.split_first()?;
        let words = words.iter().map(String::as_str).take_while(|word| !["|", "&&", ";", ">"].contains(word));
        (name.rsplit('/').next() == Some("tierbench")).then(|| words.collect())
    }
}

/// The commands of all blocks of a document that are for a shell.
pub(crate) fn typed_in(document: &str) -> Vec<Typed> {
    let (mut found, mut is_shell, mut begun) = (Vec::new(), false, None);
    for (at, line) in document.lines().enumerate() {
        match line.trim_start() {
            "```sh" => is_shell = true,
            fence if fence.starts_with("```") => is_shell = false,
            text if is_shell => {
                let (line, before) = begun.take().unwrap_or((at + 1, String::new()));
                match text.strip_suffix('\\') {
                    Some(part) => begun = Some((line, before + part)),
                    None => found.push(Typed { line, words: shell_words(&(before + text)) }),
                }
            }
            _ => {}
        }
    }
    found.retain(|typed| !typed.words.is_empty());
    found
}

/// The words of a line, as a shell takes them. Comments are none.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match (character, quote) {
            (mark, Some(open)) if mark == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            ('#', None) if word.is_none() => break,
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The README, the guide for contributors, and what is in `docs/`, by name.
fn documents() -> Vec<(String, String)> {
    let docs = fs::read_dir(real_workspace().join("docs")).unwrap().flatten().map(|entry| entry.path());
    let docs = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let all =
        ["README.md", "CONTRIBUTING.md"].map(|name| real_workspace().join(name)).into_iter().chain(docs);
    let named = all.map(|path| {
        let name = path.strip_prefix(real_workspace()).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    });
    named.collect()
}

#[test]
fn every_command_in_a_document_is_understood() {
    let makefile = fs::read_to_string(real_workspace().join("Makefile")).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, text) in documents() {
        for typed in typed_in(&text) {
            let fault = match typed.of_tierbench() {
                Some(words) => tierbench::understand(&[&["tierbench"], &words[..]].concat()).err(),
                None => match &typed.words[..] {
                    [make, targets @ ..] if make == "make" => {
                        let unknown = |target: &&String| !makefile.contains(&format!("\n{target}:"));
                        targets.iter().find(unknown).map(|target| format!("make has no `{target}`"))
                    }
                    _ => continue,
                },
            };
            count += 1;
            wrong.extend(
                fault.map(|fault| format!("{name}:{}: {}\n{fault}", typed.line, typed.words.join(" "))),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "where are they? {count} were found");
}

#[test]
fn the_citation_names_this_version() {
    let citation = fs::read_to_string(real_workspace().join("CITATION.cff")).unwrap();
    let version = format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"));
    assert!(citation.contains(&version), "CITATION.cff needs this line:{version}");
}

#[test]
fn commands_are_split_as_a_shell_splits_them() {
    let document = "a\n```sh\nmake test  # all\n# nothing\n\n  tierbench run a \\\n  b --fail-if 'p99 > 1 # s' | sh\n```\nb\n```\nc\n```\n";
    let typed = typed_in(document);
    let lines: Vec<usize> = typed.iter().map(|typed| typed.line).collect();
    assert_eq!(lines, [3, 6]);
    assert_eq!(typed[0].words, ["make", "test"]);
    assert_eq!(typed[0].of_tierbench(), None);
    assert_eq!(typed[1].of_tierbench().unwrap(), ["run", "a", "b", "--fail-if", "p99 > 1 # s"]);
}

/// Only here are the README's commands typed one after the other. What `verify`, `up` and `compare` do, other tests
/// show.
#[test]
fn the_commands_of_the_readme_succeed() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let readme = fs::read_to_string(real_workspace().join("README.md")).unwrap();
    let mut done = 0;
    for typed in typed_in(&readme) {
        let Some(words) = typed.of_tierbench() else { continue };
        let mut command = sandbox.command(&words);
        match words[0] {
            "verify" | "up" | "compare" => continue,
            "run" => {
                command.args(SMALL).args(QUICK);
                let ended = sandbox.finish(command);
                let result = ResultReader::open(&sandbox.path().join("results/try")).unwrap();
                ended.expect(code_of(&result.points), &[]);
            }
            _ => drop(sandbox.finish(command).expect(0, &[])),
        }
        done += 1;
    }
    assert!(done >= 8, "{done} commands");
}

/// Only here is what everybody begins with done from its beginning to its end, with the words of the Makefile.
#[test]
fn make_compare_compares_two_php_configurations() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut make = Command::new("make");
    make.args(["--dry-run", "--no-print-directory", "compare"]).current_dir(real_workspace());
    let printed = make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").output().unwrap();
    let script = String::from_utf8(printed.stdout).unwrap().replace("\\\n", " ");
    let commands = typed_in(&format!("```sh\n{script}\n```"));
    let compare =
        commands.iter().filter_map(Typed::of_tierbench).find(|words| words.first() == Some(&"compare"));
    let mut command =
        sandbox.command(&compare.unwrap_or_else(|| panic!("nothing is compared in:\n{script}")));
    command.args(SMALL).args(QUICK).arg("--out").arg(sandbox.result());
    let ended = sandbox.finish(command);
    let result = ResultReader::open(&sandbox.result()).unwrap();
    ended.expect(code_of(&result.points), &[]);
    let names: Vec<&str> = result.manifest.configurations.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["WsPhp-DB", "WsPhpFpm-DB"]);
    assert_eq!(result.points.len(), 2);
    for name in names {
        ended.expect_output(name);
    }
}

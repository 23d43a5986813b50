//! Errors of the command: how they are printed, and their exit codes.

use crate::output::{harmless, note_styled};
use clap::{
    builder::styling::{AnsiColor, Style},
    error::ErrorKind,
};
use lab::{LabError, WorkspaceError};
use miette::Diagnostic;
use papers::PaperError;
use results::FolderError;
use settings::Blame;
use std::{
    fmt::Write as _,
    io,
    process::{self, ExitCode},
};
use testbed::{PortTaken, TestbedError};
use thiserror::Error;

/// The exit code of a class of errors, as `tierbench --help` lists them. The parser of arguments ends with code 2, too.
pub(crate) fn exit_code(blame: Blame) -> u8 {
    match blame {
        Blame::Unexpected => 1,
        Blame::Input => 2,
        Blame::Unverified => 3,
        Blame::Service => 4,
        Blame::Missing => 5,
        Blame::Storage => 6,
        Blame::Invalid => 7,
        Blame::Condition => 8,
        Blame::Damaged => 9,
        Blame::Undecided => 10,
        Blame::Interrupted => 130,
    }
}

/// An error that ends the command.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum Fault {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Lab(#[from] LabError),
    /// An experiment ended early, and another command continues it.
    #[error("{error}")]
    #[diagnostic(help("{}continue with: {command}", help_before(error)))]
    Resumable { error: LabError, command: String },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Testbed(#[from] TestbedError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Paper(#[from] PaperError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Port(#[from] PortTaken),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("not verified: {0}")]
    NotVerified(String),
    #[error("no {what} for {configurations}; the report names the checks that failed")]
    NotValid {
        /// The missing figure, such as `VALID peak`.
        what: &'static str,
        configurations: String,
    },
    #[error("the capacity of {0} is inconclusive: its runs differ too much, or too few are VALID")]
    #[diagnostic(help("measure longer with --window, or on more starts with --repetitions"))]
    Inconclusive(String),
    /// A condition holds for these figures, each in a line.
    #[error("a condition of --fail-if holds:{0}")]
    Condition(String),
    /// A figure is worse than is tolerated.
    #[error("{0}")]
    Worse(String),
    /// A figure may be worse or not.
    #[error("{0}")]
    #[diagnostic(help("measure both on more starts with --repetitions, or tolerate more"))]
    Undecided(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An error that the command itself finds, with its remedy.
#[derive(Debug, Error, Diagnostic)]
#[error("{fault}")]
pub(crate) struct CommandError {
    blame: Blame,
    fault: String,
    #[help]
    remedy: Option<String>,
}

impl CommandError {
    /// An error in the input of the command.
    pub(crate) fn input(fault: impl Into<String>) -> Self {
        Self { blame: Blame::Input, fault: fault.into(), remedy: None }
    }

    /// A server that takes no connection.
    pub(crate) fn unreachable(fault: impl Into<String>) -> Self {
        Self { blame: Blame::Service, ..Self::input(fault) }
    }

    /// Something that this machine lacks.
    pub(crate) fn missing(fault: impl Into<String>) -> Self {
        Self { blame: Blame::Missing, ..Self::input(fault) }
    }

    pub(crate) fn with_help(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    /// Adds words before the fault and a further remedy.
    pub(crate) fn extended(self, before: &str, after: Option<&str>) -> Self {
        let remedy: Vec<&str> = self.remedy.as_deref().into_iter().chain(after).collect();
        let remedy = (!remedy.is_empty()).then(|| remedy.join("; "));
        Self { fault: format!("{before}{}", self.fault), remedy, ..self }
    }
}

/// The remedies of an error, each in a line.
fn help_before(error: &LabError) -> String {
    error.help().map_or(String::new(), |help| format!("{help}\n"))
}

impl Fault {
    /// Prints it on standard error.
    pub(crate) fn show(&self) {
        note_styled(&rendered(self, has_colours()));
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Command(error) => error.blame,
            Self::Workspace(error) => error.blame(),
            Self::Lab(error) | Self::Resumable { error, .. } => error.blame(),
            Self::Testbed(error) => error.blame(),
            Self::Paper(error) => error.blame(),
            Self::Port(_) => Blame::Input,
            Self::Folder(error) => error.blame(),
            Self::NotVerified(_) => Blame::Unverified,
            Self::NotValid { .. } | Self::Inconclusive(_) => Blame::Invalid,
            Self::Condition(_) | Self::Worse(_) => Blame::Condition,
            Self::Undecided(_) => Blame::Undecided,
            Self::Io(error) => Blame::io(error),
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(exit_code(self.blame()))
    }
}

/// Ends the process after help, or after an error of the parser of arguments, which repeats words of the command line.
pub(crate) fn end_parsing(fault: &clap::Error) -> ! {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(fault.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion) {
        fault.exit();
    }
    note_styled(&misuse(fault, has_colours()));
    process::exit(fault.exit_code())
}

/// An error of the parser of arguments.
fn misuse(fault: &clap::Error, has_colours: bool) -> String {
    let text = fault.to_string();
    let text = harmless(text.trim_end());
    match text.strip_prefix("error:") {
        Some(rest) if has_colours => {
            let red = AnsiColor::Red.on_default().bold();
            format!("{red}error:{red:#}{rest}")
        }
        _ => text.into_owned(),
    }
}

/// True if standard error takes colours, by the variables that other commands obey, too (<https://bixense.com/clicolors>).
fn has_colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    let is_forced = is_set("CLICOLOR_FORCE");
    !is_set("NO_COLOR") && (is_forced || rustix::termios::isatty(io::stderr()))
}

/// An error as `error: FAULT`, its place in a file with that line, and `help: REMEDY`; place and remedy where they are known.
pub(crate) fn rendered(error: &dyn Diagnostic, has_colours: bool) -> String {
    let style = |style: Style| if has_colours { style } else { Style::new() };
    let red = style(AnsiColor::Red.on_default().bold());
    let blue = style(AnsiColor::Blue.on_default().bold());
    let green = style(AnsiColor::Green.on_default().bold());
    let mut text = format!("{red}error:{red:#} {}", harmless(&error.to_string()));
    if let Some(Excerpt { file, line, column, source, width }) = Excerpt::of(error) {
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let (before, marks) = (" ".repeat(column - 1), "^".repeat(width));
        let _ = write!(
            text,
            "\n {margin}{blue}-->{blue:#} {file}:{line}:{column}\n {margin} {blue}|{blue:#}\n {blue}{number} |{blue:#} {source}\n \
             {margin} {blue}|{blue:#} {before}{red}{marks}{red:#}"
        );
    }
    if let Some(help) = error.help() {
        let _ = write!(text, "\n{green}help:{green:#} {}", harmless(&help.to_string()));
    }
    text
}

/// The line of a file that an error is about.
struct Excerpt {
    file: String,
    /// Line and column from 1; the column in characters.
    line: usize,
    column: usize,
    source: String,
    /// The marked part in characters.
    width: usize,
}

impl Excerpt {
    fn of(error: &dyn Diagnostic) -> Option<Self> {
        let label = error.labels()?.next()?;
        let contents = error.source_code()?.read_span(&(0, 0).into(), 0, usize::MAX).ok()?;
        let all = std::str::from_utf8(contents.data()).ok()?;
        let before = all.get(..label.offset())?;
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let end = all[begin..].find('\n').map_or(all.len(), |at| begin + at);
        let marked = all.get(label.offset()..(label.offset() + label.len()).min(end)).unwrap_or_default();
        Some(Self {
            file: harmless(contents.name()?).into_owned(),
            line: before.matches('\n').count() + 1,
            column: before[begin..].chars().count() + 1,
            source: harmless(all[begin..end].trim_end()).replace('\t', " "),
            width: marked.trim_end().chars().count().max(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::Document;

    const FILE: &str = "title = \"Shop\"\n\nthink_tmie = \"7s\"\n";

    fn misspelt(place: Option<std::ops::Range<usize>>) -> Fault {
        let document = Document::new("apps/shop/app.toml", FILE);
        let remedy = "did you mean `think_time`?".to_owned();
        WorkspaceError::from(document.error(place, "unknown field `think_tmie`", Some(remedy))).into()
    }

    #[test]
    fn an_error_in_a_file_shows_its_place_its_line_and_the_remedy() {
        assert_eq!(
            rendered(&misspelt(Some(16..26)), false),
            "error: unknown field `think_tmie`\n  \
               --> apps/shop/app.toml:3:1\n   \
                |\n \
              3 | think_tmie = \"7s\"\n   \
                | ^^^^^^^^^^\n\
             help: did you mean `think_time`?"
        );
    }

    #[test]
    fn an_error_without_a_place_has_neither_marks_nor_further_lines() {
        assert_eq!(
            rendered(&misspelt(None), false),
            "error: apps/shop/app.toml: unknown field `think_tmie`\nhelp: did you mean `think_time`?"
        );
        assert_eq!(
            rendered(&Fault::NotVerified("WsPhp-DB".to_owned()), false),
            "error: not verified: WsPhp-DB"
        );
    }

    #[test]
    fn a_wrong_word_brings_no_commands_for_the_terminal() {
        use clap::Parser as _;
        for wrong in ["a\x1b[2J\u{202e}b", "--a\x07\u{202e}b"] {
            let fault = crate::arguments::Arguments::try_parse_from(["tierbench", wrong]).unwrap_err();
            let text = misuse(&fault, false);
            assert!(!text.contains(['\x1b', '\x07', '\u{202e}']), "{text}");
            assert!(text.starts_with("error: ") && text.contains("\\u{202e}b"), "{text}");
            assert_eq!(fault.exit_code(), 2);
        }
    }

    #[test]
    fn text_from_others_brings_no_commands_for_the_terminal() {
        let document = Document::new("a\x1b[2J.toml", "x = '\x1b[31m'\n");
        let error = document.error(Some(0..1), "unknown `\x1b]0;a\x07`", Some("write \u{9b}1m".to_owned()));
        let text = rendered(&Fault::from(WorkspaceError::from(error)), false);
        assert!(!text.contains(['\x1b', '\x07', '\u{9b}']) && text.contains("\\u{1b}[2J.toml"), "{text}");
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let coloured = rendered(&misspelt(Some(16..26)), true);
        assert!(coloured.starts_with("\x1b[1m\x1b[31merror:\x1b[0m unknown field"), "{coloured:?}");
        let plain: String = coloured
            .split('\x1b')
            .enumerate()
            .map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 })
            .collect();
        assert_eq!(plain, rendered(&misspelt(Some(16..26)), false));
    }

    #[test]
    fn a_place_counts_characters_and_is_cut_at_the_end_of_its_line() {
        let document = Document::new("a.toml", "näme = [\n  'x',\n]\n");
        let error = document.error(Some(8..19), "too long", None);
        let Excerpt { line, column, source, width, .. } = Excerpt::of(&*error).unwrap();
        assert_eq!((line, column, source.as_str(), width), (1, 8, "näme = [", 1));
        let at_the_end = document.error(Some(19..19), "too short", None);
        assert_eq!(Excerpt::of(&*at_the_end).unwrap().line, 4);
    }

    #[test]
    fn an_interrupted_run_names_its_remedy_and_the_command_that_continues() {
        let error = LabError::HeldUp { configuration: "WsPhp-DB".to_owned(), clients: 5 };
        let fault = Fault::Resumable { error, command: "tierbench run --resume a".to_owned() };
        let text = rendered(&fault, false);
        assert!(
            text.ends_with("\nhelp: stop other programs\ncontinue with: tierbench run --resume a"),
            "{text}"
        );
        assert_eq!(fault.blame(), Blame::Service);
    }

    #[test]
    fn the_help_lists_the_exit_code_of_each_class() {
        let all = [
            Blame::Unexpected,
            Blame::Input,
            Blame::Unverified,
            Blame::Service,
            Blame::Missing,
            Blame::Storage,
            Blame::Invalid,
            Blame::Condition,
            Blame::Damaged,
            Blame::Undecided,
            Blame::Interrupted,
        ];
        let (_, listed) = crate::help::AFTER_HELP.split_once("Exit codes:").unwrap();
        for blame in all {
            assert!(listed.contains(&format!("\n  {:<4} ", exit_code(blame))), "{blame:?}");
        }
    }
}

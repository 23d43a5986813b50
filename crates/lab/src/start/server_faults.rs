//! Faults of a server's own: where it answers with a status of 5xx, the last lines of its logs say why.

use engine::{ErrorKind, Outcome};
use results::EventKind;
use std::{
    io,
    path::{Path, PathBuf},
};

/// The logs of a site's tiers, by the names that they have in a result.
type Logs = [(PathBuf, Vec<u8>)];

const LINES: usize = 8;
/// A web server puts its own prefix and a path before what a program says.
const LINE_SHOWS: usize = 600;
/// The end of each log that is kept.
const KEPT: usize = 1 << 18;

/// True if a load met a status of 5xx.
pub(crate) fn has_server_fault(outcome: &Outcome) -> bool {
    outcome.total().errors_of(ErrorKind::ServerStatus) > 0
}

/// The folder of a configuration's logs in a result.
pub(crate) fn logs_of(configuration: &str) -> String {
    format!("logs/{configuration}/ of the result")
}

/// Keeps the ends of logs in a file.
pub(crate) fn keep(logs: &Logs, file: &Path) -> io::Result<()> {
    let text: Vec<u8> = logs
        .iter()
        .flat_map(|(name, text)| {
            let end = &text[text.len().saturating_sub(KEPT)..];
            [format!("==> {}\n", name.display()).as_bytes(), end, b"\n"].concat()
        })
        .collect();
    fs_err::write(file, text)
}

/// A remark with the last lines of each log, those of the tiers that clients meet first before the others.
pub(crate) fn remark(configuration: &str, logs: &Logs, kept: &str) -> EventKind {
    let of_log = |(name, text): &(PathBuf, Vec<u8>)| {
        let text = String::from_utf8_lossy(&text[text.len().saturating_sub(KEPT)..]).into_owned();
        let mut lines: Vec<String> =
            text.lines().rev().filter(|line| tells(line)).take(LINES).map(cut).collect();
        lines.reverse();
        format!("\n  {}\n    {}", name.display(), lines.join("\n    "))
    };
    let shown: Vec<String> = logs.iter().rev().map(of_log).collect();
    let text =
        format!("A server failed (status 5xx). The logs are in {kept}; their last lines:{}", shown.concat());
    EventKind::Remark { configuration: configuration.to_owned(), text }
}

/// True if a line says what happened; the stack frames of an exception don't.
fn tells(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && !(text.len() < line.len() && (text.starts_with("at ") || text.starts_with("... ")))
}

fn cut(line: &str) -> String {
    line.chars().take(LINE_SHOWS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_telling_lines_of_each_log_are_shown_and_the_logs_are_kept() {
        let log = "started\nERROR page failed\njava.lang.IllegalState: no row\n\tat a.B.c(B.java:1)\n\t... 20 more\n";
        let logs = [("db-mariadb/error.log", "ready\n"), ("app-process/output.log", log)]
            .map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec()));
        let EventKind::Remark { text, .. } = remark("A", &logs, "failure-A.log") else { panic!("no remark") };
        let (app, db) = (text.find("app-process").unwrap(), text.find("db-mariadb").unwrap());
        assert!(app < db && text.contains("no row\n") && !text.contains("B.java"), "{text}");
        let place = tempfile::tempdir().unwrap();
        keep(&logs, &place.path().join("kept.log")).unwrap();
        let kept = std::fs::read_to_string(place.path().join("kept.log")).unwrap();
        assert!(kept.starts_with("==> db-mariadb/error.log\nready\n") && kept.contains("B.java"), "{kept}");
    }
}

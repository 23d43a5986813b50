//! The command's texts on their way out. That the reader of standard output has seen enough (`| head`) is no fault, that
//! the disk behind it is full is one. Texts from others never reach a terminal raw.

pub(crate) use settings::{harmless, note};

use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, Write as _},
};

pub(crate) fn print(text: impl Display) -> io::Result<()> {
    let text = text.to_string();
    // A program reads what a pipe or a file gets, and needs it as it is.
    let text = if rustix::termios::isatty(io::stdout()) { harmless(&text) } else { Cow::Borrowed(&*text) };
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints a line with colours of our own on standard error. Others' texts in it must be [`harmless`].
pub(crate) fn note_styled(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

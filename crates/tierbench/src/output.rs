//! Standard output: that its reader has seen enough (`| head`) is no fault, that the disk behind it is full is one.

use std::{
    fmt::Display,
    io::{self, Write},
};

/// Prints a line, or several.
pub(crate) fn print(text: impl Display) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints a line on standard error, where nobody may be listening.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

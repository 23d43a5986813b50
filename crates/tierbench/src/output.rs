//! The command's texts on their way out. That the reader of standard output has seen enough (`| head`) is no fault, that
//! the disk behind it is full is one. Texts from others never reach a terminal raw.

use std::{
    borrow::Cow,
    fmt::{Display, Write as _},
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

/// Prints a line on standard error, where nobody may be listening.
pub(crate) fn note(text: impl Display) {
    note_styled(&harmless(&text.to_string()));
}

/// Prints a line with colours of our own on standard error. Others' texts in it must be [`harmless`].
pub(crate) fn note_styled(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Text with the characters written out that a terminal would obey: controls but for line ends and tabs, and marks that
/// change the direction of writing.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_obeyed(c) {
            true => drop(write!(shown, "\\u{{{:x}}}", u32::from(c))),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (raw, shown) in [
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("50 %\r100 %", "50 %\\u{d}100 %"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("Zürich\n\tok \u{1f600}", "Zürich\n\tok \u{1f600}"),
        ] {
            assert_eq!(harmless(raw), shown);
        }
    }

    proptest! {
        #[test]
        fn nothing_of_any_text_is_obeyed_and_plain_text_stays(text: String) {
            prop_assert!(!harmless(&text).contains(is_obeyed));
            let plain = text.replace(is_obeyed, "");
            prop_assert_eq!(harmless(&plain), plain.as_str());
        }
    }
}

//! Texts on their way to a terminal, which obeys some of what others write.

use std::{
    borrow::Cow,
    fmt::{Display, Write as _},
    io::{self, Write as _},
};

/// Prints a line on standard error, where nobody may be listening.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", harmless(&text.to_string()));
}

/// Text with the characters written out that a terminal would obey: controls but for line ends and tabs, and marks that
/// change the direction of writing.
pub fn harmless(text: &str) -> Cow<'_, str> {
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
    let is_mark = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}');
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_mark || turns || (c.is_control() && c != '\n' && c != '\t')
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
            ("a\u{61c}b", "a\\u{61c}b"),
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

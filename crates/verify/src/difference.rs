//! Differences between a stack and the model.

use application::Step;
use std::fmt;

/// Tolerance for times in pages and rows, in seconds.
pub const TOLERANCE: i64 = 2;

/// A difference between a stack and the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The request whose answer differs; none if the rows differ in the end.
    pub step: Option<Step>,
    /// Its place and kind.
    pub text: String,
}

/// True if words tell of a server's fault, a status of 5xx.
pub fn tells_server_fault(words: &str) -> bool {
    words.match_indices("status").any(|(at, word)| {
        let after = words[at + word.len()..].trim_start_matches([':', ' ']);
        let code: String = after.chars().take_while(char::is_ascii_digit).collect();
        code.len() == 3 && code.starts_with('5')
    })
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.step {
            Some(step) => write!(f, "{}\n{}", cut(step), self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A step, shortened to a few lines.
pub(crate) fn cut(step: &Step) -> String {
    const LONGEST: usize = 400;
    let text = step.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_of_5xx_is_told_from_others() {
        for words in
            ["  status: 500 instead of 200", "it was answered with status 503", "status 404, then status 502"]
        {
            assert!(tells_server_fault(words), "{words}");
        }
        for words in
            ["  status: 404 instead of 500", "status 5", "status 5000", "the status of 500 rows", "500"]
        {
            assert!(!tells_server_fault(words), "{words}");
        }
    }
}

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

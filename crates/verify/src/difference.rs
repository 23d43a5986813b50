//! How a stack may differ from the model, and how it does.

use application::Step;
use std::fmt;

/// By how many seconds times in pages and rows may differ.
pub const TOLERANCE: i64 = 2;

/// How a stack differs from the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The request whose answer differs; none if the rows differ in the end.
    pub step: Option<Step>,
    /// Where and how.
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

//! What is known of what a configuration does: whether it was verified, and which statements it sends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How the verification of a configuration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// It has not come to that yet.
    Pending,
    /// It does what the model does.
    Passed,
    /// It was left out, as somebody wanted.
    Skipped,
    /// Somebody else runs the site.
    NotOurs,
}

impl Verification {
    /// Whether there is nothing to warn of.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Passed | Self::NotOurs)
    }
}

impl fmt::Display for Verification {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.pad(match self {
            Self::Pending => "not yet",
            Self::Passed => "passed",
            Self::Skipped => "left out with --skip-verify",
            Self::NotOurs => "not ours to verify",
        })
    }
}

/// Whether a configuration sends the recorded statements to its stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Statements {
    /// The recorded statements, in order.
    Exact,
    /// The same effects by other statements.
    Equivalent,
    /// Its own, or none.
    Own,
}

impl fmt::Display for Statements {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.pad(match self {
            Self::Exact => "exact",
            Self::Equivalent => "equivalent",
            Self::Own => "own",
        })
    }
}

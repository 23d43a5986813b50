//! The verdict of a point: checks with their figures and thresholds.
//!
//! A check fails only on a deviation that chance doesn't explain *and* that matters. Each is allowed about one false alarm
//! in ten thousand sound points, so that all together stay well below one in a hundred. A check that the window is too
//! short for fails no point, and says that it was not judged.

mod check_id;
mod generator;
mod host;
mod site;
mod steady_state;
mod users;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use check_id::CheckId;
pub use generator::GeneratorFigures;
pub use host::{HostUse, QuotaUse};
pub use site::{SecondFigures, SiteFigures};
pub use users::{Drawn, Row, ThinkTimes, UserFigures, Visited};

/// One check of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The check's identifier.
    pub id: CheckId,
    /// Whether it passed. A check that could not be judged fails no point, so it passes too.
    pub passed: bool,
    /// The part of the check that could be judged. In older results, all of it.
    #[serde(default)]
    pub judged: Extent,
    /// The observed figure with its unit; of a check that was not judged, the reason.
    pub figure: String,
    /// The threshold with its unit.
    pub threshold: String,
}

impl Check {
    pub fn new(id: CheckId, passed: bool, figure: String, threshold: String) -> Self {
        Self { id, passed, judged: Extent::Whole, figure, threshold }
    }

    /// A check that could not be judged, with the reason.
    pub fn not_judged(id: CheckId, why: String, threshold: String) -> Self {
        Self { judged: Extent::Nothing, ..Self::new(id, true, why, threshold) }
    }
}

/// The part of a check that could be judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// All of it.
    #[default]
    Whole,
    /// A part; the figure says what could not be judged.
    Part,
    /// Nothing; the figure says why.
    Nothing,
}

/// Figures of the measured window by which a point is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    pub clients: u32,
    /// In seconds.
    pub window_s: f64,
    /// The number of stretches of the window, with pauses between them.
    pub stretches: u32,
    pub generator: GeneratorFigures,
    pub site: SiteFigures,
    pub users: UserFigures,
    pub host: HostUse,
}

/// Checks a point. A figure that isn't a number fails its check.
pub fn judge(figures: &Figures) -> Vec<Check> {
    let mut checks = generator::checks(figures);
    checks.extend(site::checks(figures));
    checks.extend(users::checks(figures));
    checks.extend(steady_state::checks(figures));
    checks.extend(host::checks(&figures.host));
    checks
}

/// A share as `2.5 %`.
fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * share)
}

#[cfg(test)]
mod tests;

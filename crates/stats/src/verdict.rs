//! Whether the figures of a point may be believed: each check with what was seen and what is asked for.
//!
//! A check fails only on a deviation that chance doesn't explain *and* that matters. Each is allowed about one false
//! alarm in ten thousand sound points, so that all together stay well below one in a hundred. What a window is too
//! short to tell fails no point, and its check says that it was not judged.

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
    /// What is checked.
    pub id: CheckId,
    /// Whether it passed. What could not be judged fails no point, so it passes too.
    pub passed: bool,
    /// How much of it there was enough to judge by. In older results, all of it.
    #[serde(default)]
    pub judged: Extent,
    /// What was seen, with its unit; of a check that was not judged, why not.
    pub figure: String,
    /// What is asked for, with its unit.
    pub threshold: String,
}

impl Check {
    /// A check with its texts.
    pub fn new(id: CheckId, passed: bool, figure: String, threshold: String) -> Self {
        Self { id, passed, judged: Extent::Whole, figure, threshold }
    }

    /// A check that nothing can be said of, and `why`.
    pub fn not_judged(id: CheckId, why: String, threshold: String) -> Self {
        Self { judged: Extent::Nothing, ..Self::new(id, true, why, threshold) }
    }
}

/// How much of a check could be judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// All that it asks for.
    #[default]
    Whole,
    /// Some of it; its figure says what could not.
    Part,
    /// Nothing; its figure says why.
    Nothing,
}

/// What a point is judged by. All of it is about the measured window.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Emulated clients.
    pub clients: u32,
    /// Length of the window in seconds.
    pub window_s: f64,
    /// Of how many stretches the window consists, with a pause between them.
    pub stretches: u32,
    /// What the load generator did.
    pub generator: GeneratorFigures,
    /// What the site did.
    pub site: SiteFigures,
    /// What its users did.
    pub users: UserFigures,
    /// What the machine did.
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

/// A share as people write it: `2.5 %`.
fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * share)
}

#[cfg(test)]
mod tests;

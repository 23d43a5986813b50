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
pub use generator::{GeneratorFigures, HostGenerator};
pub use host::{HostUse, MachineState, MachineUse, QuotaUse};
pub use site::{SecondFigures, SiteFigures};
pub use users::{Drawn, Row, ThinkTimes, UserFigures, Visited};

/// One check of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The check's identifier.
    pub id: CheckId,
    /// True if it passed. A check that could not be judged fails no point, so it passes too.
    pub passed: bool,
    /// The part of the check that could be judged.
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
    /// Of each generator by itself, where several divided the clients.
    pub generators: Vec<HostGenerator>,
    pub site: SiteFigures,
    pub users: UserFigures,
    pub host: HostUse,
}

/// Judges a point by the checks that apply to it, in their order. A figure that isn't a number fails its check. Checks of the
/// servers and the data are not among them: they have figures of their own.
pub fn judge(figures: &Figures, applicable: &[CheckId]) -> Vec<Check> {
    applicable.iter().filter_map(|id| check(*id, figures)).collect()
}

fn check(id: CheckId, figures: &Figures) -> Option<Check> {
    let Figures { site, users, host, .. } = figures;
    Some(match id {
        CheckId::GeneratorCpu => generator::cpu(figures),
        CheckId::Lateness => generator::lateness(figures),
        CheckId::DroppedSends => generator::sends(figures),
        CheckId::Completed => site::completed(site),
        CheckId::Errors => site::errors(site),
        CheckId::KeepAliveRaces => site::keep_alive_races(site),
        CheckId::ClientTime => site::client_time(figures),
        CheckId::ResponseTimeLaw => site::response_time_law(figures),
        CheckId::ThinkTimesMean => users::think_mean(&users.think),
        CheckId::ThinkTimesLaw => users::think_law(&users.think),
        CheckId::WarmUp => users::warm_up(users.warm_requests),
        CheckId::VisitedMix => users::visited(users),
        CheckId::Transitions => users::transitions(&users.rows),
        CheckId::Fallbacks => users::fallbacks(users),
        CheckId::SteadyStateMser5 => steady_state::mser5(figures),
        CheckId::SteadyStateChange => steady_state::change(figures),
        CheckId::Steal => host::steal(host),
        CheckId::OtherProcesses => host::other_processes(host),
        CheckId::HostsGotCpu if host.quotas.is_empty() => return None,
        CheckId::HostsGotCpu => host::quotas(&host.quotas),
        CheckId::HostsUnchanged if host.states.is_empty() => return None,
        CheckId::HostsUnchanged => host::unchanged(&host.states),
        CheckId::KeptUp => site::kept_up(figures),
        CheckId::WarmServers | CheckId::Audit => return None,
    })
}

/// A share as `2.5 %`.
fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * share)
}

#[cfg(test)]
mod tests;

//! Whether the generator kept up: what it can't send in time is measured as if the site were slow.

use super::{Check, Figures, percent};

/// What the load generator did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorFigures {
    /// Its CPU as a share of one core.
    pub cpu: f64,
    /// 99th percentile of how late requests were sent, in milliseconds.
    pub lateness_p99_ms: f64,
    /// Requests that were to be sent.
    pub intended: u64,
    /// Of these, the ones that it sent, or began to connect for.
    pub sent: u64,
}

/// A generator near a full core sends late, and its own queue would be measured as the server's.
const CPU: f64 = 0.8;
/// A general-purpose kernel wakes a process no better than this.
const LATENESS_FLOOR_MS: f64 = 1.0;
/// Lateness below this share of the median response hardly moves the response times.
const LATENESS_SHARE: f64 = 0.1;
const DROPPED_SHARE: f64 = 0.001;

pub(super) fn checks(figures: &Figures) -> Vec<Check> {
    let generator = &figures.generator;
    vec![cpu(generator), lateness(generator, figures.site.response_p50_ms), sends(generator)]
}

fn cpu(generator: &GeneratorFigures) -> Check {
    let cpu = generator.cpu;
    Check::new("generator CPU", cpu <= CPU, format!("{cpu:.2} core"), format!("at most {CPU} core"))
}

fn lateness(generator: &GeneratorFigures, response_p50_ms: f64) -> Check {
    let limit = (LATENESS_SHARE * response_p50_ms).max(LATENESS_FLOOR_MS);
    let passed = generator.lateness_p99_ms <= limit;
    let figure = format!("99 % of requests sent within {:.2} ms", generator.lateness_p99_ms);
    let threshold = format!("at most {limit:.2} ms (1 ms, or 10 % of the median response)");
    Check::new("lateness", passed, figure, threshold)
}

fn sends(generator: &GeneratorFigures) -> Check {
    let GeneratorFigures { intended, sent, .. } = *generator;
    let dropped = intended.saturating_sub(sent);
    let passed = sent <= intended && dropped as f64 <= DROPPED_SHARE * intended as f64;
    let figure = format!("{sent} of {intended} intended requests sent");
    Check::new("dropped sends", passed, figure, format!("at most {} not sent", percent(DROPPED_SHARE, 1)))
}

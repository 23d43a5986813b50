//! Whether the generator kept up: a request that it sends late is measured as if the site were slow.

use super::{Check, CheckId, SiteFigures, percent};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorFigures {
    /// CPU time as a share of one core.
    pub cpu: f64,
    /// Median delay between the intended and the actual send, in milliseconds.
    pub lateness_p50_ms: f64,
    /// Its 99th percentile.
    pub lateness_p99_ms: f64,
    /// Requests due in the window.
    pub intended: u64,
    /// Requests sent, or begun to connect for, of these.
    pub sent: u64,
}

/// A generator near a full core sends late, and its own queue would be measured as the server's.
const CPU: f64 = 0.8;
/// A general-purpose kernel wakes a process no better than this.
const LATENESS_FLOOR_MS: f64 = 1.0;
/// Lateness counts as waiting for the site. Below this share of a response time it hardly matters: medians are compared
/// with medians, tails with tails.
const LATENESS_SHARE: f64 = 0.1;
const DROPPED_SHARE: f64 = 0.001;

pub(super) fn cpu(generator: &GeneratorFigures) -> Check {
    let cpu = generator.cpu;
    Check::new(CheckId::GeneratorCpu, cpu <= CPU, format!("{cpu:.2} core"), format!("at most {CPU} core"))
}

pub(super) fn lateness(generator: &GeneratorFigures, site: &SiteFigures) -> Check {
    let limit = |response_ms: f64| (LATENESS_SHARE * response_ms).max(LATENESS_FLOOR_MS);
    let [p50, p99] = [limit(site.response_p50_ms), limit(site.response_p99_ms)];
    let GeneratorFigures { lateness_p50_ms, lateness_p99_ms, .. } = *generator;
    let passed = lateness_p50_ms <= p50 && lateness_p99_ms <= p99;
    let figure =
        format!("50 % of requests sent within {lateness_p50_ms:.2} ms, 99 % within {lateness_p99_ms:.2} ms");
    let threshold = format!("at most {p50:.2} and {p99:.2} ms (1 ms, or 10 % of the same response quantile)");
    Check::new(CheckId::Lateness, passed, figure, threshold)
}

pub(super) fn sends(generator: &GeneratorFigures) -> Check {
    let GeneratorFigures { intended, sent, .. } = *generator;
    let dropped = intended.saturating_sub(sent);
    let passed = sent <= intended && dropped as f64 <= DROPPED_SHARE * intended as f64;
    let figure = format!("{sent} of {intended} intended requests sent");
    Check::new(
        CheckId::DroppedSends,
        passed,
        figure,
        format!("at most {} not sent", percent(DROPPED_SHARE, 1)),
    )
}

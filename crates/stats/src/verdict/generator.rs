//! Checks of the generator: a request that it sends late is measured as if the site were slow.

use super::{Check, CheckId, Figures, SiteFigures, percent};

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

/// One of several generators that divided the clients.
#[derive(Debug, Clone, PartialEq)]
pub struct HostGenerator {
    pub host: String,
    pub figures: GeneratorFigures,
}

/// A generator near a full core sends late, and its own queue would be measured as the server's.
const CPU: f64 = 0.8;
/// A general-purpose kernel wakes a process no better than this.
const LATENESS_FLOOR_MS: f64 = 1.0;
/// Lateness counts as waiting for the site. Below this share of a response time it hardly matters: medians are compared
/// with medians, tails with tails.
const LATENESS_SHARE: f64 = 0.1;
const DROPPED_SHARE: f64 = 0.001;

pub(super) fn cpu(figures: &Figures) -> Check {
    let mut check = worst(figures, |generator| generator.cpu, cpu_of);
    if !check.passed {
        let more = more_needed(figures);
        let generators = if more == 1 { "generator is" } else { "generators are" };
        check.figure += &format!("; at least {more} more {generators} needed");
    }
    check
}

fn cpu_of(generator: &GeneratorFigures) -> Check {
    let cpu = generator.cpu;
    Check::new(CheckId::GeneratorCpu, cpu <= CPU, format!("{cpu:.2} core"), format!("at most {CPU} core"))
}

/// Generators beyond those that there were, so that none would need more than its share of a core. One that had no CPU time
/// left would have needed more than it got.
fn more_needed(Figures { generator, generators, .. }: &Figures) -> u64 {
    let all: f64 = generators.iter().map(|generator| generator.figures.cpu).sum();
    let (all, there) =
        if generators.is_empty() { (generator.cpu, 1) } else { (all, generators.len() as u64) };
    ((all / CPU).ceil() as u64).saturating_sub(there).max(1)
}

pub(super) fn lateness(figures: &Figures) -> Check {
    worst(figures, |generator| generator.lateness_p99_ms, |generator| lateness_of(generator, &figures.site))
}

fn lateness_of(generator: &GeneratorFigures, site: &SiteFigures) -> Check {
    let limit = |response_ms: f64| (LATENESS_SHARE * response_ms).max(LATENESS_FLOOR_MS);
    let [p50, p99] = [limit(site.response_p50_ms), limit(site.response_p99_ms)];
    let GeneratorFigures { lateness_p50_ms, lateness_p99_ms, .. } = *generator;
    let passed = lateness_p50_ms <= p50 && lateness_p99_ms <= p99;
    let figure =
        format!("50 % of requests sent within {lateness_p50_ms:.2} ms, 99 % within {lateness_p99_ms:.2} ms");
    let threshold = format!("at most {p50:.2} and {p99:.2} ms (1 ms, or 10 % of the same response quantile)");
    Check::new(CheckId::Lateness, passed, figure, threshold)
}

pub(super) fn sends(figures: &Figures) -> Check {
    let dropped = |generator: &GeneratorFigures| generator.intended as f64 - generator.sent as f64;
    worst(figures, dropped, sends_of)
}

/// Judges each of several generators by itself, since the others would hide one that is late. Shows the worst: one that failed,
/// and of these the one with the greatest figure.
fn worst(
    Figures { generator, generators, .. }: &Figures,
    figure: impl Fn(&GeneratorFigures) -> f64,
    check: impl Fn(&GeneratorFigures) -> Check,
) -> Check {
    let judged = generators.iter().map(|one| (check(&one.figures), one));
    let worst = judged.max_by(|(check, one), (other_check, other)| {
        let failed = other_check.passed.cmp(&check.passed);
        failed.then(figure(&one.figures).total_cmp(&figure(&other.figures)))
    });
    match worst {
        Some((check, one)) => Check { figure: format!("{} ({})", check.figure, one.host), ..check },
        None => check(generator),
    }
}

fn sends_of(generator: &GeneratorFigures) -> Check {
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

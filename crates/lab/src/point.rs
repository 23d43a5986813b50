//! From what the engine recorded and the tiers used to a point of the result.

use crate::Timing;
use engine::{ErrorKind, How, Outcome};
use hdrhistogram::Histogram;
use results::{Audit, HostFigures, InteractionFigures, Point, Purpose, Second, TierFigures, Times, Verdict};
use stats::{Figures, ThinkTimes, judge};
use std::collections::BTreeMap;
use testbed::Usage;
use workload::{Catalogue, Effect, Mix};

/// Which point it is.
pub(crate) struct Identity<'a> {
    pub configuration: &'a str,
    pub stack: &'a str,
    pub repetition: u32,
    pub sequence: u32,
    pub purpose: Purpose,
    pub seed: u64,
    pub started: String,
}

/// What is known of a load once it is over.
pub(crate) struct Measured<'a> {
    pub catalogue: &'a Catalogue,
    /// What its users were meant to do.
    #[expect(dead_code, reason = "the verdict on what users did comes next")]
    pub mix: &'a Mix,
    /// How long everything was meant to take.
    pub timing: &'a Timing,
    pub outcome: &'a Outcome,
    /// What each tier used in the window; CPU per interaction is filled in here.
    pub tiers: Vec<TierFigures>,
    pub host: HostFigures,
    /// What looking at tiers and services cost in the window, as a share of one core.
    pub sampler_cpu: f64,
    /// What was found of the data afterwards.
    pub audit: Option<Audit>,
}

/// The role, the service, and what it used in the window.
pub(crate) type TierUsage = (String, String, Usage);

/// Puts a point together and judges it.
pub(crate) fn point(identity: Identity<'_>, measured: Measured<'_>) -> Point {
    let Measured { catalogue, mix: _, timing, outcome, tiers, host, sampler_cpu, audit } = measured;
    let total = outcome.total();
    let window_s = outcome.window.as_secs_f64();
    let response = times(&outcome.response());
    let per_second: Vec<f64> =
        outcome.window_timeline().iter().map(|second| second.completed as f64).collect();
    let backs = |how: How| outcome.interactions.iter().map(|figures| figures.tally(how).requests()).sum();
    let mut point = Point {
        configuration: identity.configuration.to_owned(),
        stack: identity.stack.to_owned(),
        clients: outcome.clients,
        repetition: identity.repetition,
        sequence: identity.sequence,
        purpose: identity.purpose,
        seed: identity.seed,
        started: identity.started,
        warm_s: outcome.window_start.as_secs_f64(),
        window_s,
        throughput: outcome.throughput(),
        throughput_half_width: stats::batch_means(&per_second).map(|interval| interval.half_width),
        response,
        quantiles: Vec::new(),
        service: times(&outcome.service()),
        completed: total.completed,
        refused: total.refused,
        errors: errors(outcome),
        backs: backs(How::Back),
        fallbacks: backs(How::Fallback),
        reconnects: outcome.connections.reconnects,
        bytes_received: outcome.bytes(),
        interactions: interactions(catalogue, outcome),
        tiers: tiers.into_iter().map(|tier| per_interaction(tier, total.completed)).collect(),
        host,
        sampler_cpu,
        generator_cpu: outcome.cpu_share(),
        lateness_p99_ms: outcome.lateness.value_at_quantile(0.99) as f64 / 1e3,
        timeline: timeline(outcome),
        audit,
        verdict: Verdict::default(),
    };
    let mut checks = judge(&Figures {
        generator_cpu: point.generator_cpu,
        lateness_p99_ms: point.lateness_p99_ms,
        response_p50_ms: response.p50_ms,
        response_mean_ms: outcome.response_times.mean().as_secs_f64() * 1e3,
        completed: total.completed + total.refused,
        failed: total.errors(),
        keep_alive_races: total.errors_of(ErrorKind::KeepAliveRace),
        idle_closed: outcome.connections.reconnects,
        clients: outcome.clients,
        window_s,
        think: ThinkTimes {
            count: outcome.think_times.count,
            mean_s: outcome.think_times.mean().as_secs_f64(),
            expected_s: timing.think_time.as_secs_f64(),
        },
        client_time_s: outcome.accounted.as_secs_f64(),
    });
    checks.push(crate::audit::check(point.audit.as_ref()));
    point.verdict = Verdict { valid: checks.iter().all(|check| check.passed), checks };
    point
}

fn errors(outcome: &Outcome) -> BTreeMap<String, u64> {
    let total = outcome.total();
    let kinds = ErrorKind::ALL.iter().map(|kind| (kind.name().to_owned(), total.errors_of(*kind)));
    kinds.filter(|(_, count)| *count > 0).collect()
}

fn interactions(catalogue: &Catalogue, outcome: &Outcome) -> Vec<InteractionFigures> {
    let both = catalogue.interactions().iter().zip(&outcome.interactions);
    both.map(|(interaction, figures)| InteractionFigures {
        name: interaction.name.clone(),
        effect: match interaction.effect {
            Effect::Static => "static",
            Effect::Read => "read",
            Effect::Write => "write",
        }
        .to_owned(),
        completed: figures.total().completed,
        refused: figures.total().refused,
        failed: figures.total().errors(),
        expected_share: 0.0,
        response: times(&figures.response),
    })
    .collect()
}

fn timeline(outcome: &Outcome) -> Vec<Second> {
    let seconds = outcome.timeline.iter().enumerate().map(|(second, seen)| Second {
        second: second as u32,
        completed: seen.completed,
        refused: seen.refused,
        failed: seen.errors,
        p95_ms: seen.p95.as_secs_f64() * 1e3,
        mean_ms: if seen.completed == 0 {
            0.0
        } else {
            seen.response_sum.as_secs_f64() * 1e3 / seen.completed as f64
        },
    });
    seconds.collect()
}

fn per_interaction(tier: TierFigures, completed: u64) -> TierFigures {
    let cpu = tier.cpu_user_s + tier.cpu_system_s;
    let cpu_ms_per_interaction = if completed == 0 { 0.0 } else { cpu * 1e3 / completed as f64 };
    TierFigures { cpu_ms_per_interaction, ..tier }
}

/// What a tier used, where nothing else is known of it.
pub(crate) fn tier_figures((role, service, used): TierUsage, window_s: f64) -> TierFigures {
    let cpu = used.user_s + used.system_s;
    TierFigures {
        role,
        service,
        cpu_user_s: used.user_s,
        cpu_system_s: used.system_s,
        cpu_ms_per_interaction: 0.0,
        cores: if window_s > 0.0 { cpu / window_s } else { 0.0 },
        resident_bytes: used.resident_bytes,
        proportional_bytes: None,
        processes: used.processes,
        threads: 0,
        minor_faults_per_s: 0.0,
        major_faults_per_s: 0.0,
        switches_per_s: 0.0,
        disk_read_bytes_per_s: 0.0,
        disk_written_bytes_per_s: 0.0,
        blind: Vec::new(),
        gauges: Vec::new(),
    }
}

/// From a histogram of microseconds.
fn times(histogram: &Histogram<u64>) -> Times {
    let at = |quantile| histogram.value_at_quantile(quantile) as f64 / 1e3;
    Times {
        mean_ms: histogram.mean() / 1e3,
        p50_ms: at(0.5),
        p90_ms: at(0.9),
        p99_ms: at(0.99),
        max_ms: histogram.max() as f64 / 1e3,
    }
}

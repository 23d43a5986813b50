//! From what the engine recorded and the tiers used to a point of the result.

mod check_inputs;
mod checks;
mod latency;
mod mix_simulation;
mod open_loop;

pub(crate) use check_inputs::machines;
pub(crate) use latency::intervals;

use crate::{plan::Timing, workspace::Timeout};
use engine::{ErrorKind, How, Outcome, Stretch};
use hdrhistogram::Histogram;
use results::{
    Audit, CheckId, HostFigures, HostUsageFigures, InteractionFigures, Point, Purpose, Quantile, Round,
    Second, StartUp, TierFigures, Times, Verdict, WarmUp,
};
use stack::StretchUse;
use stats::HostGenerator;
use std::collections::BTreeMap;
use workload::{Catalogue, Effect, LoadKind, Mix, Protocol, Stationary};

pub(crate) struct Identity<'a> {
    pub configuration: &'a str,
    pub stack: &'a str,
    pub repetition: u32,
    pub start: Option<u32>,
    pub sequence: u32,
    pub purpose: Purpose,
    pub kind: LoadKind,
    /// True if somebody else runs the site.
    pub is_external: bool,
    pub seed: u64,
    pub timeout: Timeout,
    pub started: String,
}

/// The records of a load that is over.
pub(crate) struct Measured<'a> {
    pub catalogue: &'a Catalogue,
    /// The mix that its users were to follow.
    pub mix: &'a Mix,
    /// The planned times.
    pub timing: &'a Timing,
    pub outcome: &'a Outcome,
    /// The use of each tier in the window.
    pub tiers: Vec<TierFigures>,
    pub host: HostFigures,
    pub hosts: Vec<HostUsageFigures>,
    /// The cost of sampling in the window, as a share of one core.
    pub sampler_cpu: f64,
    /// The use in each stretch of a window in rounds; empty if it was one stretch.
    pub rounds: Vec<StretchUse>,
    /// The warm-up before it; none if there was none.
    pub warm_up: Option<WarmUp>,
    /// The record of the start of its servers, if they were started.
    pub start_up: Option<StartUp>,
    /// The audit after it; none where there is no store.
    pub audit: Option<Audit>,
}

impl<'a> Measured<'a> {
    /// The same of an external site, of which nothing is known but what its clients saw.
    pub(crate) fn of_clients(
        catalogue: &'a Catalogue,
        mix: &'a Mix,
        timing: &'a Timing,
        outcome: &'a Outcome,
        host: HostFigures,
    ) -> Self {
        Self {
            catalogue,
            mix,
            timing,
            outcome,
            tiers: Vec::new(),
            host,
            hosts: Vec::new(),
            sampler_cpu: 0.0,
            rounds: Vec::new(),
            warm_up: None,
            start_up: None,
            audit: None,
        }
    }
}

/// Puts a point together and judges it.
pub(crate) fn point(identity: Identity<'_>, measured: Measured<'_>) -> Point {
    let Measured { catalogue, mix, timing, outcome, .. } = measured;
    let response_mean = outcome.response_times.mean();
    let think_time = identity.kind.behaviour().think_time;
    let stationary = Stationary::expected(mix, catalogue, think_time, timing.session_length, response_mean);
    let figures = check_inputs::figures(&measured, &identity.kind, &stationary);
    let applicable = applicable_checks(&identity);
    let mut checks = stats::judge(&figures, &applicable);
    if applicable.contains(&CheckId::WarmServers) {
        checks.push(checks::warm_servers(measured.warm_up.as_ref()));
    }
    if applicable.contains(&CheckId::Audit) {
        checks.push(checks::audit(measured.audit.as_ref()));
    }
    // Where users arrive, what is seen of one time says nothing of another.
    let is_steady = identity.kind.arrivals().is_none();
    let total = outcome.total();
    let sessions = sessions(catalogue, outcome);
    let per_second: Vec<f64> = figures.site.seconds.iter().map(|second| second.completed).collect();
    let requests = |how: How| outcome.interactions.iter().map(|figures| figures.tally(how).requests()).sum();
    let rounds = rounds(outcome, &measured.rounds);
    Point {
        configuration: identity.configuration.to_owned(),
        stack: identity.stack.to_owned(),
        clients: identity.kind.clients(),
        kind: identity.kind.clone(),
        repetition: identity.repetition,
        start: identity.start,
        sequence: identity.sequence,
        purpose: identity.purpose,
        seed: identity.seed,
        timeout_s: identity.timeout.0.map(|timeout| timeout.as_secs_f64()),
        started: identity.started,
        warm_up: measured.warm_up,
        start_up: measured.start_up,
        warm_s: outcome.window_start.as_secs_f64(),
        window_s: figures.window_s,
        throughput: outcome.throughput(),
        throughput_half_width: is_steady
            .then(|| stats::batch_means(&per_second))
            .flatten()
            .map(|interval| interval.half_width),
        response: times(&outcome.response()),
        quantiles: quantiles(outcome, is_steady.then(|| before(outcome, think_time.as_secs_f64()))),
        service: times(&outcome.service()),
        session_mean_ms: sessions.map(|sessions| outcome.response_times.total.as_secs_f64() * 1e3 / sessions),
        // Nobody knows where users of another site begin a session.
        sessions_per_s: sessions
            .filter(|_| !identity.is_external)
            .map(|sessions| sessions / figures.window_s),
        completed: total.completed,
        refused: total.refused,
        errors: errors(outcome),
        causes: causes(outcome),
        left_out: outcome.left_out.clone(),
        backs: requests(How::Back),
        fallbacks: figures.users.fallbacks,
        reconnects: outcome.connections.reconnects,
        bytes_received: outcome.bytes(),
        interactions: interactions(catalogue, outcome, &stationary),
        tiers: measured.tiers,
        host: measured.host,
        hosts: measured.hosts,
        sampler_cpu: measured.sampler_cpu,
        generator_cpu: figures.generator.cpu,
        lateness_p99_ms: figures.generator.lateness_p99_ms,
        generators: generators(outcome, &figures.generators),
        timeline: timeline(outcome),
        rounds,
        arrivals: identity.kind.arrivals().map(|load| open_loop::figures(outcome, load)),
        audit: measured.audit,
        specification: None,
        verdict: Verdict::of(checks),
    }
}

/// The checks that the load, the site and the purpose allow. Profilers, and an external site that runs on this machine, would be
/// other processes.
fn applicable_checks(identity: &Identity<'_>) -> Vec<CheckId> {
    let is_profiled = identity.purpose == Purpose::Profile;
    let applies = |id: &CheckId| match id {
        CheckId::OtherProcesses => !identity.is_external && !is_profiled,
        CheckId::WarmServers | CheckId::Audit => !identity.is_external,
        _ => true,
    };
    identity.kind.applicable_checks().filter(applies).collect()
}

/// Figures of several generators that divided the clients.
fn generators(outcome: &Outcome, figures: &[HostGenerator]) -> Vec<results::GeneratorFigures> {
    let both = outcome.generators.iter().zip(figures);
    let each = both.map(|(share, HostGenerator { host, figures })| results::GeneratorFigures {
        host: host.clone(),
        clients: share.clients,
        cpu: figures.cpu,
        lateness_p99_ms: figures.lateness_p99_ms,
        intended: figures.intended,
        sent: figures.sent,
    });
    each.collect()
}

/// The visits of the first page, at which each session begins; none where programs call operations.
fn sessions(catalogue: &Catalogue, outcome: &Outcome) -> Option<f64> {
    let visits = outcome.interactions[catalogue.start.index()].total().requests();
    let has_sessions = visits > 0 && catalogue.get(catalogue.start).protocol == Protocol::Html;
    has_sessions.then_some(visits as f64)
}

/// The quantiles that a point is known by.
const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// The same figures as in the times, from the histogram; only their intervals are taken from the seconds.
fn quantiles(outcome: &Outcome, before: Option<stats::Before>) -> Vec<Quantile> {
    let seconds: Vec<Vec<(u32, u32)>> =
        outcome.window_latencies().map(|second| second.values.clone()).collect();
    let response = outcome.response();
    if response.is_empty() {
        return Vec::new();
    }
    let ms = |micros: f64| micros / 1e3;
    let quantile = |quantile: &f64| Quantile {
        quantile: *quantile,
        ms: ms(response.value_at_quantile(*quantile) as f64),
        interval_ms: before
            .as_ref()
            .and_then(|before| stats::quantile_interval(&seconds, *quantile, before))
            .map(|interval| (ms(interval.low), ms(interval.high))),
    };
    QUANTILES.iter().map(quantile).collect()
}

/// The second half of the ramp: its users are there, and know nothing of what the window will show.
fn before(outcome: &Outcome, think_s: f64) -> stats::Before {
    let ramp = (outcome.window_start.as_secs() as usize).min(outcome.timeline.len());
    let half = &outcome.timeline[ramp / 2..ramp];
    let completed = half.iter().map(|second| second.completed).sum::<u64>() as f64;
    let response_s: f64 = half.iter().map(|second| second.response_sum.as_secs_f64()).sum();
    stats::Before { think_s, throughput: completed / half.len() as f64, response_s: response_s / completed }
}

fn errors(outcome: &Outcome) -> BTreeMap<String, u64> {
    let total = outcome.total();
    let kinds = ErrorKind::ALL.iter().map(|kind| (kind.name().to_owned(), total.errors_of(*kind)));
    kinds.filter(|(_, count)| *count > 0).collect()
}

/// The first cause of each kind of errors, also of those that were retried or came before the window.
fn causes(outcome: &Outcome) -> BTreeMap<String, String> {
    let known = ErrorKind::ALL.iter().filter_map(|kind| Some((*kind, outcome.cause(*kind)?)));
    known.map(|(kind, cause)| (kind.name().to_owned(), cause.to_owned())).collect()
}

fn interactions(
    catalogue: &Catalogue,
    outcome: &Outcome,
    stationary: &Stationary,
) -> Vec<InteractionFigures> {
    let both = catalogue.ids().zip(&outcome.interactions);
    both.map(|(id, figures)| InteractionFigures {
        name: catalogue.get(id).name.clone(),
        effect: match catalogue.get(id).effect {
            Effect::Static => "static",
            Effect::Read => "read",
            Effect::Write => "write",
        }
        .to_owned(),
        completed: figures.total().completed,
        refused: figures.total().refused,
        failed: figures.total().errors(),
        expected_share: stationary.share(id),
        response: times(&figures.response),
        response_limit_ms: catalogue.get(id).response_limit.map(|limit| limit.0.as_secs_f64() * 1e3),
    })
    .collect()
}

fn timeline(outcome: &Outcome) -> Vec<Second> {
    let seconds = outcome.timeline.iter().enumerate().map(|(second, seen)| Second {
        second: second as u32,
        completed: seen.completed,
        refused: seen.refused,
        failed: seen.errors,
        p95_ms: (seen.completed > 0).then_some(seen.p95.as_secs_f64() * 1e3),
        mean_ms: (seen.completed > 0).then(|| seen.response_sum.as_secs_f64() * 1e3 / seen.completed as f64),
    });
    seconds.collect()
}

/// The figures of each round: pages by the engine, CPU time by the sampler.
fn rounds(outcome: &Outcome, used: &[StretchUse]) -> Vec<Round> {
    let both = outcome.stretches.iter().zip(outcome.stretch_throughputs()).zip(used);
    let round = |((stretch, throughput), used): ((&Stretch, f64), &StretchUse)| Round {
        length_s: stretch.length().as_secs_f64(),
        throughput,
        cpu_s: used.cpu_s.clone(),
        steal_cores: used.steal_cores,
        other_processes_cores: used.other_processes_cores,
    };
    both.map(round).collect()
}

/// From a histogram of microseconds.
fn times(histogram: &Histogram<u64>) -> Times {
    let ms = |micros: f64| (!histogram.is_empty()).then_some(micros / 1e3);
    let at = |quantile| ms(histogram.value_at_quantile(quantile) as f64);
    Times {
        mean_ms: ms(histogram.mean()),
        p50_ms: at(0.5),
        p90_ms: at(0.9),
        p99_ms: at(0.99),
        max_ms: ms(histogram.max() as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_measured_has_no_times() {
        let mut histogram = Histogram::new(3).unwrap();
        assert_eq!(times(&histogram), Times::default());
        assert_eq!(serde_json::to_value(times(&histogram)).unwrap()["p99_ms"], serde_json::Value::Null);
        histogram.record(2000).unwrap();
        assert_eq!(times(&histogram).p50_ms.map(f64::round), Some(2.0));
    }
}

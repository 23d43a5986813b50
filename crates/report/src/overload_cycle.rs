//! Overload cycles: rising loads, then falling ones, to see whether the site recovers.
//!
//! The steps of a cycle share one start of the servers, so they form no curve and have no peak.

use crate::{
    bottleneck::Bottleneck,
    number,
    runs::known,
    usage::{Usage, usage},
    words::{enumerate, several},
};
use results::{Point, ResultReader};
use stats::{Interval, RECOVERED, Recovery, RecoveryStatus};

/// A step has collapsed below this share of the best throughput at any lower or equal load.
const COLLAPSED: f64 = 0.8;

/// Steps of rising load, and down again, on the same running servers.
#[derive(Debug, Clone)]
pub struct OverloadCycle {
    pub configuration: String,
    /// Number of this cycle, from 1, and total.
    pub number: (usize, usize),
    /// In the order of time.
    pub steps: Vec<CycleStep>,
    /// Index of the step with the highest throughput.
    pub best: usize,
    /// Index of the first step with the most clients; the way down follows.
    pub top: usize,
    /// Throughput on the way up and recovery, each in a sentence or two.
    pub sentences: Vec<String>,
    /// Bottlenecks, in a sentence or two.
    pub limits: String,
    /// Usage at the step with the highest throughput.
    pub usage: Usage,
}

#[derive(Debug, Clone)]
pub struct CycleStep {
    pub clients: u32,
    pub throughput: f64,
    /// Half-width of the 95 % interval from batch means, where the window allowed one.
    pub half_width: Option<f64>,
    /// Median and 99th percentile of the response times, in milliseconds; not numbers if nothing completed.
    pub times: [f64; 2],
    pub requests: Requests,
    /// Names of failed checks; empty if the step is VALID.
    pub failing: Vec<String>,
    pub collapsed: bool,
    /// On the way down, the index of the same load on the way up, and the comparison with it.
    pub recovery: Option<(usize, Recovery)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Requests {
    pub all: u64,
    pub failed: u64,
    pub timed_out: u64,
}

impl Requests {
    pub(crate) fn of(points: &[&Point]) -> Self {
        points.iter().fold(Self::default(), |sum, point| Self {
            all: sum.all + point.completed + point.refused + point.failed(),
            failed: sum.failed + point.failed(),
            timed_out: sum.timed_out + point.errors.get("timeout").copied().unwrap_or(0),
        })
    }
}

impl OverloadCycle {
    pub fn is_down(&self, place: usize) -> bool {
        place > self.top
    }

    /// Index of the collapsed step with the lowest throughput.
    fn worst(&self) -> Option<usize> {
        let collapsed = (0..self.steps.len()).filter(|place| self.steps[*place].collapsed);
        collapsed.min_by(|one, other| self.steps[*one].throughput.total_cmp(&self.steps[*other].throughput))
    }
}

/// Overload cycles in the order of measurement.
pub(crate) fn overload_cycles(result: &ResultReader) -> Vec<OverloadCycle> {
    let cycles = steps_of_cycles(result);
    let numbered = cycles.iter().enumerate().map(|(index, (name, points))| {
        let own = |cycles: &[(&str, Vec<&Point>)]| cycles.iter().filter(|(other, _)| other == name).count();
        overload_cycle(name, (own(&cycles[..=index]), own(&cycles)), points)
    });
    numbered.collect()
}

pub(crate) fn steps_of_cycles(result: &ResultReader) -> Vec<(&str, Vec<&Point>)> {
    let steps_of_cycle = result.manifest.spec.loads.kinds.len();
    let mut cycles: Vec<(&str, Vec<&Point>)> = Vec::new();
    for point in &result.overload_steps {
        // The steps of a cycle are consecutive.
        match cycles.last_mut() {
            Some((name, steps)) if *name == point.configuration && steps.len() < steps_of_cycle => {
                steps.push(point);
            }
            _ => cycles.push((&point.configuration, vec![point])),
        }
    }
    cycles
}

fn overload_cycle(name: &str, number: (usize, usize), points: &[&Point]) -> OverloadCycle {
    let highest = |key: fn(&Point) -> f64| {
        let better =
            |best: usize, place: usize| if key(points[place]) > key(points[best]) { place } else { best };
        (0..points.len()).fold(0, better)
    };
    let (best, top) = (highest(|point| point.throughput), highest(|point| f64::from(point.clients)));
    let mut cycle = OverloadCycle {
        configuration: name.to_owned(),
        number,
        steps: (0..points.len()).map(|place| step(points, place, best, top)).collect(),
        best,
        top,
        sentences: Vec::new(),
        limits: String::new(),
        usage: usage(&[points[best]]),
    };
    cycle.sentences = [Some(how_far(&cycle)), recovered(&cycle)].into_iter().flatten().collect();
    cycle.limits = limits(&cycle, points);
    cycle
}

fn step(points: &[&Point], place: usize, best: usize, top: usize) -> CycleStep {
    let point = points[place];
    let failing = point.verdict.checks.iter().filter(|check| !check.passed);
    let upper = point.throughput + point.throughput_half_width.unwrap_or(0.0);
    let twin = points[..top].iter().rposition(|up| up.clients == point.clients).filter(|_| place > top);
    let recovery = twin.and_then(|up| Some((up, Recovery::of(throughput(points[up]), throughput(point))?)));
    CycleStep {
        clients: point.clients,
        throughput: point.throughput,
        half_width: point.throughput_half_width,
        times: [point.response.p50_ms, point.response.p99_ms].map(known),
        requests: Requests::of(&[point]),
        failing: failing.map(|check| check.id.name().to_owned()).collect(),
        collapsed: point.clients >= points[best].clients && upper < COLLAPSED * points[best].throughput,
        recovery,
    }
}

fn throughput(point: &Point) -> (f64, Option<f64>) {
    (point.throughput, point.throughput_half_width)
}

fn how_far(cycle: &OverloadCycle) -> String {
    let OverloadCycle { steps, best, .. } = cycle;
    let most = &steps[*best];
    let of = |step: &CycleStep| {
        format!("{} %", number::figure(100.0 * step.throughput / most.throughput.max(f64::MIN_POSITIVE)))
    };
    let interval = most.half_width.map(|half_width| Interval { mean: most.throughput, half_width });
    let reached = format!(
        "{} reached {} interactions/s at {}",
        cycle.configuration,
        number::interval(most.throughput, interval),
        several(most.clients, "client")
    );
    let first = steps.iter().find(|step| step.collapsed);
    match (first, cycle.worst().map(|place| &steps[place])) {
        (Some(first), Some(worst)) => {
            let clients = number::count(first.clients.into());
            let collapsed = format!("{reached} and collapsed at {clients}, to {} of that.", of(first));
            match std::ptr::eq(first, worst) {
                true => collapsed,
                false => {
                    let clients = several(worst.clients, "client");
                    format!("{collapsed} The worst step, with {clients}, gave {}.", of(worst))
                }
            }
        }
        _ if steps.iter().all(|step| step.clients <= most.clients) => {
            format!("{reached}. No step had more clients, so no collapse could show.")
        }
        _ => {
            let crowded = steps.iter().filter(|step| step.clients >= most.clients);
            let lowest = |step: &&CycleStep, other: &&CycleStep| step.throughput.total_cmp(&other.throughput);
            let worst = crowded.min_by(lowest).unwrap_or(most);
            let clients = several(steps[cycle.top].clients, "client");
            format!(
                "{reached} and did not collapse. With up to {clients} it kept at least {} of that.",
                of(worst)
            )
        }
    }
}

/// Recovery on the way down; none without comparable steps.
fn recovered(cycle: &OverloadCycle) -> Option<String> {
    let compared: Vec<(&CycleStep, Recovery)> =
        cycle.steps.iter().filter_map(|step| Some((step, step.recovery?.1))).collect();
    let (last, _) = compared.last()?;
    let findings: Vec<RecoveryStatus> = compared.iter().map(|(_, recovery)| recovery.finding).collect();
    let clients = several(last.clients, "client");
    let verdict = match findings.as_slice() {
        all if all.iter().all(|finding| *finding == RecoveryStatus::Recovered) => "It recovered".to_owned(),
        [.., RecoveryStatus::Recovered] => format!("It recovered in the end, with {clients}"),
        [.., RecoveryStatus::NotRecovered] => "It did not recover".to_owned(),
        _ => format!("Whether it recovered cannot be told at {clients}"),
    };
    let times = compared.iter().map(|(step, Recovery { ratio, .. })| {
        let known = ratio.half_width.is_finite().then_some(*ratio);
        let unknown = if known.is_none() { " (no interval: the window is too short)" } else { "" };
        format!(
            "{} times with {}{unknown}",
            number::interval(ratio.mean, known),
            several(step.clients, "client")
        )
    });
    let times = enumerate(&times.collect::<Vec<_>>());
    Some(format!("{verdict}. Throughput on the way down over that on the way up: {times}."))
}

/// The bottleneck at the highest throughput and, after a collapse, at the lowest one with no fewer clients.
fn limits(cycle: &OverloadCycle, points: &[&Point]) -> String {
    let worst = cycle.worst().map(|place| limit(cycle, place, &usage(&[points[place]]).bottleneck(None)));
    let best = limit(cycle, cycle.best, &cycle.usage.bottleneck(None));
    std::iter::once(best).chain(worst).collect::<Vec<_>>().join(" ")
}

fn limit(cycle: &OverloadCycle, place: usize, Bottleneck { cause, evidence, .. }: &Bottleneck) -> String {
    let (name, clients) = (&cycle.configuration, several(cycle.steps[place].clients, "client"));
    match cause {
        Some(cause) => format!("At {clients}, {name} was limited by {cause}: {evidence}."),
        None => format!("What limited {name} at {clients} is not known: {evidence}."),
    }
}

pub(crate) fn meaning() -> String {
    format!(
        "Recovered: with 95 % certainty, at least {} of the throughput with as many clients on the way up. Collapsed: less \
         than {} of the highest throughput, with no fewer clients.",
        number::factor(RECOVERED),
        number::factor(COLLAPSED)
    )
}

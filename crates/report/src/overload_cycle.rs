//! Sweeps: how a site bears more and more clients, and whether it recovers once they are gone.
//!
//! The steps of an overload cycle share one start of the servers, so they stand beside no other points: they are no curve and have
//! no peak.

use crate::{Bottleneck, Usage, number, usage::usage, words::enumerate};
use results::{LoadPlan, Point, ResultReader};
use stats::{RecoveryStatus, Interval, RECOVERED, Recovery};

/// A step has collapsed whose throughput is below this share of the best with no more clients.
const COLLAPSED: f64 = 0.8;

/// An overload cycle: steps of rising load, and down again, on the same running servers.
#[derive(Debug, Clone)]
pub struct OverloadCycle {
    /// The configuration's name.
    pub configuration: String,
    /// Which of its overload cycles, from 1, and of how many.
    pub number: (usize, usize),
    /// In the order of time.
    pub steps: Vec<Step>,
    /// The step with the highest throughput, by its place.
    pub best: usize,
    /// The first step with the most clients, by its place: what comes after is the way down.
    pub top: usize,
    /// How far it came, and whether it recovered, each in a sentence.
    pub sentences: Vec<String>,
    /// What limited it, what clients gave up, and what became of the data, likewise.
    pub remarks: Vec<String>,
    /// What was used at the step with the highest throughput.
    pub usage: Usage,
}

/// A step of an overload cycle.
#[derive(Debug, Clone)]
pub struct Step {
    /// Emulated clients.
    pub clients: u32,
    /// Interactions per second.
    pub throughput: f64,
    /// The half-width of its 95 % interval from batch means, where the window allowed one.
    pub half_width: Option<f64>,
    /// Median and 99th percentile of the response times, in milliseconds.
    pub times: [f64; 2],
    /// Requests that failed, of these the ones whose clients gave up, and all requests.
    pub failed: (u64, u64, u64),
    /// The checks that failed, by name; none if the step is VALID.
    pub failing: Vec<String>,
    /// Whether its throughput is far below what fewer clients got.
    pub collapsed: bool,
    /// On the way down, how it stands to the same load on the way up, by that step's place.
    pub recovery: Option<(usize, Recovery)>,
}

impl OverloadCycle {
    /// Whether a step, by its place, lies on the way down.
    pub fn is_down(&self, place: usize) -> bool {
        place > self.top
    }

    /// Of the steps that have collapsed, the place of the one with the lowest throughput.
    fn worst(&self) -> Option<usize> {
        let collapsed = (0..self.steps.len()).filter(|place| self.steps[*place].collapsed);
        collapsed.min_by(|one, other| self.steps[*one].throughput.total_cmp(&self.steps[*other].throughput))
    }
}

/// The overload cycles of a result, in the order in which they were made.
pub(crate) fn overload_cycles(result: &ResultReader) -> Vec<OverloadCycle> {
    let overload_cycles = steps_of_sweeps(result);
    let numbered = overload_cycles.iter().enumerate().map(|(index, (name, points))| {
        let own = |overload_cycles: &[(&str, Vec<&Point>)]| {
            overload_cycles.iter().filter(|(other, _)| other == name).count()
        };
        overload_cycle(name, (own(&overload_cycles[..=index]), own(&overload_cycles)), points)
    });
    numbered.collect()
}

/// The steps of each overload cycle, with the name of its configuration.
pub(crate) fn steps_of_sweeps(result: &ResultReader) -> Vec<(&str, Vec<&Point>)> {
    let LoadPlan::OverloadCycle(plan) = &result.manifest.loads else { return Vec::new() };
    let mut overload_cycles: Vec<(&str, Vec<&Point>)> = Vec::new();
    for point in &result.swept {
        // The steps of an overload cycle are written together.
        match overload_cycles.last_mut() {
            Some((name, steps)) if *name == point.configuration && steps.len() < plan.len() => {
                steps.push(point);
            }
            _ => overload_cycles.push((&point.configuration, vec![point])),
        }
    }
    overload_cycles
}

fn overload_cycle(name: &str, number: (usize, usize), points: &[&Point]) -> OverloadCycle {
    let highest = |key: fn(&Point) -> f64| {
        let better =
            |best: usize, place: usize| if key(points[place]) > key(points[best]) { place } else { best };
        (0..points.len()).fold(0, better)
    };
    let (best, top) = (highest(|point| point.throughput), highest(|point| f64::from(point.clients)));
    let steps = (0..points.len()).map(|place| step(points, place, best, top)).collect();
    let mut overload_cycle = OverloadCycle {
        configuration: name.to_owned(),
        number,
        steps,
        best,
        top,
        sentences: Vec::new(),
        remarks: Vec::new(),
        usage: usage(&[points[best]]),
    };
    overload_cycle.sentences =
        [Some(how_far(&overload_cycle)), recovered(&overload_cycle)].into_iter().flatten().collect();
    overload_cycle.remarks = [gave_up(points), Some(limits(&overload_cycle, points)), lost(points)]
        .into_iter()
        .flatten()
        .collect();
    overload_cycle
}

fn step(points: &[&Point], place: usize, best: usize, top: usize) -> Step {
    let point = points[place];
    let failing = point.verdict.checks.iter().filter(|check| !check.passed);
    let upper = point.throughput + point.throughput_half_width.unwrap_or(0.0);
    let twin = points[..top].iter().rposition(|up| up.clients == point.clients).filter(|_| place > top);
    let recovery = twin.and_then(|up| Some((up, Recovery::of(throughput(points[up]), throughput(point))?)));
    Step {
        clients: point.clients,
        throughput: point.throughput,
        half_width: point.throughput_half_width,
        times: [point.response.p50_ms, point.response.p99_ms],
        failed: (point.failed(), timeouts(point), requests(point)),
        failing: failing.map(|check| check.id.name().to_owned()).collect(),
        collapsed: point.clients >= points[best].clients && upper < COLLAPSED * points[best].throughput,
        recovery,
    }
}

fn throughput(point: &Point) -> (f64, Option<f64>) {
    (point.throughput, point.throughput_half_width)
}

fn requests(point: &Point) -> u64 {
    point.completed + point.refused + point.failed()
}

fn timeouts(point: &Point) -> u64 {
    point.errors.get("timeout").copied().unwrap_or(0)
}

/// How high it came, and whether it collapsed.
fn how_far(overload_cycle: &OverloadCycle) -> String {
    let OverloadCycle { steps, best, .. } = overload_cycle;
    let of = |step: &Step| {
        format!(
            "{} %",
            number::figure(100.0 * step.throughput / steps[*best].throughput.max(f64::MIN_POSITIVE))
        )
    };
    let clients = |step: &Step| number::count(step.clients.into());
    let most = &steps[*best];
    let interval = most.half_width.map(|half_width| Interval { mean: most.throughput, half_width });
    let reached = format!(
        "{} reached {} interactions/s at {} clients",
        overload_cycle.configuration,
        number::interval(most.throughput, interval),
        clients(most)
    );
    let lowest = |step: &&Step, other: &&Step| step.throughput.total_cmp(&other.throughput);
    match (steps.iter().find(|step| step.collapsed), overload_cycle.worst().map(|place| &steps[place])) {
        (Some(first), Some(worst)) => {
            let first_of = format!("{reached} and collapsed at {}, to {} of that", clients(first), of(first));
            match std::ptr::eq(first, worst) {
                true => format!("{first_of}."),
                false => format!("{first_of}; at worst, with {} clients, to {}.", clients(worst), of(worst)),
            }
        }
        _ if overload_cycle.steps.iter().all(|step| step.clients <= most.clients) => {
            format!("{reached}, the most of its overload cycle, so that no collapse could show.")
        }
        _ => {
            let crowded = steps.iter().filter(|step| step.clients >= most.clients);
            let worst = crowded.min_by(lowest).unwrap_or(most);
            format!(
                "{reached} and did not collapse: with up to {} clients it kept {} of that or more.",
                clients(&steps[overload_cycle.top]),
                of(worst)
            )
        }
    }
}

/// Whether it recovered on the way down; none where nothing can be compared.
fn recovered(overload_cycle: &OverloadCycle) -> Option<String> {
    let compared: Vec<(&Step, Recovery)> =
        overload_cycle.steps.iter().filter_map(|step| Some((step, step.recovery?.1))).collect();
    let (last, _) = compared.last()?;
    let findings: Vec<RecoveryStatus> = compared.iter().map(|(_, recovery)| recovery.finding).collect();
    let clients = number::count(last.clients.into());
    let verdict = match findings.as_slice() {
        all if all.iter().all(|finding| *finding == RecoveryStatus::Recovered) => "It recovered".to_owned(),
        [.., RecoveryStatus::Recovered] => format!("It recovered in the end, with {clients} clients"),
        [.., RecoveryStatus::NotRecovered] => "It did not recover".to_owned(),
        _ => format!("Whether it recovered cannot be told from {clients} clients"),
    };
    let times = compared.iter().map(|(step, Recovery { ratio, .. })| {
        let known = ratio.half_width.is_finite().then_some(*ratio);
        let unknown = if known.is_none() { " (no interval: the window is too short)" } else { "" };
        let times = number::interval(ratio.mean, known);
        format!("{times} times as much with {} clients{unknown}", number::count(step.clients.into()))
    });
    Some(format!(
        "{verdict}: on the way down it served {} as on the way up.",
        enumerate(&times.collect::<Vec<_>>())
    ))
}

/// What limited it where it served most and, if it collapsed, where it served least of all with no fewer clients.
fn limits(overload_cycle: &OverloadCycle, points: &[&Point]) -> String {
    let worst = overload_cycle
        .worst()
        .map(|place| limit(overload_cycle, place, &usage(&[points[place]]).bottleneck(None)));
    let best = limit(overload_cycle, overload_cycle.best, &overload_cycle.usage.bottleneck(None));
    std::iter::once(best).chain(worst).collect::<Vec<_>>().join(" ")
}

fn limit(
    overload_cycle: &OverloadCycle,
    place: usize,
    Bottleneck { cause, evidence, .. }: &Bottleneck,
) -> String {
    let (name, clients) =
        (&overload_cycle.configuration, number::count(overload_cycle.steps[place].clients.into()));
    match cause {
        Some(cause) => format!("At {clients} clients, {name} was limited by {cause}: {evidence}."),
        None => format!("What limited {name} at {clients} clients is not known: {evidence}."),
    }
}

/// What the words of overload cycles mean.
pub(crate) fn meaning() -> String {
    format!(
        "Recovered: with certainty, {} or more of the throughput with as many clients on the way up. Collapsed: less than {} \
         of the highest throughput, with no fewer clients.",
        number::factor(RECOVERED),
        number::factor(COLLAPSED)
    )
}

/// How many requests clients gave up, with how long they had waited; none where they gave up none.
pub(crate) fn gave_up(points: &[&Point]) -> Option<String> {
    let first = points.first()?;
    let sum = |count: fn(&Point) -> u64| points.iter().map(|point| count(point)).sum::<u64>();
    let (given_up, all) = (sum(timeouts), sum(requests));
    let others = match sum(Point::failed) - given_up {
        0 => "no other failed".to_owned(),
        others => format!("{} failed otherwise", number::count(others)),
    };
    let waited = first
        .timeout_s
        .map_or(String::new(), |seconds| format!(" after {} s without an answer", number::setting(seconds)));
    (given_up > 0).then(|| {
        format!(
            "Clients of {} gave up {} of {} requests ({}){waited}; {others}.",
            first.configuration,
            number::count(given_up),
            number::count(all),
            number::percent(given_up, all),
        )
    })
}

/// What became of the data over the whole of it; none where nothing was audited.
fn lost(points: &[&Point]) -> Option<String> {
    let audit = points.last()?.audit.as_ref()?;
    Some(match audit.faults().as_slice() {
        [] => "No acknowledged write of the whole overload cycle was lost.".to_owned(),
        faults => format!("Data were lost or spoiled: {}.", faults.join("; ")),
    })
}

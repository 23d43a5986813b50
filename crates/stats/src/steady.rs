//! Whether a window is in a steady state: MSER-5 if it is long enough, and a second test that is robust to
//! autocorrelated seconds. Nothing is ever cut; only the position of a cut is reported.
//!
//! **MSER-5** (White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997;
//! White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation", Winter Simulation
//! Conference 2000) cuts off the beginning so that the mean of the rest, in batches of five, has the smallest standard
//! error. It is right in most cases and wrong in a few (Wang and Glynn, 2016). As Hoad, Robinson and Davies advise
//! ("Automating warm-up length estimation", Journal of the Operational Research Society 61, 2010), a cut beyond half of
//! the data means too few data, so that only the first half is searched.
//!
//! **The second test** is the self-normalised test for a change of the mean by Shao and Zhang ("Testing for change
//! points in time series", Journal of the American Statistical Association 105, 2010): it needs no estimate of the
//! autocorrelation.

use crate::verdict::{Check, CheckId, Extent, Figures};

/// Values in a batch of MSER-5.
const MSER_BATCH: usize = 5;
/// With fewer batches, MSER-5 finds chance fluctuations.
const MSER_LEAST_BATCHES: usize = 60;
/// A cut with fewer standard errors between both sides is due to chance.
const CUT_DEVIATIONS: f64 = 6.0;

/// Fewer values than this can't show a change.
const LEAST_VALUES: usize = 10;
/// Chance exceeds this in about one of 2,000 series of ten values and one of 10,000 longer ones (see the tests).
const CHANGE_LIMIT: f64 = 200.0;
/// Queues grow and shrink within a client's cycle of thinking and waiting; shorter windows show such fluctuations.
const LEAST_CYCLES: f64 = 30.0;
const THROUGHPUT_SHARE: f64 = 0.05;
/// The relative change that a steady response time may have.
pub(crate) const RESPONSE_SHARE: f64 = 0.2;

/// The most likely change of the mean in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// How many values come before it.
    pub at: usize,
    /// Their mean.
    pub before: f64,
    /// The mean of the others.
    pub after: f64,
    /// The test statistic.
    pub statistic: f64,
}

impl ChangePoint {
    fn new(values: &[f64], at: usize, statistic: f64) -> Self {
        Self { at, before: mean(&values[..at]), after: mean(&values[at..]), statistic }
    }

    /// How large it is, as a share of the mean of both sides.
    pub fn share(&self) -> f64 {
        let middle = (self.before.abs() + self.after.abs()) / 2.0;
        if middle > 0.0 { (self.after - self.before).abs() / middle } else { 0.0 }
    }
}

/// Where MSER-5 cuts off the beginning, and by how many standard errors both sides differ there; none for fewer than 60
/// batches of five. No cut is a cut at 0. The last values may fill no batch; they are left out.
pub fn mser5(values: &[f64]) -> Option<ChangePoint> {
    let batches: Vec<f64> = values.chunks_exact(MSER_BATCH).map(mean).collect();
    if batches.len() < MSER_LEAST_BATCHES {
        return None;
    }
    let rest = |cut: usize| {
        let rest = &batches[cut..];
        squares(rest) / (rest.len() as f64).powi(2)
    };
    let cuts = 0..=batches.len() / 2;
    let cut = cuts.min_by(|a, b| rest(*a).total_cmp(&rest(*b)))?;
    let all = mean(&batches);
    Some(match cut {
        0 => ChangePoint { at: 0, before: all, after: all, statistic: 0.0 },
        _ => {
            ChangePoint { at: cut * MSER_BATCH, ..ChangePoint::new(&batches, cut, deviations(&batches, cut)) }
        }
    })
}

/// By how many standard errors the means before and after a cut differ. The batches are modelled as a first-order
/// autoregressive process.
fn deviations(batches: &[f64], cut: usize) -> f64 {
    let (before, after) = batches.split_at(cut);
    let centred: Vec<f64> =
        [before, after].iter().flat_map(|part| part.iter().map(|value| value - mean(part))).collect();
    let variance = centred.iter().map(|value| value * value).sum::<f64>() / (batches.len() - 2) as f64;
    if variance <= 0.0 {
        return if mean(before) == mean(after) { 0.0 } else { f64::INFINITY };
    }
    let neighbours: f64 = centred.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let kept = (neighbours / centred.iter().map(|value| value * value).sum::<f64>()).clamp(0.0, 0.95);
    let inflation = (1.0 + kept) / (1.0 - kept);
    let parts = 1.0 / before.len() as f64 + 1.0 / after.len() as f64;
    (mean(before) - mean(after)).abs() / (variance * inflation * parts).sqrt()
}

/// The most significant change of the mean; none for fewer than ten values. Each side has at least a tenth of the
/// values, and at least three.
pub fn likeliest_change(values: &[f64]) -> Option<ChangePoint> {
    let count = values.len();
    if count < LEAST_VALUES {
        return None;
    }
    let least = (count / 10).max(3);
    let sums = running_sums(values);
    let statistic = |at: usize| {
        let distance = (count as f64 * sums[at] - at as f64 * sums[count]) / count as f64;
        let noise = wander(&sums[..=at]) + wander(&sums[at..]);
        // As printed: the squared distance over n, the noise over n².
        if distance == 0.0 { 0.0 } else { distance * distance * count as f64 / noise }
    };
    let places = least..=count - least;
    let (at, most) = places.map(|at| (at, statistic(at))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(ChangePoint::new(values, at, most))
}

/// The sums of the first values: of none, of one, and so on.
fn running_sums(values: &[f64]) -> Vec<f64> {
    let sums = values.iter().scan(0.0, |sum, value| {
        *sum += value;
        Some(*sum)
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// The squared distances of running sums from the straight line between the first and the last, added up.
fn wander(sums: &[f64]) -> f64 {
    let (Some(first), Some(last)) = (sums.first(), sums.last()) else { return 0.0 };
    let slope = (last - first) / (sums.len() - 1) as f64;
    sums.iter().enumerate().map(|(step, sum)| (sum - first - slope * step as f64).powi(2)).sum()
}

/// A figure, second by second.
struct FigureSeries {
    name: &'static str,
    unit: &'static str,
    /// Smaller relative changes don't matter.
    matters: f64,
    /// The seconds with a value, since the window's begin.
    at: Vec<usize>,
    values: Vec<f64>,
}

impl FigureSeries {
    fn new(
        name: &'static str,
        unit: &'static str,
        matters: f64,
        seconds: impl Iterator<Item = Option<f64>>,
    ) -> Self {
        let (at, values) = seconds.enumerate().filter_map(|(at, value)| Some((at, value?))).unzip();
        Self { name, unit, matters, at, values }
    }
}

/// A test for a change.
struct SteadyTest {
    check: CheckId,
    find: fn(&[f64]) -> Option<ChangePoint>,
    /// The limit above which a change is significant.
    limit: f64,
    /// The name of the statistic.
    statistic: &'static str,
    /// What a series must have to be tested.
    needs: &'static str,
}

const METHODS: [SteadyTest; 2] = [
    SteadyTest {
        check: CheckId::SteadyStateMser5,
        find: mser5,
        limit: CUT_DEVIATIONS,
        statistic: "standard errors",
        needs: "60 batches of 5 s",
    },
    SteadyTest {
        check: CheckId::SteadyStateChange,
        find: likeliest_change,
        limit: CHANGE_LIMIT,
        statistic: "of Shao and Zhang's statistic",
        needs: "10 s with interactions",
    },
];

pub(crate) fn checks(figures: &Figures) -> Vec<Check> {
    let seconds = &figures.site.seconds;
    let completed = seconds.iter().map(|second| Some(second.completed));
    let throughput = FigureSeries::new("throughput", "/s", THROUGHPUT_SHARE, completed);
    let responses = seconds.iter().map(|second| second.response_mean_ms);
    let response = FigureSeries::new("response time", " ms", RESPONSE_SHARE, responses);
    let cycle_s = figures.users.think.expected_s + figures.site.response_mean_ms / 1e3;
    let is_long = figures.window_s >= LEAST_CYCLES * cycle_s;
    METHODS.iter().map(|method| method.check(&throughput, is_long.then_some(&response))).collect()
}

impl SteadyTest {
    /// Tests both. In windows of few cycles, response times are not tested: they would look steady by chance.
    fn check(&self, throughput: &FigureSeries, response: Option<&FigureSeries>) -> Check {
        let judged: Vec<&FigureSeries> = std::iter::once(throughput).chain(response).collect();
        let changes: Vec<(&FigureSeries, Option<ChangePoint>)> =
            judged.into_iter().map(|series| (series, (self.find)(&series.values))).collect();
        let passed = !changes.iter().any(|(series, change)| change.is_some_and(|c| self.is_real(series, &c)));
        let mut figures: Vec<String> =
            changes.iter().map(|(series, change)| self.describe(series, *change)).collect();
        if response.is_none() {
            figures.push(format!("response time: not judged in less than {LEAST_CYCLES} cycles of a client"));
        }
        let threshold = format!(
            "no change of more than {} {} and of more than {:.0} % (throughput) or {:.0} % (response time)",
            self.limit,
            self.statistic,
            100.0 * THROUGHPUT_SHARE,
            100.0 * RESPONSE_SHARE
        );
        let is_open = |(_, change): &(&FigureSeries, Option<ChangePoint>)| change.is_none();
        let judged = if changes.iter().all(is_open) {
            Extent::Nothing
        } else if response.is_none() || changes.iter().any(is_open) {
            Extent::Part
        } else {
            Extent::Whole
        };
        Check { judged, ..Check::new(self.check, passed, figures.join("; "), threshold) }
    }

    fn is_real(&self, series: &FigureSeries, change: &ChangePoint) -> bool {
        change.statistic > self.limit && change.share() > series.matters
    }

    fn describe(&self, series: &FigureSeries, change: Option<ChangePoint>) -> String {
        let FigureSeries { name, unit, .. } = series;
        match change {
            None => format!("{name}: not judged, it takes {}", self.needs),
            Some(ChangePoint { at: 0, .. }) => format!("{name}: nothing to cut"),
            Some(ChangePoint { at, before, after, statistic }) => {
                let at_s = series.at[at];
                format!(
                    "{name}: {before:.1}{unit} in the first {at_s} s, then {after:.1}{unit} ({statistic:.1})"
                )
            }
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests;

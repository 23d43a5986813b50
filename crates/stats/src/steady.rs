//! Tests for a steady state of a series: MSER-5 if it is long enough, and a second test that is robust to
//! autocorrelated values. Nothing is ever cut; only the position of a cut is reported.
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

/// Values in a batch of MSER-5.
const MSER_BATCH: usize = 5;
/// With fewer batches, MSER-5 finds chance fluctuations.
const MSER_LEAST_BATCHES: usize = 60;
/// A cut with fewer standard errors between both sides is due to chance.
pub(crate) const CUT_DEVIATIONS: f64 = 6.0;

/// Fewer values than this can't show a change.
const LEAST_VALUES: usize = 10;
/// Chance exceeds this in about one of 2,000 series of ten values and one of 10,000 longer ones (see the tests).
pub(crate) const CHANGE_LIMIT: f64 = 200.0;

/// The most likely change of the mean in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The number of values before it.
    pub at: usize,
    /// Mean of the values before it.
    pub before: f64,
    /// Mean of the others.
    pub after: f64,
    pub statistic: f64,
}

impl ChangePoint {
    fn new(values: &[f64], at: usize, statistic: f64) -> Self {
        Self { at, before: mean(&values[..at]), after: mean(&values[at..]), statistic }
    }

    /// The change as a share of the mean of both sides.
    pub fn share(&self) -> f64 {
        let middle = (self.before.abs() + self.after.abs()) / 2.0;
        if middle > 0.0 { (self.after - self.before).abs() / middle } else { 0.0 }
    }
}

/// The cut by MSER-5, and by how many standard errors both sides differ there; none for fewer than 60 batches of five. No
/// cut is a cut at 0. The last values may fill no batch; they are left out.
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

/// Difference of the means before and after a cut, in standard errors. The batches are modelled as a first-order
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

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests;

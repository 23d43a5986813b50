//! Pairwise comparison of peaks.

use crate::{configuration::ConfigurationSummary, curve::StartFigures, peak::Peak};
use stats::{Interval, Pair, Ranking, StartSample, Starts, compare_all, compare_starts};

/// Two peaks, the higher one first.
#[derive(Debug, Clone, PartialEq)]
pub struct PairwiseComparison {
    pub higher: String,
    pub lower: String,
    /// In interactions per second; the half-width is infinite where it is unknown.
    pub difference: Interval,
    /// Higher over lower.
    pub ratio: Option<Interval>,
    /// Probability of such a difference between equals, Holm-adjusted; none where one of the two has fewer than three
    /// runs.
    pub p: Option<f64>,
    /// True if they differ, at 95 % confidence.
    pub differs: bool,
    /// True if the comparison is inconclusive: the loads differ, and one of the two may go further with more clients.
    pub open: bool,
    /// Ratio of CPU time per interaction, the higher peak over the lower; none unless measured in rounds.
    pub cost: Option<Cost>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// CPU time of the one as a multiple of the other's.
    pub ratio: Interval,
    /// True if they differ, at 95 % confidence, adjusted for the number of comparisons.
    pub differs: bool,
}

pub(crate) struct Ranked {
    pub(crate) letters: Vec<String>,
    pub(crate) comparisons: Vec<PairwiseComparison>,
}

pub(crate) fn rank(configurations: &[ConfigurationSummary]) -> Ranked {
    let peaks: Vec<(usize, &str, &Peak)> = configurations
        .iter()
        .enumerate()
        .filter_map(|(index, row)| Some((index, row.name.as_str(), row.peak.as_ref()?)))
        .collect();
    let mut letters = vec![String::new(); configurations.len()];
    if peaks.len() < 2 {
        return Ranked { letters, comparisons: Vec::new() };
    }
    let (ranking, costs) = compare(&peaks);
    let cost = |pair: &Pair| costs.iter().find_map(|cost| cost_of(cost, pair));
    let comparisons: Vec<PairwiseComparison> = ranking
        .pairs
        .iter()
        .map(|pair| PairwiseComparison { cost: cost(pair), ..comparison(pair, &peaks) })
        .collect();
    // A common letter says that two cannot be told apart, different letters that they differ.
    if comparisons.iter().all(|pair| pair.p.is_some() && !pair.open) {
        for (letter, group) in ('a'..='z').zip(&ranking.groups) {
            group.iter().for_each(|member| letters[peaks[*member].0].push(letter));
        }
    }
    Ranked { letters, comparisons }
}

/// Paired by start, with costs, where measured in rounds; else by independent runs.
fn compare(peaks: &[(usize, &str, &Peak)]) -> (Ranking, Vec<Pair>) {
    let samples = |figure: fn(&StartFigures) -> &Starts| -> Vec<StartSample> {
        peaks.iter().map(|(_, _, peak)| peak.starts.sample(figure)).collect()
    };
    let throughputs = samples(|starts| &starts.throughput);
    if throughputs.iter().all(|sample| !sample.figures.is_empty()) {
        let stopping_rule = peaks[0].2.starts.stopping_rule;
        let costs = compare_starts(&samples(|starts| &starts.cpu_ms), stopping_rule);
        return (compare_starts(&throughputs, stopping_rule), costs.pairs);
    }
    let samples: Vec<&[f64]> = peaks.iter().map(|(_, _, peak)| peak.throughputs.as_slice()).collect();
    (compare_all(&samples), Vec::new())
}

fn cost_of(costs: &Pair, pair: &Pair) -> Option<Cost> {
    let ratio = costs.ratio.filter(|_| costs.p.is_some())?;
    match (costs.one, costs.other) {
        both if both == (pair.one, pair.other) => Some(Cost { ratio, differs: costs.differs }),
        both if both == (pair.other, pair.one) => {
            Some(Cost { ratio: inverse(ratio), differs: costs.differs })
        }
        _ => None,
    }
}

/// The interval of one over the ratio, to the first order.
pub(crate) fn inverse(ratio: Interval) -> Interval {
    Interval { mean: ratio.mean.recip(), half_width: ratio.half_width / ratio.mean.powi(2) }
}

fn comparison(pair: &Pair, peaks: &[(usize, &str, &Peak)]) -> PairwiseComparison {
    let [(_, higher, one), (_, lower, other)] = [pair.one, pair.other].map(|index| peaks[index]);
    // At the same load, figures compare even if neither is a peak.
    let open = one.clients != other.clients && !(one.peak_status.is_top() && other.peak_status.is_top());
    PairwiseComparison {
        higher: higher.to_owned(),
        lower: lower.to_owned(),
        difference: pair.difference,
        ratio: pair.ratio,
        p: pair.p_adjusted,
        differs: pair.differs && !open,
        open,
        cost: None,
    }
}

impl PairwiseComparison {
    pub fn conclusion(&self) -> &'static str {
        match (self.p, self.differs) {
            _ if self.open => "open: a peak was not passed",
            (None, _) => "too few runs to tell",
            (Some(_), true) => "differ",
            (Some(_), false) => "cannot be told apart",
        }
    }
}

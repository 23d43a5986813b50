//! Peaks against each other: which differ, by how much, and which cannot be told apart.

use crate::{configuration::ConfigurationSummary, peak::Peak};
use stats::{Interval, Pair, Ranking, Starts, compare_all, compare_starts};

/// Two peaks, the higher one first.
#[derive(Debug, Clone, PartialEq)]
pub struct PairwiseComparison {
    /// The configuration with the higher mean.
    pub higher: String,
    /// The other one.
    pub lower: String,
    /// By how many interactions per second the first is higher; its half-width is infinite where that can't be told.
    pub difference: Interval,
    /// How many times as high it is.
    pub ratio: Option<Interval>,
    /// How probable so great a difference is between equals, corrected for the number of comparisons (Holm); none where
    /// one of the two has fewer than three runs.
    pub p: Option<f64>,
    /// Whether they differ, as far as 95 % certainty goes.
    pub differs: bool,
    /// Whether that tells nothing: the loads are different ones, and one of the two may go further with more clients.
    pub open: bool,
    /// How many times as much CPU time an interaction takes of the higher one; none where they were not measured in rounds.
    pub cost: Option<Cost>,
}

/// What an interaction costs two configurations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// CPU time of the one as a multiple of the other's.
    pub ratio: Interval,
    /// Whether they differ, as far as 95 % certainty goes, corrected for the number of comparisons.
    pub differs: bool,
}

/// All peaks against each other.
pub(crate) struct Ranked {
    /// The letters of each row.
    pub(crate) letters: Vec<String>,
    pub(crate) comparisons: Vec<PairwiseComparison>,
}

/// Compares the peaks of all configurations that have one.
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
    // One letter for two says that they cannot be told apart, and two letters that they differ.
    if comparisons.iter().all(|pair| pair.p.is_some() && !pair.open) {
        for (letter, group) in ('a'..='z').zip(&ranking.groups) {
            group.iter().for_each(|member| letters[peaks[*member].0].push(letter));
        }
    }
    Ranked { letters, comparisons }
}

/// By what they did on the same starts, where they were measured in rounds, and then what they cost, too; else by their runs,
/// which have nothing in common.
fn compare(peaks: &[(usize, &str, &Peak)]) -> (Ranking, Vec<Pair>) {
    let starts = |figure: fn(&Peak) -> &Starts| -> Vec<Starts> {
        peaks.iter().map(|(_, _, peak)| figure(peak).clone()).collect()
    };
    let throughputs = starts(|peak| &peak.starts.throughput);
    if throughputs.iter().all(|starts| !starts.is_empty()) {
        let looks = peaks[0].2.starts.looks;
        let costs = compare_starts(&starts(|peak| &peak.starts.cpu_ms), looks);
        return (compare_starts(&throughputs, looks), costs.pairs);
    }
    let samples: Vec<&[f64]> = peaks.iter().map(|(_, _, peak)| peak.throughputs.as_slice()).collect();
    (compare_all(&samples), Vec::new())
}

/// What is known of the costs of a pair, whichever of the two costs more.
fn cost_of(costs: &Pair, pair: &Pair) -> Option<Cost> {
    let ratio = costs.ratio.filter(|_| costs.p.is_some())?;
    let inverse = Interval { mean: ratio.mean.recip(), half_width: ratio.half_width / ratio.mean.powi(2) };
    match (costs.one, costs.other) {
        both if both == (pair.one, pair.other) => Some(Cost { ratio, differs: costs.differs }),
        both if both == (pair.other, pair.one) => Some(Cost { ratio: inverse, differs: costs.differs }),
        _ => None,
    }
}

fn comparison(pair: &Pair, peaks: &[(usize, &str, &Peak)]) -> PairwiseComparison {
    let [(_, higher, one), (_, lower, other)] = [pair.one, pair.other].map(|index| peaks[index]);
    // At one and the same load, figures compare even if neither is a peak.
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
    /// What may be said of the two, in a few words.
    pub fn conclusion(&self) -> &'static str {
        match (self.p, self.differs) {
            _ if self.open => "open: a peak was not passed",
            (None, _) => "too few runs to tell",
            (Some(_), true) => "differ",
            (Some(_), false) => "cannot be told apart",
        }
    }
}

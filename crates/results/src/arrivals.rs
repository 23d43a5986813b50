//! Figures of a load whose users arrive one after the other; users who are there all the time have none. Times are in
//! milliseconds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Figures of a load whose users arrived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArrivalFigures {
    /// Users who came and asked for something.
    pub users: u32,
    /// Reason for its end.
    pub ended: ArrivalsEnd,
    /// Users present at the first request that got no answer; none where all got one.
    pub first_timeout_at: Option<u32>,
    /// Response times by how many users were there when the request was made.
    pub by_concurrency: Vec<ConcurrencyFigures>,
    /// Inequality of service among users who make few requests and go; none of users who stay.
    pub unfairness: Option<Unfairness>,
}

/// Reason for the end of a load whose users arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArrivalsEnd {
    /// A user had no answer in time, or none at all, and that was to end it.
    Unanswered,
    /// All users had come and gone.
    AllGone,
    /// It had lasted as long as it was meant to at most.
    Over,
}

/// Requests that were made while so many users were there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConcurrencyFigures {
    /// Users present, the one who asked included.
    pub there: u32,
    /// Requests that completed.
    pub completed: u64,
    /// Requests that were refused or failed.
    pub failed: u64,
    /// Mean response time of the completed ones.
    pub mean_ms: f64,
    /// Their standard deviation; none of fewer than two.
    pub deviation_ms: Option<f64>,
    /// The longest of them.
    pub max_ms: f64,
}

/// Inequality of service among users: the response times of the later half of those who came, when servers have got used to
/// the load. Nearest ranks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unfairness {
    /// Users of that half who had an answer.
    pub users: u32,
    /// Their mean.
    pub mean_ms: f64,
    /// Their standard deviation.
    pub deviation_ms: f64,
    /// A tenth of them waited no longer.
    pub p10_ms: f64,
    /// Half of them waited no longer.
    pub p50_ms: f64,
    /// All but a tenth of them waited no longer.
    pub p90_ms: f64,
}

impl Unfairness {
    /// Of response times in any order; none of fewer than ten.
    pub fn of(mut times_ms: Vec<f64>) -> Option<Self> {
        let count = times_ms.len();
        if count < 10 {
            return None;
        }
        times_ms.sort_by(f64::total_cmp);
        let mean_ms = times_ms.iter().sum::<f64>() / count as f64;
        let squares: f64 = times_ms.iter().map(|time| (time - mean_ms).powi(2)).sum();
        let at = |share: f64| times_ms[(share * count as f64).ceil() as usize - 1];
        let deviation_ms = (squares / (count - 1) as f64).sqrt();
        let (p10_ms, p50_ms, p90_ms) = (at(0.1), at(0.5), at(0.9));
        Some(Self { users: count as u32, mean_ms, deviation_ms, p10_ms, p50_ms, p90_ms })
    }

    /// The 90th over the 10th percentile of response times.
    pub fn p90_over_p10(&self) -> f64 {
        self.p90_ms / self.p10_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unlucky_are_those_who_wait_longer_than_most() {
        let times = (1..=20).map(f64::from).rev().collect();
        let unfairness = Unfairness::of(times).unwrap();
        assert_eq!((unfairness.p10_ms, unfairness.p50_ms, unfairness.p90_ms), (2.0, 10.0, 18.0));
        assert_eq!((unfairness.users, unfairness.mean_ms, unfairness.p90_over_p10()), (20, 10.5, 9.0));
        assert!((unfairness.deviation_ms - 35f64.sqrt()).abs() < 1e-9);
        assert_eq!(Unfairness::of(vec![1.0; 9]), None);
    }
}

//! The loads of a throughput curve, with their cost and bottleneck.

use crate::{
    bottleneck::{Bottleneck, title},
    runs::{interval, mean_throughput, valid_loads},
    usage::{Usage, usage},
};
use results::{HostUsageFigures, Manifest, Point, ResultReader, Round, TierFigures};
use stats::{Interval, StartSample, Starts, StoppingRule};
use std::collections::BTreeMap;

/// A load on a throughput curve, with its VALID runs.
#[derive(Debug, Clone)]
pub struct CurvePoint {
    pub clients: u32,
    /// Interactions per second, by run.
    pub throughputs: Vec<f64>,
    /// 95 % interval of their mean, as [`crate::Peak::interval`].
    pub interval: Option<Interval>,
    /// Means over the rounds of each start; empty where nothing was measured in rounds.
    pub starts: StartFigures,
    /// Of all tiers.
    pub cost: TierCost,
    /// By name of the host.
    pub cost_by_host: BTreeMap<String, TierCost>,
    pub usage: Usage,
    pub bottleneck: Bottleneck,
}

impl CurvePoint {
    /// The VALID runs at a load, of all points of a configuration.
    pub(crate) fn of(clients: u32, runs: &[&Point], points: &[&Point], manifest: &Manifest) -> Self {
        let is_like_them =
            |point: &Point| point.clients == clients && runs.iter().any(|run| run.purpose == point.purpose);
        let disturbed =
            points.iter().filter(|point| is_like_them(point) && point.verdict.is_only_disturbed());
        let with_disturbed: Vec<&Point> = runs.iter().chain(disturbed).copied().collect();
        let loads = &manifest.spec.loads;
        let usage = usage(runs);
        let bottleneck = usage.bottleneck(manifest.testbed.as_ref());
        Self {
            clients,
            throughputs: runs.iter().map(|run| run.throughput).collect(),
            interval: interval(runs),
            starts: StartFigures::of(runs, &with_disturbed, loads.stopping_rule()),
            cost: TierCost::of(runs, &with_disturbed, |_| true),
            cost_by_host: usage
                .hosts
                .iter()
                .map(|host| TierCost::of_host(host, runs, &with_disturbed))
                .collect(),
            bottleneck: bottleneck.at(clients, loads.think_time_s(), mean_throughput(runs)),
            usage,
        }
    }
}

/// VALID loads by rising load.
pub fn curve(result: &ResultReader, configuration: &str) -> Vec<CurvePoint> {
    let points: Vec<&Point> =
        result.points.iter().filter(|point| point.configuration == configuration).collect();
    let loads = valid_loads(&points);
    loads.iter().map(|(clients, runs)| CurvePoint::of(*clients, runs, &points, &result.manifest)).collect()
}

/// Figures of each start, paired with those of other configurations on the same starts.
#[derive(Debug, Clone, PartialEq)]
pub struct StartFigures {
    pub throughput: Starts,
    /// CPU milliseconds of all tiers per interaction, also of starts that others disturbed: what they take of the machine slows an
    /// interaction and hardly makes it cost more.
    pub cpu_ms: Starts,
    /// True if a compiler works inside the servers.
    pub has_compilers: bool,
    /// Times at which interim analyses took place.
    pub stopping_rule: StoppingRule,
}

impl StartFigures {
    fn of(runs: &[&Point], with_disturbed: &[&Point], stopping_rule: StoppingRule) -> Self {
        let each = |runs: &[&Point], figure: fn(&Round) -> f64| {
            runs.iter().filter_map(|run| run.on_its_start(figure)).collect()
        };
        Self {
            throughput: each(runs, |round| round.throughput),
            cpu_ms: each(with_disturbed, Round::cpu_ms),
            has_compilers: runs.iter().any(|run| run.warm_up.is_some_and(|warm_up| warm_up.has_compilers)),
            stopping_rule,
        }
    }

    pub fn sample(&self, figure: fn(&Self) -> &Starts) -> StartSample {
        StartSample { figures: figure(self).clone(), has_compilers: self.has_compilers }
    }
}

impl Default for StartFigures {
    fn default() -> Self {
        let (throughput, cpu_ms) = (Starts::new(), Starts::new());
        Self { throughput, cpu_ms, has_compilers: false, stopping_rule: StoppingRule::Fixed }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TierCost {
    /// CPU milliseconds per interaction, by run.
    pub cpu_ms_of_runs: Vec<f64>,
    /// The same by start, also of starts that others disturbed; empty where nothing was measured in rounds.
    pub cpu_ms_of_starts: Starts,
    /// Page faults per second, by run.
    pub faults_per_s: Vec<f64>,
    /// The system's share of CPU time, by run.
    pub system_shares: Vec<f64>,
}

impl TierCost {
    fn of(runs: &[&Point], with_disturbed: &[&Point], counts: impl Fn(&TierFigures) -> bool) -> Self {
        let sum = |run: &Point, figure: fn(&TierFigures) -> f64| {
            run.tiers.iter().filter(|tier| counts(tier)).map(figure).sum::<f64>()
        };
        let of_start = |run: &&Point| {
            run.on_its_start(|round| round.cpu_ms_of(|tier| run.tiers.get(tier).is_some_and(&counts)))
        };
        let cpu_s = |tier: &TierFigures| tier.cpu_user_s + tier.cpu_system_s;
        let faults = |tier: &TierFigures| tier.minor_faults_per_s + tier.major_faults_per_s;
        Self {
            cpu_ms_of_runs: runs.iter().map(|run| sum(run, |tier| tier.cpu_ms_per_interaction)).collect(),
            cpu_ms_of_starts: with_disturbed.iter().filter_map(of_start).collect(),
            faults_per_s: runs.iter().map(|run| sum(run, faults)).collect(),
            system_shares: runs
                .iter()
                .map(|run| sum(run, |tier| tier.cpu_system_s) / sum(run, cpu_s))
                .collect(),
        }
    }

    fn of_host(host: &HostUsageFigures, runs: &[&Point], with_disturbed: &[&Point]) -> (String, Self) {
        let of_tiers = Self::of(runs, with_disturbed, |tier| host.tiers.contains(&title(tier)));
        let of_run = |run: &&Point| {
            let same = run.hosts.iter().find(|one| one.mean.name == host.mean.name)?;
            same.mean.page_faults_per_s
        };
        // Its control group has counted those of processes that ended between two samples, such as CGI's.
        let counted: Option<Vec<f64>> = runs.iter().map(of_run).collect();
        let faults_per_s = counted.unwrap_or_else(|| of_tiers.faults_per_s.clone());
        (host.mean.name.clone(), Self { faults_per_s, ..of_tiers })
    }
}

//! Profiles: CPU time by component and function.

use crate::{
    finding::{Finding, Kind},
    flame::flame,
    number,
    runs::mean_throughput,
    words::{checks, several},
};
use results::{
    OTHER, Point, Profile, Purpose, ResultReader, Share, Stacks, TierFigures, TierProfile, component_of,
};
use std::collections::BTreeMap;

pub(super) struct Profiled<'a> {
    pub(super) name: &'a str,
    /// The load, and its throughput without profilers.
    pub(super) conditions: String,
    /// Profiles that can't be read, or that slowed the site.
    pub(super) findings: Vec<Finding>,
    pub(super) tiers: Vec<TierParts>,
}

pub(super) struct TierParts {
    /// `app (php-fpm)`.
    pub(super) title: String,
    /// Profiler, number of samples, and sampling error of shares.
    pub(super) source: String,
    pub(super) cpu_ms: String,
    pub(super) parts: Vec<ComponentShare>,
    /// Functions with the most self time, for readers who can't point at the graph's frames.
    pub(super) hottest: Vec<Hot>,
    pub(super) graph: String,
}

pub(super) struct ComponentShare {
    pub(super) component: String,
    pub(super) class: String,
    /// In per cent, as the width of its part of the bar.
    pub(super) percent: String,
    pub(super) share: String,
    pub(super) cpu_ms: String,
}

pub(super) struct Hot {
    pub(super) function: String,
    pub(super) object: String,
    pub(super) component: String,
    pub(super) class: String,
    pub(super) share: String,
}

/// Number of components with colours of their own; the kernel's share one, and so do the rest.
const COLORS: usize = 10;
/// Prefix of the kernel's components.
const KERNEL_PARTS: &str = "kernel: ";
const MOST_HOT: usize = 12;
/// Slowdown in per cent from which on a profile no longer represents the unprofiled site.
const MUCH_SLOWER: f64 = 10.0;

pub(super) fn profiles<'a>(result: &'a ResultReader, names: &[&'a str]) -> Vec<Profiled<'a>> {
    let of = |name: &&'a str| {
        let points = result.profiled.iter().filter(|point| point.configuration == *name);
        points.map(|point| (*name, point, result.profile(point.sequence))).collect::<Vec<_>>()
    };
    let all: Vec<_> = names.iter().flat_map(of).collect();
    let ranks = ranks(all.iter().filter_map(|(_, point, profile)| Some((*point, profile.as_ref().ok()?))));
    let color = |component: &str| match ranks.get(component) {
        Some(rank) if *rank < COLORS => format!("c{rank}"),
        _ if component != OTHER => "kernel".to_owned(),
        _ => "unknown".to_owned(),
    };
    let all = all.iter().map(|(name, point, profile)| {
        let read = profile.as_ref().map_err(ToString::to_string);
        let tiers = read.and_then(|profile| tiers(result, name, point, profile, &color));
        let conditions = Conditions::of(result, point);
        let unreadable = tiers.as_ref().err().map(|error| Kind::UnreadableProfile(error).finding());
        Profiled {
            name,
            conditions: conditions.sentence(),
            findings: conditions.slowed().into_iter().chain(unreadable).collect(),
            tiers: tiers.unwrap_or_default(),
        }
    });
    all.collect()
}

/// Rank of each component by CPU time, over all points.
fn ranks<'a>(all: impl Iterator<Item = (&'a Point, &'a Profile)>) -> BTreeMap<String, usize> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (point, profile) in all {
        for tier in &profile.tiers {
            let cpu_ms = figures(point, tier).map_or(0.0, |figures| figures.cpu_ms_per_interaction);
            let colored =
                |part: &&Share| part.component != OTHER && !part.component.starts_with(KERNEL_PARTS);
            for part in tier.shares.iter().filter(colored) {
                *sums.entry(part.component.clone()).or_default() += cpu_ms * part.share;
            }
        }
    }
    let mut order: Vec<(String, f64)> = sums.into_iter().collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    order.into_iter().enumerate().map(|(rank, (component, _))| (component, rank)).collect()
}

fn figures<'a>(point: &'a Point, tier: &TierProfile) -> Option<&'a TierFigures> {
    point.tiers.iter().find(|figures| figures.role == tier.role && figures.service == tier.service)
}

fn tiers(
    result: &ResultReader,
    name: &str,
    point: &Point,
    profile: &Profile,
    color: &dyn Fn(&str) -> String,
) -> Result<Vec<TierParts>, String> {
    let tiers = profile.tiers.iter().enumerate().map(|(index, tier)| {
        let stacks = result.stacks(point.sequence, tier).map_err(|fault| fault.to_string())?;
        let cpu_ms = figures(point, tier).map_or(0.0, |figures| figures.cpu_ms_per_interaction);
        let part = |part: &Share| ComponentShare {
            component: part.component.clone(),
            class: color(&part.component),
            percent: format!("{:.2}", 100.0 * part.share),
            share: share(part.share),
            cpu_ms: number::figure(cpu_ms * part.share),
        };
        Ok(TierParts {
            title: format!("{} ({})", tier.role, tier.service),
            source: format!(
                "{} by {}, shares ± {:.1} percentage points",
                several(tier.samples, "sample"),
                tier.profiler,
                uncertainty(tier.samples)
            ),
            hottest: hottest(tier, &stacks, color),
            cpu_ms: number::figure(cpu_ms),
            parts: tier.shares.iter().map(part).collect(),
            graph: flame(&format!("flame-{}-{index}", point.sequence), name, tier, &stacks, color),
        })
    });
    tiers.collect()
}

/// A share of samples as percent; further decimals would be noise.
fn share(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Largest half-width of the 95 % interval of a share, in percentage points (reached at a half).
fn uncertainty(samples: u64) -> f64 {
    1.96 * 50.0 / (samples.max(1) as f64).sqrt()
}

fn hottest(tier: &TierProfile, stacks: &Stacks, color: &dyn Fn(&str) -> String) -> Vec<Hot> {
    let mut functions: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (stack, samples) in stacks.iter() {
        let innermost = stack.rsplit(';').next().unwrap_or(stack);
        *functions.entry((innermost, component_of(&tier.components, stack))).or_default() += samples;
    }
    let mut functions: Vec<((&str, &str), u64)> = functions.into_iter().collect();
    functions.sort_by_key(|(_, samples)| std::cmp::Reverse(*samples));
    let hot = |((frame, component), samples): &((&str, &str), u64)| {
        let (object, function) = frame.split_once('`').unwrap_or((frame, "without a symbol"));
        Hot {
            function: function.to_owned(),
            object: object.to_owned(),
            component: (*component).to_owned(),
            class: color(component),
            share: share(*samples as f64 / tier.samples.max(1) as f64),
        }
    };
    functions.iter().take(MOST_HOT).map(hot).collect()
}

struct Conditions<'a> {
    point: &'a Point,
    /// Mean throughput without profilers, if measured.
    without: Option<f64>,
}

impl<'a> Conditions<'a> {
    fn of(result: &ResultReader, point: &'a Point) -> Self {
        let same = result.points.iter().filter(|other| {
            let is_same = other.configuration == point.configuration && other.clients == point.clients;
            is_same && other.purpose != Purpose::Search
        });
        let (valid, invalid): (Vec<&Point>, Vec<&Point>) = same.partition(|point| point.verdict.valid);
        let without = if valid.is_empty() { invalid } else { valid };
        Self { point, without: (!without.is_empty()).then(|| mean_throughput(&without)) }
    }

    /// Change of throughput by profilers, in per cent.
    fn change(&self) -> Option<f64> {
        self.without
            .filter(|without| *without > 0.0)
            .map(|without| 100.0 * (self.point.throughput / without - 1.0))
    }

    fn slowed(&self) -> Option<Finding> {
        let change = self.change().filter(|change| *change < -MUCH_SLOWER)?;
        Some(Kind::SlowProfilers { percent: -change }.finding())
    }

    fn sentence(&self) -> String {
        let point = self.point;
        let rate = number::figure(point.throughput);
        let mut text = format!("{}, {rate} interactions per second", several(point.clients, "client"));
        if let Some(without) = self.without {
            text += &format!("; {} without profilers", number::figure(without));
        }
        if let Some(change) = self.change() {
            text += &format!(" ({}{:.1} %)", if change < 0.0 { "−" } else { "+" }, change.abs());
        }
        let failed = checks(point, |check| !check.passed);
        if !failed.is_empty() {
            text += &format!(". INVALID as a measurement: {}", failed.join(", "));
        }
        text + "."
    }
}

//! Claims about two figures at a time: ratios, orders, and no difference.

use super::evidence::{Evidence, Finding, Verdict, shown};
use crate::{
    Bound, Figure, Measured, Name, NoDifference, Order, PrintedRatio, Quotient, Ranks, Ratio, Region,
    Workload,
};

#[derive(Debug, Clone, Copy)]
pub(super) enum Expected {
    Printed(PrintedRatio),
    Higher,
    Same,
}

#[derive(Clone, Copy)]
struct Operand<'a> {
    experiment: &'a str,
    name: &'a Name,
}

impl<'a> Evidence<'a> {
    pub(super) fn ratio(&self, quotient: &'a Quotient) -> Finding {
        let Some(printed) = self.paper.printed_ratio(quotient) else {
            return Finding::untold("the paper prints no such ratio");
        };
        let expected = Expected::Printed(printed);
        let operand = |name| Operand { experiment: &self.claim.experiment, name };
        match &quotient.over {
            Some(over) => self.compare(operand(&quotient.of), operand(over), quotient.figure, expected),
            None => self.by_itself(&quotient.of, quotient.figure, expected),
        }
    }

    /// A figure that is a ratio by itself: the slowest tenth of clients over the fastest.
    fn by_itself(&self, name: &'a Name, figure: Figure, expected: Expected) -> Finding {
        let here = self.here(name);
        let runs = |measured: &Measured| measured.runs(figure);
        match self.of(&self.claim.experiment, name, runs).map(|runs| Ratio::of_ratios(&runs)) {
            Ok(Some(ratio)) => unequal(here, ratio, expected),
            Ok(None) => Finding::untold(format!(
                "how unequal clients of {here} are is not claimed: that takes at least three runs"
            )),
            Err(reason) => Finding::untold(reason),
        }
    }

    pub(super) fn order(&self, order: &'a Order) -> Vec<Finding> {
        let pairs = match &order.ranks {
            Ranks::HighestFirst(groups) => self.between_groups(groups),
            Ranks::HigherThanIn { each, other } => each
                .iter()
                .map(|name| {
                    (
                        Operand { experiment: &self.claim.experiment, name },
                        Operand { experiment: other, name },
                    )
                })
                .collect(),
        };
        pairs.into_iter().map(|(of, over)| self.compare(of, over, order.figure, Expected::Higher)).collect()
    }

    fn between_groups(&self, groups: &'a [Vec<Name>]) -> Vec<(Operand<'a>, Operand<'a>)> {
        let operand = |name| Operand { experiment: &self.claim.experiment, name };
        let after = |place: usize| groups[place + 1..].iter().flatten();
        groups
            .iter()
            .enumerate()
            .flat_map(|(place, group)| {
                group.iter().flat_map(move |of| after(place).map(move |over| (operand(of), operand(over))))
            })
            .collect()
    }

    pub(super) fn no_difference(&self, same: &'a NoDifference) -> Vec<Finding> {
        let pairs = same.between.iter().flat_map(|set| pairs(set));
        pairs.map(|(of, over)| self.same_peak(of, over)).collect()
    }

    pub(super) fn same_peak(&self, of: &'a Name, over: &'a Name) -> Finding {
        let operand = |name| Operand { experiment: &self.claim.experiment, name };
        self.compare(operand(of), operand(over), Figure::Throughput, Expected::Same)
    }

    fn compare(&self, of: Operand<'a>, over: Operand<'a>, figure: Figure, expected: Expected) -> Finding {
        let runs =
            |one: Operand<'a>| self.of(one.experiment, one.name, |measured: &Measured| measured.runs(figure));
        let (first, second) = match (runs(of), runs(over)) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(reason), _) | (_, Err(reason)) => return Finding::untold(reason),
        };
        let names = [self.called(of, over), self.called(over, of)];
        let by_start = self.by_start(of, over, figure);
        match by_start.unwrap_or_else(|| Ratio::of_runs(&first, &second)) {
            Some(ratio) => self.bounded([of, over], names, figure, ratio, expected),
            None if by_start.is_some() => Finding::untold(format!(
                "whether {} differs from {} is not claimed: that takes three VALID starts of each, or two on which both \
                 are VALID where others show how far starts differ; of these they have {}",
                names[0],
                names[1],
                self.shared(of, over, figure)
            )),
            None => Finding::untold(format!(
                "whether {} differs from {} is not claimed: that takes at least three runs of each, and there are {} and {}",
                names[0],
                names[1],
                first.len(),
                second.len()
            )),
        }
    }

    /// The ratio over common starts of two configurations, or of one under two mixes; none within where that takes more
    /// starts, and none at all where servers ran alone.
    fn by_start(&self, of: Operand<'a>, over: Operand<'a>, figure: Figure) -> Option<Option<Ratio>> {
        let [workload, other] =
            [of, over].map(|operand| Some(self.paper.experiment(operand.experiment)?.workload()));
        let (workload, other) = (workload?, other?);
        if workload == other {
            return self.by_common_start(
                &workload,
                [of, over].map(|operand| self.here(operand.name)),
                figure,
            );
        }
        let (samples, rule) = self.seen.starts_of_both([&workload, &other], self.here(of.name), figure)?;
        Some(Ratio::of_loads(&samples, rule))
    }

    /// The ratio over common starts of two configurations or, where they are in different blocks, of both over an anchor:
    /// one that both blocks have.
    fn by_common_start(&self, workload: &Workload, pair: [&str; 2], figure: Figure) -> Option<Option<Ratio>> {
        let of_pair = |pair: [&str; 2]| {
            let (samples, rule) = self.seen.starts(workload, pair, figure)?;
            Some(Ratio::of_starts(&samples, rule))
        };
        if self.seen.has_together(workload, pair) {
            let indirect = || self.by_uncommon_start(workload, pair, figure);
            return of_pair(pair).map(|ratio| ratio.or_else(indirect));
        }
        let through = |anchor: &str| -> Option<Ratio> {
            Some(of_pair([pair[0], anchor])??.times(of_pair([anchor, pair[1]])??))
        };
        let anchors = self.seen.anchors(workload, pair);
        let ratios = anchors.into_iter().filter_map(through);
        let width = |ratio: &Ratio| ratio.high / ratio.low;
        Some(ratios.min_by(|one, other| width(one).total_cmp(&width(other))))
    }

    /// The ratio of two configurations of a block that share too few VALID starts: of both over the one with which they share
    /// most, or else of the VALID starts of each, which were begun in turns all the same. Either interval is wider than that over
    /// common starts: what a start or the one between adds to both does not cancel.
    fn by_uncommon_start(&self, workload: &Workload, pair: [&str; 2], figure: Figure) -> Option<Ratio> {
        let of_pair = |pair: [&str; 2]| {
            let (samples, rule) = self.seen.starts(workload, pair, figure)?;
            let [one, other] = [&samples[0].figures, &samples[1].figures];
            let shared = one.keys().filter(|start| other.contains_key(start)).count();
            Some((shared, Ratio::of_starts(&samples, rule)?))
        };
        let through = |between: &str| {
            let ((one, first), (other, second)) =
                (of_pair([pair[0], between])?, of_pair([between, pair[1]])?);
            Some((one.min(other), first.times(second)))
        };
        let others = self.seen.anchors(workload, pair).into_iter().filter(|name| !pair.contains(name));
        // A choice by anything but the number of starts would prefer those that err.
        let through = others.filter_map(through).max_by_key(|(shared, _)| *shared);
        through.map(|(_, ratio)| ratio).or_else(|| {
            let (samples, _) = self.seen.starts(workload, pair, figure)?;
            let [one, other] = [0, 1].map(|who| samples[who].figures.values().copied().collect::<Vec<f64>>());
            Ratio::of_runs(&one, &other)
        })
    }

    /// The number of starts on which both are VALID, in words.
    fn shared(&self, of: Operand<'a>, over: Operand<'a>, figure: Figure) -> String {
        let starts =
            |operand: Operand<'a>| self.measured(operand.experiment, operand.name).ok()?.starts(figure);
        let shared = starts(of).zip(starts(over)).map_or(0, |((of, _), (over, _))| {
            of.figures.keys().filter(|start| over.figures.contains_key(start)).count()
        });
        if shared == 1 { "one".to_owned() } else { shared.to_string() }
    }

    /// The finding for a ratio of which either figure may be a lower bound.
    fn bounded(
        &self,
        [of, over]: [Operand<'a>; 2],
        names: [String; 2],
        figure: Figure,
        ratio: Ratio,
        expected: Expected,
    ) -> Finding {
        let open = |operand: Operand<'a>| {
            let peak = self.measured(operand.experiment, operand.name).ok()?.highest().ok()?;
            match peak.bound {
                Bound::AtLeast(why) if figure == Figure::Throughput => Some(why),
                Bound::AtLeast(_) | Bound::Reached => None,
            }
        };
        let (first, second) = (open(of), open(over));
        let ratio = if first.is_some() { ratio.at_least() } else { ratio };
        let ratio = if second.is_some() { ratio.at_most() } else { ratio };
        let further = [&names[0], &names[1]].into_iter().zip([first, second]);
        let further: Vec<String> =
            further.filter_map(|(name, why)| Some(format!(" ({name} {})", why?))).collect();
        let finding = compared(names, figure, ratio, expected);
        Finding { reason: format!("{}{}", finding.reason, further.concat()), ..finding }
    }

    /// A name that distinguishes it from the other one.
    fn called(&self, operand: Operand<'a>, other: Operand<'_>) -> String {
        let here = self.here(operand.name);
        match self.paper.experiment(operand.experiment) {
            Some(experiment) if operand.experiment != other.experiment => {
                format!("{here} ({})", experiment.users)
            }
            _ => here.to_owned(),
        }
    }
}

pub(super) fn pairs<T>(set: &[T]) -> impl Iterator<Item = (&T, &T)> {
    set.iter()
        .enumerate()
        .flat_map(move |(place, one)| set[place + 1..].iter().map(move |other| (one, other)))
}

fn unequal(here: &str, ratio: Ratio, expected: Expected) -> Finding {
    let names = [format!("{here}'s slowest tenth"), "its fastest tenth".to_owned()];
    let clause =
        format!("with {here}, the slowest tenth waits {} times as long as the fastest", shown(ratio));
    expected.of_ratio(names, ratio, &clause)
}

fn compared([of, over]: [String; 2], figure: Figure, ratio: Ratio, expected: Expected) -> Finding {
    let times = shown(ratio);
    let clause = match figure {
        Figure::Throughput => format!("{of}'s peak is {times} times that of {over}"),
        Figure::CpuPerInteraction => {
            format!("{of} takes {times} times as much CPU for an interaction as {over}")
        }
        Figure::PageFaults => format!("{of} has {times} times as many page faults a second as {over}"),
        Figure::Clients => format!("{of} serves {times} times as many clients as {over}"),
        Figure::Traffic => format!("{of} sends {times} times as much a second as {over}"),
        Figure::ResponseTime => format!("{of} takes {times} times as long to answer as {over}"),
        Figure::Deviation => {
            format!("{of}'s response times deviate {times} times as much as those of {over}")
        }
        Figure::P90OverP10 => {
            format!("the p90/p10 ratio of waiting with {of} is {times} times that with {over}")
        }
    };
    expected.of_ratio([of, over], ratio, &clause)
}

impl Expected {
    /// The finding for a ratio against its expectation; `clause` describes the ratio.
    pub(super) fn of_ratio(self, names: [String; 2], ratio: Ratio, clause: &str) -> Finding {
        let reason = |verdict| format!("{clause}, {}", self.meaning(verdict));
        Finding::of_ratio(names, ratio, self.region(), self.printed(), reason)
    }

    fn region(self) -> Region {
        match self {
            Self::Printed(printed) => Region::around(printed.low, printed.high),
            Self::Higher => Region::higher(),
            Self::Same => Region::same(),
        }
    }

    fn printed(self) -> Option<f64> {
        match self {
            Self::Printed(printed) => Some(printed.value),
            Self::Higher | Self::Same => None,
        }
    }

    /// The meaning of a ratio under a verdict.
    fn meaning(self, verdict: Verdict) -> String {
        let Region { low, high } = self.region();
        let what = match self {
            Self::Printed(PrintedRatio { value, .. }) => {
                let far = if high.is_finite() {
                    format!("{low:.2} to {high:.2}")
                } else {
                    format!("at least {low:.2}")
                };
                format!("where the paper prints {value:.2} and {far} counts as that")
            }
            Self::Higher => format!("where at least {low:.2} counts as higher"),
            Self::Same => format!("where {low:.2} to {high:.2} counts as no difference"),
        };
        match verdict {
            Verdict::CannotBeTold => format!("{what}: the interval is partly within, partly outside"),
            Verdict::Holds | Verdict::NoLongerHolds => what,
        }
    }
}

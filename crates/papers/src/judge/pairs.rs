//! Claims about two figures at a time: ratios, orders, and no difference.

use super::evidence::{Evidence, Finding, Verdict, shown};
use crate::{Figure, Measured, Name, NoDifference, Order, PrintedRatio, Quotient, Ranks, Ratio, Region};
use stats::{StartSample, StoppingRule};

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
        let ratio = match self.starts(of, over, figure) {
            Some((samples, stopping_rule)) => Ratio::of_starts(&samples, stopping_rule),
            None => Ratio::of_runs(&first, &second),
        };
        match ratio {
            Some(ratio) => compared(names, figure, ratio, expected),
            None => Finding::untold(format!(
                "whether {} differs from {} is not claimed: that takes at least three runs of each",
                names[0], names[1]
            )),
        }
    }

    /// A figure by start of a pair and of all others; none where servers ran alone. Starts of different experiments are never
    /// common.
    fn starts(
        &self,
        of: Operand<'a>,
        over: Operand<'a>,
        figure: Figure,
    ) -> Option<(Vec<StartSample>, StoppingRule)> {
        let experiment = self.paper.experiment(of.experiment).filter(|_| of.experiment == over.experiment)?;
        self.seen.starts(&experiment.workload(), [of.name, over.name].map(|name| self.here(name)), figure)
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

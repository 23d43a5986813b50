//! Steady state of the window: throughput and response time, second by second, by two tests.

use super::{Check, CheckId, Extent, Figures};
use crate::{
    ChangePoint, likeliest_change,
    steady::{CHANGE_LIMIT, CUT_DEVIATIONS},
};

/// Queues grow and shrink within a client's cycle of thinking and waiting; shorter windows show such fluctuations.
const LEAST_CYCLES: f64 = 30.0;
const THROUGHPUT_SHARE: f64 = 0.05;
/// The relative change allowed in a steady response time.
const RESPONSE_SHARE: f64 = 0.2;

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

struct SteadyTest {
    check: CheckId,
    find: fn(&[f64]) -> Option<ChangePoint>,
    /// A statistic above it is significant.
    limit: f64,
    statistic: &'static str,
    /// The shortest series that can be tested, in words.
    needs: &'static str,
}

pub(super) fn mser5(figures: &Figures) -> Check {
    let test = SteadyTest {
        check: CheckId::SteadyStateMser5,
        find: crate::mser5,
        limit: CUT_DEVIATIONS,
        statistic: "standard errors",
        needs: "60 batches of 5 s",
    };
    test.of(figures)
}

pub(super) fn change(figures: &Figures) -> Check {
    let test = SteadyTest {
        check: CheckId::SteadyStateChange,
        find: likeliest_change,
        limit: CHANGE_LIMIT,
        statistic: "of Shao and Zhang's statistic",
        needs: "10 s with interactions",
    };
    test.of(figures)
}

impl SteadyTest {
    fn of(&self, figures: &Figures) -> Check {
        let seconds = &figures.site.seconds;
        let completed = seconds.iter().map(|second| Some(second.completed));
        let throughput = FigureSeries::new("throughput", "/s", THROUGHPUT_SHARE, completed);
        let responses = seconds.iter().map(|second| second.response_mean_ms);
        let response = FigureSeries::new("response time", " ms", RESPONSE_SHARE, responses);
        let cycle_s = figures.users.think.expected_s + figures.site.response_mean_ms / 1e3;
        let is_long = figures.window_s >= LEAST_CYCLES * cycle_s;
        self.check(&throughput, is_long.then_some(&response))
    }

    /// Tests both figures. In windows of few cycles, response times are not tested: they would look steady by chance.
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

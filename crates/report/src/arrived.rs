//! Loads whose users arrived: how many came, what they got, and how unequally.
//!
//! Nothing of them is steady, so they are no curve and have no peak.

use crate::number;
use results::{ArrivalsEnd, LoadPlan, Point, ResultReader};

/// Loads whose users arrived.
#[derive(Debug, Clone, Default)]
pub struct Arrived {
    /// The load model, with what it is.
    pub title: String,
    /// What came of it, each configuration and load in a sentence.
    pub sentences: Vec<String>,
    /// A row for each load, as in the table of loads.
    pub rows: Vec<[String; HEADER.len()]>,
    /// Response times by how many users were there, where users stay.
    pub crowds: Vec<[String; CROWD_HEADER.len()]>,
}

/// What there is to say of a load.
pub(crate) const HEADER: [&str; 12] = [
    "configuration",
    "load",
    "run",
    "came",
    "ended",
    "per s",
    "kB/s",
    "p50 ms",
    "p99 ms",
    "errors",
    "unlucky",
    "verdict",
];

/// What there is to say of a crowd.
pub(crate) const CROWD_HEADER: [&str; 6] = ["configuration", "run", "there", "requests", "mean ms", "sd ms"];

/// What the columns mean, in a sentence or two.
pub(crate) const MEANING: &str = "Came: clients that came in all. Unlucky: how many times as long the unlucky tenth of the \
                                  later half of the clients waited as the lucky tenth (90th over 10th percentile).";

/// So many crowds of a load are shown at most.
const MOST_CROWDS: usize = 21;

pub(crate) fn arrived(result: &ResultReader) -> Option<Arrived> {
    let LoadPlan::Arrivals { model, title, .. } = &result.manifest.loads else { return None };
    let points = &result.arrived;
    Some(Arrived {
        title: format!("{model}: {title}"),
        sentences: groups(points).iter().map(|group| sentence(group)).collect(),
        rows: points.iter().map(row).collect(),
        crowds: points.iter().flat_map(crowds).collect(),
    })
}

/// The runs of each configuration and load, in the order in which they were first measured.
fn groups(points: &[Point]) -> Vec<Vec<&Point>> {
    let mut groups: Vec<Vec<&Point>> = Vec::new();
    for point in points {
        let same = |group: &&mut Vec<&Point>| {
            group[0].configuration == point.configuration && group[0].clients == point.clients
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(point),
            None => groups.push(vec![point]),
        }
    }
    groups
}

fn sentence(group: &[&Point]) -> String {
    let valid: Vec<&Point> = group.iter().filter(|point| point.verdict.valid).copied().collect();
    let name = &group[0].configuration;
    let clients = number::count(group[0].clients.into());
    let Some(figures) = valid.first().and_then(|point| point.arrivals.as_ref()) else {
        return format!("{name} has no VALID run of the load of {clients} clients.");
    };
    let over = |figure: &dyn Fn(&Point) -> Option<f64>| {
        let all: Vec<f64> = valid.iter().filter_map(|point| figure(point)).collect();
        range(&all)
    };
    let users = over(&|point| Some(f64::from(point.arrivals.as_ref()?.users)));
    let traffic = over(&|point| Some(traffic(point)));
    match figures.ended {
        ArrivalsEnd::Unanswered => {
            let patience =
                group[0].patience_s.map_or_else(String::new, |s| format!(" for {} s", number::setting(s)));
            format!(
                "{name}: {users} clients had come when the first waited in vain{patience}; {traffic} kB/s until then."
            )
        }
        ArrivalsEnd::Over => {
            let of_crowd = |last: bool| {
                over(&move |point: &Point| {
                    let crowds = &point.arrivals.as_ref()?.by_crowd;
                    Some(if last { crowds.last()? } else { crowds.first()? }.mean_ms)
                })
            };
            let most = over(&|point| Some(point.arrivals.as_ref()?.by_crowd.last()?.there.into()));
            format!(
                "{name}: answers took {} ms for the first client and {} ms among {most}; {traffic} kB/s.",
                of_crowd(false),
                of_crowd(true)
            )
        }
        ArrivalsEnd::AllGone => {
            let failed: u64 = valid.iter().map(|point| point.failed()).sum();
            let all = failed + valid.iter().map(|point| point.completed + point.refused).sum::<u64>();
            let unlucky = over(&|point| Some(point.arrivals.as_ref()?.fairness?.unlucky_over_lucky()));
            let unlucky = match unlucky.as_str() {
                "" => "too few were answered to tell the lucky from the unlucky".to_owned(),
                times => format!("the unlucky tenth waited {times} times as long as the lucky one"),
            };
            format!(
                "{name}, load of {clients}: {} of {} requests failed; {unlucky}.",
                number::count(failed),
                number::count(all)
            )
        }
    }
}

/// `312`, or `312 to 330`; nothing of none.
fn range(values: &[f64]) -> String {
    let least = values.iter().copied().min_by(f64::total_cmp);
    let most = values.iter().copied().max_by(f64::total_cmp);
    match least.zip(most).map(|(least, most)| (number::figure(least), number::figure(most))) {
        None => String::new(),
        Some((least, most)) if least == most => most,
        Some((least, most)) => format!("{least} to {most}"),
    }
}

/// Kilobytes of answers a second.
fn traffic(point: &Point) -> f64 {
    if point.window_s > 0.0 { point.bytes_received as f64 / 1e3 / point.window_s } else { 0.0 }
}

fn row(point: &Point) -> [String; HEADER.len()] {
    let figures = point.arrivals.as_ref();
    let failing: Vec<&str> =
        point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect();
    let ended = figures.map_or("", |figures| match figures.ended {
        ArrivalsEnd::Unanswered => "unanswered",
        ArrivalsEnd::AllGone => "all gone",
        ArrivalsEnd::Over => "over",
    });
    let unlucky = figures.and_then(|figures| figures.fairness);
    [
        point.configuration.clone(),
        number::count(point.clients.into()),
        point.repetition.to_string(),
        figures.map_or_else(String::new, |figures| number::count(figures.users.into())),
        ended.to_owned(),
        number::figure(point.throughput),
        number::figure(traffic(point)),
        number::figure(point.response.p50_ms),
        number::figure(point.response.p99_ms),
        number::count(point.failed()),
        unlucky.map_or_else(String::new, |fairness| number::figure(fairness.unlucky_over_lucky())),
        if failing.is_empty() { "VALID".to_owned() } else { format!("INVALID: {}", failing.join(", ")) },
    ]
}

/// Evenly chosen ones, the first and the last among them.
fn crowds(point: &Point) -> Vec<[String; CROWD_HEADER.len()]> {
    let Some(figures) = point.arrivals.as_ref().filter(|figures| figures.ended != ArrivalsEnd::AllGone)
    else {
        return Vec::new();
    };
    let crowds = &figures.by_crowd;
    let shown = crowds.len().min(MOST_CROWDS);
    let row = |index: usize| {
        let crowd = &crowds[index * (crowds.len() - 1) / (shown - 1).max(1)];
        [
            point.configuration.clone(),
            format!("{}, {}", number::count(point.clients.into()), point.repetition),
            number::count(crowd.there.into()),
            number::count(crowd.completed + crowd.failed),
            number::figure(crowd.mean_ms),
            crowd.deviation_ms.map_or_else(String::new, number::figure),
        ]
    };
    (0..shown).map(row).collect()
}

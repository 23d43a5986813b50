//! Comparison of two results: common loads, differences of figures, and other differences.

use crate::{
    measured::measured,
    number,
    peak::peak,
    runs::{known, valid_loads},
    text_table::{WIDTH, paragraph, table},
    usage::cpu_ms,
    words::{self, enumerate, several},
};
use results::{
    ArrivalsEnd, ConfigurationRecord, Manifest, Names, Plan, Point, Purpose, ResultReader, Series,
};
use stats::{Interval, Ranking, compare_all, compare_times, holm};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

const LEVEL: f64 = 0.05;

#[derive(Debug, Clone)]
pub struct Difference {
    /// The folders, and the times of measurement.
    pub titles: [String; 2],
    /// Factors that all configurations of both share, in a line, left out of their names; none if they share none.
    pub common: Option<String>,
    pub changes: Vec<Change>,
    /// Configurations of the first only, and of the second only.
    pub alone: [Vec<String>; 2],
    /// Differences in how they were measured: name, first, second.
    pub circumstances: Vec<(String, String, String)>,
}

#[derive(Debug, Clone)]
pub struct Change {
    pub configuration: String,
    /// `400`, `800 (peak)`.
    pub clients: String,
    /// Name and unit.
    pub figure: &'static str,
    pub means: [f64; 2],
    /// Second minus first; the half-width is infinite where it is unknown.
    pub difference: Interval,
    /// Probability of such a difference between equals, Holm-adjusted; none where one of the two has fewer than three
    /// runs.
    pub p: Option<f64>,
}

struct Figure {
    name: &'static str,
    of: fn(&Point) -> f64,
    compare: fn(&[&[f64]]) -> Ranking,
}

const FIGURES: [Figure; 4] = [
    Figure { name: "interactions/s", of: |point| point.throughput, compare: compare_all },
    Figure { name: "p50 ms", of: |point| known(point.response.p50_ms), compare: compare_times },
    Figure { name: "p99 ms", of: |point| known(point.response.p99_ms), compare: compare_times },
    Figure { name: "CPU ms", of: cpu_ms, compare: compare_all },
];

impl Change {
    pub fn conclusion(&self) -> &'static str {
        match self.p {
            None => "too few runs to tell",
            Some(p) if p >= LEVEL => "cannot be told apart",
            Some(_) if self.means[1] > self.means[0] => "higher",
            Some(_) => "lower",
        }
    }
}

/// Clients before the first timeout, for loads that end with it.
const CAME: Figure = Figure { name: "clients that came", of: came, compare: compare_all };

fn came(point: &Point) -> f64 {
    point.arrivals.as_ref().map_or(0.0, |figures| figures.users.into())
}

fn ends_unanswered(point: &Point) -> bool {
    point.arrivals.as_ref().is_some_and(|figures| figures.ended == ArrivalsEnd::Unanswered)
}

/// Compares the peaks of configurations that both have searched, else each load that both have listed, or that has
/// the same load model.
pub fn difference(one: &ResultReader, other: &ResultReader) -> Difference {
    let names = Names::of(one.configurations().chain(other.configurations()));
    let names = names.marked(one.partial().chain(other.partial()));
    let [one, other] = &[one, other].map(|result| result.renamed(|name| names.short(name)));
    let recorded = |result: &ResultReader| -> Vec<String> {
        result.manifest.configurations.iter().map(|configuration| configuration.name.clone()).collect()
    };
    let both = [recorded(one), recorded(other)];
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|name| !those.contains(name)).cloned().collect()
    };
    let shared: Vec<&String> = both[0].iter().filter(|name| both[1].contains(name)).collect();
    let mut changes: Vec<Change> = shared_loads(one, other).iter().flat_map(changes_at).collect();
    adjust(&mut changes);
    Difference {
        titles: [title(one), title(other)],
        common: names.common(),
        changes,
        alone: [only(&both[0], &both[1]), only(&both[1], &both[0])],
        circumstances: circumstances(one, other, &shared),
    }
}

fn title(result: &ResultReader) -> String {
    format!("{} of {}", result.folder.display(), number::instant(&result.manifest.started))
}

/// A load that two results have measured of a configuration.
pub(crate) struct SharedLoad<'a> {
    pub configuration: &'a str,
    /// `400`, `800 (peak)`.
    pub clients: String,
    pub runs: [Vec<&'a Point>; 2],
}

/// The loads that two results share: peaks of configurations that both have searched, else each load that both have listed.
pub(crate) fn shared_loads<'a>(one: &'a ResultReader, other: &'a ResultReader) -> Vec<SharedLoad<'a>> {
    let model = |result: &ResultReader| Some(result.manifest.spec.loads.arrivals()?.model.clone());
    if model(one) != model(other) {
        return Vec::new();
    }
    let of_configuration = |record: &'a ConfigurationRecord| {
        let name = record.name.as_str();
        let mut after = loads(other, name);
        let shared = loads(one, name).into_iter().filter_map(move |(load, first)| {
            let runs = [first, after.remove(&load)?];
            let clients = load.shown([&runs[0], &runs[1]]);
            Some(SharedLoad { configuration: name, clients, runs })
        });
        shared.collect::<Vec<_>>()
    };
    let is_shared = |record: &&ConfigurationRecord| {
        other.manifest.configurations.iter().any(|one| one.name == record.name)
    };
    one.manifest.configurations.iter().filter(is_shared).flat_map(of_configuration).collect()
}

/// All loads of a result that a figure may be quoted of: configuration, clients and runs.
pub(crate) fn quoted_loads(result: &ResultReader) -> Vec<SharedLoad<'_>> {
    shared_loads(result, result)
}

/// Loads of a configuration with their runs: its peak, or each load that has none.
fn loads<'a>(result: &'a ResultReader, name: &str) -> BTreeMap<ComparedLoad, Vec<&'a Point>> {
    let points: Vec<&Point> = measured(result).iter().filter(|point| point.configuration == name).collect();
    let loads = &result.manifest.spec.loads;
    let has_peak = matches!(loads.plan, Plan::Peak { .. }) || loads.series() == Series::OverloadCycle;
    if !has_peak {
        return valid_loads(&points)
            .into_iter()
            .map(|(clients, runs)| (ComparedLoad::Listed(clients), runs))
            .collect();
    }
    let Some(peak) = peak(&points, &result.manifest) else { return BTreeMap::new() };
    let counts = |point: &&Point| {
        point.verdict.valid
            && point.clients == peak.clients
            && (point.purpose == Purpose::Confirm) == peak.confirmed
    };
    [(ComparedLoad::Peak, points.into_iter().filter(counts).collect())].into()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ComparedLoad {
    Peak,
    Listed(u32),
}

impl ComparedLoad {
    /// The clients of both results in words.
    fn shown(self, [first, second]: [&[&Point]; 2]) -> String {
        let count = |runs: &[&Point]| number::count(runs.first().map_or(0, |run| run.clients).into());
        match self {
            Self::Listed(_) => count(first),
            Self::Peak if count(first) == count(second) => format!("{} (peak)", count(first)),
            Self::Peak => format!("{} and {} (peaks)", count(first), count(second)),
        }
    }
}

fn changes_at(load: &SharedLoad<'_>) -> Vec<Change> {
    let SharedLoad { configuration, clients, runs } = load;
    let unanswered = runs.iter().flatten().all(|run| ends_unanswered(run));
    let figures = unanswered.then_some(&CAME).into_iter().chain(&FIGURES);
    let changes = figures.map(|figure| {
        let values =
            runs.each_ref().map(|runs| runs.iter().map(|run| (figure.of)(run)).collect::<Vec<f64>>());
        let means = values.each_ref().map(|values| values.iter().sum::<f64>() / values.len() as f64);
        let ranking = (figure.compare)(&[&values[0], &values[1]]);
        let pair = ranking.pairs.first();
        let half_width = pair.map_or(f64::INFINITY, |pair| pair.difference.half_width);
        Change {
            configuration: (*configuration).to_owned(),
            clients: clients.clone(),
            figure: figure.name,
            means,
            difference: Interval { mean: means[1] - means[0], half_width },
            p: pair.and_then(|pair| pair.p),
        }
    });
    changes.collect()
}

fn adjust(changes: &mut [Change]) {
    let p: Vec<f64> = changes.iter().filter_map(|change| change.p).collect();
    let tested = changes.iter_mut().filter(|change| change.p.is_some());
    for (change, adjusted) in tested.zip(holm(&p)) {
        change.p = Some(adjusted);
    }
}

fn circumstances(
    one: &ResultReader,
    other: &ResultReader,
    shared: &[&String],
) -> Vec<(String, String, String)> {
    let [machines, rest] = differing(&[one, other], shared);
    let pair = |(what, values): (String, Vec<String>)| {
        let mut values = values.into_iter();
        (what, values.next().unwrap_or_default(), values.next().unwrap_or_default())
    };
    machines.into_iter().chain(rest).map(pair).collect()
}

/// A circumstance by its name, with its value in each result.
pub(crate) type Circumstance = (String, Vec<String>);

/// Everything that may change figures and is not the same in all results: of their machines, and else.
pub(crate) fn differing(results: &[&ResultReader], configurations: &[&String]) -> [Vec<Circumstance>; 2] {
    let differing = |described: Vec<BTreeMap<String, String>>| {
        let names: BTreeSet<&String> = described.iter().flat_map(BTreeMap::keys).collect();
        let value = |what: &String, one: &BTreeMap<String, String>| {
            one.get(what).cloned().unwrap_or_else(|| "none".to_owned())
        };
        let all = names.into_iter().map(|what| {
            (what.clone(), described.iter().map(|one| value(what, one)).collect::<Vec<String>>())
        });
        all.filter(|(_, values)| values.iter().any(|value| *value != values[0])).collect()
    };
    let manifests = || results.iter().map(|result| &result.manifest);
    [
        differing(manifests().map(machine).collect()),
        differing(manifests().map(|manifest| measured_by(manifest, configurations)).collect()),
    ]
}

fn named<const N: usize>(facts: [(&str, String); N]) -> impl Iterator<Item = (String, String)> {
    facts.into_iter().map(|(what, value)| (what.to_owned(), value))
}

/// Identity of a machine, and its settings.
fn machine(manifest: &Manifest) -> BTreeMap<String, String> {
    let host = &manifest.host;
    let facts = [
        ("testbed", manifest.testbed.as_ref().map_or("the machine as it is".to_owned(), words::testbed)),
        ("system", host.system.clone()),
        ("kernel", host.kernel.clone()),
        ("processor", host.cpu.clone()),
        ("processors", host.cores.to_string()),
        ("memory", number::bytes(host.memory_bytes)),
    ];
    let settings = host.settings.iter().map(|(name, value)| (name.clone(), value.clone()));
    named(facts).chain(settings).collect()
}

/// The circumstances of a result, and the records of these configurations.
fn measured_by(manifest: &Manifest, configurations: &[&String]) -> BTreeMap<String, String> {
    let spec = &manifest.spec;
    let facts = [
        ("laboratory", manifest.tierbench.clone()),
        ("application", spec.application.clone()),
        ("mix", spec.mix.clone()),
        ("scale of the data", spec.scale.to_string()),
        ("distribution of the data", spec.distribution.clone()),
        ("time scale", spec.time_scale.to_string()),
        ("think time", format!("{} s", number::setting(spec.loads.think_time_s()))),
        ("session length", format!("{} s", number::setting(spec.session_length_s))),
        ("ramp", format!("{} s", number::setting(spec.ramp_s))),
        ("window", format!("{} s", number::setting(spec.window_s))),
        ("repetitions", spec.repetitions.to_string()),
        ("seed", spec.seed.to_string()),
    ];
    let records = manifest.configurations.iter().filter(|record| configurations.contains(&&record.name));
    named(facts).chain(records.flat_map(of_configuration)).collect()
}

fn of_configuration(record: &ConfigurationRecord) -> Vec<(String, String)> {
    let named = |what: &str, value: &str| (format!("{}: {what}", record.name), value.to_owned());
    let mut facts = vec![
        named("content", &record.content),
        named("statements", &record.statements.to_string()),
        named("verification", &record.verified.to_string()),
    ];
    facts.extend(record.factors.iter().map(|(factor, value)| named(factor, value)));
    facts.extend(
        record
            .services
            .iter()
            .map(|service| named(&format!("{} ({})", service.role, service.service), &service.version)),
    );
    facts
}

/// The comparison as aligned plain text of at most 110 columns, with a final line break.
pub fn difference_table(difference: &Difference) -> String {
    let mut text = String::new();
    for (letter, title) in ["A", "B"].iter().zip(&difference.titles) {
        paragraph(&mut text, &format!("{letter}: "), title);
    }
    difference.common.iter().for_each(|common| paragraph(&mut text, "", common));
    text.push('\n');
    if difference.changes.is_empty() {
        let none = "Nothing was measured in both results: they share no configuration with VALID points at the same load.";
        paragraph(&mut text, "", none);
    } else {
        let _ = writeln!(text, "{}\n", change_table(&difference.changes));
        paragraph(&mut text, "", &conclusion(&difference.changes));
    }
    for (letter, alone) in ["A", "B"].iter().zip(&difference.alone).filter(|(_, alone)| !alone.is_empty()) {
        paragraph(&mut text, &format!("Only in {letter}: "), &format!("{}.", enumerate(alone)));
    }
    if difference.circumstances.is_empty() {
        paragraph(
            &mut text,
            "",
            "Both were measured under the same circumstances, as far as these are recorded.",
        );
    } else {
        paragraph(
            &mut text,
            "",
            "The two were measured under different circumstances, which may be why they differ:",
        );
        let rows = difference
            .circumstances
            .iter()
            .map(|(what, one, other)| [what, one, other].map(|cell| shortened(cell)).to_vec());
        let _ = writeln!(text, "\n{}", table(&["what", "A", "B"], rows, &[0, 1, 2]));
    }
    text
}

fn change_table(changes: &[Change]) -> String {
    let header = ["configuration", "clients", "figure", "A", "B", "B − A", "p", "B is"];
    let rows = changes.iter().enumerate().map(|(index, change)| {
        let same = |other: &Change| {
            (&other.configuration, &other.clients) == (&change.configuration, &change.clients)
        };
        let repeated = index > 0 && same(&changes[index - 1]);
        let once = |text: &str| if repeated { String::new() } else { text.to_owned() };
        vec![
            once(&change.configuration),
            once(&change.clients),
            change.figure.to_owned(),
            number::figure(change.means[0]),
            number::figure(change.means[1]),
            number::interval(change.difference.mean, Some(change.difference)),
            change.p.map_or_else(|| "–".to_owned(), number::probability),
            change.conclusion().to_owned(),
        ]
    });
    table(&header, rows, &[0, 1, 2, 7])
}

fn conclusion(changes: &[Change]) -> String {
    let all = changes.len();
    let told = changes.iter().filter(|change| change.p.is_some()).count();
    let differ = changes.iter().filter(|change| change.p.is_some_and(|p| p < LEVEL)).count();
    match (told, differ) {
        (0, _) => "There are too few runs to tell whether they differ: both need at least three.".to_owned(),
        (_, 0) => format!("Of {}, none differ.", several(all, "figure")),
        _ => format!(
            "{differ} of {} {}, with 95 % certainty for all of them together (Welch's test, corrected by Holm).",
            several(all, "figure"),
            words::agreeing(differ, "differs", "differ")
        ),
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = WIDTH / 3 - 3;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

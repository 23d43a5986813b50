//! The record of software, hardware and settings: enough to judge the figures and to run it again.

use crate::{
    configuration::ConfigurationSummary,
    number,
    traffic::TracedPage,
    words::{self, several},
};
use results::{ConfigurationRecord, LoadKind, Manifest, Plan, Series, StoreCost};

pub(super) type Fact = (&'static str, String);

pub(super) struct CodeRow<'a> {
    /// In a stack's first row only: its name, its configurations, and its number of rows.
    pub(super) stack: Option<(&'a str, String, usize)>,
    pub(super) language: &'a str,
    /// Files, lines of code, lines of comment.
    pub(super) cells: [String; 3],
}

/// A configuration, and the statements per page traced during verification.
pub(super) struct Recorded<'a> {
    pub(super) record: &'a ConfigurationRecord,
    /// Mean over the mix, in words.
    pub(super) page: Option<String>,
    /// By interaction: statements, tables and round trips per page.
    pub(super) interactions: Vec<(&'a str, [String; 3])>,
}

pub(super) fn configurations<'a>(
    manifest: &'a Manifest,
    summaries: &[ConfigurationSummary],
) -> Vec<Recorded<'a>> {
    let recorded = |record: &'a ConfigurationRecord| {
        let summary = summaries.iter().find(|summary| summary.name == record.name);
        let page = summary.and_then(|summary| summary.traced).map(|page| traced(&page));
        let interactions = record.traffic.iter().flat_map(|traffic| {
            let about = if traffic.estimates_round_trips { "~" } else { "" };
            traffic.interactions.iter().map(move |(name, cost)| (name.as_str(), costs(cost, about)))
        });
        Recorded { record, page, interactions: interactions.collect() }
    };
    manifest.configurations.iter().map(recorded).collect()
}

fn traced(page: &TracedPage) -> String {
    let [statements, tables, round_trips] =
        [page.statements, page.tables, page.round_trips].map(number::figure);
    let about = if page.estimates_round_trips { "about " } else { "" };
    format!("{statements} statements on {tables} tables in {about}{round_trips} round trips")
}

fn costs(cost: &StoreCost, about: &str) -> [String; 3] {
    let per_page = |sum| number::figure(cost.per_page(sum));
    [per_page(cost.statements), per_page(cost.tables), format!("{about}{}", per_page(cost.round_trips))]
}

/// Size of each stack's code, counted once per stack.
pub(super) fn code(manifest: &Manifest) -> Vec<CodeRow<'_>> {
    let mut stacks: Vec<(&str, Vec<&str>, &[results::CodeSize])> = Vec::new();
    for configuration in manifest.configurations.iter().filter(|configuration| !configuration.code.is_empty())
    {
        let known = stacks
            .iter_mut()
            .find(|(stack, _, code)| *stack == configuration.stack && *code == configuration.code.as_slice());
        match known {
            Some((_, names, _)) => names.push(&configuration.name),
            None => stacks.push((&configuration.stack, vec![&configuration.name], &configuration.code)),
        }
    }
    stacks.into_iter().flat_map(|(stack, names, code)| stack_rows(stack, &names, code)).collect()
}

fn stack_rows<'a>(stack: &'a str, names: &[&str], code: &'a [results::CodeSize]) -> Vec<CodeRow<'a>> {
    let row = |language: &'a str, cells: [u64; 3]| CodeRow {
        stack: None,
        language,
        cells: cells.map(number::count),
    };
    let mut rows: Vec<CodeRow<'_>> =
        code.iter().map(|size| row(&size.language, [size.files, size.code, size.comments])).collect();
    if code.len() > 1 {
        let sum = |part: fn(&results::CodeSize) -> u64| code.iter().map(part).sum();
        rows.push(row("all", [sum(|size| size.files), sum(|size| size.code), sum(|size| size.comments)]));
    }
    let count = rows.len();
    if let Some(first) = rows.first_mut() {
        first.stack = Some((stack, names.join(", "), count));
    }
    rows
}

pub(super) fn facts(manifest: &Manifest) -> Vec<Fact> {
    let seconds = |seconds: f64| format!("{} s", number::setting(seconds));
    let (host, spec) = (&manifest.host, &manifest.spec);
    let ended = match &manifest.ending {
        Some(ending) => number::instant(&ending.at),
        None => "not recorded".to_owned(),
    };
    let mut facts = vec![
        ("Laboratory", format!("tierbench {}", manifest.tierbench)),
        ("Started", number::instant(&manifest.started)),
        ("Ended", ended),
    ];
    if !manifest.resumed.is_empty() {
        let instants: Vec<String> = manifest.resumed.iter().map(|instant| number::instant(instant)).collect();
        facts.push(("Continued", instants.join(", ")));
    }
    facts.extend([
        ("Expected to take", duration(manifest.expected_s)),
        ("Seed", spec.seed.to_string()),
        ("Scale of the data", spec.scale.to_string()),
        ("Distribution of the data", spec.distribution.clone()),
        ("Time scale", spec.time_scale.to_string()),
    ]);
    let [think, session, ramp, window] =
        [spec.loads.think_time_s(), spec.session_length_s, spec.ramp_s, spec.window_s].map(seconds);
    facts.extend(match spec.loads.series() {
        // Sessions have no length, counting starts at once, and the load ends by itself.
        Series::Arrivals => vec![("Longest think time", think)],
        _ => vec![
            ("Mean think time", think),
            ("Mean session length", session),
            ("Ramp", ramp),
            ("Window", window),
        ],
    });
    facts.extend([("Loads", loads(manifest)), ("Repetitions", spec.repetitions.to_string())]);
    let conditions: Vec<String> = spec.conditions.iter().map(ToString::to_string).collect();
    if !conditions.is_empty() {
        facts.push(("The command fails if a peak has", conditions.join(", ")));
    }
    if let Some(testbed) = &manifest.testbed {
        facts.push(("Testbed", words::testbed(testbed)));
    }
    facts.extend([
        ("System", format!("{}, kernel {}", host.system, host.kernel)),
        ("Processor", format!("{}, {}", host.cpu, several(host.cores, "core"))),
        ("Memory", number::bytes(host.memory_bytes)),
        ("Schema", manifest.schema_version.to_string()),
    ]);
    facts
}

fn loads(manifest: &Manifest) -> String {
    let loads = &manifest.spec.loads;
    let most = number::count(loads.max_clients().into());
    match &loads.plan {
        Plan::Capacity { objective } => {
            format!("a search for the capacity under {objective}, at most {most} clients")
        }
        Plan::Peak { .. } => format!("a search around the knee, at most {most} clients"),
        Plan::Listed => match (loads.arrivals(), &manifest.load_model) {
            (Some(load), Some(title)) => format!("{} ({title}): {}", load.model, listed(&loads.kinds)),
            _ => listed(&loads.kinds),
        },
    }
}

fn listed(kinds: &[LoadKind]) -> String {
    kinds.iter().map(LoadKind::to_string).collect::<Vec<_>>().join(", ")
}

fn duration(seconds: f64) -> String {
    match seconds {
        none if none <= 0.0 => "not recorded".to_owned(),
        short if short < 120.0 => format!("{short:.0} s"),
        longer if longer < 7200.0 => format!("{:.0} min", longer / 60.0),
        long => format!("{:.1} h", long / 3600.0),
    }
}

//! The page of a study that was measured again: its claims first, then its figures in its own form, then all that one
//! must know to believe them.
//!
//! What a claim is and how it is judged is not known here: whoever knows hands it in as plain words.

mod by_concurrency;

use super::charts::{self, Legend, Unit};
use crate::{
    chart,
    finding::{Banner, Finding, Kind, Severity, banners},
    number,
    summary::summary,
    words::{agreeing, several, unbroken},
};
use askama::Template;
use results::ResultReader;
use stats::Interval;
use std::ptr;

/// A study that was measured again.
#[derive(Debug, Clone)]
pub struct Study<'a> {
    /// The study's title.
    pub title: String,
    /// Who published it where and when.
    pub source: String,
    /// Of which version of tierbench this page is.
    pub version: String,
    /// What becomes of its claims, in a sentence.
    pub answer: String,
    /// What else belongs to that, in a sentence or two.
    pub reason: String,
    /// Its claims, judged.
    pub claims: Vec<StudyClaim>,
    /// Its figures, measured again.
    pub figures: Vec<StudyFigure<'a>>,
    /// How they were measured: what, and how.
    pub facts: Vec<(String, String)>,
    /// What was not measured, each with its reason.
    pub left_out: Vec<String>,
}

/// A claim, judged.
#[derive(Debug, Clone)]
pub struct StudyClaim {
    /// What is claimed, in a sentence.
    pub says: String,
    /// The study's reason for it, in a clause, which is not judged.
    pub because: Option<String>,
    /// Where the study claims it.
    pub section: String,
    /// The figure that shows it.
    pub figure: String,
    /// Of which kind it is, in a word or two.
    pub kind: String,
    /// The printed ratio, where one is printed.
    pub printed: Option<String>,
    /// What was seen here in its place, in a few words.
    pub here: String,
    /// What becomes of it, in a few words.
    pub verdict: &'static str,
    /// The same: whether it holds; none where that cannot be told.
    pub holds: Option<bool>,
    /// Why, in a sentence or two.
    pub reason: String,
    /// The ratios on which it rests, with their intervals, where they are several.
    pub ratios: Vec<String>,
}

/// A figure, measured again.
#[derive(Debug, Clone)]
pub struct StudyFigure<'a> {
    /// Its name: `fig11`.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Where the study discusses it.
    pub section: String,
    /// Where it comes from, under the names that the page shows.
    pub result: &'a ResultReader,
    /// The address of the result's own report, from this page.
    pub report: String,
    /// What it shows.
    pub plot: StudyPlot,
}

/// What a figure shows.
#[derive(Debug, Clone)]
pub enum StudyPlot {
    /// Throughput over clients.
    Throughput,
    /// What came of loads of clients who arrive: response times by concurrency, where they stay, and these figures.
    Arrivals {
        /// What the figures are, with their units.
        columns: Vec<&'static str>,
        /// A row for each configuration.
        rows: Vec<StudyFigures>,
    },
    /// How busy machines were at each peak: a group of bars for each configuration.
    Machines(Vec<StudyMachines>),
    /// The same where tiers shared a machine, so that nobody can say.
    OneMachine,
}

/// What came of a configuration's loads.
#[derive(Debug, Clone)]
pub struct StudyFigures {
    /// The configuration.
    pub configuration: String,
    /// Each figure, in the order of the columns, of all runs that count; or why there are none.
    pub runs: Result<Vec<Vec<f64>>, String>,
}

/// How busy machines were at a configuration's peak.
#[derive(Debug, Clone)]
pub struct StudyMachines {
    /// The configuration.
    pub configuration: String,
    /// Each machine, with the share of its CPU that was in use; or why that isn't known.
    pub machines: Result<Vec<(String, f64)>, String>,
}

#[derive(Template)]
#[template(path = "study.html")]
struct Page<'a> {
    study: &'a Study<'a>,
    answer: String,
    banners: Vec<Banner>,
    caveat: Finding,
    claims: Vec<ClaimRow<'a>>,
    figures: Vec<FigureSection<'a>>,
    rejected: Vec<Rejected>,
    rejected_words: String,
}

struct ClaimRow<'a> {
    claim: &'a StudyClaim,
    class: &'static str,
}

struct FigureSection<'a> {
    figure: &'a StudyFigure<'a>,
    legend: Vec<Legend<'a>>,
    charts: Vec<(&'static str, String)>,
    /// What the marks of its charts are.
    marks: &'static str,
    columns: &'a [&'static str],
    rows: Vec<FigureRow<'a>>,
    groups: Vec<Group<'a>>,
    note: Option<Finding>,
}

/// A configuration's figures, or why there are none.
struct FigureRow<'a> {
    configuration: &'a str,
    figures: Vec<String>,
    without: Option<&'a str>,
}

struct Group<'a> {
    configuration: &'a str,
    bars: Vec<Bar<'a>>,
    without: Option<&'a str>,
}

struct Bar<'a> {
    machine: &'a str,
    color: usize,
    percent: String,
    label: String,
}

/// An INVALID point, with the figures that would have been made of it.
struct Rejected {
    figures: String,
    finding: Finding,
}

/// The page of a study: a complete HTML document like a result's report.
pub fn study_html(study: &Study<'_>) -> String {
    let roles = roles(study);
    let findings = findings(study);
    let all: Vec<Finding> = findings.iter().flat_map(|(_, findings)| findings).cloned().collect();
    let rejected: Vec<Rejected> = findings.into_iter().flat_map(rejected).collect();
    let page = Page {
        answer: unbroken(&study.answer),
        banners: banners(&all),
        caveat: Kind::AcrossYears.finding(),
        claims: study.claims.iter().map(row).collect(),
        figures: study.figures.iter().map(|figure| section(figure, &roles)).collect(),
        rejected_words: rejected_words(study, rejected.len()),
        rejected,
        study,
    };
    chart::render(&page)
}

fn row(claim: &StudyClaim) -> ClaimRow<'_> {
    let class = match claim.holds {
        Some(true) => "valid",
        Some(false) => "invalid",
        None => "quiet",
    };
    ClaimRow { claim, class }
}

/// All machines, in the order in which they come.
fn roles<'a>(study: &'a Study<'_>) -> Vec<&'a str> {
    let groups = study.figures.iter().filter_map(|figure| match &figure.plot {
        StudyPlot::Machines(groups) => Some(groups),
        _ => None,
    });
    let machines = groups.flatten().filter_map(|group| group.machines.as_ref().ok()).flatten();
    let mut roles: Vec<&str> = Vec::new();
    for (machine, _) in machines {
        if !roles.contains(&machine.as_str()) {
            roles.push(machine);
        }
    }
    roles
}

fn section<'a>(figure: &'a StudyFigure<'a>, roles: &[&str]) -> FigureSection<'a> {
    let mut section = FigureSection {
        figure,
        legend: Vec::new(),
        charts: Vec::new(),
        marks: "",
        columns: &[],
        rows: Vec::new(),
        groups: Vec::new(),
        note: None,
    };
    let names: Vec<&str> =
        figure.result.manifest.configurations.iter().map(|one| one.name.as_str()).collect();
    match &figure.plot {
        StudyPlot::Throughput => {
            section.charts = charts::curves(figure.result, &names, &figure.name, Unit::PerMinute).into();
            if charts::only_load(figure.result, &names).is_some() {
                section.marks = OF_BARS;
            } else {
                section.legend = charts::legend(&names);
                section.marks = OF_CLIENTS;
            }
        }
        StudyPlot::Arrivals { columns, rows } => {
            if by_concurrency::are_there(figure.result) {
                section.legend = charts::legend(&names);
                section.charts = by_concurrency::charts(figure.result, &names, &figure.name).into();
                section.marks = BY_CONCURRENCY;
            }
            section.columns = columns;
            section.rows = rows.iter().map(figures_of).collect();
        }
        StudyPlot::Machines(groups) => {
            section.groups = groups.iter().map(|group| bars(group, roles)).collect();
        }
        StudyPlot::OneMachine => section.note = Some(Kind::OneMachineForAll.finding()),
    }
    section
}

fn figures_of(row: &StudyFigures) -> FigureRow<'_> {
    let mean = |runs: &Vec<f64>| {
        let interval = Some(runs).filter(|runs| runs.len() > 2).and_then(|runs| Interval::of_mean(runs));
        let interval = interval.filter(|interval| interval.half_width > 0.0);
        let mean = runs.iter().sum::<f64>() / runs.len() as f64;
        if runs.is_empty() { "–".to_owned() } else { number::interval(mean, interval) }
    };
    FigureRow {
        configuration: &row.configuration,
        figures: row.runs.iter().flatten().map(mean).collect(),
        without: row.runs.as_ref().err().map(String::as_str),
    }
}

fn bars<'a>(group: &'a StudyMachines, roles: &[&str]) -> Group<'a> {
    let bar = |(machine, share): &'a (String, f64)| Bar {
        machine,
        color: roles.iter().position(|role| role == machine).unwrap_or(0) % 6,
        percent: format!("{:.1}", (100.0 * share).clamp(0.0, 100.0)),
        label: format!("{:.0} %", 100.0 * share),
    };
    Group {
        configuration: &group.configuration,
        bars: group.machines.iter().flatten().map(bar).collect(),
        without: group.machines.as_ref().err().map(String::as_str),
    }
}

/// Each result once, with the names of the figures that come from it.
fn results<'a>(study: &'a Study<'_>) -> Vec<(String, &'a ResultReader)> {
    let mut results: Vec<(String, &ResultReader)> = Vec::new();
    for figure in &study.figures {
        match results.iter_mut().find(|(_, known)| ptr::eq(*known, figure.result)) {
            Some((figures, _)) => figures.extend([", ", &figure.name]),
            None => results.push((figure.name.clone(), figure.result)),
        }
    }
    results
}

/// The marks of throughput over clients.
const OF_CLIENTS: &str = "Each mark is the mean of a load's runs with its 95 % interval, where it has one; small dots are \
                          single runs; marks that are crossed out are INVALID. Lines join VALID loads.";
/// The bars of throughput at one load.
const OF_BARS: &str =
    "Each bar is the mean of the runs, with its 95 % interval, where it has one. INVALID runs are hollow.";
/// The marks of response times by concurrency.
const BY_CONCURRENCY: &str = "Each mark is the mean response time of requests that were made while so many clients were there \
                              at once. It is over all VALID runs, with its 95 % interval where these are three or more.";

/// The findings of each result, with the names of the figures that come from it.
fn findings(study: &Study<'_>) -> Vec<(String, Vec<Finding>)> {
    results(study).into_iter().map(|(figures, result)| (figures, summary(result).findings)).collect()
}

fn rejected((figures, findings): (String, Vec<Finding>)) -> impl Iterator<Item = Rejected> {
    let rejected = findings.into_iter().filter(|finding| finding.severity == Severity::Rejected);
    rejected.map(move |finding| Rejected { figures: figures.clone(), finding })
}

/// How many points do not count.
fn rejected_words(study: &Study<'_>, rejected: usize) -> String {
    let points =
        results(study).iter().map(|(_, result)| result.points.len() + result.arrived.len()).sum::<usize>();
    let points = several(points, "point");
    match rejected {
        0 => format!("None of {points} is INVALID."),
        _ => format!(
            "{rejected} of {points} failed a check and {} not count. Of each: what was seen, and the limit.",
            agreeing(rejected, "does", "do")
        ),
    }
}

//! The page of a reproduced study: its claims, its figures in the original form, then all that is needed to trust
//! them.
//!
//! Claims and verdicts come in as plain words; this crate doesn't judge them.

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

#[derive(Debug, Clone)]
pub struct Study<'a> {
    pub title: String,
    /// Authors, venue and year.
    pub source: String,
    pub version: String,
    pub answer: String,
    pub reason: String,
    pub claims: Vec<StudyClaim>,
    pub figures: Vec<StudyFigure<'a>>,
    /// Conditions of measurement: name and value.
    pub facts: Vec<(String, String)>,
    /// Each with its reason.
    pub left_out: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct StudyClaim {
    pub claim: String,
    /// The study's own reason, in a clause, which is not judged.
    pub paper_reason: Option<String>,
    /// Section of the study.
    pub section: String,
    pub figure: String,
    /// Kind of claim, in a word or two.
    pub kind: String,
    pub printed: Option<String>,
    /// The measured counterpart, in a few words.
    pub here: String,
    pub verdict: &'static str,
    /// True if it holds; none where that cannot be told.
    pub holds: Option<bool>,
    /// The reason for the verdict, in a sentence or two.
    pub reason: String,
    /// Ratios behind the verdict, with intervals, if there are several.
    pub ratios: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct StudyFigure<'a> {
    /// `fig11`.
    pub name: String,
    pub title: String,
    pub section: String,
    /// The data, under the names that the page shows.
    pub result: &'a ResultReader,
    /// Address of the result's own report, relative to this page.
    pub report: String,
    pub plot: StudyPlot,
}

#[derive(Debug, Clone)]
pub enum StudyPlot {
    Throughput,
    /// Loads of arriving clients: response times by concurrency, where clients stay, and these figures.
    Arrivals {
        /// Names with units.
        columns: Vec<&'static str>,
        /// A row per configuration.
        rows: Vec<StudyFigures>,
    },
    /// Machine utilisation at each peak: a group of bars per configuration.
    Machines(Vec<StudyMachines>),
    /// The same where tiers shared a machine, so utilisation is unknown.
    OneMachine,
}

#[derive(Debug, Clone)]
pub struct StudyFigures {
    pub configuration: String,
    /// Figures of all counted runs, in the order of the columns; or the reason why there are none.
    pub runs: Result<Vec<Vec<f64>>, String>,
}

/// Machine utilisation at a configuration's peak.
#[derive(Debug, Clone)]
pub struct StudyMachines {
    pub configuration: String,
    /// Each machine's CPU utilisation, or the reason why it is unknown.
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
    marks: &'static str,
    columns: &'a [&'static str],
    rows: Vec<FigureRow<'a>>,
    groups: Vec<Group<'a>>,
    note: Option<Finding>,
}

/// A configuration's figures, or the reason why there are none.
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

struct Rejected {
    figures: String,
    finding: Finding,
}

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

/// Each result once, with the names of its figures.
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

const OF_CLIENTS: &str = "Each mark is the mean of a load's runs with its 95 % interval, where it has one; small dots are \
                          single runs; marks that are crossed out are INVALID. Lines join VALID loads.";
const OF_BARS: &str =
    "Each bar is the mean of the runs, with its 95 % interval, where it has one. INVALID runs are hollow.";
const BY_CONCURRENCY: &str = "Each mark is the mean response time of requests that were made while so many clients were there \
                              at once. It is over all VALID runs, with its 95 % interval where these are three or more.";

/// Findings of each result, with the names of its figures.
fn findings(study: &Study<'_>) -> Vec<(String, Vec<Finding>)> {
    results(study).into_iter().map(|(figures, result)| (figures, summary(result).findings)).collect()
}

fn rejected((figures, findings): (String, Vec<Finding>)) -> impl Iterator<Item = Rejected> {
    let rejected = findings.into_iter().filter(|finding| finding.severity == Severity::Rejected);
    rejected.map(move |finding| Rejected { figures: figures.clone(), finding })
}

fn rejected_words(study: &Study<'_>, rejected: usize) -> String {
    let points =
        results(study).iter().map(|(_, result)| result.points.len() + result.arrivals.len()).sum::<usize>();
    let points = several(points, "point");
    match rejected {
        0 => format!("None of {points} is INVALID."),
        _ => format!(
            "{rejected} of {points} failed a check and {} not count. Of each: what was seen, and the limit.",
            agreeing(rejected, "does", "do")
        ),
    }
}

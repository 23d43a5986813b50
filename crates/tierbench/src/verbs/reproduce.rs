//! `reproduce`: measures again what a paper measured, and judges what it claims.
//!
//! Each workload of the paper is an ordinary `compare` in a folder of its own, so that `report` reads it and `compare
//! --resume` could continue it. Those that differ in their mix alone share each start of all servers. What is there already isn't measured again: the same command continues.

mod plan;

use crate::{
    arguments::{Places, ReproduceOptions, VERSION},
    fault::Fault,
    outcome,
    output::print,
    verbs::measure::{self, Request},
};
use fs_err as fs;
use lab::{Workspace, WorkspaceError};
use papers::{Experiment, Paper, PaperError};
use plan::{Planned, PlannedRun, State};
use results::ResultReader;
use settings::did_you_mean;
use std::{panic, path::PathBuf, thread};

pub(crate) fn run(places: &Places, options: &ReproduceOptions) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let paper = paper_for(&workspace, options)?;
    let experiments = find_figures(&paper, &options.figures)?;
    let plan = Planned::plan(&workspace, &paper, &experiments, options)?;
    print(plan.text())?;
    if options.plan {
        return Ok(());
    }
    plan.testbed.expect_possible()?;
    let measured = measure_all(places, options, &plan);
    // An interrupted reproduction shows its results, too.
    let shown = show(&plan);
    measured?;
    shown
}

/// The paper, without what a short reproduction leaves out.
fn paper_for(workspace: &Workspace, options: &ReproduceOptions) -> Result<Paper, Fault> {
    let paper = find_paper(workspace, &options.paper)?;
    Ok(if options.quick { paper.quick() } else { paper })
}

fn find_paper(workspace: &Workspace, word: &str) -> Result<Paper, Fault> {
    let home = workspace.path().join("papers");
    let entries = fs::read_dir(&home).map_err(PaperError::from)?.flatten();
    let folders = entries.filter(|entry| entry.path().join("paper.toml").is_file());
    let mut known: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    known.sort();
    match known.iter().find(|name| *name == word) {
        Some(name) => Ok(Paper::read(&home.join(name))?),
        None => Err(unknown("paper", word, &known.iter().map(String::as_str).collect::<Vec<_>>())),
    }
}

/// The figures of these names, in the paper's order; all of them if none is named.
fn find_figures<'a>(paper: &'a Paper, words: &[String]) -> Result<Vec<&'a Experiment>, Fault> {
    let known: Vec<&str> = paper.experiments.iter().map(|experiment| &*experiment.name).collect();
    if let Some(word) = words.iter().find(|word| !known.contains(&word.as_str())) {
        return Err(unknown("figure", word, &known));
    }
    let wanted =
        |experiment: &&Experiment| words.is_empty() || words.iter().any(|word| **word == *experiment.name);
    Ok(paper.experiments.iter().filter(wanted).collect())
}

/// An unknown name, with all known ones in its help.
fn unknown(kind: &'static str, word: &str, known: &[&str]) -> Fault {
    let listed = format!("known are: {}", known.join(", "));
    let guess = did_you_mean(word, known.iter().copied());
    let remedy = if guess == listed { listed } else { format!("{guess} {listed}") };
    WorkspaceError::Unknown { kind, word: word.to_owned(), remedy }.into()
}

/// Measures what is not there yet. Configurations without a peak that counts are named at the end.
fn measure_all(places: &Places, options: &ReproduceOptions, plan: &Planned<'_>) -> Result<(), Fault> {
    let resume_command = options.resume_command(places);
    let (mut without, mut lacking) = (Vec::new(), None);
    let is_asked = |group: &Vec<&PlannedRun>| options.block.is_none_or(|block| group[0].block == Some(block));
    for group in plan.groups().into_iter().filter(is_asked) {
        let results = match group[0].state {
            State::Complete => vec![ResultReader::open_whole(&group[0].folder)?],
            State::Begun | State::New => measure_group(places, &group, &resume_command)?,
        };
        for (run, result) in group.iter().zip(&results) {
            match outcome::judge(&[], result) {
                Err(Fault::NotValid { what, configurations }) => {
                    lacking = Some(what);
                    without.push(format!("{configurations} ({})", run.workload));
                }
                judged => judged?,
            }
        }
    }
    match lacking {
        Some(what) => Err(Fault::NotValid { what, configurations: without.join("; ") }),
        None => Ok(()),
    }
}

/// Measures runs that share starts, in a thread of its own: whoever measures goes to the clients' host for good.
fn measure_group(
    places: &Places,
    group: &[&PlannedRun],
    resume_command: &str,
) -> Result<Vec<ResultReader>, Fault> {
    let titles: Vec<String> = group.iter().map(|run| run.title()).collect();
    print(format_args!("\n{}", titles.join("\n")))?;
    let requests: Vec<Request<'_>> = group.iter().map(|run| run.request()).collect();
    thread::scope(|scope| {
        let measuring = scope.spawn(|| measure::measure(places, &requests, resume_command, None));
        measuring.join().unwrap_or_else(|fault| panic::resume_unwind(fault))
    })
}

/// Prints the table of claims and writes the page.
fn show(plan: &Planned<'_>) -> Result<(), Fault> {
    let reproduction = plan.reproduction()?;
    if reproduction.measurements.is_empty() {
        return Ok(());
    }
    print(format_args!("\n{}", reproduction.text().trim_end()))?;
    let page = results::write_report(&plan.folder, &reproduction.html(VERSION))?;
    print(format_args!("page: {}", page.display()))?;
    Ok(())
}

/// The default folder. It is always the same, so that the same command continues.
fn default_folder(options: &ReproduceOptions) -> PathBuf {
    let how = match (options.smoke, options.quick) {
        (true, _) => "-smoke",
        (false, true) => "-quick",
        (false, false) => "",
    };
    PathBuf::from("results").join(format!("reproduce-{}{how}", options.paper))
}

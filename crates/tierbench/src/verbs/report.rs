//! `report`: reads a result folder and shows it, compares two of them, or makes one page of several.

use crate::{
    arguments::{JudgementOptions, ReportOptions},
    fault::{CommandError, Fault},
    output::print,
};
use fs_err as fs;
use report::{Difference, Regressions, Tolerance};
use results::ResultReader;
use settings::{write_inside, write_named};
use std::path::{Path, PathBuf};

pub(crate) fn run(options: &ReportOptions) -> Result<(), Fault> {
    let open = |folder: &PathBuf| ResultReader::open(folder);
    let results = options.results.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    if options.csv || options.json {
        return print_table(options, &results);
    }
    match (results.as_slice(), &options.out) {
        ([_, _, ..], Some(file)) => write_page(options, file, &results),
        ([only], _) if options.judgement.fail_if_worse.is_none() => show(options, only),
        ([before, after], None) => compare(options, before, after),
        ([_], _) => Err(refused("--fail-if-worse judges a second result, and one is named", "name both")),
        _ => Err(refused(
            &format!("{} results are named, and two can be compared", results.len()),
            "name one or two, print all points with --csv or --json, or make a page of all with --out",
        )),
    }
}

fn refused(fault: &str, remedy: &str) -> Fault {
    CommandError::input(fault).with_help(remedy).into()
}

fn print_table(options: &ReportOptions, results: &[ResultReader]) -> Result<(), Fault> {
    results.iter().try_for_each(|result| export(options, result))?;
    let table = if options.csv { report::csv(results) } else { report::json(results) };
    print(table.trim_end())?;
    Ok(results.iter().try_for_each(ResultReader::expect_whole)?)
}

fn show(options: &ReportOptions, result: &ResultReader) -> Result<(), Fault> {
    export(options, result)?;
    // The table comes first, because a result may be read-only.
    print(report::terminal_table(&report::summary(result)))?;
    let html = report::html(result);
    let page = match &options.out {
        Some(file) => write(file, &html)?,
        None => results::write_report(&result.folder, &html)?,
    };
    print(format_args!("report: {}", page.display()))?;
    Ok(result.expect_whole()?)
}

fn write_page(options: &ReportOptions, file: &Path, results: &[ResultReader]) -> Result<(), Fault> {
    for alarm in results.iter().filter_map(report::alarm) {
        print(alarm)?;
    }
    results.iter().try_for_each(|result| export(options, result))?;
    print(format_args!("report: {}", write(file, &report::several_html(results))?.display()))?;
    Ok(results.iter().try_for_each(ResultReader::expect_whole)?)
}

fn write(file: &Path, page: &str) -> Result<PathBuf, Fault> {
    write_named(file, page.as_bytes())?;
    Ok(file.into())
}

fn compare(options: &ReportOptions, before: &ResultReader, after: &ResultReader) -> Result<(), Fault> {
    for alarm in [before, after].into_iter().filter_map(report::alarm) {
        print(alarm)?;
    }
    let difference = report::difference(before, after);
    print(report::difference_table(&difference).trim_end())?;
    export(options, after)?;
    before.expect_whole().and_then(|()| after.expect_whole())?;
    match options.judgement.fail_if_worse {
        Some(tolerance) => judge(&options.judgement, (before, after), &difference, tolerance),
        None => Ok(()),
    }
}

/// Writes the figures of a result for other programs.
fn export(options: &ReportOptions, result: &ResultReader) -> Result<(), Fault> {
    if let Some(folder) = &options.svg {
        fs::create_dir_all(folder)?;
        let charts = report::svgs(result);
        charts.iter().try_for_each(|(name, chart)| write_inside(folder, name, chart.as_bytes()))?;
    }
    if let Some(file) = &options.bencher {
        write_named(file, report::bencher(result).as_bytes())?;
    }
    if let Some(file) = &options.action_benchmark {
        write_named(file, report::action_benchmark(result).as_bytes())?;
    }
    Ok(())
}

/// Judges whether the second result is worse than is tolerated.
pub(crate) fn judge(
    options: &JudgementOptions,
    (before, after): (&ResultReader, &ResultReader),
    difference: &Difference,
    tolerance: Tolerance,
) -> Result<(), Fault> {
    let regressions = Regressions::of(before, after, tolerance);
    if let Some(file) = &options.markdown {
        write_named(file, report::markdown(&regressions, difference).as_bytes())?;
    }
    if let Some(file) = &options.junit {
        write_named(file, report::junit(&regressions).as_bytes())?;
    }
    if regressions.judgements.is_empty() {
        let configurations = "any load that both results share".to_owned();
        return Err(Fault::NotValid { what: "VALID figure", configurations });
    }
    let lines: String = report::open_or_worse(&regressions).map(|line| format!("\n  {line}")).collect();
    let words = format!("{}{lines}", report::verdict(&regressions));
    match (regressions.worse().next(), regressions.unknown().next()) {
        (Some(_), _) => Err(Fault::Worse(words)),
        (None, Some(_)) => Err(Fault::Undecided(words)),
        (None, None) => Ok(print(words)?),
    }
}

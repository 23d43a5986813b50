//! `report`: reads a result folder and shows it, or compares two of them.

use crate::{arguments::ReportOptions, fault::Fault, output::print};
use fs_err as fs;
use report::{Difference, Regressions};
use results::ResultReader;

pub(crate) fn run(options: &ReportOptions) -> Result<(), Fault> {
    let result = ResultReader::open(&options.result)?;
    if let Some(other) = &options.other {
        return compare(options, &result, &ResultReader::open(other)?);
    }
    export(options, &result)?;
    if options.csv {
        print(report::csv(&result).trim_end())?;
        return Ok(result.expect_whole()?);
    }
    // The table comes first, because a result may be read-only.
    print(report::terminal_table(&report::summary(&result)))?;
    let page = results::write_report(&options.result, &report::html(&result))?;
    print(format_args!("report: {}", page.display()))?;
    Ok(result.expect_whole()?)
}

fn compare(options: &ReportOptions, before: &ResultReader, after: &ResultReader) -> Result<(), Fault> {
    for alarm in [before, after].into_iter().filter_map(report::alarm) {
        print(alarm)?;
    }
    let difference = report::difference(before, after);
    print(report::difference_table(&difference).trim_end())?;
    export(options, after)?;
    before.expect_whole().and_then(|()| after.expect_whole())?;
    judge(options, before, after, &difference)
}

/// Writes the figures of a result for other programs.
fn export(options: &ReportOptions, result: &ResultReader) -> Result<(), Fault> {
    if let Some(file) = &options.bencher {
        fs::write(file, report::bencher(result))?;
    }
    if let Some(file) = &options.action_benchmark {
        fs::write(file, report::action_benchmark(result))?;
    }
    Ok(())
}

/// Judges whether the second result is worse than is tolerated.
fn judge(
    options: &ReportOptions,
    before: &ResultReader,
    after: &ResultReader,
    difference: &Difference,
) -> Result<(), Fault> {
    let Some(tolerance) = options.fail_if_worse else { return Ok(()) };
    let regressions = Regressions::of(before, after, tolerance);
    if let Some(file) = &options.markdown {
        fs::write(file, report::markdown(&regressions, difference))?;
    }
    if let Some(file) = &options.junit {
        fs::write(file, report::junit(&regressions))?;
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

//! `report`: reads a result folder and shows it, or holds two of them against each other.

use crate::{arguments::ReportOptions, fault::Fault, output::say};
use fs_err as fs;
use results::{FolderError, ResultReader};

pub(crate) fn run(options: &ReportOptions) -> Result<(), Fault> {
    let result = ResultReader::open(&options.result)?;
    if let Some(other) = &options.other {
        let other = ResultReader::open(other)?;
        for alarm in [&result, &other].into_iter().filter_map(report::alarm) {
            say(alarm)?;
        }
        say(report::difference_table(&report::difference(&result, &other)).trim_end())?;
        return Ok(result.expect_whole().and_then(|()| other.expect_whole())?);
    }
    if options.csv {
        say(report::csv(&result).trim_end())?;
        return Ok(result.expect_whole()?);
    }
    // Who may only read a result sees it all the same.
    say(report::terminal_table(&report::summary(&result)))?;
    let page = options.result.join("report.html");
    fs::write(&page, report::html(&result)).map_err(FolderError::Io)?;
    say(format_args!("report: {}", page.display()))?;
    Ok(result.expect_whole()?)
}

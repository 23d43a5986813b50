//! `report`: reads a result folder and shows it, or compares two of them.

use crate::{arguments::ReportOptions, fault::Fault, output::print};
use results::ResultReader;

pub(crate) fn run(options: &ReportOptions) -> Result<(), Fault> {
    let result = ResultReader::open(&options.result)?;
    if let Some(other) = &options.other {
        let other = ResultReader::open(other)?;
        for alarm in [&result, &other].into_iter().filter_map(report::alarm) {
            print(alarm)?;
        }
        print(report::difference_table(&report::difference(&result, &other)).trim_end())?;
        return Ok(result.expect_whole().and_then(|()| other.expect_whole())?);
    }
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

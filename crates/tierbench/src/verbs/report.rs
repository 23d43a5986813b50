//! `report`: reads a result folder and shows it.

use crate::{arguments::ReportOptions, fault::Fault};
use fs_err as fs;
use results::ResultReader;

pub(crate) fn run(options: &ReportOptions) -> Result<(), Fault> {
    let result = ResultReader::open(&options.result)?;
    if options.csv {
        print!("{}", report::csv(&result));
        return Ok(());
    }
    let page = options.result.join("report.html");
    fs::write(&page, report::html(&result))?;
    println!("{}", report::terminal_table(&report::summary(&result)));
    println!("report: {}", page.display());
    Ok(())
}

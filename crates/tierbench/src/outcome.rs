//! The outcome of a command that measures: its folder, its table and report, and whether its figures are good enough.

use crate::{fault::Fault, output::print};
use lab::Capacity;
use results::{Condition, Folder, Plan, ResultReader, Series, Verb, decisive};
use std::path::PathBuf;

/// Prints the table and writes the report.
pub(crate) fn show(folder: &Folder) -> Result<ResultReader, Fault> {
    let result = ResultReader::open(folder.path())?;
    if !(result.points.is_empty() && result.overload_steps.is_empty() && result.arrivals.is_empty()) {
        print(report::terminal_table(&report::summary(&result)))?;
    }
    let page = results::write_report(folder.path(), &report::html(&result))?;
    print(format_args!("report: {}", page.display()))?;
    Ok(result)
}

/// Fails for a result without VALID figures, and if a condition of `--fail-if` holds.
pub(crate) fn judge(conditions: &[Condition], result: &ResultReader) -> Result<(), Fault> {
    let (result, _) = &result.with_short_names();
    let loads = &result.manifest.spec.loads;
    if let Plan::Capacity { .. } = loads.plan {
        return expect_capacities(result);
    }
    let decisive = decisive(&result.manifest, &result.points);
    let names = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let apart = |name: &str| {
        let mut apart = result.overload_steps.iter().chain(&result.arrivals);
        apart.any(|point| point.configuration == name && point.verdict.valid)
    };
    let decides = |name: &str| decisive.iter().any(|load| load[0].configuration == name) || apart(name);
    let undecided: Vec<&str> = names.filter(|name| !decides(name)).collect();
    if !undecided.is_empty() {
        let what = match (&loads.plan, loads.series()) {
            (Plan::Peak { .. }, _) => "VALID peak",
            (_, Series::OverloadCycle) => "VALID step",
            (_, Series::Arrivals) => "VALID load",
            (_, Series::Curve) => "VALID point",
        };
        return Err(Fault::NotValid { what, configurations: undecided.join(", ") });
    }
    let met = conditions.iter().flat_map(|condition| {
        let breaches = condition.breaches(&decisive).into_iter();
        breaches.map(move |breach| format!("\n  {breach} (--fail-if '{condition}')"))
    });
    let met: String = met.collect();
    if met.is_empty() { Ok(()) } else { Err(Fault::Condition(met)) }
}

/// Fails for a result with an inconclusive capacity.
fn expect_capacities(result: &ResultReader) -> Result<(), Fault> {
    let names = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let is_open = |name: &&str| {
        let own = result.points.iter().filter(|point| point.configuration == *name);
        let search = result.manifest.capacity_search(own);
        let answer = search.and_then(|(_, search)| search.answer());
        answer.is_none_or(|answer| matches!(answer, Capacity::Inconclusive { .. }))
    };
    let open: Vec<&str> = names.filter(is_open).collect();
    if open.is_empty() { Ok(()) } else { Err(Fault::Inconclusive(open.join(", "))) }
}

/// The default folder of a result, named by time.
pub(crate) fn default_folder(verb: Verb, of: &str) -> PathBuf {
    let time = lab::rfc3339().trim_end_matches('Z').replace(':', "-");
    PathBuf::from("results").join(format!("{time}-{verb}-{of}"))
}

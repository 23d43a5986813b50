//! What became of the data: whether clients' writes are there, and whether a loss would have been seen.

use crate::{
    number,
    overload_cycle::steps_of_sweeps,
    summary::{measured, names, points_of},
};
use results::{Audit, LoadPlan, PlantedLoss, Point, ResultReader};

/// What the audits of a result have shown, in a few sentences; none if nothing was audited.
pub(crate) fn sentences(result: &ResultReader) -> Option<String> {
    let audits = audits(result);
    let longest = audits.iter().map(|audit| audit.seconds).fold(0.0, f64::max);
    let invariants = audits.first()?.findings.len();
    let acknowledged: u64 = audits.iter().map(|audit| total(audit).acknowledged).sum();
    let unsound = unsound(&audits);
    let whole = if is_swept(result) { "overload_cycle" } else { "point" };
    let outcome = match (unsound, acknowledged) {
        (0, 0) => "all of them held, and nobody had written anything".to_owned(),
        (0, _) => format!(
            "all of them held, and every one of {} acknowledged rows was there once",
            number::count(acknowledged)
        ),
        _ => format!("{unsound} of {} {whole}s lost or spoiled data", audits.len()),
    };
    let invariant = if invariants == 1 { "invariant" } else { "invariants" };
    let audited = format!(
        "After each {whole} the rows that it had written were audited by {invariants} {invariant} and by the clients' own \
         account, within {longest:.1} s: {outcome}."
    );
    let planted = result.manifest.planted_loss.as_ref().map(|loss| format!(" {}", planted(loss)));
    Some(audited + &planted.unwrap_or_default())
}

/// Whether data were lost and points failed, for who reads nothing else; none if nothing was audited, and of overload cycles, which
/// say so themselves and are to have steps that fail.
pub(crate) fn headline(result: &ResultReader) -> Option<String> {
    if is_swept(result) {
        return None;
    }
    let audits = audits(result);
    let lost = match (audits.len(), unsound(&audits)) {
        (0, _) => return None,
        (_, 0) => "No acknowledged write was lost".to_owned(),
        (all, unsound) => format!("{unsound} of {all} points lost or spoiled data"),
    };
    let points = measured(result);
    let invalid = points.iter().filter(|point| !point.verdict.valid).count();
    let measured = match invalid {
        0 => "all points are VALID".to_owned(),
        _ => format!("{invalid} of {} points are INVALID and count for nothing", points.len()),
    };
    Some(format!("{lost}; {measured}."))
}

fn audits(result: &ResultReader) -> Vec<&Audit> {
    audited(result).iter().filter_map(|(_, point)| point.audit.as_ref()).collect()
}

/// All points with their clients, by configuration and load; of an overload cycle, which is audited as a whole, its last step with
/// the most clients of any.
fn audited(result: &ResultReader) -> Vec<(u32, &Point)> {
    if is_swept(result) {
        let most = |steps: &[&Point]| steps.iter().map(|step| step.clients).max();
        let overload_cycles = steps_of_sweeps(result);
        return overload_cycles
            .iter()
            .filter_map(|overload_cycle| Some((most(&overload_cycle.1)?, *overload_cycle.1.last()?)))
            .collect();
    }
    let points = names(result).into_iter().flat_map(|name| points_of(measured(result), name));
    points.map(|point| (point.clients, point)).collect()
}

fn is_swept(result: &ResultReader) -> bool {
    matches!(result.manifest.loads, LoadPlan::OverloadCycle(_))
}

fn unsound(audits: &[&Audit]) -> usize {
    audits.iter().filter(|audit| !audit.faults().is_empty()).count()
}

fn planted(loss: &PlantedLoss) -> String {
    let PlantedLoss { table, id, seen_by, .. } = loss;
    format!(
        "To show that audits see a loss, row {id} of {table} was deleted on purpose; it was seen by {}.",
        seen_by.join(", ")
    )
}

/// The writes of a point as a row of a table.
pub(crate) struct DataRow<'a> {
    pub(crate) point: &'a Point,
    pub(crate) clients: String,
    /// Acknowledged, refused, in doubt, new rows, of these derived, seconds of the audit.
    pub(crate) cells: [String; 6],
    /// What is wrong with the data.
    pub(crate) faults: Vec<String>,
}

/// A row for each audit.
pub(crate) fn rows(result: &ResultReader) -> Vec<DataRow<'_>> {
    audited(result).into_iter().filter_map(row).collect()
}

fn row((clients, point): (u32, &Point)) -> Option<DataRow<'_>> {
    let audit = point.audit.as_ref()?;
    let Total { acknowledged, refused, in_doubt, new, derived } = total(audit);
    let [acknowledged, refused, in_doubt, new, derived] =
        [acknowledged, refused, in_doubt, new, derived].map(number::count);
    Some(DataRow {
        point,
        clients: number::count(clients.into()),
        cells: [acknowledged, refused, in_doubt, new, derived, number::figure(audit.seconds)],
        faults: audit.faults(),
    })
}

/// All tables together.
#[derive(Default)]
struct Total {
    acknowledged: u64,
    refused: u64,
    in_doubt: u64,
    new: u64,
    derived: u64,
}

fn total(audit: &Audit) -> Total {
    audit.accounts.iter().fold(Total::default(), |sum, account| Total {
        acknowledged: sum.acknowledged + account.acknowledged,
        refused: sum.refused + account.refused,
        in_doubt: sum.in_doubt + account.in_doubt,
        new: sum.new + account.new,
        derived: sum.derived + account.derived,
    })
}

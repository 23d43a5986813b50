//! What became of the data: whether clients' writes are there, point by point and over all.

use crate::{
    finding::Audits,
    measured::{measured, names, points_of},
    number,
    overload_cycle::steps_of_cycles,
};
use results::{Audit, LoadPlan, Point, ResultReader};

/// All audits of a result together.
pub(crate) fn audits(result: &ResultReader) -> Audits {
    let of_cycles = matches!(result.manifest.spec.loads, LoadPlan::OverloadCycle(_));
    let audits = audited(result).into_iter().filter_map(|(_, point)| point.audit.as_ref());
    audits.fold(Audits { of_cycles, ..Audits::default() }, |sum, audit| Audits {
        all: sum.all + 1,
        unsound: sum.unsound + usize::from(!audit.faults().is_empty()),
        invariants: audit.findings.len(),
        acknowledged: sum.acknowledged + total(audit).acknowledged,
        longest_s: audit.seconds.max(sum.longest_s),
        of_cycles,
    })
}

/// All points with their clients, by configuration and load; of an overload cycle, which is audited as a whole, its last
/// step with the most clients of any.
fn audited(result: &ResultReader) -> Vec<(u32, &Point)> {
    if matches!(result.manifest.spec.loads, LoadPlan::OverloadCycle(_)) {
        let most = |steps: &[&Point]| steps.iter().map(|step| step.clients).max();
        let cycles = steps_of_cycles(result);
        return cycles.iter().filter_map(|(_, steps)| Some((most(steps)?, *steps.last()?))).collect();
    }
    let points = names(result).into_iter().flat_map(|name| points_of(measured(result), name));
    points.map(|point| (point.clients, point)).collect()
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

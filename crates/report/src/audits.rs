//! Audits: whether clients' acknowledged writes are in the data, per point and in total.

use crate::{
    finding::Audits,
    measured::{measured, names, points_of},
    number,
    overload_cycle::steps_of_cycles,
};
use results::{Account, Audit, Point, ResultReader, Series};

pub(crate) fn audits(result: &ResultReader) -> Audits {
    let of_cycles = result.manifest.spec.loads.series() == Series::OverloadCycle;
    let audits = audited(result).into_iter().filter_map(|(_, point)| point.audit.as_ref());
    audits.fold(Audits { of_cycles, ..Audits::default() }, |sum, audit| Audits {
        all: sum.all + 1,
        unsound: sum.unsound + usize::from(!audit.faults().is_empty()),
        invariants: audit.findings.len(),
        acknowledged: sum.acknowledged + total(audit).acknowledged,
        contents: added(sum.contents, audit),
        longest_s: audit.seconds.max(sum.longest_s),
        of_cycles,
    })
}

/// The rows and pages whose contents audits compared. Loads of one start share an audit, and so do all of its loaded rows and
/// pages; the most of one audit are told.
fn added([compared, checked, pages]: [u64; 3], audit: &Audit) -> [u64; 3] {
    let sum = |of: fn(&Account) -> u64| audit.accounts.iter().map(of).sum::<u64>();
    [
        compared + sum(|account| account.compared),
        checked.max(sum(|account| account.checked)),
        pages.max(audit.pages.as_ref().map_or(0, |pages| pages.compared)),
    ]
}

/// Points with their clients, by configuration and load. An overload cycle is audited as a whole, at its last step,
/// with its highest number of clients.
fn audited(result: &ResultReader) -> Vec<(u32, &Point)> {
    if result.manifest.spec.loads.series() == Series::OverloadCycle {
        let most = |steps: &[&Point]| steps.iter().map(|step| step.clients).max();
        let cycles = steps_of_cycles(result);
        return cycles.iter().filter_map(|(_, steps)| Some((most(steps)?, *steps.last()?))).collect();
    }
    let points = names(result).into_iter().flat_map(|name| points_of(measured(result), name));
    points.map(|point| (point.clients, point)).collect()
}

pub(crate) struct DataRow<'a> {
    pub(crate) point: &'a Point,
    pub(crate) clients: String,
    /// Acknowledged, refused, in doubt, new rows, derived rows among these, seconds of the audit.
    pub(crate) cells: [String; 6],
    pub(crate) faults: Vec<String>,
}

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

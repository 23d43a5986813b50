//! The audit of a point: invariants, the account of writes, and the proof that a loss would be seen.

use crate::{
    LabError,
    start::{
        RunContext,
        system::System,
        write_reconciliation::{Claims, account},
    },
};
use engine::WriteFates;
use results::{Account, Audit, PlantedLoss};
use services::{Holding, ServiceError};

/// Audits the data after these writes; none where there is no store.
pub(crate) fn audit(
    context: &RunContext<'_>,
    site: &System<'_>,
    writes: &[WriteFates],
) -> Option<Result<Audited, ServiceError>> {
    Some(site.audit()?.map(|found| {
        let of = |holding| account(holding, Claims::on(holding.table, &context.catalogue, writes));
        let accounts = found.holdings.iter().map(of).collect();
        Audited {
            audit: Audit { seconds: found.seconds, findings: found.findings, accounts },
            holdings: found.holdings,
        }
    }))
}

/// An audit with the rows that it has seen.
pub(crate) struct Audited {
    pub audit: Audit,
    holdings: Vec<Holding>,
}

/// Deletes a row behind the stack's back, one of those written if there is any, and audits again.
pub(crate) fn plant_loss(
    context: &RunContext<'_>,
    configuration: &str,
    site: &System<'_>,
    writes: &[WriteFates],
    before: &Audited,
) -> Result<Option<PlantedLoss>, LabError> {
    let Some(victim) = victim(context, writes, &before.holdings) else { return Ok(None) };
    let failed = |fault: ServiceError| context.service_error(configuration, fault);
    let Some(deleted) = site.lose_row(victim.table, victim.id) else { return Ok(None) };
    let is_deleted = deleted.map_err(failed)?;
    let Some(after) = audit(context, site, writes) else { return Ok(None) };
    let seen_by = seen_by(victim.table, &before.audit, &after.map_err(failed)?.audit);
    if !is_deleted || seen_by.is_empty() {
        let (configuration, table) = (configuration.to_owned(), victim.table.to_owned());
        return Err(LabError::Blind { configuration, table, id: victim.id });
    }
    Ok(Some(PlantedLoss {
        configuration: configuration.to_owned(),
        table: victim.table.to_owned(),
        id: victim.id,
        written: victim.written,
        seen_by,
    }))
}

/// A row that is to be lost.
#[derive(Debug, PartialEq, Eq)]
struct Victim {
    table: &'static str,
    id: u64,
    written: bool,
}

/// The last acknowledged row of the table that was written most, or else the last loaded row of a table that is ever
/// written.
fn victim(context: &RunContext<'_>, writes: &[WriteFates], holdings: &[Holding]) -> Option<Victim> {
    let mut written: Vec<(usize, Victim)> = Vec::new();
    let mut loaded = None;
    for holding in holdings {
        let Holding { table, largest, .. } = *holding;
        let claims = Claims::on(table, &context.catalogue, writes);
        let there = claims.acknowledged.iter().rev().find(|id| holding.new.binary_search(id).is_ok());
        written.extend(there.map(|id| (claims.acknowledged.len(), Victim { table, id: *id, written: true })));
        let is_ever_written =
            context.catalogue.interactions().iter().any(|known| known.writes.as_deref() == Some(table));
        if is_ever_written && holding.kept > 0 {
            loaded = Some(Victim { table, id: largest, written: false });
        }
    }
    written.into_iter().max_by_key(|(rows, _)| *rows).map(|(_, victim)| victim).or(loaded)
}

/// The findings of an audit after a row was deleted, beyond those before.
fn seen_by(table: &str, before: &Audit, after: &Audit) -> Vec<String> {
    let findings = before.findings.iter().zip(&after.findings);
    let invariants = findings.filter(|(before, after)| after.violations > before.violations);
    let mut seen: Vec<String> = invariants.map(|(_, after)| after.invariant.clone()).collect();
    let lost = |audit: &Audit| {
        let account: Option<&Account> = audit.accounts.iter().find(|account| account.table == table);
        account.map_or(0, |account| account.missing + account.gone)
    };
    if lost(after) > lost(before) {
        seen.push("the account of writes".to_owned());
    }
    seen
}

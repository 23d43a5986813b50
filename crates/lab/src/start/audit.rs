//! The audit of a point: invariants, the account of writes with their contents, and the proof that a loss would be seen.

use crate::{
    error::LabError,
    start::{
        RunContext,
        system::System,
        write_reconciliation::{Claims, account},
        written_contents::{self, WrittenContents},
    },
};
use engine::WriteFates;
use results::{Account, Audit, ChangedRow, PlantedLoss};
use services::{Holding, LoadedContents, ServiceError};
use std::time::Instant;

/// Audits the data after these writes; none where there is no store.
pub(crate) fn audit(
    context: &RunContext<'_>,
    site: &System<'_>,
    writes: &[WriteFates],
) -> Option<Result<Audited, ServiceError>> {
    Some(site.audit()?.and_then(|found| {
        let begin = Instant::now();
        let mut written = written_contents::compare(context, site, writes)?;
        let of = |holding: &Holding| {
            let account = account(holding, Claims::on(holding.table, &context.catalogue, writes));
            let loaded = found.contents.iter().find(|contents| contents.table == holding.table);
            with_contents(account, written.remove(holding.table).unwrap_or_default(), loaded)
        };
        let accounts = found.holdings.iter().map(of).collect();
        let seconds = found.seconds + begin.elapsed().as_secs_f64();
        let audit = Audit { seconds, findings: found.findings, accounts, pages: None };
        Ok(Audited { audit, holdings: found.holdings })
    }))
}

/// The account of a table with what its rows hold.
fn with_contents(account: Account, written: WrittenContents, loaded: Option<&LoadedContents>) -> Account {
    Account {
        compared: written.compared,
        altered: written.altered,
        altered_examples: written.examples,
        checked: loaded.map_or(0, |loaded| loaded.checked),
        changed: loaded.map_or(0, |loaded| loaded.changed),
        changed_examples: loaded.map_or(Vec::new(), |loaded| loaded.examples.clone()),
        ..account
    }
}

/// An audit with the rows that it has seen.
pub(crate) struct Audited {
    pub audit: Audit,
    holdings: Vec<Holding>,
}

/// Deletes a row behind the stack's back, one of those written if there is any, changes a loaded one, and audits again.
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
    let changed = change_loaded(site, &victim, &before.holdings).transpose().map_err(failed)?;
    let Some(after) = audit(context, site, writes) else { return Ok(None) };
    let after = after.map_err(failed)?.audit;
    let seen_by = seen_by(victim.table, &before.audit, &after);
    let blind = |table: &str, id| {
        let (configuration, table) = (configuration.to_owned(), table.to_owned());
        Err(LabError::Blind { configuration, table, id })
    };
    if !is_deleted || seen_by.is_empty() {
        return blind(victim.table, victim.id);
    }
    if let Some((table, id)) = changed
        && changes(&after, table) <= changes(&before.audit, table)
    {
        return blind(table, id);
    }
    Ok(Some(PlantedLoss {
        configuration: configuration.to_owned(),
        table: victim.table.to_owned(),
        id: victim.id,
        written: victim.written,
        seen_by,
        changed: changed.map(|(table, id)| ChangedRow { table: table.to_owned(), id }),
    }))
}

/// Changes a loaded row, but not the one that is lost; none where no table has such a row.
fn change_loaded(
    site: &System<'_>,
    victim: &Victim,
    holdings: &[Holding],
) -> Option<Result<(&'static str, u64), ServiceError>> {
    let others = holdings.iter().filter(|holding| holding.kept > 0);
    let mut others = others.filter(|holding| (holding.table, holding.largest) != (victim.table, victim.id));
    others.find_map(|holding| match site.change_row(holding.table, holding.largest)? {
        Ok(is_there) => is_there.then_some(Ok((holding.table, holding.largest))),
        Err(fault) => Some(Err(fault)),
    })
}

/// The loaded rows of a table that an audit has found changed.
fn changes(audit: &Audit, table: &str) -> u64 {
    audit.accounts.iter().filter(|account| account.table == table).map(|account| account.changed).sum()
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

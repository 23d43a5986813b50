//! A sample of the pages of a measured site against the model's, at the end of a start: its servers have served many
//! requests, and its data are of the measured size.

use crate::{
    error::LabError,
    start::{RunContext, system::System},
    workspace::Variant,
};
use application::{Application, Dataset, Generator, Value};
use results::PageSample;
use std::time::{Duration, Instant};
use testbed::HostCounters;

/// The time without any write after which none is left of the load, and how often the data are restored to wait for it.
const QUIET: Duration = Duration::from_secs(2);
const MOST_RESTORES: u32 = 5;

/// The units of a table from which the size of its rows is estimated.
const SAMPLED_UNITS: u64 = 64;
/// Bytes of a value in memory beside those of its text.
const BYTES_OF_A_VALUE: usize = 32;

/// Restores the data below the servers and compares a sample of pages with the model's, for so long; none where there is no
/// store.
///
/// A late write may make a page differ where rows have changed: a server that was asked for too much is
/// still at work on requests whose clients have given up. Or the stack's own reads have changed the rows. So the pages are
/// compared once more when the servers have had nothing to do for a while, and rows have stayed as they are. What differs then
/// is the stack's.
pub(crate) fn compare_pages(
    context: &RunContext<'_>,
    variant: &Variant,
    site: &mut System<'_>,
    most: Duration,
) -> Result<Option<PageSample>, LabError> {
    let begin = Instant::now();
    let needed = model_bytes(context.application, &context.dataset);
    let available = HostCounters::read().available_bytes;
    if needed > available / 2 {
        let (needed, available) = (needed >> 20, available >> 20);
        let why = format!("the model's rows need about {needed} MiB, and {available} MiB are free");
        return Ok(Some(PageSample { skipped: Some(why), ..PageSample::default() }));
    }
    let configuration = &variant.configuration.name;
    if !restore(context, configuration, site)? {
        return Ok(None);
    }
    let mut found = site.compare_pages(context, variant, most)?;
    let mut skipped = None;
    if found.1.is_some() && !is_first_state(context, configuration, site)? {
        match restore_until_quiet(context, configuration, site)? {
            true => found = site.compare_pages(context, variant, most)?,
            false => {
                found = (0, None);
                skipped = Some("writes of the load still came long after the data were restored".to_owned());
            }
        }
    }
    let ((pages, difference), seconds) = (found, begin.elapsed().as_secs_f64());
    Ok(Some(PageSample { compared: pages as u64, seconds, difference, skipped }))
}

/// Restores the data below the servers; false where there is no store.
fn restore(context: &RunContext<'_>, configuration: &str, site: &mut System<'_>) -> Result<bool, LabError> {
    context.check_stop()?;
    let Some(restored) = site.restore_data() else { return Ok(false) };
    restored.map(|_| true).map_err(|fault| context.service_error(configuration, fault))
}

/// Restores the data until they have stayed as they are for a while in which nobody asked for anything; false if they never do.
fn restore_until_quiet(
    context: &RunContext<'_>,
    configuration: &str,
    site: &mut System<'_>,
) -> Result<bool, LabError> {
    for _ in 0..MOST_RESTORES {
        restore(context, configuration, site)?;
        site.leave_alone(QUIET);
        if is_first_state(context, configuration, site)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Equality of the rows with those of the first state.
fn is_first_state(
    context: &RunContext<'_>,
    configuration: &str,
    site: &System<'_>,
) -> Result<bool, LabError> {
    let Some(audit) = site.audit() else { return Ok(true) };
    let audit = audit.map_err(|fault| context.service_error(configuration, fault))?;
    Ok(audit.holdings.iter().all(|holding| holding.new.is_empty() && holding.kept == holding.loaded))
}

/// The approximate size of a model's rows in memory, with indexes.
fn model_bytes(application: &dyn Application, dataset: &Dataset) -> u64 {
    let generator: Box<dyn Generator> = application.generator(dataset);
    let of_table = |table: &application::Table| {
        let units = generator.units(table);
        let (mut bytes, mut sampled) = (0, 0);
        let stride = (units / SAMPLED_UNITS).max(1) as usize;
        for unit in (0..units).step_by(stride).take(SAMPLED_UNITS as usize) {
            sampled += 1;
            generator.rows(table, unit..unit + 1, &mut |row| bytes += row.iter().map(size).sum::<usize>());
        }
        bytes as f64 / f64::from(sampled.max(1)) * units as f64
    };
    (1.5 * application.tables().iter().map(of_table).sum::<f64>()) as u64
}

fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => BYTES_OF_A_VALUE + text.len(),
        _ => BYTES_OF_A_VALUE,
    }
}

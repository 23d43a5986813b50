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

/// The longest time for pages, without restoring the data before.
pub(crate) const LONGEST: Duration = Duration::from_secs(20);

/// The units of a table from which the size of its rows is estimated.
const SAMPLED_UNITS: u64 = 64;
/// Bytes of a value in memory beside those of its text.
const BYTES_OF_A_VALUE: usize = 32;

/// Restores the data below the servers and compares a sample of pages with the model's; none where there is no store.
pub(crate) fn compare_pages(
    context: &RunContext<'_>,
    variant: &Variant,
    site: &mut System<'_>,
) -> Result<Option<PageSample>, LabError> {
    context.check_stop()?;
    let begin = Instant::now();
    let needed = model_bytes(context.application, &context.dataset);
    let available = HostCounters::read().available_bytes;
    if needed > available / 2 {
        let (needed, available) = (needed >> 20, available >> 20);
        let why = format!("the model's rows need about {needed} MiB, and {available} MiB are free");
        return Ok(Some(PageSample { skipped: Some(why), ..PageSample::default() }));
    }
    let configuration = &variant.configuration.name;
    match site.restore_data() {
        None => return Ok(None),
        Some(restored) => restored.map_err(|fault| context.service_error(configuration, fault))?,
    };
    let (pages, difference) = site.compare_pages(context, variant)?;
    let is_late = difference.is_some() && !is_first_state(context, configuration, site)?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Some(match is_late {
        true => {
            let why = "writes of the load came after the data were restored".to_owned();
            PageSample { seconds, skipped: Some(why), ..PageSample::default() }
        }
        false => PageSample { compared: pages as u64, seconds, difference, skipped: None },
    }))
}

/// Whether the data have the rows of their first state. A server that was asked for too much may still be at work on requests
/// whose clients have given up.
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

//! `cache`: the loaded data that are kept for later commands.

use crate::{
    arguments::{CacheOptions, Places},
    fault::Fault,
    output::print,
};
use cache::{Emptied, Entry, Identity};
use std::{io, path::Path, time::Duration};

pub(crate) fn run(places: &Places, options: &CacheOptions) -> Result<(), Fault> {
    let Some(folder) = places.cache()? else { return Ok(print(NO_FOLDER)?) };
    match (options.empty, options.older_than) {
        (true, than) => empty(&folder, than.map_or(Duration::ZERO, |length| length.0)),
        (false, _) => list(&folder),
    }
}

/// True if the cache can be read, and a summary of its contents.
pub(crate) fn summary(places: &Places) -> io::Result<(bool, String)> {
    let Some(folder) = places.cache()? else { return Ok((true, NO_FOLDER.to_owned())) };
    let at = folder.display();
    Ok(match cache::entries(&folder, lab::now()) {
        Err(fault) => (false, format!("none kept in {at} ({fault}); --cache names another folder")),
        Ok(entries) if entries.is_empty() => (true, format!("none kept in {at}")),
        Ok(entries) => {
            let bytes = entries.iter().map(|entry| entry.bytes).sum();
            (true, format!("{} kept in {at} ({} MiB)", snapshots(entries.len()), mib(bytes)))
        }
    })
}

const NO_FOLDER: &str = "none kept: this user has no home; --cache names a folder for them";

fn empty(folder: &Path, unused_for: Duration) -> Result<(), Fault> {
    let Emptied { removed, bytes, in_use } = cache::empty(folder, unused_for, lab::now())?;
    print(format_args!("{} removed, {} MiB", snapshots(removed), mib(bytes)))?;
    match in_use {
        0 => Ok(()),
        _ => Ok(print(format_args!("{} kept, because a command is using them", snapshots(in_use)))?),
    }
}

fn list(folder: &Path) -> Result<(), Fault> {
    let entries = cache::entries(folder, lab::now())?;
    if entries.is_empty() {
        return Ok(print(format_args!("no loaded data are kept in {}", folder.display()))?);
    }
    print(HEAD)?;
    entries.iter().map(row).try_for_each(print)?;
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    let (count, folder) = (snapshots(entries.len()), folder.display());
    Ok(print(format_args!("{count}, {} MiB, in {folder}; tierbench cache --empty removes them", mib(bytes)))?)
}

const HEAD: &str =
    "application  data       scale  seed  store                       MiB       made  last used";

fn row(entry: &Entry) -> String {
    let size = mib(entry.bytes);
    let used = if entry.is_in_use { "now".to_owned() } else { ago(entry.used.elapsed().unwrap_or_default()) };
    match &entry.content {
        Ok((Identity { application, distribution, scale, seed, service, factors, .. }, made)) => {
            let factors = factors.values().map(String::as_str).collect::<Vec<_>>().join(" ");
            let store = format!("{service} {factors}");
            let age = Duration::from_secs(u64::try_from(lab::now() - *made).unwrap_or(0));
            format!(
                "{application:<12} {distribution:<9} {scale:>6} {seed:>5}  {store:<24} {size:>6} {:>10} {used:>10}",
                ago(age)
            )
        }
        Err(damage) => format!("{}: {damage} ({size} MiB)", entry.folder.display()),
    }
}

/// A length of time in its largest unit.
fn ago(length: Duration) -> String {
    let seconds = length.as_secs();
    let (number, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3600 => (seconds / 60, "min"),
        3600..86_400 => (seconds / 3600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{number} {unit} ago")
}

fn snapshots(count: usize) -> String {
    if count == 1 { "1 snapshot".to_owned() } else { format!("{count} snapshots") }
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

//! `doctor`: what is present, missing or too old on this machine, and what earlier runs left behind.

use crate::{
    arguments::Places,
    fault::Fault,
    limits::{OPEN_FILES, open_files},
    output::say,
};
use std::{io, path::Path};

/// What one configuration with small data takes, with room to spare.
const FREE_BYTES: u64 = 2 << 30;

pub(crate) fn run(places: &Places) -> Result<(), Fault> {
    let house = places.house()?;
    let mut faults = 0;
    let mut line = |good: bool, what: &str, found: &str| {
        say(format_args!("{} {what:<16} {found}", if good { "ok     " } else { "missing" }))?;
        faults += usize::from(!good);
        Ok::<(), Fault>(())
    };
    for service in house.services()? {
        let found = service.fitness(&service.factors.defaults());
        let text = found.as_ref().map_or_else(ToString::to_string, Clone::clone);
        line(found.is_ok(), &service.name, &text)?;
    }
    let profiler = profile::fitness();
    let found = profiler.as_ref().map_or_else(ToString::to_string, Clone::clone);
    line(profiler.is_ok(), "perf", &found)?;
    let files = open_files();
    line(
        files >= OPEN_FILES,
        "open files",
        &format!("{files} allowed, {OPEN_FILES} wanted (ulimit -n {OPEN_FILES})"),
    )?;
    let place = std::env::temp_dir();
    let free = testbed::free_bytes(&place)?;
    let found = format!(
        "{} MiB free in {}, {} MiB wanted (TMPDIR names another place)",
        free >> 20,
        place.display(),
        FREE_BYTES >> 20
    );
    line(free >= FREE_BYTES, "temporary files", &found)?;
    let (is_readable, found) = super::cache::summary(places)?;
    line(is_readable, "loaded data", &found)?;
    say_what_is_left_behind(&place)?;
    match faults {
        0 => Ok(()),
        1 => Err(Fault::Unfit("one thing is missing; it is named above".to_owned())),
        _ => Err(Fault::Unfit(format!("{faults} things are missing; they are named above"))),
    }
}

/// Folders of runs that were killed are in nobody's way, so they are told and no fault.
fn say_what_is_left_behind(place: &Path) -> io::Result<()> {
    let left = testbed::left_behind(place)?;
    if left.is_empty() {
        return say("ok      left behind      nothing");
    }
    let names: Vec<String> = left.iter().map(|path| path.display().to_string()).collect();
    say(format_args!("note    left behind      {}; nobody uses them: delete them", names.join(" ")))
}

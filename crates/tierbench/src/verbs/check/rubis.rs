//! `check --rubis FILE`: what is wrong with a transition table of the original RUBiS.

use crate::{fault::Fault, output::print};
use std::path::Path;
use workload::{Pages, RubisSessions, RubisTable};

pub(super) fn run(file: &Path) -> Result<(), Fault> {
    let bytes = settings::read_bytes(file, settings::LONGEST_FILE)
        .map_err(|error| Fault::Refused(error.to_string()))?;
    // Excel writes the code page of its day; only the names of unknown states could suffer.
    let table = RubisTable::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|error| Fault::Refused(format!("{}: {error}", file.display())))?;
    print(format_args!("{}: {}", file.display(), table.name))?;
    for defect in &table.defects {
        print(format_args!("  {defect}"))?;
    }
    print(match table.defects.len() {
        0 => "no defects".to_owned(),
        1 => "1 defect".to_owned(),
        count => format!("{count} defects"),
    })?;
    match &table.sessions {
        Some(sessions) => print(lengths(sessions))?,
        None => print("pages of a session: unknown, because numbers are missing")?,
    }
    Ok(())
}

fn lengths(sessions: &RubisSessions) -> String {
    let pages = |pages: &Option<Pages>| match pages {
        Some(Pages { mean, read_write }) => format!("{mean:>8.1}   read-write {:.1} %", read_write * 100.0),
        None => "endless".to_owned(),
    };
    let (mean, error) = sessions.limited;
    format!(
        "pages of a session, on average, going back included\n  \
         as the emulator draws            {}\n  \
         the same, at most 1,000          {mean:>8.1}   (simulated, standard error {error:.1})\n  \
         with columns scaled to sum to 1  {}",
        pages(&sessions.drawn),
        pages(&sessions.normalised)
    )
}

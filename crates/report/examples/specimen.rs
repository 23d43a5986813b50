//! Writes the reports of an invented result, to look at while working on them:
//! `cargo run -p report --example specimen FOLDER`.

#[allow(dead_code)]
#[path = "../tests/fixture/mod.rs"]
mod fixture;

use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| ".".into()));
    fs::create_dir_all(&folder)?;
    for (name, result) in [("comparison", fixture::comparison()), ("demonstration", fixture::demonstration())]
    {
        fs::write(folder.join(format!("{name}.html")), report::html(&result))?;
        fs::write(folder.join(format!("{name}.csv")), report::csv(&result))?;
        print!("{}", report::terminal_table(&report::summary(&result)));
    }
    Ok(())
}

//! Writes the reports of an invented result, to look at while working on them:
//! `cargo run -p report --example specimen FOLDER`.

use specimens::{
    curves::{audited, comparison, demonstration, external, one_load, with_latencies, with_samples},
    open_loop::{growing, single},
    overload_cycles::collapsing,
    profiled::with_profiles,
};
use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| ".".into()));
    let results = [
        ("comparison", comparison()),
        ("demonstration", demonstration()),
        ("audited", audited()),
        ("one_load", one_load()),
        ("external", external()),
        ("overload_cycle", collapsing()),
        ("growing", growing()),
        ("single", single()),
    ];
    for (name, result) in results {
        let folder = folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let result = with_latencies(with_samples(result, &folder), &folder);
        let result = if name == "comparison" { with_profiles(result, &folder) } else { result };
        fs::write(folder.join("report.html"), report::html(&result))?;
        fs::write(folder.join("points.csv"), report::csv(std::slice::from_ref(&result)))?;
        print!("{}", report::terminal_table(&report::summary(&result)));
    }
    let several = [comparison(), one_load(), demonstration()];
    fs::write(folder.join("several.html"), report::several_html(&several))
}

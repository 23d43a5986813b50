//! `gallery`: writes a static site of several results.

use crate::{
    arguments::GalleryOptions,
    fault::{CommandError, Fault},
    output::print,
};
use fs_err as fs;
use report::Exhibit;
use results::ResultReader;
use settings::write_inside;
use std::path::Path;

pub(crate) fn run(options: &GalleryOptions) -> Result<(), Fault> {
    let exhibits = options.results.iter().map(|folder| exhibit(folder)).collect::<Result<Vec<_>, _>>()?;
    for (place, one) in exhibits.iter().enumerate() {
        if let Some(other) = exhibits[..place].iter().find(|other| other.name == one.name) {
            let folders = [other, one].map(|exhibit| exhibit.result.folder.display().to_string());
            let fault = format!("{} and {} would have the same page", folders[0], folders[1]);
            return Err(CommandError::input(&fault).with_help("rename one of the two folders").into());
        }
    }
    for (name, content) in report::gallery(&exhibits) {
        write_inside(&options.out, &name, content.as_bytes())?;
    }
    print(format_args!("gallery: {}", options.out.join("index.html").display()))?;
    Ok(exhibits.iter().try_for_each(|exhibit| exhibit.result.expect_whole())?)
}

fn exhibit(folder: &Path) -> Result<Exhibit, Fault> {
    let result = ResultReader::open(folder)?;
    let whole = fs::canonicalize(folder)?;
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' });
    Ok(Exhibit { name: plain.collect(), result })
}

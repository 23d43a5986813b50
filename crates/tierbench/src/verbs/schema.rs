//! `schema`: writes the JSON Schemas of a result's files, which `docs/schema/` publishes.

use crate::{arguments::SchemaOptions, fault::Fault};
use fs_err as fs;

pub(crate) fn run(options: &SchemaOptions) -> Result<(), Fault> {
    fs::create_dir_all(&options.folder)?;
    for (name, text) in results::json_schemas() {
        fs::write(options.folder.join(name), text)?;
    }
    Ok(())
}

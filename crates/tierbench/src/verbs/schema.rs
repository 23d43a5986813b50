//! `schema`: writes the JSON Schemas of a result's files, which `docs/schema/` publishes.

use crate::{arguments::SchemaOptions, fault::Fault};
use settings::write_inside;

pub(crate) fn run(options: &SchemaOptions) -> Result<(), Fault> {
    for (name, text) in results::json_schemas() {
        write_inside(&options.folder, name, text.as_bytes())?;
    }
    Ok(())
}

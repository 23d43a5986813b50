//! JSON Schemas of the result's files, derived from the types that are written, so that other programs may rely on
//! them. They are published in `docs/schema/`.

use crate::{EventRecord, Manifest, Point, Profile, Sample};
use schemars::{JsonSchema, generate::SchemaSettings};

/// The schema of `manifest.json`, and those of a line of `points.jsonl`, of `events.jsonl`, of a file in `samples/` and of a
/// `profile.json` in `profiles/`: each with the name of its own file.
pub fn json_schemas() -> [(&'static str, String); 5] {
    [
        ("manifest.json", schema::<Manifest>()),
        ("point.json", schema::<Point>()),
        ("event.json", schema::<EventRecord>()),
        ("sample.json", schema::<Sample>()),
        ("profile.json", schema::<Profile>()),
    ]
}

fn schema<T: JsonSchema>() -> String {
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    serde_json::to_string_pretty(&schema).expect("a schema is plain data") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_published_schemas_are_those_of_the_types() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
        for (name, text) in json_schemas() {
            let published = fs_err::read_to_string(folder.join(name)).unwrap_or_default();
            assert!(
                published == text,
                "docs/schema/{name} is not what is written; `cargo run -p tierbench -- schema docs/schema` writes it anew"
            );
        }
    }
}

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
    use crate::ResultReader;
    use serde_json::Value;
    use std::path::{Path, PathBuf};

    /// The folders of released versions: each has the schemas then, and a small result.
    fn released() -> Vec<PathBuf> {
        let all = fs_err::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released")).unwrap();
        all.map(|entry| entry.unwrap().path()).collect()
    }

    /// All that a schema says and another does not say any more, by its place. Words for people may change, and lists may
    /// become longer.
    fn given_up(then: &Value, now: &Value) -> Vec<String> {
        match (then, now) {
            (Value::Object(then), Value::Object(now)) => {
                let said = then.iter().filter(|(key, _)| !["description", "title"].contains(&key.as_str()));
                let below = said.flat_map(|(key, then)| match now.get(key) {
                    Some(now) => {
                        given_up(then, now).into_iter().map(|place| format!("/{key}{place}")).collect()
                    }
                    None => vec![format!("/{key}")],
                });
                below.collect()
            }
            (Value::Array(then), Value::Array(now)) => {
                let is_kept = |then: &&Value| now.iter().any(|now| given_up(then, now).is_empty());
                then.iter().filter(|then| !is_kept(then)).map(|then| format!("/{then}")).collect()
            }
            _ if then == now => Vec::new(),
            _ => vec![format!(": {then}")],
        }
    }

    #[test]
    fn what_a_released_schema_promises_is_still_promised() {
        let mut given_up_places = Vec::new();
        for folder in released() {
            for (name, now) in json_schemas() {
                let then = fs_err::read_to_string(folder.join("schema").join(name)).unwrap();
                let [then, now] = [then, now].map(|text| serde_json::from_str::<Value>(&text).unwrap());
                let places = given_up(&then, &now);
                given_up_places.extend(places.into_iter().map(|place| format!("{name}{place}")));
            }
        }
        assert!(
            given_up_places.is_empty(),
            "readers of released results rely on these; keep them, or raise SCHEMA_VERSION: {given_up_places:#?}"
        );
    }

    #[test]
    fn what_is_given_up_is_named_and_what_is_added_is_not() {
        let schema = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let then =
            schema(r#"{"properties": {"a": {"type": "string", "description": "x"}}, "required": ["a"]}"#);
        let more = r#"{"properties": {"a": {"type": "string"}, "b": {}}, "required": ["b", "a"]}"#;
        assert!(given_up(&then, &schema(more)).is_empty());
        let other = r#"{"properties": {"a": {"type": ["string", "null"]}}, "required": []}"#;
        assert_eq!(given_up(&then, &schema(other)), ["/properties/a/type: \"string\"", "/required/\"a\""]);
        assert_eq!(given_up(&then, &schema(r#"{"required": ["a"]}"#)), ["/properties"]);
    }

    #[test]
    fn a_result_of_each_released_version_is_still_read() {
        assert!(!released().is_empty());
        for folder in released() {
            let result = ResultReader::open(&folder.join("result")).unwrap();
            result.expect_whole().unwrap();
            let first = result.points.first().expect("it has a point").sequence;
            assert!(!result.samples(first).unwrap().is_empty(), "{}", folder.display());
            let times = result.response_times(first).unwrap().expect("they were written down");
            assert!(times.count() > 0, "{}", folder.display());
        }
    }

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

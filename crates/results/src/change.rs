//! Differences between two manifests that forbid points of the one beside points of the other.

use crate::sums::sum_of;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Keys that may differ between a run and its continuation, at any depth. Everything else counts, whatever the manifest will hold
/// one day.
const FREE: [&str; 12] = [
    "command",
    // A scheduler may give other machines of the same kind; each point has their names.
    "node_name",
    "started",
    "expected_s",
    "conditions",
    "resumed",
    "demonstration",
    "planted_loss",
    "ending",
    "verified",
    "unproven",
    "traffic",
];

/// Share by which a machine's memory may change between two starts: its kernel's own needs differ.
const MEMORY_TOLERANCE: f64 = 0.02;

/// Most differences that are shown: one change may have changed everything.
const SHOWN: usize = 10;

/// Differences, each in a line: `host.kernel was 6.1.0-28-amd64 and is 6.1.0-30-amd64`.
pub(crate) fn differences<T: Serialize>(then: &T, now: &T) -> Vec<String> {
    let (then, now) = (leaves(then), leaves(now));
    let absent = Value::Null;
    let mut names: Vec<&String> = then.keys().chain(now.keys()).collect();
    names.sort();
    names.dedup();
    let both = names
        .into_iter()
        .map(|name| (name, then.get(name).unwrap_or(&absent), now.get(name).unwrap_or(&absent)));
    let differing = both.filter(|(name, then, now)| then != now && !is_same_memory(name, then, now));
    differing
        .take(SHOWN)
        .map(|(name, then, now)| format!("{name} was {} and is {}", text(then), text(now)))
        .collect()
}

/// SHA-256 of a run specification, without what a continuation may change.
pub(crate) fn digest(specification: &impl Serialize) -> String {
    sum_of(&serde_json::to_vec(&leaves(specification)).expect("a specification is plain data"))
}

fn is_same_memory(name: &str, then: &Value, now: &Value) -> bool {
    let (Some(then), Some(now)) = (then.as_f64(), now.as_f64()) else { return false };
    let is_of_machine = name == "host.memory_bytes" || name.ends_with(".machine.memory_bytes");
    is_of_machine && (then - now).abs() <= MEMORY_TOLERANCE * then
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "absent".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn leaves(document: &impl Serialize) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    gather(
        "",
        serde_json::to_value(document).expect("manifests and specifications are plain data"),
        &mut found,
    );
    found
}

/// Puts all values that hold no others into a map, by their path. Members of lists go by their names, where they have
/// some.
fn gather(path: &str, value: Value, found: &mut BTreeMap<String, Value>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.into_iter().filter(|(name, _)| !FREE.contains(&name.as_str())) {
                gather(&below(&name), value, found);
            }
        }
        Value::Array(members) => {
            for (index, member) in members.into_iter().enumerate() {
                let name = ["name", "role"].iter().find_map(|key| member.get(key)?.as_str());
                let name = name.map_or_else(|| (index + 1).to_string(), ToOwned::to_owned);
                gather(&below(&name), member, found);
            }
        }
        value => drop(found.insert(path.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Ending, Loads, StoreTraffic, Verification,
        fixture::{THINK_TIME, manifest},
    };
    use stats::StoppingRule;

    #[test]
    fn what_every_continuation_changes_is_no_difference() {
        let mut now = manifest();
        now.started = "2026-12-24T20:00:00Z".into();
        now.command.push("--resume".into());
        now.spec.conditions.push("errors > 0".parse().unwrap());
        now.resumed.push("2026-12-24T20:00:00Z".into());
        now.ending = Some(Ending { at: String::new(), complete: false, reason: None });
        now.configurations[0].verified = Verification::Passed;
        now.configurations[0].traffic = Some(StoreTraffic::default());
        now.host.memory_bytes += 1;
        assert_eq!(differences(&manifest(), &now), [""; 0]);
    }

    #[test]
    fn whatever_else_differs_is_named_with_both_values() {
        let mut now = manifest();
        now.host.kernel = "7.0".into();
        now.host.memory_bytes *= 2;
        now.spec.seed = 2;
        now.configurations[0].content = "changed".into();
        now.configurations[0].services[0].version = "MariaDB 12".into();
        let found = differences(&manifest(), &now);
        assert_eq!(
            found,
            [
                "configurations.WsPhp-DB.content was abc and is changed",
                "configurations.WsPhp-DB.services.db.version was MariaDB 11 and is MariaDB 12",
                "host.kernel was k and is 7.0",
                "host.memory_bytes was 1000000 and is 2000000",
                "spec.seed was 1 and is 2",
            ]
        );
    }

    #[test]
    fn whatever_else_is_asked_for_is_a_difference() {
        let mut now = manifest();
        now.spec.factors.push("engine=InnoDB".parse().unwrap());
        now.spec.loads = Loads::peak(9, THINK_TIME, StoppingRule::Sequential);
        now.spec.smoke = true;
        assert_eq!(
            differences(&manifest(), &now),
            [
                "spec.factors.engine.name was absent and is engine",
                "spec.factors.engine.values.1 was absent and is InnoDB",
                "spec.loads.kinds.1.closed.clients was 10 and is 9",
                "spec.loads.kinds.2.closed.clients was 20 and is absent",
                "spec.loads.kinds.2.closed.think_time_s was 7.0 and is absent",
                "spec.loads.plan was listed and is absent",
                "spec.loads.plan.peak.stopping was absent and is sequential",
                "spec.smoke was false and is true",
            ]
        );
    }

    #[test]
    fn a_configuration_more_or_less_is_a_difference() {
        let mut now = manifest();
        now.configurations.clear();
        assert!(differences(&manifest(), &now)[0].ends_with("and is absent"));
        assert!(differences(&now, &manifest())[0].contains("was absent"));
    }
}

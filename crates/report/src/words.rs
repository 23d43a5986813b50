//! Helpers for sentences.

use crate::number;
use results::{Check, Extent, HostRecord, Point, TestbedRecord};

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn enumerate(parts: &[impl AsRef<str>]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// `1 point`, `2 points`; for nouns with a plural in s.
pub(crate) fn several(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{} {noun}{}", number::count(count), if count == 1 { "" } else { "s" })
}

/// The same for a count or range as text: `312 to 330 clients`.
pub(crate) fn several_of(counts: &str, noun: &str) -> String {
    format!("{counts} {noun}{}", if counts == "1" { "" } else { "s" })
}

/// The word that agrees with the count: `is` or `are`, `it` or `they`.
pub(crate) fn agreeing<'a>(count: usize, one: &'a str, several: &'a str) -> &'a str {
    if count == 1 { one } else { several }
}

/// A sentence without line breaks around a ±.
pub(crate) fn unbroken(sentence: &str) -> String {
    sentence.replace(" ± ", "\u{a0}±\u{a0}")
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// With a small first letter, unless it begins an abbreviation.
pub(crate) fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Sentence of the text, with a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let stop = if text.ends_with('.') { "" } else { "." };
    capitalised(text) + stop
}

/// Names of a point's checks that meet a condition.
pub(crate) fn checks(point: &Point, wanted: impl Fn(&Check) -> bool) -> Vec<&str> {
    let checks = point.verdict.checks.iter().filter(|check| wanted(check));
    checks.map(|check| check.id.name()).collect()
}

/// True if a check could not be judged.
pub(crate) fn is_open(check: &Check) -> bool {
    check.judged == Extent::Nothing
}

/// Hosts of a testbed: `Two machines: client: core 0; web: core 1, 30 % of a core, 2 GiB`.
pub(crate) fn testbed(testbed: &TestbedRecord) -> String {
    let hosts: Vec<String> = testbed.hosts.iter().map(host).collect();
    format!("{}: {}", testbed.title, hosts.join("; "))
}

fn host(host: &HostRecord) -> String {
    let cores: Vec<String> = host.cores.iter().map(u32::to_string).collect();
    let limits = [
        host.cpu.map(|cpu| format!("{} % of a core", number::setting(cpu * 100.0))),
        host.memory_bytes.map(number::bytes),
        host.link_bits_per_s.map(|bits| format!("{} Mbit/s", number::setting(bits as f64 / 1e6))),
    ];
    let limits: String = limits.into_iter().flatten().map(|limit| format!(", {limit}")).collect();
    let word = agreeing(cores.len(), "core", "cores");
    format!("{}: {word} {}{limits}", host.name, enumerate(&cores))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_named_with_what_limits_them() {
        let free = HostRecord { name: "client".to_owned(), cores: vec![0, 2], ..HostRecord::default() };
        let limited = HostRecord {
            name: "web".to_owned(),
            cores: vec![1],
            cpu: Some(0.22),
            memory_bytes: Some(2 << 30),
            link_bits_per_s: Some(100_000_000),
            ..HostRecord::default()
        };
        let two = TestbedRecord {
            title: "Two machines".to_owned(),
            separation: results::Separation::Namespaces,
            hosts: vec![free, limited],
        };
        let text = "Two machines: client: cores 0 and 2; web: core 1, 22 % of a core, 2.00 GiB, 100 Mbit/s";
        assert_eq!(testbed(&two), text);
    }
}

//! Choices of a reader, by CSS alone: which configurations are shown, by what they are, and which one the others are held
//! against. No figure changes.

use crate::{
    filter::{Filter, filters, identifier},
    number,
    peak::Peak,
    ranking::inverse,
    series::own_class,
    summary::Summary,
};
use results::{ConfigurationRecord, Manifest};
use stats::Interval;
use std::fmt::Write;

const FILTERS: [(&str, &str); 3] =
    [("stack", "Stack"), ("database", "Database"), ("statements", "Statements")];

pub(super) struct Choices<'a> {
    pub(super) filters: Vec<Filter>,
    /// Configurations with a peak that others may be held against, by their places.
    pub(super) baselines: Vec<(usize, &'a str)>,
    /// The rules behind the radio buttons.
    pub(super) css: String,
}

pub(super) fn choices<'a>(manifest: &Manifest, summary: &'a Summary) -> Choices<'a> {
    let configurations = summary.configurations.iter().enumerate();
    let keys: Vec<Vec<(&'static str, String)>> =
        summary.configurations.iter().map(|one| keys(manifest, &one.name)).collect();
    let filters = filters(&FILTERS, keys.iter().flatten().cloned());
    let mut baselines: Vec<(usize, &str)> = configurations
        .filter_map(|(place, one)| one.peak.as_ref().map(|_| (place, one.name.as_str())))
        .collect();
    if baselines.len() < 2 {
        baselines.clear();
    }
    let css = css(&filters, &keys, &baselines);
    Choices { filters, baselines, css }
}

/// A configuration's values in all filters.
fn keys(manifest: &Manifest, name: &str) -> Vec<(&'static str, String)> {
    let Some(record) = manifest.configurations.iter().find(|record| record.name == name) else {
        return Vec::new();
    };
    vec![
        ("stack", record.stack.clone()),
        ("database", database(record)),
        ("statements", record.statements.to_string()),
    ]
}

/// The services that keep its data.
fn database(record: &ConfigurationRecord) -> String {
    let stores = record.services.iter().filter(|service| service.role == "db");
    let stores: Vec<&str> = stores.map(|service| service.service.as_str()).collect();
    if stores.is_empty() { "none".to_owned() } else { stores.join(" and ") }
}

fn css(filters: &[Filter], keys: &[Vec<(&'static str, String)>], baselines: &[(usize, &str)]) -> String {
    let mut css = String::new();
    for filter in filters {
        for value in filter.values.keys() {
            let others = keys.iter().enumerate().filter(|(_, keys)| {
                !keys.iter().any(|(name, own)| *name == filter.name && identifier(name, own) == *value)
            });
            for (place, _) in others {
                let own = own_class(place);
                let _ = writeln!(css, "body:has(#only-{value}:checked) .{own} {{ display: none; }}");
            }
        }
    }
    for (place, _) in baselines {
        let _ = writeln!(css, "body:has(#baseline-{place}:checked) .versus.v{place} {{ display: block; }}");
    }
    css
}

/// A peak held against another configuration's.
pub(super) struct Versus {
    pub(super) place: usize,
    pub(super) throughput: String,
    pub(super) cpu_ms: String,
}

/// A configuration's peak against each that may be chosen.
pub(super) fn versus(summary: &Summary, name: &str, peak: &Peak) -> Vec<Versus> {
    let others = summary.configurations.iter().enumerate();
    let others = others.filter_map(|(place, other)| Some((place, other.name.as_str(), other.peak.as_ref()?)));
    let held = others.map(|(place, other, base)| match other == name {
        true => Versus { place, throughput: "the baseline".to_owned(), cpu_ms: "the baseline".to_owned() },
        false => Versus {
            place,
            throughput: throughput(summary, (name, peak), (other, base)),
            cpu_ms: times(peak.usage.cpu_ms.value / base.usage.cpu_ms.value, None),
        },
    });
    held.collect()
}

/// The ratio with the interval of the comparison, and whether the two differ at all.
fn throughput(summary: &Summary, (name, peak): (&str, &Peak), (other, base): (&str, &Peak)) -> String {
    let is_of =
        |higher: &str, lower: &str| (higher, lower) == (name, other) || (higher, lower) == (other, name);
    let pair = summary.comparisons.iter().find(|pair| is_of(&pair.higher, &pair.lower));
    let ratio = pair.and_then(|pair| {
        let ratio = pair.ratio.filter(|ratio| ratio.half_width.is_finite())?;
        Some(if pair.higher == name { ratio } else { inverse(ratio) })
    });
    let ratio_text = times(ratio.map_or(peak.throughput / base.throughput, |ratio| ratio.mean), ratio);
    match pair.filter(|pair| !pair.differs) {
        Some(pair) => format!("{ratio_text}; {}", pair.conclusion()),
        None => ratio_text,
    }
}

fn times(ratio: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => format!("{} × baseline", number::interval(ratio, Some(interval))),
        None if ratio.is_finite() => format!("{} × baseline", number::figure(ratio)),
        None => "unknown".to_owned(),
    }
}

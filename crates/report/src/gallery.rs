//! The gallery: results side by side on one page, which needs no server and no script, and a badge for each configuration.

use crate::{
    chart,
    configuration::ConfigurationSummary,
    csv_table::csv,
    filter::{Filter, filters, identifier},
    finding::{Banner, banners},
    measured::measured,
    number,
    page::html,
    peak::Peak,
    summary::{Summary, summary},
    words::{several, unbroken},
};
use askama::Template;
use results::ResultReader;
use std::collections::BTreeSet;

pub struct Exhibit {
    /// The name of its folder there.
    pub name: String,
    pub result: ResultReader,
}

#[derive(Template)]
#[template(path = "gallery.html")]
struct Page<'a> {
    filters: &'a [Filter],
    cards: &'a [Card],
    count: String,
}

struct Card {
    name: String,
    title: String,
    answer: String,
    reason: String,
    banners: Vec<Banner>,
    stamps: Vec<String>,
    facts: Vec<(&'static str, String)>,
    command: String,
    badges: Vec<Badge>,
    /// The identifiers of its values in all filters.
    keys: String,
}

/// A configuration's figure as a small picture.
#[derive(Template)]
#[template(path = "badge.svg")]
struct Badge {
    file: String,
    /// The configuration and where it was measured.
    label: String,
    /// Its peak; or why there is none.
    figure: String,
    sound: bool,
}

/// The width of a letter at 11 px in common sans-serif fonts, in tenths of a pixel.
const LETTER: usize = 65;
const PADDING: usize = 12;

impl Badge {
    fn left(&self) -> usize {
        self.label.chars().count() * LETTER / 10 + PADDING
    }

    fn right(&self) -> usize {
        self.figure.chars().count() * LETTER / 10 + PADDING
    }
}

/// All files of a gallery, by path: `index.html`, the report and the points of each result, and badges.
pub fn gallery(exhibits: &[Exhibit]) -> Vec<(String, String)> {
    let cards: Vec<Card> = exhibits.iter().map(card).collect();
    let keys = exhibits.iter().flat_map(|exhibit| keys(&exhibit.result));
    let filters = filters(&FILTERS, keys);
    let count = several(cards.len(), "result");
    let index = chart::render(&Page { filters: &filters, cards: &cards, count });
    let mut files = vec![("index.html".to_owned(), index)];
    for Exhibit { name, result } in exhibits {
        files.push((format!("{name}/report.html"), html(result)));
        files.push((format!("{name}/points.csv"), csv(std::slice::from_ref(result))));
    }
    files.extend(
        cards.iter().flat_map(|card| &card.badges).map(|badge| (badge.file.clone(), chart::render(badge))),
    );
    files
}

fn card(Exhibit { name, result }: &Exhibit) -> Card {
    let summary = summary(result);
    let manifest = &result.manifest;
    let host = &manifest.host;
    let mut facts = vec![
        ("Measured", number::instant(&manifest.started)),
        ("Machine", format!("{} ({}), {}", host.cpu, several(host.cores, "core"), host.system)),
    ];
    facts.extend(manifest.testbed.iter().map(|testbed| ("Testbed", testbed.title.clone())));
    facts.push((
        "Data",
        format!("scale {}, {}", number::setting(manifest.spec.scale), manifest.spec.distribution),
    ));
    Card {
        name: name.clone(),
        title: summary.title.clone(),
        answer: unbroken(&summary.answer),
        reason: unbroken(&summary.reason),
        banners: banners(&summary.findings),
        stamps: stamps(result, &summary),
        facts,
        command: manifest.command.join(" "),
        badges: badges(name, result, &summary),
        keys: keys(result)
            .iter()
            .map(|(filter, value)| identifier(filter, value))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// A few words on what a reader should know before the figures.
fn stamps(result: &ResultReader, summary: &Summary) -> Vec<String> {
    let measured = measured(result);
    let invalid = measured.iter().filter(|point| !point.verdict.valid).count();
    let points = (invalid > 0).then(|| format!("{invalid} of {} INVALID", several(measured.len(), "point")));
    let unsound =
        summary.configurations.iter().any(|one| !one.sound).then(|| "audits found faults".to_owned());
    points.into_iter().chain(unsound).collect()
}

fn badges(name: &str, result: &ResultReader, summary: &Summary) -> Vec<Badge> {
    let manifest = &result.manifest;
    let badge = |one: &ConfigurationSummary| Badge {
        file: format!("{name}/{}.svg", identifier("", &one.name)),
        label: format!("{} · {} {}", one.name, manifest.spec.application, manifest.spec.mix),
        figure: one.peak.as_ref().map_or_else(|| "no peak".to_owned(), figure),
        sound: one.sound && one.peak.is_some(),
    };
    summary.configurations.iter().map(badge).collect()
}

fn figure(peak: &Peak) -> String {
    format!("{}/s at {}", number::figure(peak.throughput), several(peak.clients, "client"))
}

const FILTERS: [(&str, &str); 3] = [("application", "Application"), ("mix", "Mix"), ("stack", "Stack")];

/// A result's values in all filters.
fn keys(result: &ResultReader) -> BTreeSet<(&'static str, String)> {
    let manifest = &result.manifest;
    let stacks = manifest.configurations.iter().map(|one| ("stack", one.stack.clone()));
    let spec = [("application", manifest.spec.application.clone()), ("mix", manifest.spec.mix.clone())];
    stacks.chain(spec).collect()
}

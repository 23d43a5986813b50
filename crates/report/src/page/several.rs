//! Several results on one page: first what differs between their machines and measurements, then their figures side by side.

use super::{
    charts::{self, Legend},
    loads::{LoadRows, loads},
    peaks::{self, PeakRow},
    spectrum::Spectrum,
};
use crate::{
    chart,
    difference::{Change, Circumstance, Difference, difference, differing},
    finding::{Banner, Finding},
    number, series,
    summary::{Summary, summed_up},
    words::{several, unbroken},
};
use askama::Template;
use results::{Names, ResultReader};

const MACHINES: &str = "machines";

#[derive(Template)]
#[template(path = "several.html")]
struct Page<'a> {
    title: String,
    lede: String,
    results: Vec<Shown<'a>>,
    letters: Vec<String>,
    /// Differences between the machines, and between the measurements, where there are any.
    differing: Vec<(&'static str, Vec<Circumstance>)>,
    /// Rows of each result: its letter, and the class of the row.
    peaks: Vec<(&'a str, String, PeakRow<'a>)>,
    legend: Vec<Legend<'a>>,
    only_load: Option<String>,
    throughput_charts: [(&'static str, String); 2],
    has_tiers: bool,
    loads: Vec<LoadRows<'a>>,
    spectrum: Option<Spectrum>,
    spectrum_fault: Option<Finding>,
    pairs: Vec<PairView>,
}

struct Shown<'a> {
    letter: &'a str,
    folder: String,
    measured: String,
    machine: String,
    banners: Vec<Banner>,
    title: &'a str,
    answer: String,
}

/// A result beside the first.
struct PairView {
    letter: String,
    changes: Vec<ChangeRow>,
    /// Configurations of the first only, and of this one only.
    alone: [Vec<String>; 2],
}

struct ChangeRow {
    configuration: String,
    clients: String,
    figure: &'static str,
    /// Before, after, difference, p.
    cells: [String; 4],
    conclusion: &'static str,
}

/// A page of two results or more.
pub fn several_html(results: &[ResultReader]) -> String {
    let names = Names::of(results.iter().flat_map(ResultReader::configurations));
    let names = names.marked(results.iter().flat_map(ResultReader::partial));
    let short: Vec<ResultReader> =
        results.iter().map(|result| result.renamed(|name| names.short(name))).collect();
    let letters: Vec<String> = (0..results.len()).map(letter).collect();
    let summaries: Vec<Summary> = short.iter().map(|result| summed_up(result, &names)).collect();
    let together = merged(&short, &letters);
    let configurations: Vec<&str> =
        together.manifest.configurations.iter().map(|one| one.name.as_str()).collect();
    let both = differing(&short.iter().collect::<Vec<_>>(), &in_all(&short));
    let both = [MACHINES, "measurements"].into_iter().zip(both);
    let page = Page {
        title: title(&summaries),
        lede: format!("{}. What differs between them comes first.", several(results.len(), "result")),
        results: (short.iter().zip(&summaries).zip(&letters))
            .map(|((result, summary), letter)| shown(result, summary, letter))
            .collect(),
        differing: both.filter(|(_, rows)| !rows.is_empty()).collect(),
        peaks: rows(&summaries, &letters, &configurations),
        legend: charts::legend(&configurations),
        only_load: charts::only_load(&together, &configurations).map(|clients| several(clients, "client")),
        throughput_charts: charts::throughput(&together, &configurations),
        has_tiers: together.points.iter().any(|point| !point.tiers.is_empty()),
        loads: loads(&together, &configurations),
        spectrum: None,
        spectrum_fault: None,
        pairs: results[1..]
            .iter()
            .zip(&letters[1..])
            .map(|(other, letter)| pair(&difference(&results[0], other), letter))
            .collect(),
        letters: letters.clone(),
    };
    chart::render(&page)
}

/// `A` to `Z`, then `A2` and so on.
fn letter(place: usize) -> String {
    let letter = ('A'..='Z').nth(place % 26).unwrap_or('A');
    if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26 + 1) }
}

fn named(letter: &str, configuration: &str) -> String {
    format!("{letter}: {configuration}")
}

/// All results as one, whose configurations bear the letter of theirs.
fn merged(results: &[ResultReader], letters: &[String]) -> ResultReader {
    let lettered = |(result, letter): (&ResultReader, &String)| result.renamed(|name| named(letter, name));
    let mut lettered = results.iter().zip(letters).map(lettered);
    let mut all = lettered.next().expect("there are results");
    for result in lettered {
        all.points.extend(result.points);
        all.manifest.configurations.extend(result.manifest.configurations);
    }
    all
}

fn in_all(results: &[ResultReader]) -> Vec<&String> {
    let has = |result: &ResultReader, name: &String| {
        result.manifest.configurations.iter().any(|record| record.name == *name)
    };
    let first = results.iter().take(1).flat_map(|result| &result.manifest.configurations);
    first.map(|record| &record.name).filter(|name| results.iter().all(|result| has(result, name))).collect()
}

/// The title of all, where it is the same.
fn title(summaries: &[Summary]) -> String {
    let mut titles: Vec<&str> = summaries.iter().map(|summary| summary.title.as_str()).collect();
    titles.dedup();
    titles.join("; ")
}

fn shown<'a>(result: &ResultReader, summary: &'a Summary, letter: &'a str) -> Shown<'a> {
    let host = &result.manifest.host;
    Shown {
        letter,
        folder: result.folder.display().to_string(),
        measured: number::instant(&result.manifest.started),
        machine: format!("{} ({}), {}", host.cpu, several(host.cores, "core"), host.system),
        banners: summary.banners(),
        title: &summary.title,
        answer: unbroken(&summary.answer),
    }
}

fn rows<'a>(
    summaries: &'a [Summary],
    letters: &'a [String],
    configurations: &[&str],
) -> Vec<(&'a str, String, PeakRow<'a>)> {
    // Overload cycles, arrivals and capacities have no peaks; their answers say what they have.
    let has_peaks = |summary: &Summary| {
        summary.overload_cycles.is_empty() && summary.arrived.is_none() && summary.capacities.is_none()
    };
    let of_result = |(summary, letter): (&'a Summary, &'a String)| {
        let row = |row: PeakRow<'a>| {
            let name = named(letter, &row.entry.name);
            let place = configurations.iter().position(|known| *known == name);
            (letter.as_str(), series::class(place.unwrap_or_default()), row)
        };
        peaks::rows(summary).into_iter().map(row).collect::<Vec<_>>()
    };
    summaries.iter().zip(letters).filter(|(summary, _)| has_peaks(summary)).flat_map(of_result).collect()
}

fn pair(difference: &Difference, letter: &str) -> PairView {
    let row = |change: &Change| ChangeRow {
        configuration: change.configuration.clone(),
        clients: change.clients.clone(),
        figure: change.figure,
        cells: [
            number::figure(change.means[0]),
            number::figure(change.means[1]),
            number::interval(change.difference.mean, Some(change.difference)),
            change.p.map_or_else(|| "–".to_owned(), number::probability),
        ],
        conclusion: change.conclusion(),
    };
    PairView {
        letter: letter.to_owned(),
        changes: difference.changes.iter().map(row).collect(),
        alone: difference.alone.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_behind_z() {
        assert_eq!([0, 2, 25, 26, 53].map(letter), ["A", "C", "Z", "A2", "B3"]);
    }
}

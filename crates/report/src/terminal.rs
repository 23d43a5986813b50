//! The summary as plain text, for a terminal of 110 columns.

use crate::{
    ConfigurationSummary, Grid, OverloadCycle, Peak, Summary, bottleneck::title, number, open_loop,
    overload_cycle, usage::split, words::capitalised,
};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use stats::Interval;
use std::fmt::Write;

pub(crate) const WIDTH: usize = 110;

/// The summary as aligned plain text of at most 110 columns, with a line break at its end. It says what the HTML page
/// says at its top, in the same words.
pub fn terminal_table(summary: &Summary) -> String {
    let mut text = format!("{}\n\n", summary.title);
    for banner in &summary.banners {
        paragraph(&mut text, &format!("{}: ", banner.title.to_uppercase()), &banner.reasons.join(" "));
    }
    paragraph(&mut text, "", &summary.answer);
    if !summary.reason.is_empty() {
        paragraph(&mut text, "", &summary.reason);
    }
    summary.trust.iter().for_each(|trust| paragraph(&mut text, "", trust));
    let best_first = summary.best_first();
    let peaks: Vec<(&ConfigurationSummary, &Peak)> =
        best_first.iter().filter_map(|row| Some((*row, row.peak.as_ref()?))).collect();
    if !peaks.is_empty() {
        let mut tables = vec![peak_table(&peaks), time_table(&peaks)];
        // Of a site that somebody else runs no tier is known.
        if peaks.iter().any(|(_, peak)| !peak.usage.tiers.is_empty()) {
            tables.push(cpu_table(&peaks));
        }
        let _ = writeln!(text, "\n{}\n", tables.join("\n\n"));
    }
    if !summary.overload_cycles.is_empty() {
        let _ = writeln!(text, "\n{}\n", sweep_table(&summary.overload_cycles));
        paragraph(&mut text, "", &overload_cycle::meaning());
    }
    if let Some(arrived) = &summary.arrived {
        let tables: Vec<String> = arrived.tables.iter().map(grid).collect();
        let _ = writeln!(text, "\n{}\n", tables.join("\n\n"));
        paragraph(&mut text, "", open_loop::MEANING);
        arrived.limits_in_full().iter().for_each(|limit| paragraph(&mut text, "", limit));
    }
    for (row, peak) in &peaks {
        let (limit, around) = (peak.bottleneck.sentence(), peak.surroundings());
        paragraph(&mut text, "", &format!("{}: {limit}. {}.", row.name, capitalised(&around)));
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    for caveat in &summary.caveats {
        paragraph(&mut text, "", caveat);
    }
    summary.data.iter().for_each(|data| paragraph(&mut text, "", data));
    for row in &summary.summaries {
        for rejected in &row.rejected {
            let clients = number::count(rejected.clients.into());
            let label = format!(
                "INVALID: {} at {clients} clients, run {} ({} per s, not to be believed). ",
                row.name,
                rejected.repetition,
                number::figure(rejected.throughput)
            );
            paragraph(&mut text, &label, &rejected.reasons.join("; "));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Adds a paragraph of lines of at most 110 columns, which begins with a label; further lines are indented.
pub fn paragraph(text: &mut String, label: &str, body: &str) {
    // Names of configurations have hyphens, at which no line may break.
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(label)
        .subsequent_indent("  ")
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    for line in textwrap::wrap(body, options) {
        let _ = writeln!(text, "{line}");
    }
}

fn peak_table(peaks: &[(&ConfigurationSummary, &Peak)]) -> String {
    let header =
        ["configuration", "per s", "± 95 %", "± is", "× best", "clients", "errors", "audit", "peak", "group"];
    let best = peaks[0].1.throughput;
    let lettered = peaks.iter().any(|(row, _)| !row.letters.is_empty());
    let columns = if lettered { header.len() } else { header.len() - 1 };
    let rows = peaks.iter().map(|(row, peak)| {
        let interval = peak.interval.map_or_else(|| "unknown".to_owned(), number::half_width);
        let cells = [
            row.name.clone(),
            number::figure(peak.throughput),
            interval,
            peak.source(),
            format!("{:.2}", peak.throughput / best),
            number::count(peak.clients.into()),
            number::percent(peak.failed, peak.attempted()),
            row.audit.clone(),
            peak.peak_status.label().to_owned(),
            row.letters.clone(),
        ];
        cells[..columns].to_vec()
    });
    table(&header[..columns], rows, &[0, 3, 7, 8, 9])
}

fn time_table(peaks: &[(&ConfigurationSummary, &Peak)]) -> String {
    let header = ["configuration", "p50 ms", "95 %", "p90 ms", "95 %", "p99 ms", "95 %"];
    let rows = peaks.iter().map(|(row, peak)| {
        let times = peak.quantiles.iter().flat_map(|time| {
            let interval = time.interval.map(|interval| number::range(time.value, interval));
            [number::figure(time.value), interval.unwrap_or_else(|| "unknown".to_owned())]
        });
        std::iter::once(row.name.clone()).chain(times).collect()
    });
    table(&header, rows, &[0])
}

fn cpu_table(peaks: &[(&ConfigurationSummary, &Peak)]) -> String {
    let header = ["configuration", "tier", "CPU cores", "CPU ms per interaction", "user", "system"];
    let rows = peaks.iter().flat_map(|(row, peak)| {
        let tiers = peak.usage.tiers.iter().map(|tier| {
            let (user, system) = split(tier, tier.cpu_ms_per_interaction);
            (title(tier), [tier.cores, tier.cpu_ms_per_interaction, user, system])
        });
        let parts = |part: fn((f64, f64)) -> f64| {
            peak.usage.tiers.iter().map(|tier| part(split(tier, tier.cpu_ms_per_interaction))).sum::<f64>()
        };
        let all =
            [peak.usage.cores(), peak.usage.cpu_ms.value, parts(|parts| parts.0), parts(|parts| parts.1)];
        tiers.chain([("all tiers".to_owned(), all)]).enumerate().map(|(index, (tier, figures))| {
            let name = if index == 0 { row.name.clone() } else { String::new() };
            [name, tier].into_iter().chain(figures.map(number::figure)).collect()
        })
    });
    table(&header, rows, &[0, 1])
}

fn sweep_table(overload_cycles: &[OverloadCycle]) -> String {
    let header = [
        "configuration",
        "clients",
        "way",
        "per s",
        "± 95 %",
        "p50 ms",
        "errors",
        "gave up",
        "down/up",
        "± 95 %",
    ];
    let rows = overload_cycles.iter().flat_map(|overload_cycle| {
        overload_cycle.steps.iter().enumerate().map(|(place, step)| {
            let interval = step.half_width.map(|half_width| Interval { mean: step.throughput, half_width });
            let (failed, given_up, all) = step.failed;
            let ratio = step.recovery.map(|(_, recovery)| recovery.ratio);
            let known = ratio.filter(|ratio| ratio.half_width.is_finite());
            let name = if place == 0 { overload_cycle.configuration.clone() } else { String::new() };
            let way = if overload_cycle.is_down(place) { "down" } else { "up" };
            let half_width =
                |interval: Option<Interval>| interval.map_or_else(String::new, number::half_width);
            vec![
                name,
                number::count(step.clients.into()),
                way.to_owned(),
                number::figure(step.throughput),
                half_width(interval),
                number::figure(step.times[0]),
                number::percent(failed, all),
                number::percent(given_up, all),
                ratio.map_or_else(String::new, |ratio| number::figure(ratio.mean)),
                half_width(known),
            ]
        })
    });
    table(&header, rows, &[0, 2])
}

fn grid(grid: &Grid) -> String {
    let titles: Vec<&str> = grid.columns.iter().map(|column| column.title).collect();
    let left = grid.columns.iter().enumerate().filter(|(_, column)| column.is_text).map(|(index, _)| index);
    table(&titles, grid.rows.iter().cloned(), &left.collect::<Vec<_>>())
}

/// A table without lines, its columns right-aligned but for those in `left`.
pub fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>, left: &[usize]) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH as u16);
    table.set_header(header.iter().copied()).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if left.contains(&index) {
            CellAlignment::Left
        } else {
            CellAlignment::Right
        });
    }
    table.trim_fmt()
}

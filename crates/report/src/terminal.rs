//! The summary as plain text, for a terminal of 110 columns.

use crate::{Peak, Standing, Summary, number};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write;

const WIDTH: usize = 110;

/// The summary as aligned plain text of at most 110 columns, with a line break at its end. It says what the HTML page
/// says at its top, in the same words.
pub fn terminal_table(summary: &Summary) -> String {
    let mut text = format!("{}\n\n", summary.title);
    for stamp in &summary.stamps {
        paragraph(&mut text, &format!("{}: ", stamp.title.to_uppercase()), &stamp.reasons.join(" "));
    }
    paragraph(&mut text, "", &summary.answer);
    let peaks: Vec<(&Standing, &Peak)> =
        summary.standings.iter().filter_map(|standing| Some((standing, standing.peak.as_ref()?))).collect();
    if !peaks.is_empty() {
        let _ = writeln!(text, "\n{}\n\n{}", peak_table(&peaks), cpu_table(&peaks));
    }
    text.push('\n');
    for caution in &summary.cautions {
        paragraph(&mut text, "", caution);
    }
    summary.data.iter().for_each(|data| paragraph(&mut text, "", data));
    for standing in &summary.standings {
        for rejected in &standing.rejected {
            let clients = number::count(rejected.clients.into());
            let label =
                format!("INVALID: {} at {clients} clients, run {}. ", standing.name, rejected.repetition);
            paragraph(&mut text, &label, &rejected.reasons.join("; "));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn paragraph(text: &mut String, label: &str, body: &str) {
    let options = textwrap::Options::new(WIDTH).initial_indent(label).subsequent_indent("  ");
    for line in textwrap::wrap(body, options) {
        let _ = writeln!(text, "{line}");
    }
}

fn peak_table(peaks: &[(&Standing, &Peak)]) -> String {
    let header = [
        "configuration",
        "per second",
        "± 95 %",
        "clients",
        "p50 ms",
        "p90 ms",
        "p99 ms",
        "errors",
        "refused",
        "peak",
    ];
    let rows = peaks.iter().map(|(standing, peak)| {
        let interval = peak.interval.map_or_else(|| "unknown".to_owned(), number::half_width);
        vec![
            standing.name.clone(),
            number::figure(peak.throughput),
            interval,
            number::count(peak.clients.into()),
            number::figure(peak.response.p50_ms),
            number::figure(peak.response.p90_ms),
            number::figure(peak.response.p99_ms),
            number::percent(peak.failed, peak.attempted()),
            number::percent(peak.refused, peak.attempted()),
            peak.passage.label().to_owned(),
        ]
    });
    table(&header, rows, &[0, 9])
}

fn cpu_table(peaks: &[(&Standing, &Peak)]) -> String {
    let header = ["configuration", "tier", "CPU cores", "CPU ms per interaction"];
    let rows = peaks.iter().flat_map(|(standing, peak)| {
        let tiers = peak
            .tiers
            .iter()
            .map(|tier| (format!("{} ({})", tier.role, tier.service), tier.cores, tier.cpu_ms));
        let total = ("all tiers".to_owned(), peak.cores(), peak.cpu_ms());
        tiers.chain([total]).enumerate().map(|(index, (tier, cores, cpu_ms))| {
            let name = if index == 0 { standing.name.clone() } else { String::new() };
            vec![name, tier, number::figure(cores), number::figure(cpu_ms)]
        })
    });
    table(&header, rows, &[0, 1])
}

/// A table without lines, its columns right-aligned but for those in `left`.
fn table<const N: usize>(
    header: &[&str; N],
    rows: impl Iterator<Item = Vec<String>>,
    left: &[usize],
) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH as u16);
    table.set_header(header).add_rows(rows);
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

//! The summary as plain text, for a terminal of 110 columns.

use crate::{
    bottleneck::title,
    capacity,
    configuration::ConfigurationSummary,
    finding::Severity,
    grid::Grid,
    number, open_loop,
    overload_cycle::{self, OverloadCycle},
    page::link,
    peak::Peak,
    summary::Summary,
    text_table::{paragraph, table},
    traffic::TracedPage,
    usage::split,
    words::{enumerate, uncapitalised},
};
use stats::Interval;
use std::fmt::Write;

/// The summary as aligned plain text of at most 110 columns, with a final line break. It has the words of the HTML
/// page, and names the result's limits.
pub fn terminal_table(summary: &Summary) -> String {
    let mut text = format!("{}\n", summary.title);
    summary.common.iter().for_each(|common| paragraph(&mut text, "", common));
    text.push('\n');
    for banner in &summary.banners() {
        paragraph(&mut text, &format!("{}: ", banner.title.to_uppercase()), &banner.sentences.join(" "));
    }
    for said in [&summary.answer, &summary.reason].into_iter().filter(|said| !said.is_empty()) {
        paragraph(&mut text, "", said);
    }
    let best_first = summary.best_first();
    let peaks: Vec<(&ConfigurationSummary, &Peak)> =
        best_first.iter().filter_map(|one| Some((*one, one.peak.as_ref()?))).collect();
    if !peaks.is_empty() {
        let _ = writeln!(text, "\n{}\n", peak_tables(&peaks).join("\n\n"));
    }
    if let Some(capacities) = &summary.capacities {
        let _ = writeln!(text, "\n{}\n", grid(&capacities.grid()));
        paragraph(&mut text, "", capacity::MEANING);
    }
    if !summary.overload_cycles.is_empty() {
        let _ = writeln!(text, "\n{}\n", cycle_table(&summary.overload_cycles));
        paragraph(&mut text, "", &overload_cycle::meaning());
    }
    if let Some(arrived) = &summary.arrived {
        let tables: Vec<String> = arrived.tables.iter().map(grid).collect();
        let _ = writeln!(text, "\n{}\n", tables.join("\n\n"));
        paragraph(&mut text, "", open_loop::MEANING);
        arrived.limits_in_full().iter().for_each(|limit| paragraph(&mut text, "", limit));
    }
    peaks.iter().for_each(|(one, peak)| paragraph(&mut text, "", &format!("{}: {}", one.name, peak.why())));
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    findings(&mut text, summary);
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// All findings but the banners, which come first.
fn findings(text: &mut String, summary: &Summary) {
    for severity in [Severity::Caveat, Severity::Note, Severity::Rejected] {
        for finding in summary.findings_of(severity) {
            let label = if severity == Severity::Rejected { "INVALID: " } else { "" };
            paragraph(text, label, &finding.full_text());
        }
    }
    let limitations: Vec<String> =
        summary.findings_of(Severity::Limitation).map(|finding| uncapitalised(finding.title)).collect();
    if !limitations.is_empty() {
        let not_shown = format!("{}. The page says why.", enumerate(&limitations));
        paragraph(text, "Not shown: ", &not_shown);
    }
}

fn peak_tables(peaks: &[(&ConfigurationSummary, &Peak)]) -> Vec<String> {
    let mut tables = vec![peak_table(peaks), time_table(peaks)];
    // Tiers of an external site are unknown.
    if peaks.iter().any(|(_, peak)| !peak.usage.tiers.is_empty()) {
        tables.push(cpu_table(peaks));
    }
    tables.extend(statement_table(peaks));
    tables.extend(link_table(peaks));
    tables
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

/// Statements per interaction, as counted at the peak and as traced before; none where neither is known.
fn statement_table(peaks: &[(&ConfigurationSummary, &Peak)]) -> Option<String> {
    let header = [
        "configuration",
        "statements per interaction",
        "round trips",
        "statements, traced",
        "round trips",
        "tables",
    ];
    let is_known = peaks.iter().any(|(row, peak)| row.traced.is_some() || peak.usage.statements().is_some());
    let known = |figure: Option<f64>| figure.map_or_else(String::new, number::figure);
    let rows = peaks.iter().map(|(row, peak)| {
        let traced = |figure: fn(&TracedPage) -> f64| row.traced.as_ref().map(figure);
        let figures = [
            peak.usage.statements(),
            peak.usage.round_trips(),
            traced(|page| page.statements),
            traced(|page| page.round_trips),
            traced(|page| page.tables),
        ];
        std::iter::once(row.name.clone()).chain(figures.map(known)).collect()
    });
    is_known.then(|| table(&header, rows, &[0]))
}

/// Traffic of hosts' links; none where it is unknown.
fn link_table(peaks: &[(&ConfigurationSummary, &Peak)]) -> Option<String> {
    let header = ["configuration", "host", "KiB in per interaction", "packets in", "KiB out", "packets out"];
    let rows: Vec<Vec<String>> = peaks
        .iter()
        .flat_map(|(row, peak)| {
            let links = peak.usage.hosts.iter().filter_map(|host| {
                Some((host.mean.name.clone(), link(&host.mean.per_interaction(peak.usage.throughput))?))
            });
            links.enumerate().map(|(index, (host, link))| {
                let name = if index == 0 { row.name.clone() } else { String::new() };
                [name, host].into_iter().chain(link).collect()
            })
        })
        .collect();
    (!rows.is_empty()).then(|| table(&header, rows.into_iter(), &[0, 1]))
}

fn cycle_table(cycles: &[OverloadCycle]) -> String {
    let header = [
        "configuration",
        "clients",
        "way",
        "per s",
        "± 95 %",
        "p50 ms",
        "errors",
        "timeouts",
        "down/up",
        "± 95 %",
    ];
    let rows = cycles.iter().flat_map(|cycle| (0..cycle.steps.len()).map(|place| cycle_row(cycle, place)));
    table(&header, rows, &[0, 2])
}

fn cycle_row(cycle: &OverloadCycle, place: usize) -> Vec<String> {
    let step = &cycle.steps[place];
    let interval = step.half_width.map(|half_width| Interval { mean: step.throughput, half_width });
    let ratio = step.recovery.map(|(_, recovery)| recovery.ratio);
    let known = ratio.filter(|ratio| ratio.half_width.is_finite());
    let half_width = |interval: Option<Interval>| interval.map_or_else(String::new, number::half_width);
    let requests = step.requests;
    vec![
        if place == 0 { cycle.configuration.clone() } else { String::new() },
        number::count(step.clients.into()),
        if cycle.is_down(place) { "down" } else { "up" }.to_owned(),
        number::figure(step.throughput),
        half_width(interval),
        number::figure(step.times[0]),
        number::percent(requests.failed, requests.all),
        number::percent(requests.timed_out, requests.all),
        ratio.map_or_else(String::new, |ratio| number::figure(ratio.mean)),
        half_width(known),
    ]
}

fn grid(grid: &Grid) -> String {
    let titles: Vec<&str> = grid.columns.iter().map(|column| column.title).collect();
    let left = grid.columns.iter().enumerate().filter(|(_, column)| column.is_text).map(|(index, _)| index);
    table(&titles, grid.rows.iter().cloned(), &left.collect::<Vec<_>>())
}

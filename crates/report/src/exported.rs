//! Figures for other programs: a summary for a pull request, JUnit's XML, and the JSON of Bencher and github-action-benchmark.

use crate::{
    difference::{Difference, SharedLoad, quoted_loads},
    number,
    regressions::{JUDGED, JudgedFigure, Judgement, Outcome, Regressions},
    runs::{Estimate, estimate},
    words::{agreeing, several},
};
use results::ResultReader;
use serde_json::{Map, Value, json};
use std::fmt::Write;

fn words(judgement: &Judgement) -> String {
    match judgement.outcome {
        Outcome::Worse => "worse".to_owned(),
        Outcome::Tolerated => "not worse".to_owned(),
        Outcome::Unknown { starts: Some(starts) } => format!("cannot be told; {starts} starts would tell"),
        Outcome::Unknown { starts: None } => "cannot be told".to_owned(),
    }
}

/// The change in per cent with its interval: `+4.1 % (1.2 to 7.0 %)`.
fn change(judgement: &Judgement) -> String {
    let percent = |ratio: f64| format!("{:+.1}", 100.0 * (ratio - 1.0));
    match judgement.ratio {
        Some([value, low, high]) => format!("{} % ({} to {} %)", percent(value), percent(low), percent(high)),
        None => "unknown: fewer than three starts".to_owned(),
    }
}

/// The answer in a sentence.
pub fn verdict(regressions: &Regressions) -> String {
    let (worse, unknown) = (regressions.worse().count(), regressions.unknown().count());
    let tolerance = regressions.tolerance;
    let of = several(regressions.judgements.len(), "figure");
    match (worse, unknown) {
        (0, 0) => format!("None of {of} is worse by more than {tolerance}."),
        (0, _) => {
            let starts = regressions.starts_needed().map_or_else(
                || "no number of starts that anybody measures would tell".to_owned(),
                |starts| format!("about {starts} starts of each would tell"),
            );
            format!(
                "Of {of}, {unknown} cannot be told to be worse by more than {tolerance} or not: {starts}."
            )
        }
        _ => format!("Of {of}, {worse} {} worse by more than {tolerance}.", agreeing(worse, "is", "are")),
    }
}

/// The figures that are worse or cannot be told, each in a line.
pub fn open_or_worse(regressions: &Regressions) -> impl Iterator<Item = String> {
    regressions.worse().chain(regressions.unknown()).map(|judgement| {
        let Judgement { configuration, clients, figure, .. } = judgement;
        let (change, words) = (change(judgement), words(judgement));
        format!("{configuration} at {clients} clients, {}: {change}: {words}", figure.name)
    })
}

/// A summary for a pull request, in Markdown.
pub fn markdown(regressions: &Regressions, difference: &Difference) -> String {
    let mut text = format!("### tierbench\n\n{}\n\n", verdict(regressions));
    text.push_str("| configuration | clients | figure | before | after | change (95 % interval) | |\n|---|---|---|--:|--:|---|---|\n");
    for judgement in &regressions.judgements {
        let [before, after] = judgement.means.map(number::figure);
        let Judgement { configuration, clients, figure, .. } = judgement;
        let (name, unit) = (figure.name, figure.unit);
        let cells = [
            configuration.as_str(),
            clients,
            &format!("{name}, {unit}"),
            &before,
            &after,
            &change(judgement),
            &words(judgement),
        ];
        let _ = writeln!(text, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    if !difference.circumstances.is_empty() {
        text.push_str("\nThe two were measured under different circumstances:\n\n| what | before | after |\n|---|---|---|\n");
        for (what, before, after) in &difference.circumstances {
            let _ = writeln!(
                text,
                "| {} |",
                [what, before, after].map(|cell| cell.replace('|', "\\|")).join(" | ")
            );
        }
    }
    text
}

/// JUnit's XML: a figure that is worse is a failure, one that cannot be told is skipped.
pub fn junit(regressions: &Regressions) -> String {
    let (worse, unknown) = (regressions.worse().count(), regressions.unknown().count());
    let all = regressions.judgements.len();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"tierbench\" tests=\"{all}\" failures=\"{worse}\" errors=\"0\" skipped=\"{unknown}\">\n"
    );
    for judgement in &regressions.judgements {
        let case = escaped(&format!("{}, {} clients", judgement.figure.name, judgement.clients));
        let _ = write!(text, "<testcase classname=\"{}\" name=\"{case}\"", escaped(&judgement.configuration));
        let message = escaped(&format!("{}: {}", words(judgement), change(judgement)));
        let _ = match judgement.outcome {
            Outcome::Worse => writeln!(text, "><failure message=\"{message}\"/></testcase>"),
            Outcome::Unknown { .. } => writeln!(text, "><skipped message=\"{message}\"/></testcase>"),
            Outcome::Tolerated => writeln!(text, "/>"),
        };
    }
    text + "</testsuite>\n</testsuites>\n"
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace(|mark: char| mark.is_control(), " ")
}

/// A figure at a load of a result.
struct Exported {
    name: String,
    figure: JudgedFigure,
    estimate: Estimate,
}

fn exported(result: &ResultReader) -> Vec<Exported> {
    let of_load = |SharedLoad { configuration, clients, runs }: SharedLoad<'_>| {
        let figure = |figure: &JudgedFigure| {
            let values = runs[0].iter().map(|run| (figure.of)(run)).collect::<Option<Vec<f64>>>()?;
            let estimate = estimate(&values, &[]);
            (estimate.value > 0.0).then(|| Exported {
                name: format!("{configuration} at {clients} clients"),
                figure: *figure,
                estimate,
            })
        };
        JUDGED.iter().filter_map(figure).collect::<Vec<_>>()
    };
    quoted_loads(result).into_iter().flat_map(of_load).collect()
}

/// Bencher Metric Format: a measure for each figure of a benchmark, with the ends of the 95 % interval.
pub fn bencher(result: &ResultReader) -> String {
    let mut benchmarks = Map::new();
    for Exported { name, figure, estimate } in exported(result) {
        let mut metric = Map::from_iter([("value".to_owned(), json!(estimate.value))]);
        if let Some((low, high)) = estimate.interval {
            metric.insert("lower_value".to_owned(), json!(low));
            metric.insert("upper_value".to_owned(), json!(high));
        }
        let measures = benchmarks.entry(name).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(measures) = measures {
            measures.insert(slug(&figure), Value::Object(metric));
        }
    }
    format!("{:#}\n", Value::Object(benchmarks))
}

/// The name of a measure at Bencher: `cpu-per-interaction-ms`.
fn slug(figure: &JudgedFigure) -> String {
    let text = if figure.higher_is_better {
        figure.name.to_owned()
    } else {
        format!("{} {}", figure.name, figure.unit)
    };
    text.to_lowercase().replace(' ', "-")
}

/// The JSON of github-action-benchmark's `customSmallerIsBetter`. A file has one direction, so the throughput is the time
/// between two interactions.
pub fn action_benchmark(result: &ResultReader) -> String {
    let entry = |Exported { name, figure, estimate }: Exported| {
        let (what, unit, invert) = match figure.higher_is_better {
            true => ("time between interactions", "ms", true),
            false => (figure.name, figure.unit, false),
        };
        let shown = |value: f64| if invert { 1e3 / value } else { value };
        let mut entry = Map::from_iter([
            ("name".to_owned(), json!(format!("{name}: {what}"))),
            ("unit".to_owned(), json!(unit)),
            ("value".to_owned(), json!(shown(estimate.value))),
        ]);
        let ends = estimate.interval.filter(|(low, _)| !invert || *low > 0.0);
        if let Some((low, high)) = ends.map(|(low, high)| (shown(low), shown(high))) {
            let text = format!("{} to {}", number::figure(low.min(high)), number::figure(low.max(high)));
            entry.insert("range".to_owned(), json!(text));
        }
        Value::Object(entry)
    };
    let entries: Vec<Value> = exported(result).into_iter().map(entry).collect();
    format!("{:#}\n", Value::Array(entries))
}

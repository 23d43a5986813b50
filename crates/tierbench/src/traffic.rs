//! What pages cost the store, for people.

use std::fmt::Write as _;
use verify::{StoreCost, Traffic};

/// The mean of all pages on a line. Round trips may be an estimate.
pub(crate) fn line(traffic: &Traffic, is_estimate: bool) -> String {
    let total = traffic.total();
    let [statements, round_trips] = means(&total);
    let about = if is_estimate { "about " } else { "" };
    format!(
        "  a page takes {statements:.2} statements and {about}{round_trips:.2} round trips{}",
        housekeeping(&total)
    )
}

/// A line for each interaction, below a head.
pub(crate) fn table(traffic: &Traffic, is_estimate: bool) -> Vec<String> {
    let about = if is_estimate { "~" } else { "" };
    let width = traffic.figures.keys().map(String::len).max().unwrap_or(0).max("interaction".len());
    let head =
        format!("  {:<width$}  {:>6}  {:>10}  {:>11}", "interaction", "pages", "statements", "round trips");
    let row = |(interaction, figures): (&String, &StoreCost)| {
        let [statements, round_trips] = means(figures);
        let pages = figures.pages;
        let apart = housekeeping(figures);
        let round_trips = format!("{about}{round_trips:.2}");
        format!("  {interaction:<width$}  {pages:>6}  {statements:>10.2}  {round_trips:>11}{apart}")
    };
    std::iter::once(head).chain(traffic.figures.iter().map(row)).collect()
}

/// Statements and round trips a page.
fn means(figures: &StoreCost) -> [f64; 2] {
    [figures.statements, figures.round_trips].map(|sum| mean(sum, figures.pages))
}

/// What a driver does besides, for each page.
fn housekeeping(figures: &StoreCost) -> String {
    let mut text = String::new();
    for (what, count) in &figures.housekeeping {
        let mean = mean(*count, figures.pages);
        write!(text, ", {what} {mean:.2}").expect("writing to a string can't fail");
    }
    if text.is_empty() { text } else { format!(" (housekeeping{text})").replacen(", ", ": ", 1) }
}

fn mean(sum: u64, pages: u64) -> f64 {
    if pages == 0 { 0.0 } else { sum as f64 / pages as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traffic() -> Traffic {
        let figures = |pages, statements| StoreCost {
            pages,
            statements,
            round_trips: 2 * statements,
            housekeeping: [("close".to_owned(), 1), ("prepare".to_owned(), statements)].into(),
        };
        let figures = [
            ("Home".to_owned(), StoreCost { pages: 2, ..StoreCost::default() }),
            ("ViewItem".to_owned(), figures(2, 5)),
        ];
        let mut traffic = Traffic::default();
        traffic.figures = figures.into();
        traffic
    }

    #[test]
    fn statements_and_round_trips_are_means_per_page() {
        assert_eq!(
            line(&traffic(), false),
            "  a page takes 1.25 statements and 2.50 round trips (housekeeping: close 0.25, prepare 1.25)"
        );
        assert_eq!(
            table(&traffic(), false),
            [
                "  interaction   pages  statements  round trips",
                "  Home              2        0.00         0.00",
                "  ViewItem          2        2.50         5.00 (housekeeping: close 0.50, prepare 2.50)",
            ]
        );
        assert_eq!(line(&Traffic::default(), false), "  a page takes 0.00 statements and 0.00 round trips");
    }

    #[test]
    fn an_estimate_is_marked_as_one() {
        assert!(line(&traffic(), true).contains(" 1.25 statements and about 2.50 round trips "));
        let table = table(&traffic(), true);
        assert!(table[2].contains("        2.50        ~5.00 (housekeeping"), "{table:?}");
    }
}

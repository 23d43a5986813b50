//! Printed cost of pages in statements and round trips.

use results::{StoreCost, StoreTraffic};
use std::fmt::Write as _;

/// The mean of all pages. Round trips may be an estimate.
pub(crate) fn line(traffic: &StoreTraffic) -> String {
    let total = traffic.interactions.values().fold(StoreCost::default(), StoreCost::plus);
    let [statements, tables, round_trips] = means(&total);
    let about = if traffic.estimates_round_trips { "about " } else { "" };
    format!(
        "  a page takes {statements:.2} statements on {tables:.2} tables and {about}{round_trips:.2} round trips{}",
        housekeeping(&total)
    )
}

/// A line for each interaction, below a head.
pub(crate) fn table(traffic: &StoreTraffic) -> Vec<String> {
    let about = if traffic.estimates_round_trips { "~" } else { "" };
    let width = traffic.interactions.keys().map(String::len).max().unwrap_or(0).max("interaction".len());
    let head = format!(
        "  {:<width$}  {:>6}  {:>10}  {:>6}  {:>11}",
        "interaction", "pages", "statements", "tables", "round trips"
    );
    let row = |(interaction, figures): (&String, &StoreCost)| {
        let [statements, tables, round_trips] = means(figures);
        let pages = figures.pages;
        let apart = housekeeping(figures);
        let round_trips = format!("{about}{round_trips:.2}");
        format!(
            "  {interaction:<width$}  {pages:>6}  {statements:>10.2}  {tables:>6.2}  {round_trips:>11}{apart}"
        )
    };
    std::iter::once(head).chain(traffic.interactions.iter().map(row)).collect()
}

/// Statements, tables and round trips a page.
fn means(figures: &StoreCost) -> [f64; 3] {
    [figures.statements, figures.tables, figures.round_trips].map(|sum| figures.per_page(sum))
}

/// The driver's own statements and round trips for a page.
fn housekeeping(figures: &StoreCost) -> String {
    let mut text = String::new();
    for (what, count) in &figures.housekeeping {
        let mean = figures.per_page(*count);
        write!(text, ", {what} {mean:.2}").expect("writing to a string can't fail");
    }
    if text.is_empty() { text } else { format!(" (housekeeping{text})").replacen(", ", ": ", 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traffic() -> StoreTraffic {
        let figures = |pages, statements| StoreCost {
            pages,
            statements,
            tables: 3,
            round_trips: 2 * statements,
            housekeeping: [("close".to_owned(), 1), ("prepare".to_owned(), statements)].into(),
        };
        let figures = [
            ("Home".to_owned(), StoreCost { pages: 2, ..StoreCost::default() }),
            ("ViewItem".to_owned(), figures(2, 5)),
        ];
        StoreTraffic { interactions: figures.into(), estimates_round_trips: false }
    }

    #[test]
    fn statements_and_round_trips_are_means_per_page() {
        assert_eq!(
            line(&traffic()),
            "  a page takes 1.25 statements on 0.75 tables and 2.50 round trips (housekeeping: close 0.25, prepare 1.25)"
        );
        assert_eq!(
            table(&traffic()),
            [
                "  interaction   pages  statements  tables  round trips",
                "  Home              2        0.00    0.00         0.00",
                "  ViewItem          2        2.50    1.50         5.00 (housekeeping: close 0.50, prepare 2.50)",
            ]
        );
        let none = "  a page takes 0.00 statements on 0.00 tables and 0.00 round trips";
        assert_eq!(line(&StoreTraffic::default()), none);
    }

    #[test]
    fn an_estimate_is_marked_as_one() {
        let estimated = StoreTraffic { estimates_round_trips: true, ..traffic() };
        assert!(line(&estimated).contains(" 0.75 tables and about 2.50 round trips "));
        let table = table(&estimated);
        assert!(table[2].contains("    1.50        ~5.00 (housekeeping"), "{table:?}");
    }
}

//! The defects of a table whose numbers could be read.

use super::walk::{drawn, walk};
use super::{BACK, Defect, END, Helper, PAGES, STATES, Table, plain};

/// Sums of decimal fractions may miss 1 by this much.
const ROUNDING: f64 = 1e-6;

pub(super) fn find(table: &Table, defects: &mut Vec<Defect>) {
    waits(table, defects);
    helpers(table, defects);
    if table.complete {
        let chances: Vec<_> =
            table.columns.iter().enumerate().map(|(page, column)| drawn(page, column)).collect();
        sums(table, &chances, defects);
        ways(table, &chances, defects);
    }
}

fn sums(table: &Table, chances: &[Vec<f64>], defects: &mut Vec<Defect>) {
    for (page, column) in table.columns.iter().enumerate() {
        let sum: f64 = column.iter().sum();
        let name = STATES[page];
        let fault = if sum > 1.0 + ROUNDING {
            let cut = (0..STATES.len()).filter(|state| column[*state] - chances[page][*state] > ROUNDING);
            let cut = cut.map(|state| {
                format!(
                    "{} {} instead of {}",
                    STATES[state],
                    plain(chances[page][state]),
                    plain(column[state])
                )
            });
            let cut: Vec<String> = cut.collect();
            format!("{name} sums to {}; what is beyond 1 is never drawn: {}", plain(sum), cut.join(", "))
        } else if sum == 0.0 {
            format!("{name} leads nowhere: users who are there stay there for ever")
        } else if sum < 1.0 - ROUNDING {
            format!("{name} sums to {}; users stay there with {}", plain(sum), plain(1.0 - sum))
        } else {
            continue;
        };
        defects.push(Defect { line: None, column: table.places[page], fault });
    }
}

/// Unreachable states, and sessions without an end.
fn ways(table: &Table, chances: &[Vec<f64>], defects: &mut Vec<Defect>) {
    let reached = walk(chances).reached();
    for state in (1..PAGES).filter(|state| !reached[*state]) {
        let leading: Vec<&str> = (0..PAGES)
            .filter(|from| *from != state && chances[*from][state] > 0.0)
            .map(|from| STATES[from])
            .collect();
        let fault = match leading.is_empty() {
            true => format!("nothing leads to {}", STATES[state]),
            false => {
                format!("{} is led to from {} alone, and so never reached", STATES[state], list(&leading))
            }
        };
        defects.push(Defect { line: table.lines[state], column: None, fault });
    }
    let report_end = |fault: String| Defect { line: table.lines[END], column: None, fault };
    let pages = || (0..PAGES).filter(|page| reached[*page]);
    let meant: Vec<usize> = pages().filter(|page| table.columns[*page][END] > 0.0).collect();
    let never: Vec<&str> =
        meant.iter().filter(|page| chances[**page][END] < ROUNDING).map(|page| STATES[*page]).collect();
    if meant.len() == never.len() {
        defects.push(report_end(
            "no session ever ends: End of Session is drawn nowhere that users come".to_owned(),
        ));
    } else if !never.is_empty() {
        let fault = format!("End of Session is never drawn at {}, where it is meant to be", list(&never));
        defects.push(report_end(fault));
    }
    if table.columns[0][BACK] > 0.0 {
        let fault = "at Home, where sessions start, there is nothing to go back to".to_owned();
        defects.push(Defect { line: table.lines[BACK], column: table.places[0], fault });
    }
}

fn waits(table: &Table, defects: &mut Vec<Defect>) {
    let mut report =
        |state: usize, fault: String| defects.push(Defect { line: table.lines[state], column: None, fault });
    for state in [BACK, END] {
        if let Some(wait) = table.waits[state].filter(|wait| *wait != 0.0) {
            report(state, format!("{} is no page, but users wait {wait} ms there", STATES[state]));
        }
    }
    for page in (0..PAGES).filter(|page| table.waits[*page] == Some(0.0)) {
        report(page, format!("users don't wait at {}", STATES[page]));
    }
    let mut pages = table.waits[..PAGES].iter().flatten();
    if let Some(first) = pages.next().filter(|first| pages.all(|wait| wait == *first)) {
        let fault = format!("all pages have the same wait, {first} ms: the column says nothing");
        report(0, fault);
    }
}

/// Compares the numbers with the helper cells below the table, from which they should have been computed.
fn helpers(table: &Table, defects: &mut Vec<Defect>) {
    let [header, home] = &table.helpers;
    for (what, block) in [("the header", header), ("the home page", home)] {
        let sum: f64 = block.iter().map(|helper| helper.value).sum();
        if let Some(first) = block.first().filter(|_| (sum - 1.0).abs() > ROUNDING) {
            let fault = format!("the probabilities for {what} sum to {}", plain(sum));
            defects.push(Defect { line: Some(first.line), column: Some(2), fault });
        }
    }
    defects.extend(home.iter().filter_map(|helper| home_helper(table, helper)));
    defects.extend(header.iter().flat_map(|helper| header_helper(table, helper)));
}

/// The difference between the home page's column and its helper cell.
fn home_helper(table: &Table, helper: &Helper) -> Option<Defect> {
    let written = table.columns[0][helper.state];
    if (written - helper.value).abs() <= ROUNDING {
        return None;
    }
    let fault = format!(
        "{} for the home page is {}, but from Home to {} the table has {}",
        helper.label,
        plain(helper.value),
        STATES[helper.state],
        plain(written)
    );
    Some(Defect { line: Some(helper.line), column: Some(2), fault })
}

/// The differences between pages' columns and their share of the header times the header's helper cell.
fn header_helper(table: &Table, helper: &Helper) -> Vec<Defect> {
    // Wrong cells by their actual and expected values.
    let mut wrong: Vec<(f64, f64, Vec<&str>)> = Vec::new();
    for page in (0..PAGES).filter(|page| *page != helper.state) {
        let Some(share) = table.header[page].filter(|share| *share > 0.0) else { continue };
        let (written, meant) = (table.columns[page][helper.state], share * helper.value);
        if (written - meant).abs() <= ROUNDING {
            continue;
        }
        match wrong.iter_mut().find(|(w, m, _)| *w == written && *m == meant) {
            Some((_, _, pages)) => pages.push(STATES[page]),
            None => wrong.push((written, meant, vec![STATES[page]])),
        }
    }
    let defect = |(written, meant, pages): (f64, f64, Vec<&str>)| Defect {
        line: table.lines[helper.state],
        column: None,
        fault: format!(
            "to {} the table has {} from {}, but header probability times {} is {}",
            STATES[helper.state],
            plain(written),
            list(&pages),
            helper.label,
            plain(meant)
        ),
    };
    wrong.into_iter().map(defect).collect()
}

/// Names in a sentence; if there are many, the first ones and the number of others.
fn list(names: &[&str]) -> String {
    match names {
        [] => "nowhere".to_owned(),
        [one] => (*one).to_owned(),
        [some @ .., last] if names.len() <= 5 => format!("{} and {last}", some.join(", ")),
        many => format!("{} and {} more", many[..3].join(", "), many.len() - 3),
    }
}

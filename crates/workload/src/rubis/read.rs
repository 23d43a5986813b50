//! From the text of a table to its numbers.

use super::{Defect, Helper, NoRubisTable, PAGES, STATES, Table, plain};
use settings::nearest;

/// A row of the sheet; it begins in this line, from 1.
struct Row {
    line: usize,
    cells: Vec<String>,
}

/// The emulator skips four lines, whatever their content.
const FIRST_STATE_LINE: usize = 5;

/// The helper cells' labels and the states they are for.
const HELPERS: [(&str, usize); 6] = [
    ("homeprob", 0),
    ("registerprob", 1),
    ("browseprob", 3),
    ("sellprob", 21),
    ("aboutmeprob", 25),
    ("endofsessionprob", 28),
];

pub(super) fn table(text: &str, defects: &mut Vec<Defect>) -> Result<Table, NoRubisTable> {
    let rows = rows(text);
    let head = rows.iter().position(|row| row.label().starts_with("To >>>")).ok_or(NoRubisTable)?;
    let mut table = Table {
        name: title(&rows[0], defects),
        columns: vec![vec![0.0; STATES.len()]; PAGES],
        waits: vec![None; STATES.len()],
        lines: vec![None; STATES.len()],
        places: vec![None; PAGES],
        header: vec![None; PAGES],
        helpers: [Vec::new(), Vec::new()],
        complete: true,
    };
    let width = columns(&rows[head], &mut table, defects);
    let rest = &rows[head + 1..];
    let (states, below) = rest.split_at(rest.iter().position(Row::ends_the_table).unwrap_or(rest.len()));
    if let Some(first) = states.first().filter(|row| row.line != FIRST_STATE_LINE) {
        let fault =
            "the states begin here, but the emulator skips four lines and reads the fifth as the first state";
        defects.push(at(first.line, None, fault.to_owned()));
    }
    read_states(states, width, &mut table, defects);
    helpers(below, &mut table);
    Ok(table)
}

/// Splits the text at line ends and tabs; a quoted cell may span lines.
fn rows(text: &str) -> Vec<Row> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut rows = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((first, line)) = lines.next() {
        let mut row = first.to_owned();
        let mut in_quotes = leaves_open(first);
        while in_quotes && let Some((next, _)) = lines.next() {
            row = row + "\n" + next;
            in_quotes ^= leaves_open(next);
        }
        let cells = row.split('\t').map(|cell| cell.trim().trim_matches('"').trim().to_owned()).collect();
        rows.push(Row { line, cells });
    }
    rows
}

/// Whether a text ends within open quotes.
fn leaves_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

impl Row {
    fn label(&self) -> &str {
        &self.cells[0]
    }

    /// A cell by its column from 0; empty where the row has ended.
    fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }

    fn ends_the_table(&self) -> bool {
        self.cells.iter().all(String::is_empty) || letters(self.label()) == "headerprobability"
    }
}

fn title(row: &Row, defects: &mut Vec<Defect>) -> String {
    if letters(row.label()) != "rubistransitiontable" || row.cell(1).is_empty() {
        let fault = "the first line should be `RUBiS Transition Table`, a tab and the table's name";
        defects.push(at(row.line, Some(1), fault.to_owned()));
    }
    row.cell(1).to_owned()
}

/// Assigns columns to pages. Returns the number of numeric columns, without the waits.
fn columns(head: &Row, table: &mut Table, defects: &mut Vec<Defect>) -> usize {
    let mut report = |place: Option<usize>, fault: String| defects.push(at(head.line, place, fault));
    let names = page_names(head, &mut report);
    let mut next = 0;
    for (name, place) in names.iter().zip(2..) {
        // With the right number of columns, names are only labels; otherwise they must show what is missing.
        let found = match names.len() == PAGES {
            true => Some(place - 2),
            false => (next..PAGES).find(|page| fits(name, *page)),
        };
        let Some(page) = found else {
            report(Some(place), format!("the column `{name}` is of no state that could stand here"));
            continue;
        };
        if !fits(name, page) {
            let fault = format!("the column `{name}` stands where that of {} should stand", STATES[page]);
            report(Some(place), fault);
        }
        table.places[page] = Some(place);
        next = page + 1;
    }
    for page in (0..PAGES).filter(|page| table.places[*page].is_none()) {
        table.complete = false;
        let fault =
            format!("there is no column for {}; {} columns instead of {PAGES}", STATES[page], names.len());
        report(None, fault);
    }
    names.len()
}

/// The names of the columns that hold probabilities: all between the first and that of the waits.
fn page_names<'a>(head: &'a Row, report: &mut impl FnMut(Option<usize>, String)) -> &'a [String] {
    let end = head.cells.iter().rposition(|cell| !cell.is_empty()).map_or(1, |last| last + 1);
    let names = &head.cells[1..end];
    match names.split_last() {
        Some((last, pages)) if letters(last).contains("wait") => pages,
        _ => {
            report(Some(end), "the last column should be named `Transition waiting time`".to_owned());
            names
        }
    }
}

/// Whether a short name, such as `Br. Cat. Reg.`, may mean a page: its words are in the page's name, and the next page
/// does not fit better.
fn fits(short: &str, page: usize) -> bool {
    let words =
        short.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).filter(|word| !word.is_empty());
    let words: Vec<String> = words.collect();
    let within = |name: &str| words.iter().all(|word| letters(name).contains(word.as_str()));
    let next = STATES[..PAGES].get(page + 1).filter(|next| within(next));
    !words.is_empty() && within(STATES[page]) && next.is_none_or(|next| next.len() > STATES[page].len())
}

fn read_states(rows: &[Row], width: usize, table: &mut Table, defects: &mut Vec<Defect>) {
    let mut in_order = true;
    for (row, position) in rows.iter().zip(0..) {
        let Some(state) = state(row, table, defects) else {
            in_order = false;
            continue;
        };
        if in_order && state != position {
            in_order = false;
            let expected = STATES.get(position).copied().unwrap_or("nothing");
            let fault = format!(
                "{} stands here, but the emulator goes by position and takes it for {expected}",
                STATES[state]
            );
            defects.push(at(row.line, Some(1), fault));
        }
        table.lines[state] = Some(row.line);
        read_row(row, state, width, table, defects);
    }
    for state in (0..STATES.len()).filter(|state| table.lines[*state].is_none()) {
        table.complete = false;
        let fault =
            format!("there is no row for {}; {} rows instead of {}", STATES[state], rows.len(), STATES.len());
        defects.push(Defect { line: None, column: None, fault });
    }
}

/// The state of a row; none if it is unknown or has a row already.
fn state(row: &Row, table: &Table, defects: &mut Vec<Defect>) -> Option<usize> {
    let label = row.label();
    let mut report = |fault: String| defects.push(at(row.line, Some(1), fault));
    let state = match STATES.iter().position(|state| letters(state) == letters(label)) {
        Some(state) => state,
        None => match nearest(label, STATES) {
            Some(meant) => {
                report(format!("`{label}` is misspelt; {meant} is meant"));
                STATES.iter().position(|state| *state == meant)?
            }
            None => {
                report(format!(
                    "`{label}` is no state of RUBiS; its row is left out here, but not by the emulator"
                ));
                return None;
            }
        },
    };
    if let Some(first) = table.lines[state] {
        report(format!("{} has a row already, in line {first}; this one is left out", STATES[state]));
        return None;
    }
    Some(state)
}

fn read_row(row: &Row, state: usize, width: usize, table: &mut Table, defects: &mut Vec<Defect>) {
    for (page, place) in table.places.iter().enumerate() {
        let Some(place) = *place else { continue };
        let from_to = format!("from {} to {}", STATES[page], STATES[state]);
        let fault = match number(row.cell(place - 1)) {
            Ok(share) => {
                table.columns[page][state] = share;
                let is_probability = (0.0..=1.0).contains(&share);
                (!is_probability).then(|| format!("{} {from_to} is no probability", plain(share)))
            }
            Err(fault) => {
                table.complete = false;
                Some(format!("{from_to}: {fault}"))
            }
        };
        defects.extend(fault.map(|fault| at(row.line, Some(place), fault)));
    }
    let place = width + 2;
    table.waits[state] = number(row.cell(place - 1)).ok();
    let fault = match number(row.cell(place - 1)) {
        Ok(wait) if wait >= 0.0 && wait.fract() == 0.0 => None,
        Ok(wait) => Some(format!("the wait of {} should be whole milliseconds, not {wait}", STATES[state])),
        Err(fault) => Some(format!("wait of {}: {fault}", STATES[state])),
    };
    defects.extend(fault.map(|fault| at(row.line, Some(place), fault)));
    if let Some(more) = (place..row.cells.len()).find(|column| !row.cell(*column).is_empty()) {
        let fault = format!("`{}` stands behind the last column", row.cell(more));
        defects.push(at(row.line, Some(more + 1), fault));
    }
}

fn number(cell: &str) -> Result<f64, String> {
    if cell.is_empty() {
        return Err("the cell is empty; the emulator skips it and reads its neighbour instead".to_owned());
    }
    let number = cell.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{cell}` is no number"))
}

/// Reads the part below the table: the header's share in each column, and the helper cells.
fn helpers(rows: &[Row], table: &mut Table) {
    let mut block = 0;
    for row in rows {
        match letters(row.label()).as_str() {
            "headerprobability" => {
                for page in 0..PAGES {
                    let place = table.places[page];
                    table.header[page] = place.and_then(|place| number(row.cell(place - 1)).ok());
                }
            }
            "probabilitiesforheader" => block = 0,
            "probabilitiesforhomepage" => block = 1,
            label => {
                let known = HELPERS.iter().find(|(known, _)| *known == label);
                if let (Some((_, state)), Ok(value)) = (known, number(row.cell(1))) {
                    let label = row.label().to_owned();
                    table.helpers[block].push(Helper { line: row.line, label, state: *state, value });
                }
            }
        }
    }
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn at(line: usize, column: Option<usize>, fault: String) -> Defect {
    Defect { line: Some(line), column, fault }
}

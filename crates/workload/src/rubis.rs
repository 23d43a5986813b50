//! Reads the transition tables of the original RUBiS and reports their defects.
//!
//! A table is a sheet exported as text with tabs. A column has the transitions from a state, a row those to it. The
//! last two rows are the back button and the end of the session; the last column is the think time. The emulator of
//! RUBiS draws a number between 0 and 1 and adds up the column until the sum exceeds it. A part beyond 1 is never
//! drawn, and the rest up to 1 makes users stay where they are. Sessions end by drawing the last row, or after a
//! thousand pages. So a wrong sum mainly changes the length of sessions.

mod defects;
mod read;
mod walk;

use std::fmt;
use thiserror::Error;

/// The rows of a table, in order; all but the last two are columns too. The first is where sessions start.
const STATES: [&str; 29] = [
    "Home",
    "Register",
    "RegisterUser",
    "Browse",
    "BrowseCategories",
    "SearchItemsInCategory",
    "BrowseRegions",
    "BrowseCategoriesInRegion",
    "SearchItemsInRegion",
    "ViewItem",
    "ViewUserInfo",
    "ViewBidHistory",
    "BuyNowAuth",
    "BuyNow",
    "StoreBuyNow",
    "PutBidAuth",
    "PutBid",
    "StoreBid",
    "PutCommentAuth",
    "PutComment",
    "StoreComment",
    "Sell",
    "SelectCategoryToSellItem",
    "SellItemForm",
    "RegisterItem",
    "AboutMe (auth form)",
    "AboutMe",
    "Back probability",
    "End of Session",
];
/// How many states are pages.
const PAGES: usize = 27;
const BACK: usize = 27;
const END: usize = 28;
/// The pages that change data.
const WRITERS: [usize; 5] = [2, 14, 17, 20, 24];

/// A transition table of the original RUBiS, with its defects.
#[derive(Debug, Clone)]
pub struct RubisTable {
    /// The name in its first line.
    pub name: String,
    /// The defects: first of the format, then of the numbers.
    pub defects: Vec<Defect>,
    /// The properties of its sessions; none if a row, a column or a number is missing.
    pub sessions: Option<RubisSessions>,
}

/// A defect of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Defect {
    /// Its line, from 1.
    pub line: Option<usize>,
    /// Its tab-separated column, from 1.
    pub column: Option<usize>,
    /// The defect.
    pub fault: String,
}

/// The sessions of a table. Lengths are in pages, including those visited by going back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RubisSessions {
    /// As the emulator draws, but without its limit of 1,000 pages; none if sessions never end.
    pub drawn: Option<Pages>,
    /// The mean length with that limit, and its standard error: it is simulated, always with the same seed.
    pub limited: (f64, f64),
    /// With each column divided by its sum; none if sessions never end.
    pub normalised: Option<Pages>,
}

/// The pages of sessions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pages {
    /// Their mean number.
    pub mean: f64,
    /// The share of those that change data.
    pub read_write: f64,
}

/// The text is no transition table.
#[derive(Debug, Error)]
#[error(
    "this is no transition table of RUBiS: no line begins with the cell `To >>>` that stands above the states; \
     export the sheet as text with tabs"
)]
pub struct NoRubisTable;

/// A table's numbers.
struct Table {
    name: String,
    /// From each page (first index), the probability of each state, as written; 0 for a missing number.
    columns: Vec<Vec<f64>>,
    /// How long users wait at each state, in milliseconds.
    waits: Vec<Option<f64>>,
    /// The line of each state's row, from 1.
    lines: Vec<Option<usize>>,
    /// The tab-separated column of each page's numbers, from 1.
    places: Vec<Option<usize>>,
    /// The share of the page header's links in transitions, for each page that has it.
    header: Vec<Option<f64>>,
    /// The helper cells below the table, in two blocks.
    helpers: [Vec<Helper>; 2],
    /// Whether all numbers are present.
    complete: bool,
}

/// A helper cell: its line, the state it is for, and its value.
struct Helper {
    line: usize,
    label: String,
    state: usize,
    value: f64,
}

impl RubisTable {
    /// Reads a table. Faults are defects and no errors, as long as the text is recognisable as a table.
    pub fn parse(text: &str) -> Result<Self, NoRubisTable> {
        let mut defects = Vec::new();
        let table = read::table(text, &mut defects)?;
        defects::find(&table, &mut defects);
        let sessions = table.complete.then(|| walk::sessions(&table.columns));
        Ok(Self { name: table.name, defects, sessions })
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: ")?,
            (Some(line), None) => write!(f, "line {line}: ")?,
            (None, Some(column)) => write!(f, "column {column}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.fault)
    }
}

/// A number without the noise of binary fractions.
fn plain(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    // Not -0.
    format!("{}", rounded + 0.0)
}

#[cfg(test)]
mod tests;

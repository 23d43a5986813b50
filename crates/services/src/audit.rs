//! Audit of an application's data: rules and findings.
//!
//! An invariant is one portable query in a file of its own, whose first line states the rule. It gives a row for each
//! violation. `{{ after.bids }}` in it is the largest loaded id of the table, or 0 for a full audit: one query serves
//! for both.
//!
//! Derivation queries are named after a table and give the ids of new rows that the application made itself; every
//! other new row must be an acknowledged write.

use crate::template;
use application::Table;
use minijinja::context;
use results::Finding;
use settings::{Document, SettingsError, did_you_mean};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default)]
pub struct AuditRules {
    /// Each gives a row for each violation.
    pub invariants: Vec<DataQuery>,
    /// Named after tables: each gives the ids of new rows that the application made itself.
    pub derived: Vec<DataQuery>,
}

#[derive(Debug, Clone)]
pub struct DataQuery {
    pub name: String,
    pub sentence: String,
    template: String,
}

impl DataQuery {
    pub fn parse(name: &str, document: &Document, tables: &[&str]) -> Result<Self, Box<SettingsError>> {
        let text = document.text();
        let (first, query) = text.split_once('\n').unwrap_or((text, ""));
        let sentence = first.strip_prefix("-- ").map(str::trim).filter(|sentence| sentence.ends_with('.'));
        let Some(sentence) = sentence else {
            let remedy = "begin the file with a line like `-- Every bid is on an item.`";
            let fault = format!("`{name}` doesn't begin with a sentence");
            return Err(document.error(Some(0..first.len()), fault, Some(remedy.to_owned())));
        };
        let template = query.trim().trim_end_matches(';').to_owned();
        if template.is_empty() {
            let fault = format!("`{name}` has no query");
            let remedy = "write one query below the sentence".to_owned();
            return Err(document.error(Some(0..first.len()), fault, Some(remedy)));
        }
        let query = Self { name: name.to_owned(), sentence: sentence.to_owned(), template };
        let known = tables.iter().map(|table| ((*table).to_owned(), 0)).collect();
        match query.render(&known) {
            Ok(_) => Ok(query),
            Err(error) => Err(unknown_placeholder(name, document, tables, &error)),
        }
    }

    /// The query over ids above the given one of each table.
    pub fn text(&self, after: &BTreeMap<String, u64>) -> String {
        self.render(after).expect("a query is refused unless it renders with the application's tables")
    }

    fn render(&self, after: &BTreeMap<String, u64>) -> Result<String, minijinja::Error> {
        template::render(&self.template, &context! { after => after })
    }
}

fn unknown_placeholder(
    name: &str,
    document: &Document,
    tables: &[&str],
    error: &minijinja::Error,
) -> Box<SettingsError> {
    let text = document.text();
    let mut from = 0;
    while let Some(at) = text[from..].find("{{").map(|at| from + at) {
        let end = text[at..].find("}}").map_or(text.len(), |end| at + end + 2);
        let inside = text[at + 2..end].trim_end_matches('}').trim();
        let table = inside.strip_prefix("after.").unwrap_or(inside);
        if !inside.starts_with("after.") || !tables.contains(&table) {
            let fault = format!("`{inside}` in `{name}` is no table's largest loaded id");
            let remedy = did_you_mean(table, tables.iter().copied());
            return document.error(
                Some(at..end),
                fault,
                Some(format!("write `after.` and a table; {remedy}")),
            );
        }
        from = end;
    }
    document.error(None, format!("`{name}` can't be filled in: {}", template::message(error)), None)
}

#[derive(Debug, Clone, Copy)]
pub struct Loaded {
    pub table: &'static Table,
    pub rows: u64,
    /// The largest id; 0 without rows.
    pub largest: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    pub table: &'static str,
    pub loaded: u64,
    /// The largest loaded id; 0 if there are none.
    pub largest: u64,
    /// Loaded rows still present.
    pub kept: u64,
    /// Ids of all other rows, rising.
    pub new: Vec<u64>,
    /// Of the new rows, those that the application made itself, rising.
    pub derived: Vec<u64>,
}

/// The loaded rows of a table against what was loaded, in the columns that no interaction changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedContents {
    pub table: &'static str,
    /// Rows that were compared, by checksums.
    pub checked: u64,
    /// Rows with another value, in the blocks that were looked at.
    pub changed: u64,
    /// The first of them, in words.
    pub examples: Vec<String>,
}

impl LoadedContents {
    /// Nothing was compared yet.
    pub fn new(table: &'static str) -> Self {
        Self { table, checked: 0, changed: 0, examples: Vec::new() }
    }
}

/// The findings of an audit, all of one instant without writers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audit {
    pub findings: Vec<Finding>,
    pub holdings: Vec<Holding>,
    /// None where nobody has asked for it.
    pub contents: Vec<LoadedContents>,
    pub seconds: f64,
}

impl Audit {
    pub fn violated(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.violations > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [&str; 2] = ["bids", "items"];

    fn parse(text: &str) -> Result<DataQuery, String> {
        let document = Document::new("x.sql", text);
        DataQuery::parse("x", &document, &TABLES)
            .map_err(|error| format!("{:?}", miette::Report::new(*error)))
    }

    #[test]
    fn a_query_is_filled_in_with_the_largest_loaded_ids() {
        let text =
            "-- Every bid is positive.\nSELECT id FROM bids\nWHERE id > {{ after.bids }} AND bid <= 0;\n";
        let query = parse(text).unwrap();
        assert_eq!(query.sentence, "Every bid is positive.");
        let after = [("bids".to_owned(), 12), ("items".to_owned(), 3)].into();
        assert_eq!(query.text(&after), "SELECT id FROM bids\nWHERE id > 12 AND bid <= 0");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, said) in [
            ("SELECT id FROM bids\n", "doesn't begin with a sentence"),
            ("-- Every bid is positive.\n\n", "has no query"),
            ("-- Every bid is positive.\nSELECT {{ after.bid }}\n", "did you mean `bids`?"),
            ("-- Every bid is positive.\nSELECT 1,\n{{ bids }}\n", "x.sql:3:1"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}

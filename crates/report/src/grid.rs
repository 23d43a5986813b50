//! A table that terminal and page show alike.

use crate::words::capitalised;

/// A table of texts.
#[derive(Debug, Clone)]
pub struct Grid {
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub caption: &'static str,
    /// Its columns, from the left.
    pub columns: &'static [Column],
    /// A cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// What stands above it.
    pub title: &'static str,
    /// Whether it holds words rather than figures, so that it stands at the left.
    pub is_text: bool,
}

impl Column {
    /// Its title with a capital, where it begins with a word.
    pub fn heading(&self) -> String {
        let first = self.title.split([' ', ',']).next().unwrap_or("");
        let is_word = first.len() > 2 && first.chars().all(|letter| letter.is_ascii_lowercase());
        if is_word { capitalised(self.title) } else { self.title.to_owned() }
    }

    pub(crate) const fn text(title: &'static str) -> Self {
        Self { title, is_text: true }
    }

    pub(crate) const fn figure(title: &'static str) -> Self {
        Self { title, is_text: false }
    }
}

impl Grid {
    /// The cells of a row with their columns.
    pub fn cells<'a>(&'a self, row: &'a [String]) -> impl Iterator<Item = (&'a Column, &'a String)> {
        self.columns.iter().zip(row)
    }
}

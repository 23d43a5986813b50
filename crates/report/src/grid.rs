//! A table for terminal and page.

use crate::words::capitalised;

#[derive(Debug, Clone)]
pub struct Grid {
    pub title: &'static str,
    pub caption: &'static str,
    pub columns: &'static [Column],
    pub rows: Vec<Vec<String>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub title: &'static str,
    /// True if it holds words, which are left-aligned.
    pub is_text: bool,
}

impl Column {
    /// The title, capitalised if it begins with a word.
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
    pub fn cells<'a>(&'a self, row: &'a [String]) -> impl Iterator<Item = (&'a Column, &'a String)> {
        self.columns.iter().zip(row)
    }
}

//! Plain-text tables and paragraphs, for a terminal of 110 columns.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write;

pub(crate) const WIDTH: usize = 110;

/// Adds a paragraph of at most 110 columns after a label, with further lines indented.
pub fn paragraph(text: &mut String, label: &str, body: &str) {
    // Configuration names have hyphens, at which no line may break.
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(label)
        .subsequent_indent("  ")
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    for line in textwrap::wrap(body, options) {
        let _ = writeln!(text, "{line}");
    }
}

/// A table without rules, right-aligned but for the columns in `left`.
pub fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>, left: &[usize]) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH as u16);
    table.set_header(header.iter().copied()).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if left.contains(&index) {
            CellAlignment::Left
        } else {
            CellAlignment::Right
        });
    }
    table.trim_fmt()
}

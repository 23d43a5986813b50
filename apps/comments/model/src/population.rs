//! Generates the comments of a dataset.
//!
//! The scale is the size of the list in multiples of 50 KB, the smallest page of the paper: 1.47 gives its 73.5 KB and 3.9
//! its 195 KB, each within 3 %. The distribution of the data makes no difference, since all are read at once.

use crate::rows::Comment;
use application::{
    Bins, Cut, Dataset, Declared, Draws, Figure, Generator, Of, Property, Prose, Seed, Table, Value, words,
};
use std::ops::{Range, RangeInclusive};

/// Comments on a page of 50 KB.
const COMMENTS: f64 = 199.0;

/// The fewest comments.
const LEAST: u64 = 1;

/// Length of a comment's text in bytes.
const BYTES: RangeInclusive<usize> = 125..=175;

/// Purposes of random streams.
const COMMENT: u16 = 0;
const PROSE: u16 = 1;

pub struct Population {
    seed: Seed,
    comments: u64,
    prose: Prose,
}

impl Population {
    pub fn new(dataset: &Dataset) -> Self {
        let seed = Seed::new(dataset.seed);
        let prose = Prose::new(seed.draws(PROSE, 0));
        Self { comments: ((COMMENTS * dataset.scale).round() as u64).max(LEAST), seed, prose }
    }

    pub fn comments(&self) -> impl Iterator<Item = Comment> + '_ {
        self.comments_in(0..self.comments)
    }

    fn comments_in(&self, units: Range<u64>) -> impl Iterator<Item = Comment> + '_ {
        units.map(|unit| self.comment(unit as i64 + 1))
    }

    fn comment(&self, id: i64) -> Comment {
        let draws: &mut Draws = &mut self.seed.draws(COMMENT, id);
        let (first, last) = (draws.any(&words::FIRSTNAMES), draws.any(&words::LASTNAMES));
        Comment {
            id,
            name: format!("{first} {last}"),
            email: format!("visitor{id}@example.org"),
            comment: self.prose.cut(Cut::new(BYTES, draws)).to_owned(),
        }
    }
}

impl Generator for Population {
    fn units(&self, table: &Table) -> u64 {
        if table.name == Comment::TABLE.name { self.comments } else { 0 }
    }

    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        if table.name == Comment::TABLE.name {
            self.comments_in(units).for_each(|comment| take(&comment.into_values()));
        }
    }
}

/// Declared properties of a dataset's comments.
pub fn properties(dataset: &Dataset) -> Vec<Property> {
    let (least, most) = (*BYTES.start() as f64, *BYTES.end() as f64);
    let length = |row: &[Value]| match row.last() {
        Some(Value::Text(text)) => Some(text.len() as f64),
        _ => None,
    };
    let of = |name, figure: Figure, bins, declared| Property {
        name,
        tables: &["comments"],
        of: Of::Rows(figure),
        bins,
        declared: vec![declared],
    };
    let bins = Bins::Even { from: least, width: (most - least) / 20.0, count: 20 };
    vec![
        of("comments", Box::new(|_| Some(1.0)), None, Declared::Count(Population::new(dataset).comments)),
        // A blank at the end is cut off.
        of("bytes of a comment", Box::new(length), Some(bins), Declared::Within(least - 1.0, most)),
    ]
}

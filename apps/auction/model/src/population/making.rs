//! The population as a generator: which units the rows of each table are made from, and with which ids they begin.

use super::{Population, categories, regions};
use crate::rows::{Bid, Comment, Purchase};
use application::{Generator, Row, Table, Value};
use std::ops::Range;

/// A running number is known at the beginning of every so many units; from there it takes some counting.
const STRIDE: u64 = 1024;

/// For each so many units how many rows come before them.
pub(super) struct RowsBefore(Vec<i64>);

impl RowsBefore {
    /// `count` says how many rows some units have.
    pub(super) fn new(units: u64, count: impl Fn(Range<u64>) -> usize) -> Self {
        let mut before = vec![0];
        let mut rows = 0;
        for begin in (0..units).step_by(STRIDE as usize) {
            rows += count(begin..units.min(begin + STRIDE)) as i64;
            before.push(rows);
        }
        Self(before)
    }

    /// How many rows all units have.
    pub(super) fn all(&self) -> i64 {
        self.0[self.0.len() - 1]
    }

    /// How many rows come before a unit. `count` is the one of [`RowsBefore::new`].
    fn before(&self, unit: u64, count: impl Fn(Range<u64>) -> usize) -> i64 {
        let known = unit / STRIDE;
        self.0[known as usize] + count(known * STRIDE..unit) as i64
    }
}

impl Population {
    pub(super) fn bids_before(&self) -> &RowsBefore {
        self.bids_before.get_or_init(|| RowsBefore::new(self.items as u64, |units| self.count_bids(units)))
    }

    pub(super) fn comments_before(&self) -> &RowsBefore {
        let count = |units| self.count_comments(units);
        self.comments_before.get_or_init(|| RowsBefore::new(self.old_items as u64, count))
    }

    pub(super) fn purchases_before(&self) -> &RowsBefore {
        let count = |units| self.count_purchases(units);
        self.purchases_before.get_or_init(|| RowsBefore::new(self.old_items as u64, count))
    }

    fn count_bids(&self, units: Range<u64>) -> usize {
        self.unnumbered_bids(units).count()
    }

    fn count_comments(&self, units: Range<u64>) -> usize {
        self.unwritten_comments(units).count()
    }

    fn count_purchases(&self, units: Range<u64>) -> usize {
        self.unnumbered_purchases(units).count()
    }

    pub fn bids_in(&self, units: Range<u64>) -> impl Iterator<Item = Bid> + '_ {
        let before = self.bids_before().before(units.start, |units| self.count_bids(units));
        (before + 1..).zip(self.unnumbered_bids(units)).map(|(id, bid)| Bid { id, ..bid })
    }

    pub fn comments_in(&self, units: Range<u64>) -> impl Iterator<Item = Comment> + '_ {
        let before = self.comments_before().before(units.start, |units| self.count_comments(units));
        (before + 1..)
            .zip(self.unwritten_comments(units))
            .map(|(id, comment)| self.written_comment(id, comment))
    }

    pub fn purchases_in(&self, units: Range<u64>) -> impl Iterator<Item = Purchase> + '_ {
        let before = self.purchases_before().before(units.start, |units| self.count_purchases(units));
        (before + 1..).zip(self.unnumbered_purchases(units)).map(|(id, row)| Purchase { id, ..row })
    }
}

/// Auctions are the units of their bids, comments and purchases.
impl Generator for Population {
    fn units(&self, table: &Table) -> u64 {
        match table.name {
            "categories" => categories().count() as u64,
            "regions" => regions().count() as u64,
            "users" => self.users as u64,
            "items" | "bids" => self.items as u64,
            "old_items" | "comments" | "buy_now" => self.old_items as u64,
            "ids" => 1,
            _ => 0,
        }
    }

    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        let mut take = |row: Row| take(&row);
        let few = |units: &Range<u64>| (units.start as usize, units.clone().count());
        let (skip, count) = few(&units);
        match table.name {
            "categories" => categories().skip(skip).take(count).for_each(|row| take(row.row())),
            "regions" => regions().skip(skip).take(count).for_each(|row| take(row.row())),
            "users" => self.users_in(units).for_each(|row| take(row.row())),
            "items" => self.items_in(units).for_each(|row| take(row.row())),
            "old_items" => self.old_items_in(units).for_each(|row| take(row.row())),
            "bids" => self.bids_in(units).for_each(|row| take(row.row())),
            "comments" => self.comments_in(units).for_each(|row| take(row.row())),
            "buy_now" => self.purchases_in(units).for_each(|row| take(row.row())),
            "ids" if count > 0 => take(self.ids().row()),
            _ => (),
        }
    }
}

//! Declared and measured properties of generated rows.
//!
//! An application declares properties of its data, and a survey measures them on the rows. Only chance deviations are
//! allowed: five standard errors for a mean, and the level of 10⁻⁶ for chi-square tests of shares. So the same
//! declarations hold at each scale, and are stricter at a larger one. Below a few hundred figures these approximations are
//! no longer good enough to tell that a declaration is wrong.

use crate::{Table, Value};
use std::fmt;

/// A figure of a row, if it has one.
pub type Figure = Box<dyn Fn(&[Value]) -> Option<f64> + Send + Sync>;

/// A property of rows, with its declared values.
pub struct Property {
    /// A noun phrase, such as `bids on an item`.
    pub name: &'static str,
    pub tables: &'static [&'static str],
    pub of: Of,
    /// Bins of the histogram, if it is shown.
    pub bins: Option<Bins>,
    pub declared: Vec<Declared>,
}

/// The kind of a measured figure.
pub enum Of {
    Rows(Figure),
    /// The number of rows of each key, from 0 to a limit.
    Keys(u64, Figure),
}

/// The bins of figures. The first and the last bin include values beyond them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bins {
    /// Bins of equal width.
    Even {
        /// Begin of the first bin.
        from: f64,
        width: f64,
        count: usize,
    },
    /// 0; 1; 2 and 3; 4 to 7; 8 to 15; …
    Doubling { count: usize },
}

impl Bins {
    pub fn count(self) -> usize {
        match self {
            Self::Even { count, .. } | Self::Doubling { count } => count,
        }
    }

    pub fn begin(self, bin: usize) -> f64 {
        match (self, bin) {
            (Self::Even { from, width, .. }, _) => from + width * bin as f64,
            (Self::Doubling { .. }, 0) => 0.0,
            (Self::Doubling { .. }, _) => (1_u64 << (bin - 1)) as f64,
        }
    }

    fn of(self, figure: f64) -> usize {
        let bin = match self {
            Self::Even { from, width, .. } => ((figure - from) / width).max(0.0) as usize,
            Self::Doubling { .. } if figure < 1.0 => 0,
            Self::Doubling { .. } => (figure as u64).ilog2() as usize + 1,
        };
        bin.min(self.count() - 1)
    }
}

/// A declared value of a property.
#[derive(Debug, Clone, PartialEq)]
pub enum Declared {
    /// The exact number of figures.
    Count(u64),
    Mean(f64),
    /// An upper bound of the mean of the figures.
    MeanBelow(f64),
    Within(f64, f64),
    /// The shares of the bins, which sum to 1.
    Shares(Vec<f64>),
    /// The range of the share of rows that the most frequent keys have.
    Top {
        /// Share of the keys.
        keys: f64,
        /// Range of their share of the rows.
        least: f64,
        most: f64,
    },
}

/// The largest deviation of a mean from the declared one, in standard errors.
const MOST_ERRORS: f64 = 5.0;

/// Figures at least for telling that a declared mean or share is wrong. Of so many, a figure that one in twenty has is
/// missing by chance with a probability below 10⁻⁶.
const ENOUGH_FIGURES: u64 = 300;

#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    pub declared: String,
    pub measured: String,
    /// True if the declaration holds; none if there are too few figures to tell.
    pub holds: Option<bool>,
}

#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub count: u64,
    pub bins: Vec<u64>,
    sum: f64,
    squares: f64,
    range: Option<(f64, f64)>,
}

impl Tally {
    fn add(&mut self, figure: f64, bins: Option<Bins>) {
        self.count += 1;
        self.sum += figure;
        self.squares += figure * figure;
        let (least, most) = self.range.unwrap_or((figure, figure));
        self.range = Some((least.min(figure), most.max(figure)));
        if let Some(bins) = bins {
            self.bins.resize(bins.count(), 0);
            self.bins[bins.of(figure)] += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.range = match (self.range, other.range) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
        self.bins.resize(self.bins.len().max(other.bins.len()), 0);
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, more)| *bin += more);
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    fn standard_error(&self) -> f64 {
        let count = self.count.max(1) as f64;
        let variance = self.squares / count - self.mean() * self.mean();
        (variance.max(0.0) / count).sqrt()
    }

    /// True if the bins have these shares: chi-square in its normal approximation.
    fn has_shares(&self, shares: &[f64]) -> bool {
        let freedom = shares.iter().filter(|share| **share > 0.0).count().saturating_sub(1) as f64;
        let terms = shares.iter().zip(&self.bins).map(|(share, bin)| {
            let (expected, found) = (share * self.count as f64, *bin as f64);
            if found == expected { 0.0 } else { (found - expected) * (found - expected) / expected }
        });
        terms.sum::<f64>() <= freedom + MOST_ERRORS * (2.0 * freedom).sqrt() + MOST_ERRORS
    }
}

pub struct Survey<'a> {
    tables: &'static [Table],
    properties: &'a [Property],
    /// Rows and bytes of each table.
    sizes: Vec<(u64, u64)>,
    tallies: Vec<Tally>,
    /// Rows by key, of properties that count them.
    keys: Vec<Vec<u32>>,
}

impl<'a> Survey<'a> {
    pub fn new(tables: &'static [Table], properties: &'a [Property]) -> Self {
        let keys = properties.iter().map(|property| match property.of {
            Of::Rows(_) => Vec::new(),
            Of::Keys(count, _) => vec![0; count as usize],
        });
        Self {
            tables,
            properties,
            sizes: vec![(0, 0); tables.len()],
            tallies: vec![Tally::default(); properties.len()],
            keys: keys.collect(),
        }
    }

    /// Adds a row of a surveyed table.
    pub fn take(&mut self, table: &Table, row: &[Value]) {
        let place = self.tables.iter().position(|known| known.name == table.name);
        let Some(place) = place else { return };
        let (rows, bytes) = &mut self.sizes[place];
        *rows += 1;
        *bytes += row.iter().map(size).sum::<u64>();
        for (index, property) in self.properties.iter().enumerate() {
            if !property.tables.contains(&table.name) {
                continue;
            }
            match &property.of {
                Of::Rows(figure) => {
                    figure(row).into_iter().for_each(|figure| self.tallies[index].add(figure, property.bins));
                }
                Of::Keys(_, key) => {
                    let count = key(row).and_then(|key| self.keys[index].get_mut(key as usize));
                    count.into_iter().for_each(|count| *count += 1);
                }
            }
        }
    }

    /// Adds the measurements of another survey.
    pub fn merge(&mut self, other: &Self) {
        self.sizes.iter_mut().zip(&other.sizes).for_each(|(size, more)| {
            size.0 += more.0;
            size.1 += more.1;
        });
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(tally, more)| tally.merge(more));
        for (keys, more) in self.keys.iter_mut().zip(&other.keys) {
            keys.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
    }

    /// The number of rows of each table, and their size as text.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64, u64)> {
        self.tables.iter().zip(&self.sizes).map(|(table, (rows, bytes))| (table.name, *rows, *bytes))
    }

    /// Each property with its figures, and the results of its declarations, after all rows were added.
    pub fn results(&self) -> Vec<(&'a Property, Tally, Vec<Verdict>)> {
        let all = self.properties.iter().zip(&self.tallies).zip(&self.keys);
        let result = |((property, tally), keys): ((&'a Property, &Tally), &Vec<u32>)| {
            let mut tally = tally.clone();
            keys.iter().for_each(|rows| tally.add(f64::from(*rows), property.bins));
            let verdicts = property.declared.iter().map(|declared| declared.judge(&tally, keys)).collect();
            (property, tally, verdicts)
        };
        all.map(result).collect()
    }
}

/// The size of a value as text, with a separator.
fn size(value: &Value) -> u64 {
    1 + match value {
        Value::Null => 2,
        Value::Integer(number) => digits(*number),
        Value::Money(amount) => digits(amount.0 / 100) + 3,
        Value::Text(text) => text.len() as u64,
        Value::Time(_) => 19,
    }
}

fn digits(number: i64) -> u64 {
    u64::from(number < 0) + u64::from(number.unsigned_abs().checked_ilog10().unwrap_or(0)) + 1
}

impl Declared {
    fn judge(&self, tally: &Tally, keys: &[u32]) -> Verdict {
        let (measured, holds) = match self {
            Self::Count(count) => (tally.count.to_string(), tally.count == *count),
            Self::Mean(mean) => {
                let away = (tally.mean() - mean).abs();
                let holds = away <= MOST_ERRORS * tally.standard_error() + 1e-9 * mean.abs();
                (plain(tally.mean()), holds && tally.count > 0)
            }
            Self::MeanBelow(bound) => (plain(tally.mean()), tally.mean() < *bound),
            Self::Within(least, most) => match tally.range {
                Some(range) => (
                    format!("{} to {}", plain(range.0), plain(range.1)),
                    range.0 >= *least && range.1 <= *most,
                ),
                None => ("none".to_owned(), true),
            },
            Self::Shares(shares) => {
                let holds = tally.has_shares(shares);
                (if holds { "as declared" } else { "otherwise" }.to_owned(), holds)
            }
            Self::Top { keys: top, least, most } => {
                let share = top_share(keys, *top);
                (percent(share), (*least..=*most).contains(&share))
            }
        };
        let figures = if let Self::Top { .. } = self { rows(keys) } else { tally.count };
        let is_exact = matches!(self, Self::Count(_) | Self::Within(..));
        let can_tell = holds || is_exact || figures >= ENOUGH_FIGURES;
        Verdict { declared: self.to_string(), measured, holds: can_tell.then_some(holds) }
    }
}

/// The share of all rows that the most frequent keys have.
fn top_share(keys: &[u32], top: f64) -> f64 {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let count = (keys.len() as f64 * top).ceil() as usize;
    rows(&sorted[..count.min(sorted.len())]) as f64 / (rows(&sorted) as f64).max(1.0)
}

/// The rows of all these keys.
fn rows(keys: &[u32]) -> u64 {
    keys.iter().map(|rows| u64::from(*rows)).sum()
}

impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count} of them"),
            Self::Mean(mean) => write!(f, "mean {}", plain(*mean)),
            Self::MeanBelow(bound) => write!(f, "mean below {}", plain(*bound)),
            Self::Within(least, most) => write!(f, "all from {} to {}", plain(*least), plain(*most)),
            Self::Shares(shares) if shares.iter().all(|share| *share == shares[0]) => {
                f.write_str("all alike")
            }
            Self::Shares(_) => f.write_str("with the given weights"),
            Self::Top { keys, least, most } => {
                write!(f, "the top {} have {} to {}", percent(*keys), percent(*least), percent(*most))
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", plain((share * 1000.0).round() / 10.0))
}

/// A figure with as many decimals as needed.
fn plain(figure: f64) -> String {
    let decimals = if figure.abs() < 10.0 { 4 } else { 1 };
    let text = format!("{figure:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Kind};

    static TABLES: [Table; 1] = [Table {
        name: "t",
        columns: &[Column { name: "id", kind: Kind::Integer }],
        moves_with_epoch: false,
    }];

    fn number(row: &[Value]) -> Option<f64> {
        match row {
            [Value::Integer(number)] => Some(*number as f64),
            _ => None,
        }
    }

    fn judged(of: Of, bins: Option<Bins>, declared: Declared, rows: &[i64]) -> bool {
        let property = [Property { name: "p", tables: &["t"], of, bins, declared: vec![declared] }];
        let mut halves = [(); 2].map(|()| Survey::new(&TABLES, &property));
        for (place, row) in rows.iter().enumerate() {
            halves[place % 2].take(&TABLES[0], &[Value::Integer(*row)]);
        }
        let [mut all, half] = halves;
        all.merge(&half);
        assert_eq!(all.sizes().next().map(|(_, count, _)| count), Some(rows.len() as u64));
        all.results()[0].2[0].holds.unwrap_or(true)
    }

    #[test]
    fn of_few_rows_nobody_can_tell() {
        let holds = |declared, rows: &[i64]| {
            let of = Of::Rows(Box::new(number));
            let property = [Property { name: "p", tables: &["t"], of, bins: None, declared: vec![declared] }];
            let mut survey = Survey::new(&TABLES, &property);
            rows.iter().for_each(|row| survey.take(&TABLES[0], &[Value::Integer(*row)]));
            survey.results()[0].2[0].holds
        };
        let (few, many) = ([1; 299], [1; 300]);
        assert_eq!(holds(Declared::Mean(0.97), &few), None);
        assert_eq!(holds(Declared::Mean(1.0), &few), Some(true));
        assert_eq!(holds(Declared::Mean(0.97), &many), Some(false));
        assert_eq!(holds(Declared::MeanBelow(0.5), &few), None);
        // A count and a range are exact.
        assert_eq!(holds(Declared::Count(2), &few), Some(false));
        assert_eq!(holds(Declared::Within(2.0, 3.0), &few), Some(false));
    }

    #[test]
    fn declarations_hold_or_fail() {
        let rows: Vec<i64> = (0..1000).collect();
        let row = |declared| judged(Of::Rows(Box::new(number)), None, declared, &rows);
        assert!(row(Declared::Count(1000)) && !row(Declared::Count(999)));
        assert!(row(Declared::Mean(505.0)) && !row(Declared::Mean(560.0)) && !row(Declared::Mean(440.0)));
        assert!(row(Declared::MeanBelow(500.0)) && !row(Declared::MeanBelow(499.0)));
        assert!(row(Declared::Within(0.0, 999.0)) && !row(Declared::Within(1.0, 999.0)));
        assert!(!row(Declared::Within(0.0, 998.0)));
    }

    #[test]
    fn shares_may_deviate_by_chance_only() {
        let bins = Some(Bins::Even { from: 0.0, width: 1.0, count: 4 });
        let declared = || Declared::Shares(vec![0.5, 0.25, 0.25, 0.0]);
        let with = |counts: [usize; 4]| {
            let rows: Vec<i64> = (0..).zip(counts).flat_map(|(row, count)| vec![row; count]).collect();
            judged(Of::Rows(Box::new(number)), bins, declared(), &rows)
        };
        assert!(with([500, 250, 250, 0]) && with([520, 240, 240, 0]));
        assert!(!with([600, 200, 200, 0]) && !with([499, 250, 250, 1]));
    }

    #[test]
    fn keys_without_rows_are_counted() {
        let keys = || Of::Keys(10, Box::new(number));
        let rows = [1, 1, 1, 1, 1, 1, 2, 3, 4, 5].repeat(ENOUGH_FIGURES as usize / 10);
        let top = |least, most| Declared::Top { keys: 0.1, least, most };
        assert!(judged(keys(), None, Declared::Count(10), &rows));
        assert!(judged(keys(), None, Declared::Mean(30.0), &rows));
        assert!(judged(keys(), None, top(0.6, 0.6), &rows) && !judged(keys(), None, top(0.61, 1.0), &rows));
    }

    #[test]
    fn figures_are_sorted_into_their_bins() {
        let even = Bins::Even { from: 1.0, width: 2.0, count: 3 };
        assert_eq!([0.0, 1.0, 2.9, 3.0, 6.9, 99.0].map(|figure| even.of(figure)), [0, 0, 0, 1, 2, 2]);
        let doubling = Bins::Doubling { count: 4 };
        assert_eq!([0.0, 1.0, 2.0, 3.0, 4.0, 99.0].map(|figure| doubling.of(figure)), [0, 1, 2, 2, 3, 3]);
        assert_eq!([0, 1, 2, 3].map(|bin| doubling.begin(bin)), [0.0, 1.0, 2.0, 4.0]);
    }

    #[test]
    fn sizes_are_those_of_the_text() {
        for value in [
            Value::Null,
            Value::Integer(-120),
            Value::Integer(0),
            Value::Money(crate::Money(1205)),
            Value::Text("é".into()),
            Value::Time(crate::Timestamp(0)),
        ] {
            let text = if value == Value::Null { "\\N".to_owned() } else { value.to_string() };
            assert_eq!(size(&value), text.len() as u64 + 1, "{text}");
        }
    }
}

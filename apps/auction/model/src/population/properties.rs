//! Declared properties of the generated rows: the figures of the papers (Middleware 2003: a million users, 33,000 items for
//! sale in 40 categories and 62 regions, half a million past auctions, 10 bids on an item, comments for 95 % of
//! transactions, less than 10 % bought at once), and those of the modules of the population.

use super::auctions::OLDEST_END;
use super::distribution::{CATEGORY_WEIGHTS, LAST_PART, LATE_PERCENT, MOST_BIDS, mean_bids_until_the_end};
use super::{DAY, Population};
use crate::parameters::RATINGS;
use crate::rows::{Bid, Comment, Item, Purchase, User};
use crate::words;
use application::{
    Bins, Dataset, Declared, Distribution, Figure, MOST_BYTES, Money, Of, Property, Table, Timestamp, Value,
};

const AUCTIONS: &[&str] = &["items", "old_items"];
const ITEMS: &[&str] = &["items"];
const OLD_ITEMS: &[&str] = &["old_items"];
const COMMENTS: &[&str] = &["comments"];

pub fn properties(dataset: &Dataset) -> Vec<Property> {
    let population = Population::new(dataset);
    let declare = Declare { dataset: *dataset, population };
    [declare.sizes(), declare.auctions(), declare.bids(), declare.sales(), declare.people()]
        .into_iter()
        .flatten()
        .collect()
}

struct Declare {
    dataset: Dataset,
    population: Population,
}

impl Declare {
    /// One or the other, by the distribution of the data.
    fn shaped<T>(&self, uniform: T, skewed: T) -> T {
        match self.dataset.distribution {
            Distribution::Uniform => uniform,
            Distribution::Skewed => skewed,
        }
    }

    fn sizes(&self) -> Vec<Property> {
        let Population { users, old_items, items, .. } = &self.population;
        let all = [
            ("categories", &["categories"] as &[&str], 40),
            ("regions", &["regions"], 62),
            ("users", &["users"], *users),
            ("items for sale", ITEMS, *items),
            ("old items", OLD_ITEMS, *old_items),
        ];
        let count = |(name, tables, rows): (_, _, i64)| Property {
            declared: vec![Declared::Count(rows.unsigned_abs())],
            ..plain(name, tables, Box::new(|_| Some(1.0)))
        };
        all.map(count).into()
    }

    fn auctions(&self) -> Vec<Property> {
        let Dataset { epoch, history, .. } = self.dataset;
        let (start, end) = (time(&Item::TABLE, "start_date"), time(&Item::TABLE, "end_date"));
        let is_open = share(move |row| end(row) >= epoch);
        let days = move |row: &[Value]| Some((end(row) - start(row)) as f64 / DAY as f64);
        let ago = move |row: &[Value]| Some((history - end(row)) as f64 / DAY as f64);
        let over = |name| {
            let price = money(&Item::TABLE, name);
            share(move |row| price(row) > Money(0))
        };
        let copies = number(&Item::TABLE, "quantity");
        let category = number(&Item::TABLE, "category");
        let weights: Vec<f64> =
            CATEGORY_WEIGHTS.iter().chain(&CATEGORY_WEIGHTS).map(|weight| f64::from(*weight)).collect();
        let categories = self.shaped(vec![1.0; words::CATEGORIES.len()], weights);
        vec![
            mean("items for sale that are open", ITEMS, is_open, 0.97),
            mean("items for sale with a reserve price", ITEMS, over("reserve_price"), 0.4),
            mean("items for sale that can be bought at once", ITEMS, over("buy_now"), 0.1),
            mean("old items with a reserve price", OLD_ITEMS, over("reserve_price"), 0.4),
            mean("old items that could be bought at once", OLD_ITEMS, over("buy_now"), 0.1),
            spread(
                "copies of an item for sale",
                ITEMS,
                Box::new(move |row| Some(copies(row) as f64)),
                1.0,
                1.0,
                {
                    let several = [0.2 / 9.0; 9];
                    [0.8].into_iter().chain(several).collect()
                },
            ),
            spread("days that an auction lasts", AUCTIONS, Box::new(days), 1.0, 0.25, vec![1.0; 24]),
            spread("days since an old auction ended", OLD_ITEMS, Box::new(ago), 1.0, 1.0, {
                vec![1.0; (OLDEST_END / DAY) as usize - 1]
            }),
            text("bytes of a description", AUCTIONS, &Item::TABLE, "description"),
            spread(
                "category of an auction",
                AUCTIONS,
                Box::new(move |row| Some(category(row) as f64)),
                1.0,
                1.0,
                categories,
            ),
            self.sellers(),
        ]
    }

    fn sellers(&self) -> Property {
        let seller = number(&Item::TABLE, "seller");
        let users = self.population.users.unsigned_abs();
        let auctions = (self.population.old_items + self.population.items) as f64;
        let (least, most) = self.shaped((0.0, 0.15), (0.45, 0.65));
        Property {
            of: Of::Keys(users, Box::new(move |row| Some((seller(row) - 1) as f64))),
            bins: Some(Bins::Doubling { count: 12 }),
            declared: vec![
                Declared::Mean(auctions / users as f64),
                Declared::Top { keys: 0.01, least, most },
            ],
            ..plain("auctions of a user", AUCTIONS, none())
        }
    }

    /// Until an auction ends, its late bids are still to come.
    fn bids(&self) -> Vec<Property> {
        let epoch = self.dataset.epoch;
        let late = LATE_PERCENT as f64 / 100.0;
        let last_part = 1.0 / LAST_PART as f64;
        let mean_until_the_end = mean_bids_until_the_end();
        let (early_mean, late_mean) =
            (mean_until_the_end * (1.0 - late) / 2.0, mean_until_the_end * (1.0 - late / 2.0));
        let open_mean = early_mean * (1.0 - last_part) + late_mean * last_part;
        let all_mean = self.shaped(MOST_BIDS as f64 / 2.0, 0.97 * open_mean + 0.03 * mean_until_the_end);
        let (start, end) = (time(&Item::TABLE, "start_date"), time(&Item::TABLE, "end_date"));
        let bids = number(&Item::TABLE, "nb_of_bids");
        let open = move |ends_soon: bool| -> Figure {
            Box::new(move |row| {
                let soon = (end(row) - epoch) * LAST_PART <= end(row) - start(row);
                (end(row) >= epoch && soon == ends_soon).then(|| bids(row) as f64)
            })
        };
        let uniform_mean = MOST_BIDS as f64 / 2.0;
        vec![
            self.bids_on_items(all_mean),
            mean(
                "bids on an open item that ends soon",
                ITEMS,
                open(true),
                self.shaped(uniform_mean, late_mean),
            ),
            mean(
                "bids on an open item that doesn't",
                ITEMS,
                open(false),
                self.shaped(uniform_mean, early_mean),
            ),
            self.dates_of_bids(),
        ]
    }

    fn bids_on_items(&self, mean: f64) -> Property {
        let Population { items, old_items, .. } = self.population;
        let item = number(&Bid::TABLE, "item_id");
        let several = vec![1.0 / (MOST_BIDS + 1) as f64; MOST_BIDS as usize + 1];
        let top = |least, most| Declared::Top { keys: 0.1, least, most };
        Property {
            of: Of::Keys(items.unsigned_abs(), Box::new(move |row| Some((item(row) - old_items - 1) as f64))),
            bins: Some(self.shaped(
                Bins::Even { from: 0.0, width: 1.0, count: several.len() },
                Bins::Doubling { count: 11 },
            )),
            declared: vec![
                Declared::Mean(mean),
                self.shaped(Declared::Shares(several), top(0.4, 0.75)),
                self.shaped(top(0.1, 0.25), Declared::Within(0.0, 420.0)),
            ],
            ..plain("bids on an item for sale", &["bids"], none())
        }
    }

    /// Dates of bids on closed auctions, in tenths of the auction's time.
    fn dates_of_bids(&self) -> Property {
        let population = Population::new(&self.dataset);
        let (item, date) = (number(&Bid::TABLE, "item_id"), time(&Bid::TABLE, "date"));
        let epoch = self.dataset.epoch;
        let place = move |row: &[Value]| {
            let (start, end) = population.time_of(item(row));
            (end < epoch).then(|| (date(row) - start) as f64 / (end - start) as f64)
        };
        let late = f64::from(LATE_PERCENT as u8) / (100 - LATE_PERCENT) as f64 * (LAST_PART - 1) as f64;
        let skewed = (1..LAST_PART).map(|_| 1.0).chain([late]).collect();
        let weights = self.shaped(vec![1.0; LAST_PART as usize], skewed);
        spread(
            "share of the time after which bids on closed items came",
            &["bids"],
            Box::new(place),
            0.0,
            1.0 / LAST_PART as f64,
            weights,
        )
    }

    fn sales(&self) -> Vec<Property> {
        let old_items = self.population.old_items.unsigned_abs();
        let (about, of) = (number(&Comment::TABLE, "item_id"), number(&Purchase::TABLE, "item_id"));
        let rating = number(&Comment::TABLE, "rating");
        let per_old_item = |name, tables, item: Figure, declared| Property {
            of: Of::Keys(old_items, item),
            declared,
            ..plain(name, tables, none())
        };
        let (least, most) = (RATINGS[0], RATINGS[RATINGS.len() - 1]);
        let ratings =
            (least..=most).map(|rating| if RATINGS.contains(&rating) { 1.0 } else { 0.0 }).collect();
        vec![
            per_old_item(
                "purchases of an old item",
                &["buy_now"],
                Box::new(move |row| Some((of(row) - 1) as f64)),
                vec![Declared::MeanBelow(0.1), Declared::Mean(0.05), Declared::Within(0.0, 1.0)],
            ),
            per_old_item(
                "comments on an old item",
                COMMENTS,
                Box::new(move |row| Some((about(row) - 1) as f64)),
                vec![Declared::Mean(0.95), Declared::Within(0.0, 1.0)],
            ),
            spread(
                "rating in a comment",
                COMMENTS,
                Box::new(move |row| Some(rating(row) as f64)),
                least as f64,
                1.0,
                ratings,
            ),
            text("bytes of a comment", COMMENTS, &Comment::TABLE, "comment"),
        ]
    }

    fn people(&self) -> Vec<Property> {
        let region = number(&User::TABLE, "region");
        let regions = vec![1.0; words::REGIONS.len()];
        vec![spread(
            "region of a user",
            &["users"],
            Box::new(move |row| Some(region(row) as f64)),
            1.0,
            1.0,
            regions,
        )]
    }
}

fn none() -> Figure {
    Box::new(|_| None)
}

fn plain(name: &'static str, tables: &'static [&'static str], figure: Figure) -> Property {
    Property { name, tables, of: Of::Rows(figure), bins: None, declared: Vec::new() }
}

fn mean(name: &'static str, tables: &'static [&'static str], figure: Figure, mean: f64) -> Property {
    Property { declared: vec![Declared::Mean(mean)], ..plain(name, tables, figure) }
}

/// A figure with weighted bins, the first of which begins at `from`.
fn spread(
    name: &'static str,
    tables: &'static [&'static str],
    figure: Figure,
    from: f64,
    width: f64,
    weights: Vec<f64>,
) -> Property {
    let all: f64 = weights.iter().sum();
    let shares: Vec<f64> = weights.into_iter().map(|weight| weight / all).collect();
    let to = from + width * shares.len() as f64;
    Property {
        bins: Some(Bins::Even { from, width, count: shares.len() }),
        declared: vec![Declared::Shares(shares), Declared::Within(from, to)],
        ..plain(name, tables, figure)
    }
}

/// The length of a text.
fn text(
    name: &'static str,
    tables: &'static [&'static str],
    table: &Table,
    column: &'static str,
) -> Property {
    let place = place(table, column);
    let length: Figure = Box::new(move |row| match &row[place] {
        Value::Text(text) => Some(text.len() as f64),
        _ => None,
    });
    Property {
        bins: Some(Bins::Even { from: 0.0, width: MOST_BYTES as f64 / 32.0, count: 32 }),
        declared: vec![Declared::Mean(MOST_BYTES as f64 / 2.0), Declared::Within(1.0, MOST_BYTES as f64)],
        ..plain(name, tables, length)
    }
}

/// 1 for the rows that satisfy `is_so`, and 0 for others: their mean is a share.
fn share(is_so: impl Fn(&[Value]) -> bool + Send + Sync + 'static) -> Figure {
    Box::new(move |row| Some(if is_so(row) { 1.0 } else { 0.0 }))
}

fn place(table: &Table, column: &str) -> usize {
    table.columns.iter().position(|known| known.name == column).expect("properties name columns that exist")
}

fn number(table: &Table, column: &str) -> impl Fn(&[Value]) -> i64 + Copy + use<> {
    let place = place(table, column);
    move |row| match row[place] {
        Value::Integer(number) => number,
        _ => 0,
    }
}

fn money(table: &Table, column: &str) -> impl Fn(&[Value]) -> Money + Copy + use<> {
    let place = place(table, column);
    move |row| match row[place] {
        Value::Money(amount) => amount,
        _ => Money(0),
    }
}

fn time(table: &Table, column: &str) -> impl Fn(&[Value]) -> Timestamp + Copy + use<> {
    let place = place(table, column);
    move |row| match row[place] {
        Value::Time(instant) => instant,
        _ => Timestamp(0),
    }
}

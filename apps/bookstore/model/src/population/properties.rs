//! Declared properties of the generated rows: the cardinalities and distributions of the specification.

use super::Population;
use crate::rows::{Item, Order, OrderLine};
use application::{Bins, Dataset, Declared, Of, Property, Table, Value};

pub fn properties(dataset: &Dataset) -> Vec<Property> {
    let population = Population::new(dataset);
    let Population { items, authors, customers, addresses, orders, .. } = &population;
    let sizes = [
        ("countries", "country", 92),
        ("authors", "author", *authors),
        ("items", "item", *items),
        ("addresses", "address", *addresses),
        ("customers", "customer", *customers),
        ("orders", "orders", *orders),
        ("lines of orders", "order_line", 3 * orders),
        ("payments", "cc_xacts", *orders),
    ];
    let size = |(name, table, rows): (&'static str, &'static str, i64)| Property {
        name,
        tables: one(table),
        of: Of::Rows(Box::new(|_| Some(1.0))),
        bins: None,
        declared: vec![Declared::Count(rows.unsigned_abs())],
    };
    let mut all: Vec<Property> = sizes.map(size).into();
    all.extend([
        even("stock of an item", &Item::TABLE, "i_stock", 10.0, 1.0, 21),
        even("discount of a line, in percent", &OrderLine::TABLE, "ol_discount", 0.0, 1.0, 31),
        even("copies of a line", &OrderLine::TABLE, "ol_qty", 1.0, 10.0, 30),
        keys("lines of an item", &OrderLine::TABLE, "ol_i_id", *items, 3.0 * *orders as f64 / *items as f64),
        keys("orders of a customer", &Order::TABLE, "o_c_id", *customers, *orders as f64 / *customers as f64),
        keys("items of an author", &Item::TABLE, "i_a_id", *authors, *items as f64 / *authors as f64),
    ]);
    all
}

/// The table as a list of names.
fn one(table: &'static str) -> &'static [&'static str] {
    let at =
        crate::rows::TABLES.iter().position(|known| known.name == table).expect("a table of the bookstore");
    &NAMES[at..=at]
}

/// As in [`crate::rows::TABLES`].
const NAMES: [&str; 10] = [
    "country",
    "author",
    "item",
    "address",
    "customer",
    "orders",
    "order_line",
    "cc_xacts",
    "shopping_cart",
    "shopping_cart_line",
];

fn number(table: &Table, column: &str) -> impl Fn(&[Value]) -> Option<f64> + Send + Sync + use<> {
    let at = table.columns.iter().position(|known| known.name == column).expect("a column of the table");
    move |row| match row[at] {
        Value::Integer(number) => Some(number as f64),
        _ => None,
    }
}

/// A number whose bins have all the same share.
fn even(name: &'static str, table: &Table, column: &str, from: f64, width: f64, count: usize) -> Property {
    let figure = number(table, column);
    Property {
        name,
        tables: one(table.name),
        of: Of::Rows(Box::new(move |row| figure(row))),
        bins: Some(Bins::Even { from, width, count }),
        declared: vec![
            Declared::Within(from, from + width * count as f64 - 1.0),
            Declared::Shares(vec![1.0 / count as f64; count]),
        ],
    }
}

/// Mean rows of each key.
fn keys(name: &'static str, table: &Table, column: &str, count: i64, mean: f64) -> Property {
    let key = number(table, column);
    Property {
        name,
        tables: one(table.name),
        of: Of::Keys(count.unsigned_abs(), Box::new(move |row| key(row).map(|key| key - 1.0))),
        bins: Some(Bins::Doubling { count: 12 }),
        declared: vec![Declared::Mean(mean), Declared::Top { keys: 0.01, least: 0.0, most: 0.25 }],
    }
}

//! An application with one table, whose rows a test chooses.

use application::{
    Account, Application, Branch, Catalogue, Column, Dataset, Generator, Kind, Model, Property, Row,
    StaticFile, Table, TokenKey, Value, Write,
};
use auction::AUCTION;
use std::ops::Range;

/// One table of values of all sorts.
pub(crate) struct Odd {
    rows: Vec<Row>,
    /// True if there are endless other rows instead.
    endless: bool,
}

pub(crate) static ODD: [Table; 1] = [Table {
    name: "odd",
    columns: &[
        Column { name: "id", kind: Kind::Integer },
        Column { name: "text", kind: Kind::Text },
        Column { name: "amount", kind: Kind::Money },
        Column { name: "instant", kind: Kind::Time },
    ],
    moves_with_epoch: false,
}];

impl Odd {
    pub(crate) fn new(rows: Vec<Row>) -> Self {
        Self { rows, endless: false }
    }

    pub(crate) fn endless() -> Self {
        Self { rows: Vec::new(), endless: true }
    }

    /// Its table as these databases name what it holds.
    pub(crate) fn schema(database: &str) -> &'static str {
        match database {
            "mariadb" => {
                "CREATE TABLE odd (id BIGINT PRIMARY KEY, text VARCHAR(200), amount DECIMAL(12,2), instant DATETIME, \
                 KEY odd_text (text)) ENGINE={{ engine }}"
            }
            "postgresql" => {
                "CREATE TABLE odd (id BIGINT PRIMARY KEY, text VARCHAR(200), amount DECIMAL(12,2), instant TIMESTAMP); \
                 CREATE INDEX odd_text ON odd (text)"
            }
            other => panic!("no database is called {other}"),
        }
    }
}

/// The rows of [`Odd`], by their places.
struct Places {
    rows: Vec<Row>,
    endless: bool,
}

impl Generator for Places {
    fn units(&self, _table: &Table) -> u64 {
        if self.endless { 1 << 40 } else { self.rows.len() as u64 }
    }

    fn rows(&self, _table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        for unit in units {
            if self.endless {
                take(&[Value::Integer(unit as i64), Value::Text("x".repeat(40)), Value::Null, Value::Null]);
            } else {
                take(&self.rows[unit as usize]);
            }
        }
    }
}

impl Application for Odd {
    fn name(&self) -> &'static str {
        "odd"
    }

    fn tables(&self) -> &'static [Table] {
        &ODD
    }

    fn generator(&self, _dataset: &Dataset) -> Box<dyn Generator> {
        Box::new(Places { rows: self.rows.clone(), endless: self.endless })
    }

    fn catalogue(&self) -> &'static Catalogue {
        AUCTION.catalogue()
    }

    fn properties(&self, _dataset: &Dataset) -> Vec<Property> {
        Vec::new()
    }

    fn accounts(&self, _dataset: &Dataset) -> u64 {
        0
    }

    fn account(&self, number: u64) -> Account {
        AUCTION.account(number)
    }

    fn static_files(&self) -> Vec<StaticFile> {
        Vec::new()
    }

    fn model(&self, dataset: &Dataset, key: TokenKey) -> Box<dyn Model> {
        AUCTION.model(dataset, key)
    }

    fn branches(&self, _dataset: &Dataset, _key: &TokenKey) -> Vec<Branch> {
        Vec::new()
    }

    fn contention(&self, _dataset: &Dataset, _count: usize) -> Vec<Write> {
        Vec::new()
    }
}

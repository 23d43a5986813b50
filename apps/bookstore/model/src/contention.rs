//! Conflicting writes: many clients write to few rows at once.

use crate::{
    population::Population,
    requests::{add, confirm, refresh, register},
    rows::{Customer, Order},
    words,
};
use application::{Dataset, Step, Value, Write};

/// The number of carts to be ordered.
const CARTS: i64 = 200;

/// The number of books in all of them together.
const BOOKS: i64 = 7;

/// Books in the carts: each has three of few, in changing order, so that all orders want the same rows.
pub fn preparation(_dataset: &Dataset) -> Vec<Step> {
    let cart = |cart: i64| {
        let [one, two, three] = [0, 1, 2].map(|place| (cart + place * (1 + cart % 3)) % BOOKS + 1);
        let quantities = [one, two, three].map(|book| (book, (cart + book) % 9 + 1));
        [add(None, one), add(Some(cart), two), add(Some(cart), three), refresh(cart, &quantities)]
    };
    (1..=CARTS + 1).flat_map(cart).collect()
}

/// Three of four are orders: each cart is ordered several times, concurrently if possible, each time with another shipping,
/// so that the row identifies its order. The others register, and several want each user name.
pub fn contention(dataset: &Dataset, count: usize) -> Vec<Write> {
    let customers = Population::new(dataset).customers;
    (0..count as i64).map(|number| write(number, customers)).collect()
}

fn write(number: i64, customers: i64) -> Write {
    let ways = words::SHIPPING.len() as i64;
    if number % 4 == 3 {
        return registration(number / 4);
    }
    let order = number - number / 4;
    let (cart, way) = (order / ways % CARTS + 1, words::SHIPPING[(order % ways) as usize].0);
    // After this many orders, another customer orders the same cart once more.
    let customer = (cart + CARTS * (order / (ways * CARTS))) % customers + 1;
    Write {
        step: confirm(customer, cart, &[("SHIPPING", way)]),
        table: Order::TABLE.name,
        mark: vec![("o_c_id", Value::Integer(customer)), ("o_ship_type", Value::Text(way.to_owned()))],
    }
}

/// All of them use the last cart, which is never ordered.
fn registration(number: i64) -> Write {
    let (uname, street) = (format!("rival{}", number / 5), format!("{number} Rival Street"));
    let phone = format!("{number}");
    Write {
        step: register(CARTS + 1, &[("NEW_UNAME", &uname), ("STREET_1", &street), ("PHONE", &phone)]),
        table: Customer::TABLE.name,
        mark: vec![("c_uname", Value::Text(uname)), ("c_phone", Value::Text(phone))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BOOKSTORE, BookstoreModel, rows};
    use application::{Application, Model, Timestamp, TokenKey};
    use std::collections::{BTreeMap, BTreeSet};

    const DATASET: Dataset = Dataset::new(1, 0.01, Timestamp(1_800_000_000));

    /// The ids of the rows with the mark of a write.
    fn marked(model: &BookstoreModel, write: &Write) -> Vec<i64> {
        let table = rows::TABLES.iter().find(|table| table.name == write.table).unwrap();
        let at = |name: &str| table.columns.iter().position(|column| column.name == name).unwrap();
        let generated = if write.table == "orders" { 3_600 } else { 0 };
        let has_mark = |row: &Vec<Value>| write.mark.iter().all(|(name, value)| row[at(name)] == *value);
        let ids = model.rows(table).into_iter().skip(generated).filter(has_mark).map(|row| match row[0] {
            Value::Integer(id) => id,
            _ => unreachable!("ids are whole numbers"),
        });
        ids.collect()
    }

    #[test]
    fn a_write_that_is_accepted_makes_the_row_with_its_mark_and_nothing_else_does() {
        let mut model = BookstoreModel::new(&DATASET, TokenKey::new("secret"));
        for step in BOOKSTORE.preparation(&DATASET) {
            let request = step.request(&model.key, DATASET.epoch);
            assert_eq!(model.respond(&request, DATASET.epoch).status, 200, "{step}");
        }
        let mut statuses: BTreeMap<&str, BTreeMap<u16, usize>> = BTreeMap::new();
        let mut first_rows = BTreeSet::new();
        for write in BOOKSTORE.contention(&DATASET, 1_500) {
            let before = marked(&model, &write);
            assert!(before.is_empty(), "{}", write.step);
            let request = write.step.request(&model.key, DATASET.epoch);
            let status = model.respond(&request, DATASET.epoch).status;
            let rows = marked(&model, &write);
            assert_eq!(rows.len(), usize::from(status == 200), "{}", write.step);
            assert!(rows.iter().all(|id| first_rows.insert((write.table, *id))));
            *statuses.entry(write.table).or_default().entry(status).or_default() += 1;
        }
        let orders = BTreeMap::from([(200, 188), (409, 937)]);
        let customers = BTreeMap::from([(200, 75), (409, 300)]);
        assert_eq!(statuses, BTreeMap::from([("orders", orders), ("customer", customers)]));
    }
}

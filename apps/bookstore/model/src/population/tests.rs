//! The generated rows are the same for any order and partition, satisfy the rules, and don't move with the epoch.

use super::*;
use crate::rows::TABLES;
use crate::store::{Totals, reduced};
use application::{Account, Row, Survey, password_hash};
use std::collections::{BTreeSet, HashMap};

const HISTORY: Timestamp = Timestamp(1_800_000_000);

fn dataset(seed: u64, scale: f64) -> Dataset {
    Dataset::new(seed, scale, HISTORY)
}

fn small() -> Population {
    Population::new(&dataset(1, 0.0))
}

fn made(population: &Population, table: &Table, units: Range<u64>) -> Vec<Row> {
    let mut rows = Vec::new();
    population.rows(table, units, &mut |row| rows.push(row.to_vec()));
    rows
}

#[test]
fn rows_are_the_same_however_units_are_cut_and_whatever_was_made_before() {
    for table in &TABLES {
        let (population, units) = (small(), small().units(table));
        let whole = made(&population, table, 0..units);
        let [one, two] = [units / 3, units / 3 * 2 + 1].map(|cut| cut.min(units));
        let parts = [two..units, 0..one, one..two].map(|part| made(&small(), table, part));
        let [last, first, middle] = parts;
        assert!([first, middle, last].concat() == whole, "{}", table.name);
    }
}

#[test]
fn ids_are_given_in_order_from_1() {
    let population = Population::new(&dataset(2, 0.02));
    for table in &TABLES {
        let rows = made(&population, table, 0..population.units(table));
        for (id, row) in (1..).zip(rows) {
            assert_eq!(row[0], Value::Integer(id), "{}", table.name);
        }
    }
}

#[test]
fn rows_move_with_the_history_and_not_with_the_epoch() {
    let restored = Dataset { epoch: HISTORY + 1_000_000, ..dataset(1, 0.0) };
    let other = dataset(3, 0.0);
    for table in &TABLES {
        let rows = |dataset: &Dataset| {
            let population = Population::new(dataset);
            made(&population, table, 0..population.units(table).min(200))
        };
        assert!(rows(&restored) == rows(&dataset(1, 0.0)), "{}", table.name);
        let is_fixed = table.name == "country" || rows(&other).is_empty();
        assert_eq!(rows(&other) == rows(&dataset(1, 0.0)), is_fixed, "{}", table.name);
        assert!(!table.moves_with_epoch);
    }
}

#[test]
fn there_are_as_many_as_in_the_specification() {
    let of = |scale| {
        let Population { items, authors, customers, addresses, orders, .. } =
            Population::new(&dataset(1, scale));
        (items, authors, customers, addresses, orders)
    };
    assert_eq!(of(1.0), (10_000, 2_500, 288_000, 576_000, 259_200));
    assert_eq!(of(0.0), (1_000, 250, 4_000, 8_000, 3_600));
    assert_eq!(of(0.05), (1_000, 250, 14_400, 28_800, 12_960));
}

#[test]
fn orders_add_up_and_their_payments_are_their_totals() {
    let population = small();
    let mut lines: HashMap<i64, Vec<OrderLine>> = HashMap::new();
    population.order_lines().for_each(|line| lines.entry(line.ol_o_id).or_default().push(line));
    let mut counts = [0; 6];
    let mut last = Timestamp(0);
    for (order, payment) in population.orders().zip(population.payments()) {
        let own = &lines[&order.o_id];
        counts[own.len()] += 1;
        let totals = Totals::of(own.iter().map(|line| (line.ol_price, line.ol_qty)));
        assert_eq!(
            (order.o_sub_total, order.o_tax, order.o_total),
            (totals.sub_total, totals.tax, totals.total)
        );
        assert_eq!((payment.cx_o_id, payment.cx_xact_amt), (order.o_id, order.o_total));
        assert!(payment.cx_num.starts_with("************") && payment.cx_num.len() == 16);
        let address = population.address(order.o_ship_addr_id);
        assert_eq!(payment.cx_co_id, address.addr_co_id);
        assert_eq!(order.o_bill_addr_id, population.customer(order.o_c_id).c_addr_id);
        assert!(last <= order.o_date && order.o_date < HISTORY && order.o_ship_date >= order.o_date);
        last = order.o_date;
        for line in own {
            assert_eq!(line.ol_price, reduced(population.item(line.ol_i_id).i_cost, line.ol_discount));
            assert!((1..=300).contains(&line.ol_qty) && line.ol_comments.len() <= 100);
        }
    }
    assert_eq!(counts, [0, 720, 720, 720, 720, 720]);
}

#[test]
fn stock_is_what_deliveries_of_21_have_left() {
    let population = small();
    let mut sold: HashMap<i64, i64> = HashMap::new();
    population.order_lines().for_each(|line| *sold.entry(line.ol_i_id).or_default() += line.ol_qty);
    for item in population.items() {
        let copies = sold.get(&item.i_id).copied().unwrap_or_default();
        assert_eq!((item.i_stock + copies - item.i_id).rem_euclid(21), 0);
        assert!((10..=30).contains(&item.i_stock));
    }
}

#[test]
fn books_are_as_the_specification_says() {
    let population = Population::new(&dataset(1, 0.2));
    assert_eq!(population.items, 2_000);
    let (mut titles, mut longest) = (HashMap::new(), 0);
    for item in population.items() {
        assert!(item.i_id > population.authors || item.i_a_id == item.i_id);
        assert!((1..=population.authors).contains(&item.i_a_id));
        let related: BTreeSet<i64> = item.related().into();
        assert!(related.len() == 5 && !related.contains(&item.i_id));
        assert!(related.iter().all(|id| (1..=population.items).contains(id)));
        assert!(item.i_cost <= item.i_srp && item.i_cost.0 * 2 >= item.i_srp.0 - 1);
        assert!((14..=60).contains(&item.i_title.chars().count()), "{}", item.i_title);
        assert!(item.i_avail > item.i_pub_date && item.i_dimensions.len() <= 25 && item.i_desc.len() <= 500);
        *titles.entry(item.i_title[..14].to_owned()).or_insert(0) += 1;
        longest = longest.max(item.i_title.len());
    }
    // Names from 0 to a fifth of the items.
    assert_eq!(titles.len(), 401);
    assert!(titles.values().all(|count| [4, 5].contains(count)) && longest > 40);
    let names: BTreeSet<String> = population.authors().map(|author| author.a_lname).collect();
    assert_eq!(names.len(), 201);
}

#[test]
fn every_account_can_log_in_and_lives_somewhere() {
    let population = small();
    for (number, customer) in (1..).zip(population.customers()) {
        let Account { nickname, password } = account(number);
        if number < 100 {
            assert_eq!(customer.c_passwd, password_hash(&nickname, &password));
        }
        assert_eq!(customer.c_uname, nickname);
        assert!((1..=population.addresses).contains(&customer.c_addr_id));
        assert!(customer.c_since <= customer.c_last_login && customer.c_last_login <= HISTORY);
        let (name, address) = population.customer_head(customer.c_id);
        assert_eq!(
            (name, address),
            (format!("{} {}", customer.c_fname, customer.c_lname), customer.c_addr_id)
        );
        assert!(customer.c_fname.chars().count() <= 17 && customer.c_lname.chars().count() <= 17);
    }
    for address in population.addresses() {
        let lengths = [
            (&address.addr_street1, 40),
            (&address.addr_street2, 40),
            (&address.addr_city, 30),
            (&address.addr_state, 20),
            (&address.addr_zip, 10),
        ];
        assert!(lengths.into_iter().all(|(text, most)| (2..=most).contains(&text.chars().count())));
    }
}

#[test]
fn what_is_declared_holds() {
    for seed in 1..=3 {
        let dataset = dataset(seed, 0.02);
        let (population, properties) = (Population::new(&dataset), properties(&dataset));
        let mut survey = Survey::new(&TABLES, &properties);
        for table in &TABLES {
            population.rows(table, 0..population.units(table), &mut |row| survey.take(table, row));
        }
        for (property, _, verdicts) in survey.results() {
            for verdict in verdicts {
                assert_eq!(verdict.holds, Some(true), "seed {seed}, {}: {verdict:?}", property.name);
            }
        }
    }
}

/// FNV-1a of rows as printed by databases.
fn digest(rows: &[Row]) -> u64 {
    let text: String = rows.iter().flatten().map(|value| format!("{value}\t")).collect();
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn rows_are_the_same_bytes_on_every_machine_and_in_every_version() {
    let population = small();
    let first = |table: &Table| digest(&made(&population, table, 0..population.units(table).min(100)));
    let digests: Vec<(&str, String)> =
        TABLES[..8].iter().map(|table| (table.name, format!("{:016x}", first(table)))).collect();
    let digests: Vec<(&str, &str)> =
        digests.iter().map(|(table, digest)| (*table, digest.as_str())).collect();
    assert_eq!(digests, DIGESTS, "if that is meant, pin these digests");
}

const DIGESTS: [(&str, &str); 8] = [
    ("country", "c0a496cea5c4be34"),
    ("author", "1e0cba9078dae714"),
    ("item", "2b3e074926375e32"),
    ("address", "f76c61ddad14175e"),
    ("customer", "5d34aecc84135846"),
    ("orders", "adfa6338add55d4c"),
    ("order_line", "7747295bf2a0685a"),
    ("cc_xacts", "0be60e5a937f8daa"),
];

//! The rows in memory, with the secondary orders that pages need.
//!
//! Only lines of carts are ever deleted, and ids are given in order, so that any other row's id is its position. The rules
//! are in the modules `carts`, `customers`, `orders`, `administration`; the pages' lists in `searches`.

mod administration;
mod carts;
mod customers;
mod orders;
mod searches;

pub use administration::Change;
pub use carts::{CartFacts, Kept, MOST_COPIES, MOST_LINES, Wanted};
pub use customers::{NewAddress, NewCustomer};
pub use orders::{Checkout, Confirmation, Totals, masked, reduced};
pub use searches::{Found, Search, scattered_item};

use crate::fault::Fault;
use crate::population::{self, Population};
use crate::rows::{Address, Author, Cart, CartLine, Country, Customer, Item, Order, OrderLine, Payment};
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, PartialEq)]
pub struct Store {
    pub countries: Vec<Country>,
    pub authors: Vec<Author>,
    pub items: Vec<Item>,
    pub addresses: Vec<Address>,
    pub customers: Vec<Customer>,
    pub orders: Vec<Order>,
    pub order_lines: Vec<OrderLine>,
    pub payments: Vec<Payment>,
    pub carts: Vec<Cart>,
    pub cart_lines: BTreeMap<i64, CartLine>,
    /// The number of all lines that carts ever had.
    cart_lines_given: i64,
    customer_by_uname: HashMap<String, i64>,
    /// The first address with these columns but the id.
    address_by_text: HashMap<NewAddress, i64>,
    orders_by_customer: Index,
    lines_by_order: Index,
}

/// Ids of the rows of each key, in order.
type Index = HashMap<i64, Vec<i64>>;

impl Store {
    pub fn new(population: &Population) -> Self {
        let mut store = Self {
            countries: population::countries().collect(),
            authors: population.authors().collect(),
            items: population.items().collect(),
            addresses: Vec::new(),
            customers: Vec::new(),
            orders: Vec::new(),
            order_lines: Vec::new(),
            payments: population.payments().collect(),
            carts: Vec::new(),
            cart_lines: BTreeMap::new(),
            cart_lines_given: 0,
            customer_by_uname: HashMap::new(),
            address_by_text: HashMap::new(),
            orders_by_customer: Index::new(),
            lines_by_order: Index::new(),
        };
        population.addresses().for_each(|address| store.add_address(address));
        population.customers().for_each(|customer| store.add_customer(customer));
        population.orders().for_each(|order| store.add_order(order));
        population.order_lines().for_each(|line| store.add_order_line(line));
        store
    }

    pub fn country(&self, id: i64) -> Option<&Country> {
        at(&self.countries, id)
    }

    pub fn countries_by_name(&self) -> Vec<&Country> {
        let mut countries: Vec<&Country> = self.countries.iter().collect();
        countries.sort_by_key(|country| (&country.co_name, country.co_id));
        countries
    }

    pub fn item(&self, id: i64) -> Result<&Item, Fault> {
        at(&self.items, id).ok_or(Fault::Unknown { what: "book", id })
    }

    pub fn customer(&self, id: i64) -> Result<&Customer, Fault> {
        at(&self.customers, id).ok_or(Fault::Unknown { what: "customer", id })
    }

    /// The item that a row refers to.
    pub fn known_item(&self, id: i64) -> &Item {
        self.item(id).expect("rows refer to items that exist")
    }

    pub fn author(&self, item: &Item) -> &Author {
        at(&self.authors, item.i_a_id).expect("items refer to authors that exist")
    }

    /// An address that a row refers to, with the name of its country.
    pub fn address(&self, id: i64) -> (&Address, &str) {
        let address = at(&self.addresses, id).expect("rows refer to addresses that exist");
        let country = self.country(address.addr_co_id).expect("addresses refer to countries that exist");
        (address, &country.co_name)
    }

    fn item_mut(&mut self, id: i64) -> &mut Item {
        &mut self.items[id as usize - 1]
    }
}

fn at<T>(rows: &[T], id: i64) -> Option<&T> {
    rows.get(usize::try_from(id).ok()?.checked_sub(1)?)
}

fn next_id<T>(rows: &[T]) -> i64 {
    rows.len() as i64 + 1
}

//! The tables of the bookstore: one struct each, whose fields are the columns of the schema in their order.

use application::{Money, Table, Timestamp, table};

table! {
    Country in country {
        co_id: i64,
        co_name: String,
        /// Value of one unit of its currency, in millionths of a dollar.
        co_exchange: i64,
        co_currency: String,
    }
}

table! {
    Author in author {
        a_id: i64,
        a_fname: String,
        a_lname: String,
        a_mname: String,
        a_dob: Timestamp,
        a_bio: String,
    }
}

table! {
    Item in item {
        i_id: i64,
        i_title: String,
        i_a_id: i64,
        i_pub_date: Timestamp,
        i_publisher: String,
        i_subject: String,
        i_desc: String,
        i_related1: i64,
        i_related2: i64,
        i_related3: i64,
        i_related4: i64,
        i_related5: i64,
        /// A path below the bookstore's, like `i_image`.
        i_thumbnail: String,
        i_image: String,
        /// The price that the publisher suggests.
        i_srp: Money,
        i_cost: Money,
        i_avail: Timestamp,
        i_stock: i64,
        i_isbn: String,
        i_page: i64,
        i_backing: String,
        i_dimensions: String,
    }
}

table! {
    Address in address {
        addr_id: i64,
        addr_street1: String,
        addr_street2: String,
        addr_city: String,
        addr_state: String,
        addr_zip: String,
        addr_co_id: i64,
    }
}

table! {
    Customer in customer {
        c_id: i64,
        c_uname: String,
        /// See [`application::password_hash`].
        c_passwd: String,
        c_fname: String,
        c_lname: String,
        c_addr_id: i64,
        c_phone: String,
        c_email: String,
        c_since: Timestamp,
        c_last_login: Timestamp,
        c_login: Timestamp,
        c_expiration: Timestamp,
        /// In percent.
        c_discount: i64,
        c_balance: Money,
        c_ytd_pmt: Money,
        c_birthdate: Timestamp,
        c_data: String,
    }
}

table! {
    Order in orders {
        o_id: i64,
        o_c_id: i64,
        o_date: Timestamp,
        o_sub_total: Money,
        o_tax: Money,
        o_total: Money,
        o_ship_type: String,
        o_ship_date: Timestamp,
        o_bill_addr_id: i64,
        o_ship_addr_id: i64,
        o_status: String,
    }
}

table! {
    OrderLine in order_line {
        ol_id: i64,
        ol_o_id: i64,
        ol_i_id: i64,
        ol_qty: i64,
        /// In percent; `ol_price` contains it.
        ol_discount: i64,
        /// Of one copy.
        ol_price: Money,
        ol_comments: String,
    }
}

table! {
    /// A payment of an order by credit card.
    Payment in cc_xacts {
        cx_o_id: i64,
        cx_type: String,
        /// All but its last four digits are stars.
        cx_num: String,
        cx_name: String,
        cx_expire: Timestamp,
        cx_auth_id: String,
        cx_xact_amt: Money,
        cx_xact_date: Timestamp,
        cx_co_id: i64,
    }
}

table! {
    Cart in shopping_cart {
        sc_id: i64,
        sc_time: Timestamp,
        /// The order of this cart.
        sc_o_id: Option<i64>,
    }
}

table! {
    CartLine in shopping_cart_line {
        scl_id: i64,
        scl_sc_id: i64,
        scl_i_id: i64,
        scl_qty: i64,
    }
}

/// All tables, in an order in which they can be loaded.
pub static TABLES: [Table; 10] = [
    Country::TABLE,
    Author::TABLE,
    Item::TABLE,
    Address::TABLE,
    Customer::TABLE,
    Order::TABLE,
    OrderLine::TABLE,
    Payment::TABLE,
    Cart::TABLE,
    CartLine::TABLE,
];

impl Item {
    /// Related items, as they are listed.
    pub fn related(&self) -> [i64; 5] {
        [self.i_related1, self.i_related2, self.i_related3, self.i_related4, self.i_related5]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::Kind;

    /// The columns of a table as a schema declares them, in its own words for instants.
    fn declared(schema: &'static str, table: &str) -> Vec<(&'static str, Kind)> {
        let (_, body) =
            schema.split_once(&format!("CREATE TABLE {table} (\n")).expect("the schema has the table");
        let (body, _) = body.split_once("\n)").expect("the table ends");
        let columns = body.lines().map(|line| line.trim().split_once(' ').expect("a name and a type"));
        columns
            .filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_lowercase()))
            .map(|(name, sort)| match sort {
                _ if sort.starts_with("INT") => (name, Kind::Integer),
                _ if sort.starts_with("DECIMAL(12,2)") => (name, Kind::Money),
                _ if sort.starts_with("DATETIME") || sort.starts_with("TIMESTAMP(0)") => (name, Kind::Time),
                _ if sort.starts_with("VARCHAR") || sort.starts_with("CHAR(") => (name, Kind::Text),
                _ => panic!("{name} has the unknown type {sort}"),
            })
            .collect()
    }

    #[test]
    fn rows_have_the_columns_of_the_schemas() {
        for schema in [include_str!("../../schema/mariadb.sql"), include_str!("../../schema/postgresql.sql")]
        {
            assert_eq!(schema.matches("CREATE TABLE").count(), TABLES.len());
            for table in &TABLES {
                let columns: Vec<_> = table.columns.iter().map(|column| (column.name, column.kind)).collect();
                assert_eq!(columns, declared(schema, table.name), "{}", table.name);
            }
        }
    }
}

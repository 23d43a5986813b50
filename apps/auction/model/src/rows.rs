//! The tables of the auction: one struct each, whose fields are the columns of the schema in their order.

use application::{Money, Table, Timestamp, table};

table! {
    Category in categories {
        id: i64,
        name: String,
    }
}

table! {
    Region in regions {
        id: i64,
        name: String,
    }
}

table! {
    User in users {
        id: i64,
        firstname: String,
        lastname: String,
        nickname: String,
        /// See [`application::password_hash`].
        password: String,
        email: String,
        rating: i64,
        balance: Money,
        creation_date: Timestamp,
        region: i64,
    }
}

table! {
    Item in items moves_with_epoch = true {
        id: i64,
        name: String,
        description: String,
        initial_price: Money,
        quantity: i64,
        /// 0 if the seller sells at any price.
        reserve_price: Money,
        /// 0 if the item can't be bought at once.
        buy_now: Money,
        nb_of_bids: i64,
        /// The highest bid so far, if any.
        max_bid: Option<Money>,
        start_date: Timestamp,
        end_date: Timestamp,
        seller: i64,
        category: i64,
    }
}

table! {
    Bid in bids moves_with_epoch = true {
        id: i64,
        user_id: i64,
        item_id: i64,
        qty: i64,
        bid: Money,
        /// The bidder's maximum.
        max_bid: Money,
        date: Timestamp,
    }
}

table! {
    Comment in comments {
        id: i64,
        from_user_id: i64,
        to_user_id: i64,
        item_id: i64,
        rating: i64,
        date: Timestamp,
        comment: String,
    }
}

table! {
    /// Copies of an item that were bought at once.
    Purchase in buy_now {
        id: i64,
        buyer_id: i64,
        item_id: i64,
        qty: i64,
        date: Timestamp,
    }
}

table! {
    /// The largest ids of the loaded rows, for stacks that give ids themselves.
    #[expect(non_snake_case, reason = "a column of RUBiS is called buyNow")]
    Ids in ids {
        id: i64,
        category: i64,
        region: i64,
        users: i64,
        item: i64,
        comment: i64,
        bid: i64,
        buyNow: i64,
    }
}

/// Old items have the columns of items.
pub const OLD_ITEMS: Table =
    Table { name: "old_items", columns: Item::TABLE.columns, moves_with_epoch: false };

/// All tables, in an order in which they can be loaded.
pub static TABLES: [Table; 9] = [
    Category::TABLE,
    Region::TABLE,
    User::TABLE,
    Item::TABLE,
    OLD_ITEMS,
    Bid::TABLE,
    Comment::TABLE,
    Purchase::TABLE,
    Ids::TABLE,
];

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
                _ if ["VARCHAR", "CHAR(64)", "TEXT"].iter().any(|text| sort.starts_with(text)) => {
                    (name, Kind::Text)
                }
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

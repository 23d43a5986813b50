//! The only table.

use application::table;

table! {
    Comment in comments {
        id: i64,
        name: String,
        email: String,
        comment: String,
    }
}

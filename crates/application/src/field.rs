//! Rows as structs.

use crate::{Kind, Money, Timestamp, Value};

/// A type that a column can hold.
pub trait Field {
    /// The column's type.
    const KIND: Kind;

    fn into_value(self) -> Value;
}

impl Field for i64 {
    const KIND: Kind = Kind::Integer;
    fn into_value(self) -> Value {
        Value::Integer(self)
    }
}

impl Field for Money {
    const KIND: Kind = Kind::Money;
    fn into_value(self) -> Value {
        Value::Money(self)
    }
}

impl Field for String {
    const KIND: Kind = Kind::Text;
    fn into_value(self) -> Value {
        Value::Text(self)
    }
}

impl Field for Timestamp {
    const KIND: Kind = Kind::Time;
    fn into_value(self) -> Value {
        Value::Time(self)
    }
}

impl<T: Field> Field for Option<T> {
    const KIND: Kind = T::KIND;
    fn into_value(self) -> Value {
        self.map_or(Value::Null, T::into_value)
    }
}

/// A table of an application: a struct whose fields are the columns of the schema in their order, of types that are
/// [`Field`]s.
///
/// ```text
/// application::table! {
///     /// A guest.
///     Guest in guests {
///         id: i64,
///         name: String,
///     }
/// }
/// ```
#[macro_export]
macro_rules! table {
    ($(#[$about:meta])* $name:ident in $table:ident $(moves_with_epoch = $moves:literal)? {$($(#[$field_about:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_about])* pub $field: $kind,)*
        }

        impl $name {
            pub const TABLE: $crate::Table = $crate::Table {
                name: stringify!($table),
                columns: &[$($crate::Column { name: stringify!($field), kind: <$kind as $crate::Field>::KIND },)*],
                moves_with_epoch: [$($moves,)? false][0],
            };

            pub fn into_values(self) -> [$crate::Value; Self::TABLE.columns.len()] {
                [$($crate::Field::into_value(self.$field),)*]
            }

            /// The row as tables are compared by.
            pub fn row(&self) -> $crate::Row {
                self.clone().into_values().into()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    crate::table! {
        /// A guest.
        Guest in guests {
            id: i64,
            name: String,
        }
    }

    #[test]
    fn a_struct_has_the_columns_of_its_table() {
        assert_eq!(Guest::TABLE.name, "guests");
        assert_eq!(Guest { id: 1, name: "Ada".into() }.row().len(), Guest::TABLE.columns.len());
    }
}

//! Which pages show which rows, as far as their names tell.

use crate::Table;
use workload::{Catalogue, Class, Effect, InteractionId, Method};

/// That an interaction shows the row of a table whose id one of its parameters gives, and asks for nothing else.
#[derive(Debug, Clone, Copy)]
pub struct RowPage {
    /// The interaction.
    pub interaction: InteractionId,
    /// The parameter's position among the interaction's.
    pub parameter: usize,
    /// The table, whose primary key is a whole number.
    pub table: &'static Table,
}

/// Interactions for looking around with one parameter that must be given and is called as a table: `itemId` and `items`, `old_items`; `region`
/// and `regions`.
pub(crate) fn by_name(catalogue: &Catalogue, tables: &'static [Table]) -> Vec<RowPage> {
    let mut pages = Vec::new();
    for interaction in catalogue.ids() {
        let known = catalogue.get(interaction);
        let looks =
            known.effect == Effect::Read && known.class == Class::Browse && known.method == Method::Get;
        let mut needed = known.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.optional);
        let (Some((parameter, needed)), None, true) = (needed.next(), needed.next(), looks) else { continue };
        let named = tables.iter().filter(|table| is_called(table.name, &needed.name));
        pages.extend(named.map(|table| RowPage { interaction, parameter, table }));
    }
    pages
}

fn is_called(table: &str, parameter: &str) -> bool {
    let word = ["_id", "Id", "ID"].iter().find_map(|end| parameter.strip_suffix(end)).unwrap_or(parameter);
    let word = word.to_ascii_lowercase();
    let last = table.rsplit('_').next().unwrap_or(table);
    let singular = last.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let singular = singular.or_else(|| last.strip_suffix('s').map(ToOwned::to_owned));
    !word.is_empty() && (word == last || singular.as_deref() == Some(word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_called_as_the_rows_that_they_name() {
        for (table, parameter) in [
            ("items", "itemId"),
            ("old_items", "itemId"),
            ("users", "user_id"),
            ("categories", "category"),
            ("regions", "region"),
            ("author", "authorID"),
        ] {
            assert!(is_called(table, parameter), "{table} {parameter}");
        }
        for (table, parameter) in [("items", "id"), ("bids", "itemId"), ("users", "page"), ("ids", "Id")] {
            assert!(!is_called(table, parameter), "{table} {parameter}");
        }
    }
}

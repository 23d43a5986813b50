//! Pages that show rows, by their names.

use crate::Table;
use workload::{Catalogue, Class, Effect, InteractionId, Method};

/// An interaction that shows a row of a table by the id in its only required parameter.
#[derive(Debug, Clone, Copy)]
pub struct RowPage {
    pub interaction: InteractionId,
    /// The parameter's index in the interaction.
    pub parameter: usize,
    /// The table, whose primary key is an integer.
    pub table: &'static Table,
}

/// Browsing interactions with one required parameter that is named after a table: `itemId` and `items`, `old_items`;
/// `region` and `regions`.
pub(crate) fn by_name(catalogue: &Catalogue, tables: &'static [Table]) -> Vec<RowPage> {
    let mut pages = Vec::new();
    for interaction in catalogue.ids() {
        let known = catalogue.get(interaction);
        let is_browsing =
            known.effect == Effect::Read && known.class == Class::Browse && known.method == Method::Get;
        let mut needed = known.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.optional);
        let (Some((parameter, needed)), None, true) = (needed.next(), needed.next(), is_browsing) else {
            continue;
        };
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
    fn parameters_match_tables_by_name() {
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

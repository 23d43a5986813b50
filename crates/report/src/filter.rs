//! Choices by CSS alone: radio buttons that hide what does not have the chosen value.

use std::collections::{BTreeMap, BTreeSet};

/// A choice among values: the page shows only what has the chosen one.
pub(crate) struct Filter {
    /// In small letters, for identifiers.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// By identifier.
    pub(crate) values: BTreeMap<String, String>,
}

/// Filters in this order of names and titles, of those that have something to choose. Keys are names with values.
pub(crate) fn filters(
    order: &[(&'static str, &'static str)],
    keys: impl IntoIterator<Item = (&'static str, String)>,
) -> Vec<Filter> {
    let all: BTreeSet<(&'static str, String)> = keys.into_iter().collect();
    let filter = |&(name, title): &(&'static str, &'static str)| Filter {
        name,
        title,
        values: all
            .iter()
            .filter(|(filter, _)| *filter == name)
            .map(|(_, value)| (identifier(name, value), value.clone()))
            .collect(),
    };
    order.iter().map(filter).filter(|filter| filter.values.len() > 1).collect()
}

/// A value as part of a class, an identifier or a file's name: letters, digits and hyphens.
pub(crate) fn identifier(filter: &str, value: &str) -> String {
    let plain = value.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    if filter.is_empty() { plain.collect() } else { format!("{filter}-{}", plain.collect::<String>()) }
}

//! The settings of a store: what its administrator may change while it runs, and a stack may not.

use super::{Access, TextRow, open};
use crate::{Instance, ServiceError};
use results::Finding;
use std::{collections::BTreeMap, time::Instant};

/// The settings that tracing changes: the laboratory's own.
const TRACED: [&str; 5] =
    ["general_log", "log_connections", "log_min_duration_statement", "log_statement", "tierbench.round"];

/// The beginning of names that tell how far a log has come, which is no setting.
const POSITIONS: &str = "gtid_";

/// The settings of a store and of the application's tables, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreSettings(BTreeMap<String, String>);

impl StoreSettings {
    /// The settings that are in force for new sessions.
    pub fn read(instance: &Instance, access: &Access) -> Result<Self, ServiceError> {
        let mut session = open(instance, Some(&access.database))?;
        let query = session.settings_query();
        Ok(Self::of(session.query(query).map_err(|error| error.of(instance))?))
    }

    fn of(rows: Vec<TextRow>) -> Self {
        let pair = |row: TextRow| {
            let mut values = row.into_iter();
            Some((values.next()??.to_lowercase(), values.next().flatten().unwrap_or_default()))
        };
        let is_setting = |name: &str| !TRACED.contains(&name) && !name.starts_with(POSITIONS);
        Self(rows.into_iter().filter_map(pair).filter(|(name, _)| is_setting(name)).collect())
    }

    /// The settings that have changed since these: `sync_binlog = 1 before, 0 now`.
    fn changed_since(&self, before: &Self) -> Vec<String> {
        let names = before.0.keys().chain(self.0.keys().filter(|name| !before.0.contains_key(*name)));
        let value = |settings: &Self, name: &str| {
            settings.0.get(name).map_or_else(|| "not set".to_owned(), |value| format!("`{value}`"))
        };
        let changed = names.filter(|name| before.0.get(*name) != self.0.get(*name));
        changed
            .map(|name| format!("{name} = {} before, {} now", value(before, name), value(self, name)))
            .collect()
    }

    /// The finding of an audit: these settings are those of before. All that changed are one example, since a verdict
    /// shows one.
    pub fn finding(&self, before: &Self, began: Instant) -> Finding {
        let changed = self.changed_since(before);
        Finding {
            invariant: "store_settings".to_owned(),
            sentence: "The store keeps the settings with which it was started.".to_owned(),
            violations: changed.len() as u64,
            examples: if changed.is_empty() { Vec::new() } else { vec![changed.join("; ")] },
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> StoreSettings {
        let row = |(name, value): &(&str, &str)| vec![Some((*name).to_owned()), Some((*value).to_owned())];
        StoreSettings::of(pairs.iter().map(row).collect())
    }

    #[test]
    fn a_changed_setting_is_named_with_both_values() {
        let before = settings(&[("SYNC_BINLOG", "1"), ("sql_mode", "STRICT"), ("table bids", "InnoDB")]);
        let now = settings(&[("SYNC_BINLOG", "0"), ("sql_mode", "STRICT"), ("role bench: fsync", "off")]);
        let finding = now.finding(&before, Instant::now());
        assert_eq!(finding.violations, 3);
        assert_eq!(
            finding.examples,
            ["sync_binlog = `1` before, `0` now; table bids = `InnoDB` before, not set now; \
              role bench: fsync = not set before, `off` now"]
        );
        let same = before.finding(&before, Instant::now());
        assert_eq!((same.violations, same.examples.len()), (0, 0));
    }

    #[test]
    fn tracing_and_positions_of_logs_are_no_settings() {
        let before =
            settings(&[("GENERAL_LOG", "OFF"), ("GTID_BINLOG_POS", "0-1-7"), ("log_statement", "none")]);
        let now = settings(&[("GENERAL_LOG", "ON"), ("GTID_BINLOG_POS", "0-1-9"), ("log_statement", "all")]);
        assert_eq!(now.finding(&before, Instant::now()).violations, 0);
    }
}

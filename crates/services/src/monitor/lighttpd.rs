//! Sampler for lighttpd's mod_status.

use super::{Collect, Reading, page::Page};
use results::GaugeRole;
use std::{net::SocketAddr, time::Duration};

pub(super) struct Collector(Page);

impl Collector {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self(Page::new(address, "/?auto"))
    }
}

impl Collect for Collector {
    fn pace(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        readings(&self.0.text()?).ok_or_else(|| "its status page does not count connections".to_owned())
    }
}

/// Mark of an unused connection.
const FREE: char = '_';
/// Mark of a connection that waits for the next request (keep-alive).
const KEPT: char = 'k';

/// Readings of the machine-readable page, with a mark for each possible connection.
fn readings(page: &str) -> Option<Vec<Reading>> {
    let marks = page.split_once("Scoreboard: ")?.1;
    let count = |is_meant: fn(char) -> bool| marks.chars().filter(|mark| is_meant(*mark)).count() as f64;
    let all = count(|mark| !mark.is_whitespace());
    let held = count(|mark| !mark.is_whitespace() && mark != FREE);
    let busy = count(|mark| !mark.is_whitespace() && mark != FREE && mark != KEPT);
    // The sampler's own connection is one of them.
    let others = |count: f64| (count - 1.0).max(0.0);
    let pool = || GaugeRole::Pool("connections".to_owned());
    (all > 0.0).then(|| {
        vec![
            Reading::new("connections", GaugeRole::Connections, others(held)).within(Some(all - 1.0)),
            Reading::new("busy connections", pool(), others(busy)),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_is_answered_is_not_counted() {
        let page = "Total Accesses: 7\nTotal kBytes: 1\nUptime: 2\nBusyServers: 5\nIdleServers: 4\nScoreboard: hkkWr____\n";
        let said: Vec<_> = readings(page)
            .unwrap()
            .into_iter()
            .map(|one| (one.name.to_string(), one.value, one.limit))
            .collect();
        let expected =
            [("connections".to_owned(), 4.0, Some(8.0)), ("busy connections".to_owned(), 2.0, None)];
        assert_eq!(said, expected);
        assert_eq!(readings("<html>"), None);
        assert_eq!(readings("Scoreboard: \n"), None);
    }
}

//! Sampler for Apache's mod_status.

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
        readings(&self.0.text()?).ok_or_else(|| "its status page does not count workers".to_owned())
    }
}

fn readings(page: &str) -> Option<Vec<Reading>> {
    let field = |name: &str| page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let number = |name: &str| field(name)?.trim().parse::<f64>().ok();
    // One mark for each possible worker.
    let workers = field("Scoreboard")?.trim().len() as f64;
    // Under prefork the sampler's connection holds a worker that was added for it; other workers serve it between two
    // requests.
    let limit = if field("ServerMPM") == Some("prefork") { workers - 1.0 } else { workers };
    let busy = (number("BusyWorkers")? - 1.0).max(0.0);
    let pool = GaugeRole::Pool("workers".to_owned());
    let mut readings = vec![
        Reading::new("busy workers", pool, busy).within(Some(limit)),
        Reading::new("idle workers", GaugeRole::Information, number("IdleWorkers")?),
    ];
    // Only a server that separates idle connections from workers counts them.
    if let Some(connections) = number("ConnsTotal") {
        let others = (connections - 1.0).max(0.0);
        readings.push(Reading::new("connections", GaugeRole::Connections, others));
    }
    Some(readings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gauges(page: &str) -> Vec<(String, f64, Option<f64>)> {
        readings(page).unwrap().into_iter().map(|one| (one.name.to_string(), one.value, one.limit)).collect()
    }

    fn expected(name: &str, value: f64, limit: Option<f64>) -> (String, f64, Option<f64>) {
        (name.to_owned(), value, limit)
    }

    #[test]
    fn the_worker_that_answers_is_not_counted() {
        let prefork = "127.0.0.1\nServerMPM: prefork\nBusyWorkers: 3\nIdleWorkers: 2\nScoreboard: _WK_W.\n";
        let workers = [expected("busy workers", 2.0, Some(5.0)), expected("idle workers", 2.0, None)];
        assert_eq!(gauges(prefork), workers);
        let event = "ServerMPM: event\nConnsTotal: 9\nBusyWorkers: 1\nIdleWorkers: 3\nScoreboard: _W__\n";
        let workers = [expected("busy workers", 0.0, Some(4.0)), expected("idle workers", 3.0, None)];
        assert_eq!(gauges(event)[..2], workers);
        assert_eq!(gauges(event)[2], expected("connections", 8.0, None));
        assert_eq!(readings("<html>"), None);
    }
}

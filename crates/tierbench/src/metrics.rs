//! Live metrics of a load: an endpoint in the text format of OpenMetrics, which Prometheus and its like read.

use crate::web_server::{Answer, READER_TIMEOUT, serve};
use engine::Progress;
use std::{
    fmt::Write as _,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

#[derive(Debug, Clone)]
pub(crate) struct LoadProgress {
    pub site: String,
    pub clients: u32,
    pub progress: Progress,
}

/// Serves the latest progress until the command ends.
#[derive(Clone, Default)]
pub(crate) struct Metrics(Arc<Mutex<Option<LoadProgress>>>);

impl Metrics {
    /// Begins to serve, and returns the address.
    pub(crate) fn listen(at: SocketAddr) -> io::Result<(Self, SocketAddr)> {
        Self::listen_with(at, READER_TIMEOUT)
    }

    fn listen_with(at: SocketAddr, timeout: Duration) -> io::Result<(Self, SocketAddr)> {
        let metrics = Self::default();
        let shown = metrics.clone();
        let server = serve(at, timeout, move |_| Answer {
            status: "200 OK",
            fields: "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n".to_owned(),
            body: text(shown.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()),
        })?;
        Ok((metrics, server.address))
    }

    pub(crate) fn set(&self, latest: LoadProgress) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(latest);
    }
}

/// The metrics in OpenMetrics format; only the end mark before any progress.
fn text(latest: Option<&LoadProgress>) -> String {
    let mut text = String::new();
    if let Some(LoadProgress { site, clients, progress }) = latest {
        let site = escaped(site);
        let mut put = |name: &str, kind: &str, help: &str, samples: &[(&str, &str, f64)]| {
            let _ = writeln!(text, "# TYPE tierbench_{name} {kind}\n# HELP tierbench_{name} {help}");
            for (suffix, label, value) in samples {
                let _ = writeln!(text, "tierbench_{name}{suffix}{{site=\"{site}\"{label}}} {value}");
            }
        };
        let one = |value: f64| [("", "", value)];
        let total = |value: u64| [("_total", "", value as f64)];
        put("clients", "gauge", "Clients or connections of the load that runs.", &one(f64::from(*clients)));
        put("interactions", "counter", "Pages since the load began.", &total(progress.completed));
        put("errors", "counter", "Errors since the load began.", &total(progress.errors));
        put("throughput", "gauge", "Pages in the last full second.", &one(progress.throughput));
        if let Some((median, p99)) = progress.quantiles {
            let samples = [(",quantile=\"0.5\"", median), (",quantile=\"0.99\"", p99)];
            let samples = samples.map(|(label, time)| ("", label, time.as_secs_f64()));
            put("response_seconds", "gauge", "Response times of the last full second.", &samples);
        }
        let late = progress.lateness.as_secs_f64();
        put(
            "lateness_seconds",
            "gauge",
            "How late the latest request of the last full second was sent.",
            &one(late),
        );
        put("generator_cpu", "gauge", "CPU of the generator, as a share of one core.", &one(progress.cpu));
    }
    text.push_str("# EOF\n");
    text
}

/// A label's value, as the format wants it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Phase;
    use std::{
        io::{Read, Write},
        net::TcpStream,
    };

    fn progress() -> LoadProgress {
        LoadProgress {
            site: "a \"b\"".into(),
            clients: 7,
            progress: Progress {
                elapsed: Duration::from_secs(3),
                phase: Phase::Measure,
                window_start: None,
                is_ready: false,
                completed: 90,
                errors: 2,
                throughput: 30.0,
                mean_response: None,
                quantiles: Some((Duration::from_millis(4), Duration::from_millis(20))),
                lateness: Duration::from_micros(300),
                cpu: 0.25,
            },
        }
    }

    #[test]
    fn each_request_gets_the_latest_progress() {
        let (metrics, address) = Metrics::listen(([127, 0, 0, 1], 0).into()).unwrap();
        let ask = || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        assert!(ask().ends_with("\r\n\r\n# EOF\n"));
        metrics.set(progress());
        let answer = ask();
        for line in [
            "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r",
            "# TYPE tierbench_interactions counter",
            "tierbench_interactions_total{site=\"a \\\"b\\\"\"} 90",
            "tierbench_errors_total{site=\"a \\\"b\\\"\"} 2",
            "tierbench_response_seconds{site=\"a \\\"b\\\"\",quantile=\"0.99\"} 0.02",
            "tierbench_generator_cpu{site=\"a \\\"b\\\"\"} 0.25",
        ] {
            assert!(answer.lines().any(|shown| shown == line.trim_end_matches('\r')), "{line}\n{answer}");
        }
        assert!(answer.ends_with("# EOF\n"));
    }

    #[test]
    fn a_scrape_does_not_wait_for_idle_connections() {
        let patience = Duration::from_secs(3600);
        let (_metrics, address) = Metrics::listen_with(([127, 0, 0, 1], 0).into(), patience).unwrap();
        let mut idle: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(address).unwrap()).collect();
        idle[0].write_all(b"GET /met").unwrap();
        let mut scrape = TcpStream::connect(address).unwrap();
        scrape.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        scrape.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let mut answer = String::new();
        scrape.read_to_string(&mut answer).unwrap();
        assert!(answer.ends_with("# EOF\n"));
        drop(idle);
    }
}

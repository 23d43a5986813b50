//! Sampler for pages in Prometheus' text format, which most servers can provide; `service.toml` maps metrics to
//! gauges.

use super::{Collect, Reading, page::Page, rising::Rising};
use crate::sampler::GaugeEntry;
use results::GaugeRole;
use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

pub(super) struct Collector {
    page: Page,
    gauges: Vec<Gauge>,
}

struct Gauge {
    name: Arc<str>,
    role: GaugeRole,
    entry: GaugeEntry,
    /// The counter's last value.
    last: Rising,
}

impl Collector {
    pub(super) fn new<'a>(
        address: SocketAddr,
        path: &str,
        gauges: impl Iterator<Item = (&'a str, &'a GaugeEntry, GaugeRole)>,
    ) -> Self {
        let gauge = |(name, entry, role): (&str, &GaugeEntry, GaugeRole)| Gauge {
            name: name.into(),
            role,
            entry: entry.clone(),
            last: Rising::default(),
        };
        let gauges: Vec<Gauge> = gauges.map(gauge).collect();
        Self { page: Page::new(address, &(path.to_owned() + &query(&gauges))), gauges }
    }
}

/// A query for the wanted metrics only, which saves servers that support it much work.
fn query(gauges: &[Gauge]) -> String {
    let metrics = gauges.iter().flat_map(|gauge| [Some(&gauge.entry.metric), gauge.entry.limit.as_ref()]);
    let names: BTreeSet<&String> = metrics.flatten().collect();
    let words: Vec<String> = names.into_iter().map(|name| format!("name%5B%5D={name}")).collect();
    format!("?{}", words.join("&"))
}

impl Collect for Collector {
    fn pace(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        let page = self.page.text()?;
        let now = Instant::now();
        let series: Vec<Series<'_>> = page.lines().filter_map(Series::parse).collect();
        let readings = self.gauges.iter_mut().map(|gauge| gauge.read(&series, now));
        Ok(readings.collect::<Result<Vec<_>, String>>()?.into_iter().flatten().collect())
    }
}

impl Gauge {
    /// None without a matching series, and for a counter's first value.
    fn read(&mut self, series: &[Series<'_>], now: Instant) -> Result<Option<Reading>, String> {
        let sum = |metric: &str| {
            let meant = series.iter().filter(|one| one.name == metric && one.has(&self.entry.labels));
            meant.map(|one| one.value).reduce(|one, other| one + other)
        };
        let GaugeEntry { metric, limit, unit, rate, optional, .. } = &self.entry;
        let Some(value) = sum(metric) else {
            let fault = || format!("its page does not tell `{metric}`");
            return if *optional { Ok(None) } else { Err(fault()) };
        };
        let limit = limit.as_deref().and_then(sum).map(|limit| limit / unit);
        let value = if *rate { self.last.a_second(now, value) } else { Some(value) };
        let (name, role) = (Arc::clone(&self.name), self.role.clone());
        Ok(value.map(|value| Reading { name, role, value: value / unit, limit }))
    }
}

struct Series<'a> {
    name: &'a str,
    labels: Vec<(&'a str, String)>,
    value: f64,
}

impl<'a> Series<'a> {
    /// None for comments and other lines.
    fn parse(line: &'a str) -> Option<Self> {
        let end = line.find(|c: char| c == '{' || c.is_whitespace())?;
        let (name, rest) = line.split_at(end);
        let (labels, rest) = match rest.strip_prefix('{') {
            Some(rest) => labels(rest)?,
            None => (Vec::new(), rest),
        };
        // A time may follow. Programs print a negative number for an unknown one.
        let value = rest.split_whitespace().next()?.parse().ok().filter(|value| *value >= 0.0)?;
        Some(Self { name, labels, value })
    }

    fn has(&self, labels: &BTreeMap<String, String>) -> bool {
        labels.iter().all(|(name, value)| self.labels.iter().any(|(key, text)| key == name && text == value))
    }
}

fn labels(mut text: &str) -> Option<(Vec<(&str, String)>, &str)> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start_matches([',', ' ']);
        if let Some(rest) = text.strip_prefix('}') {
            return Some((found, rest));
        }
        let (name, rest) = text.split_once("=\"")?;
        let (value, rest) = quoted(rest)?;
        found.push((name, value));
        text = rest;
    }
}

fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => value.push('\n'),
                escaped => value.push(escaped),
            },
            letter => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"# HELP jvm_memory_used_bytes Used bytes of a given JVM memory area.
# TYPE jvm_memory_used_bytes gauge
jvm_memory_used_bytes{area="heap"} 3.0E6
jvm_memory_used_bytes{area="nonheap"} 2.0E6
jvm_memory_max_bytes{area="heap",} 8000000
jvm_memory_max_bytes{area="nonheap"} -1.0
jvm_gc_collection_seconds_sum{gc="G1 \"Young\" Generation, old } times"} 1.5 1760000000000
jvm_gc_collection_seconds_sum{gc="G1 Old Generation"} 0.25
threads_busy 7.0

nonsense{a=b} 1
"#;

    fn gauge(metric: &str) -> Gauge {
        Gauge {
            name: "a".into(),
            role: GaugeRole::Information,
            entry: toml::from_str(metric).unwrap(),
            last: Rising::default(),
        }
    }

    fn read(gauge: &mut Gauge, page: &str, now: Instant) -> Result<Option<(f64, Option<f64>)>, String> {
        let series: Vec<Series<'_>> = page.lines().filter_map(Series::parse).collect();
        Ok(gauge.read(&series, now)?.map(|reading| (reading.value, reading.limit)))
    }

    #[test]
    fn a_gauge_is_the_sum_of_the_series_with_its_labels() {
        let now = Instant::now();
        let said = |metric: &str| read(&mut gauge(metric), PAGE, now);
        assert_eq!(said("metric = 'threads_busy'"), Ok(Some((7.0, None))));
        let heap = "metric = 'jvm_memory_used_bytes'\nlimit = 'jvm_memory_max_bytes'\nunit = 1e6\nlabels.area = 'heap'";
        assert_eq!(said(heap), Ok(Some((3.0, Some(8.0)))));
        assert_eq!(said("metric = 'jvm_memory_used_bytes'"), Ok(Some((5e6, None))));
        let unlimited =
            "metric = 'jvm_memory_used_bytes'\nlimit = 'jvm_memory_max_bytes'\nlabels.area = 'nonheap'";
        assert_eq!(said(unlimited), Ok(Some((2e6, None))));
        assert_eq!(said("metric = 'jvm_gc_collection_seconds_sum'"), Ok(Some((1.75, None))));
        let odd =
            "metric = 'jvm_gc_collection_seconds_sum'\nlabels.gc = 'G1 \"Young\" Generation, old } times'";
        assert_eq!(said(odd), Ok(Some((1.5, None))));
    }

    #[test]
    fn a_missing_metric_is_named_unless_it_is_optional() {
        let now = Instant::now();
        let said = |metric: &str| read(&mut gauge(metric), PAGE, now);
        assert_eq!(said("metric = 'thread_busy'"), Err("its page does not tell `thread_busy`".to_owned()));
        assert_eq!(said("metric = 'nonsense'"), Err("its page does not tell `nonsense`".to_owned()));
        assert_eq!(said("metric = 'pool_busy'\noptional = true"), Ok(None));
    }

    #[test]
    fn a_counter_is_reported_as_its_rise_per_second() {
        let mut pauses = gauge("metric = 'pauses'\nrate = true\nunit = 0.01");
        let begin = Instant::now();
        let mut said =
            |page: &str, seconds| read(&mut pauses, page, begin + Duration::from_secs(seconds)).unwrap();
        assert_eq!(said("pauses 1.0", 0), None);
        assert_eq!(said("pauses 1.5", 2), Some((25.0, None)));
        assert_eq!(said("pauses 1.5", 3), Some((0.0, None)));
        // A restarted counter.
        assert_eq!(said("pauses 0.1", 4), Some((0.0, None)));
    }

    #[test]
    fn only_the_metrics_of_gauges_are_requested() {
        let gauges = [gauge("metric = 'b'\nlimit = 'c'"), gauge("metric = 'a'\nlimit = 'c'")];
        assert_eq!(query(&gauges), "?name%5B%5D=a&name%5B%5D=b&name%5B%5D=c");
    }
}

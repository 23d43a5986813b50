//! Response times as an interval log of HdrHistogram, which tools of many languages read.
//!
//! Values are nanoseconds and `Interval_Max` milliseconds, as those tools expect unless they are told otherwise.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hdrhistogram::{
    Histogram,
    serialization::{
        Deserializer, V2DeflateSerializer,
        interval_log::{IntervalLogIterator, IntervalLogWriterBuilder, LogEntry, Tag},
    },
};
use std::time::{Duration, SystemTime};

/// Response times of some length of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatencyInterval<'a> {
    /// The interaction; none if they are those of all interactions.
    pub interaction: Option<&'a str>,
    /// Beginning of the interval, since the load began.
    pub start: Duration,
    /// Length of the interval.
    pub length: Duration,
    /// Microseconds, and how many response times there were of each length.
    pub counts: Vec<(u64, u64)>,
}

/// The response times of windows, of all interactions together.
#[derive(Debug, Clone)]
pub struct ResponseTimes(Histogram<u64>);

impl Default for ResponseTimes {
    fn default() -> Self {
        Self(Histogram::new(DIGITS).expect("three digits are allowed"))
    }
}

impl ResponseTimes {
    /// Reads the lines of a log that are of one interaction each: together they are the window. A fault comes with its line,
    /// from 1.
    pub(crate) fn read(log: &[u8]) -> Result<Self, (u64, String)> {
        let mut times = Self::default();
        for (line, number) in log.split_inclusive(|byte| *byte == b'\n').zip(1..) {
            times.add_line(line).map_err(|fault| (number, fault))?;
        }
        Ok(times)
    }

    fn add_line(&mut self, line: &[u8]) -> Result<(), String> {
        for entry in IntervalLogIterator::new(line) {
            let entry = entry.map_err(|_| "this is no line of an interval log".to_owned())?;
            let LogEntry::Interval(interval) = entry else { continue };
            if interval.tag().is_none() {
                continue;
            }
            let bytes = BASE64_STANDARD.decode(interval.encoded_histogram());
            let bytes = bytes.map_err(|fault| fault.to_string())?;
            let read = Deserializer::new().deserialize(&mut bytes.as_slice());
            let histogram: Histogram<u64> = read.map_err(|fault| format!("{fault:?}"))?;
            self.0.add(&histogram).map_err(|fault| fault.to_string())?;
        }
        Ok(())
    }

    /// Adds those of another window.
    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("it grows");
    }

    /// Number of response times.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time within which this share of the answers came, in milliseconds.
    pub fn quantile_ms(&self, share: f64) -> f64 {
        self.0.value_at_quantile(share) as f64 / NANOSECONDS_PER_MILLISECOND
    }
}

const NANOSECONDS_PER_MICROSECOND: u64 = 1_000;
const NANOSECONDS_PER_MILLISECOND: f64 = 1e6;
/// Precision that reading tools expect of most logs.
const DIGITS: u8 = 3;
const LEGEND: &[u8] =
    b"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";

/// The log of a load that began at `started`.
pub(crate) fn latency_log<'a>(
    started: SystemTime,
    intervals: impl IntoIterator<Item = LatencyInterval<'a>>,
) -> Vec<u8> {
    let mut log = head(started);
    let mut serializer = V2DeflateSerializer::new();
    let mut writer = IntervalLogWriterBuilder::new()
        .with_max_value_divisor(NANOSECONDS_PER_MILLISECOND)
        .begin_log_with(&mut log, &mut serializer)
        .expect(IN_MEMORY);
    let mut histogram = Histogram::<u64>::new(DIGITS).expect("three digits are allowed");
    for LatencyInterval { interaction, start, length, counts } in intervals {
        histogram.reset();
        for (microseconds, count) in counts {
            let value = microseconds.saturating_mul(NANOSECONDS_PER_MICROSECOND);
            histogram.record_n(value, count).expect("it grows");
        }
        let tag = interaction.map(plain);
        let tag = tag.as_deref().and_then(Tag::new);
        writer.write_histogram(&histogram, start, length, tag).expect(IN_MEMORY);
    }
    log
}

const IN_MEMORY: &str = "memory takes all of it";

/// The lines that Java's `HistogramLogWriter` begins with.
fn head(started: SystemTime) -> Vec<u8> {
    let mut log = Vec::new();
    IntervalLogWriterBuilder::new()
        .add_comment(concat!("[Logged with tierbench ", env!("CARGO_PKG_VERSION"), "]"))
        .add_comment("[Histogram log format version 1.3]")
        .add_comment("[Response times in nanoseconds, the greatest of each line in milliseconds.]")
        .add_comment(
            "[First a line for each second of the load, then one for each interaction over the window.]",
        )
        .with_start_time(started)
        .with_base_time(started)
        .begin_log_with(&mut log, &mut V2DeflateSerializer::new())
        .expect(IN_MEMORY);
    log.extend_from_slice(LEGEND);
    log
}

/// A name without the marks that tags can't have.
fn plain(name: &str) -> String {
    name.replace([',', ' ', '\r', '\n'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::interval_log::IntervalLogHistogram;

    fn decoded(interval: &IntervalLogHistogram<'_>) -> Histogram<u64> {
        let bytes = BASE64_STANDARD.decode(interval.encoded_histogram()).unwrap();
        Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap()
    }

    fn log() -> Vec<u8> {
        let all = LatencyInterval {
            interaction: None,
            start: Duration::from_secs(3),
            length: Duration::from_secs(1),
            counts: vec![(1_500, 10), (2_000_000, 1)],
        };
        let none = LatencyInterval { start: Duration::from_secs(4), counts: Vec::new(), ..all.clone() };
        let one = LatencyInterval { interaction: Some("View Item"), counts: vec![(7, 3)], ..all.clone() };
        latency_log(SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_250), [all, none, one])
    }

    #[test]
    fn its_lines_are_as_other_writers_make_them() {
        let log = String::from_utf8(log()).unwrap();
        assert!(log.contains("\n#[Histogram log format version 1.3]\n"), "{log}");
        assert!(log.contains("\n#[StartTime: 1700000000.250 (seconds since epoch)]\n"), "{log}");
        assert!(log.contains("\n#[BaseTime: 1700000000.250 (seconds since epoch)]\n"), "{log}");
        let lines: Vec<&str> = log.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines[0].as_bytes(), LEGEND.trim_ascii_end());
        let longest: f64 = lines[1].split(',').nth(2).unwrap().parse().unwrap();
        assert!(
            lines[1].starts_with("3.000,1.000,") && (longest / 2000.0 - 1.0).abs() < 1e-3,
            "{}",
            lines[1]
        );
        assert!(lines[1].contains(",HISTFAAA"), "compressed in version 2: {}", lines[1]);
        assert!(lines[3].starts_with("Tag=View_Item,3.000,1.000,0.007,HISTFAAA"), "{}", lines[3]);
    }

    #[test]
    fn the_common_reader_reads_it() {
        let log = log();
        let entries: Vec<LogEntry<'_>> =
            IntervalLogIterator::new(&log).collect::<Result<_, _>>().expect("each line is understood");
        let began = Duration::from_millis(1_700_000_000_250);
        assert_eq!(entries[..2], [LogEntry::StartTime(began), LogEntry::BaseTime(began)]);
        let intervals: Vec<&IntervalLogHistogram<'_>> = entries
            .iter()
            .filter_map(|entry| if let LogEntry::Interval(interval) = entry { Some(interval) } else { None })
            .collect();
        let [all, none, one] = intervals[..] else { panic!("three intervals: {entries:?}") };
        assert_eq!((all.start_timestamp().as_secs(), all.duration().as_secs(), all.tag()), (3, 1, None));
        let all = decoded(all);
        assert_eq!((all.len(), decoded(none).len()), (11, 0));
        assert!(all.equivalent(all.value_at_quantile(0.5), 1_500_000));
        assert!(all.equivalent(all.max(), 2_000_000_000));
        assert_eq!(one.tag().unwrap().as_str(), "View_Item");
        assert_eq!(decoded(one).len(), 3);
    }

    #[test]
    fn the_window_is_read_back_and_windows_are_added() {
        let mut times = ResponseTimes::read(&log()).unwrap();
        assert_eq!(times.count(), 3, "lines of seconds are no part of the window");
        assert!((times.quantile_ms(0.5) - 0.007).abs() < 1e-5, "{}", times.quantile_ms(0.5));
        let all = LatencyInterval {
            interaction: Some("Home"),
            start: Duration::ZERO,
            length: Duration::from_secs(1),
            counts: vec![(2_000, 9)],
        };
        times.add(&ResponseTimes::read(&latency_log(SystemTime::UNIX_EPOCH, [all])).unwrap());
        assert_eq!(times.count(), 12);
        assert!((times.quantile_ms(0.9) / 2.0 - 1.0).abs() < 1e-3, "{}", times.quantile_ms(0.9));
        assert_eq!(ResponseTimes::read(b"").unwrap().count(), 0);
        for wrong in ["Tag=a,0.1,1.0,2.0,!!!!\n", "Tag=a,0.1,1.0,2.0,AAAA\n", "nothing of the kind\n"] {
            assert!(ResponseTimes::read(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}

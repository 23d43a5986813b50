//! Response times as an interval log of HdrHistogram, which tools of many languages read.
//!
//! Values are nanoseconds and `Interval_Max` milliseconds, as those tools expect unless they are told otherwise.

use hdrhistogram::{
    Histogram,
    serialization::{
        V2DeflateSerializer,
        interval_log::{IntervalLogWriterBuilder, Tag},
    },
};
use std::time::{Duration, SystemTime};

/// Response times of some length of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatencyInterval<'a> {
    /// The interaction; none if they are those of all interactions.
    pub interaction: Option<&'a str>,
    /// When it began, since the load began.
    pub start: Duration,
    /// How long it was.
    pub length: Duration,
    /// Microseconds, and how many response times there were of each length.
    pub counts: Vec<(u64, u64)>,
}

const NANOSECONDS_PER_MICROSECOND: u64 = 1_000;
const NANOSECONDS_PER_MILLISECOND: f64 = 1e6;
/// What reading tools know as the precision of most logs.
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
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    use hdrhistogram::serialization::{
        Deserializer,
        interval_log::{IntervalLogHistogram, IntervalLogIterator, LogEntry},
    };

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
}

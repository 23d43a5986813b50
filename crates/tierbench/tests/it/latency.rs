//! Reads latency logs as other tools do: with the reader that comes with HdrHistogram.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hdrhistogram::{
    Histogram,
    serialization::{
        Deserializer,
        interval_log::{IntervalLogHistogram, IntervalLogIterator, LogEntry},
    },
};
use results::Point;

fn histogram(interval: &IntervalLogHistogram<'_>) -> Histogram<u64> {
    let bytes = BASE64_STANDARD.decode(interval.encoded_histogram()).unwrap();
    Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap()
}

/// The log must have a line for each second of the point and each interaction, and they must agree with the point.
pub(crate) fn expect_log_of(point: &Point, log: &[u8]) {
    let entries: Vec<LogEntry<'_>> = IntervalLogIterator::new(log).collect::<Result<_, _>>().unwrap();
    assert!(matches!(entries[..2], [LogEntry::StartTime(_), LogEntry::BaseTime(_)]), "{entries:?}");
    let intervals = entries.iter().filter_map(|entry| match entry {
        LogEntry::Interval(interval) => Some(interval),
        _ => None,
    });
    let (tagged, seconds): (Vec<_>, Vec<_>) = intervals.partition(|interval| interval.tag().is_some());

    let completed: Vec<u64> = seconds.iter().map(|second| histogram(second).len()).collect();
    let timeline: Vec<u64> = point.timeline.iter().map(|second| second.completed).collect();
    assert_eq!(completed, timeline, "second by second");

    assert_eq!(tagged.len(), point.interactions.len());
    for (interval, figures) in tagged.iter().zip(&point.interactions) {
        let response = histogram(interval);
        assert_eq!((interval.tag().unwrap().as_str(), response.len()), (&*figures.name, figures.completed));
        assert_eq!(interval.start_timestamp().as_secs_f64(), point.warm_s);
        let mean_ms = response.mean() / 1e6;
        let Some(recorded_ms) = figures.response.mean_ms else {
            assert_eq!(response.len(), 0);
            continue;
        };
        assert!((mean_ms - recorded_ms).abs() <= 0.002 * mean_ms, "{mean_ms} of {figures:?}");
    }
}

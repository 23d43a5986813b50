//! Numbers as people read them: thousands apart, and no more digits than mean something.

use stats::Interval;

/// `1234567` as `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

/// About three significant digits; all digits before the point.
pub fn figure(value: f64) -> String {
    with_decimals(value, decimals(value))
}

/// A setting, as it was set: `60`, `0.7`.
pub fn setting(value: f64) -> String {
    if value.fract() == 0.0 { with_decimals(value, 0) } else { value.to_string() }
}

/// An instant (RFC 3339, UTC) to the second: `2026-11-21 20:34:49 UTC`; other texts as they are.
pub fn instant(text: &str) -> String {
    match (text.split_once('T'), text.strip_suffix('Z')) {
        (Some((date, time)), Some(_)) => {
            format!("{date} {} UTC", time.trim_end_matches('Z').split('.').next().unwrap_or(""))
        }
        _ => text.to_owned(),
    }
}

/// `1,234 ± 12`: both with the mean's decimals.
pub fn interval(mean: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => format!("{} ± {}", figure(mean), half_width(interval)),
        None => figure(mean),
    }
}

/// An interval's half-width with its mean's decimals.
pub fn half_width(interval: Interval) -> String {
    with_decimals(interval.half_width, decimals(interval.mean))
}

/// A share as percent, with its sign: `0.12 %`.
pub fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (0, _) | (_, 0) => "0 %".to_owned(),
        _ => format!("{} %", figure(100.0 * part as f64 / whole as f64)),
    }
}

/// A factor as it is best spoken: `5 %` below one, `2 times` above.
pub fn factor(factor: f64) -> String {
    let shortest = |value: f64| ((value * 1e4).round() / 1e4).to_string();
    if factor < 1.0 {
        format!("{} %", shortest(100.0 * factor))
    } else {
        format!("{} times", shortest(factor))
    }
}

/// Bytes as MiB or GiB.
pub fn bytes(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1024.0 {
        format!("{} MiB", figure(mebibytes))
    } else {
        format!("{} GiB", figure(mebibytes / 1024.0))
    }
}

fn decimals(value: f64) -> usize {
    match value.abs() {
        0.0 => 0,
        small if small < 0.0995 => 3,
        small if small < 9.995 => 2,
        middle if middle < 99.95 => 1,
        _ => 0,
    }
}

fn with_decimals(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "unknown".to_owned();
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if value < 0.0 { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", count(whole.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(count(number), text);
        }
    }

    #[test]
    fn about_three_digits_are_shown() {
        let texts = [
            (0.0, "0"),
            (0.0421, "0.042"),
            (0.123, "0.12"),
            (1.234, "1.23"),
            (9.996, "10.0"),
            (12.34, "12.3"),
            (99.96, "100"),
            (1234.5, "1,234"),
            (-2.5, "−2.50"),
            (f64::NAN, "unknown"),
        ];
        for (value, text) in texts {
            assert_eq!(figure(value), text);
        }
    }

    #[test]
    fn an_interval_has_its_means_decimals() {
        let wide = Interval { mean: 93.46, half_width: 1.24 };
        assert_eq!(interval(wide.mean, Some(wide)), "93.5 ± 1.2");
        assert_eq!(interval(1234.5, None), "1,234");
    }

    #[test]
    fn factors_are_spoken() {
        assert_eq!([factor(0.05), factor(0.07), factor(2.0)], ["5 %", "7 %", "2 times"]);
        assert_eq!([bytes(3 << 29), bytes(100 << 20)], ["1.50 GiB", "100 MiB"]);
    }

    #[test]
    fn settings_and_instants_are_plain() {
        assert_eq!([setting(60.0), setting(0.7), setting(1800.0)], ["60", "0.7", "1,800"]);
        assert_eq!(instant("2026-11-21T20:34:49.123Z"), "2026-11-21 20:34:49 UTC");
        assert_eq!(instant("yesterday"), "yesterday");
    }

    #[test]
    fn shares_are_percent() {
        assert_eq!([percent(0, 0), percent(1, 800), percent(3, 10)], ["0 %", "0.12 %", "30.0 %"]);
    }
}

//! Number formats: thousands separators, and only significant digits.

use stats::Interval;

/// A figure where nothing was measured.
const NOTHING: &str = "–";

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

/// `1,234 ± 12`: both with the decimals of the larger one.
pub fn interval(mean: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) if interval.half_width.is_finite() => {
            let mean = with_decimals(mean, decimals_of(interval));
            format!("{mean} ± {}", half_width(interval))
        }
        _ => figure(mean),
    }
}

fn decimals_of(interval: Interval) -> usize {
    decimals(interval.mean.abs().max(interval.half_width))
}

/// Half-width of an interval with the decimals of its mean; at least one in the last decimal.
pub fn half_width(interval: Interval) -> String {
    let decimals = decimals_of(interval);
    let least = 10_f64.powi(-(decimals as i32));
    let shown = if interval.half_width > 0.0 { interval.half_width.max(least) } else { interval.half_width };
    with_decimals(shown, decimals)
}

/// `24.1–27.8`: the ends of an interval, with the decimals of the figure between them.
pub fn range(value: f64, (low, high): (f64, f64)) -> String {
    let decimals = decimals(value);
    format!("{}–{}", with_decimals(low, decimals), with_decimals(high, decimals))
}

/// Range of the values as shown: `312`, or `312 to 330`; empty without values.
pub fn span(values: &[f64], shown: fn(f64) -> String) -> String {
    let least = values.iter().copied().min_by(f64::total_cmp);
    let most = values.iter().copied().max_by(f64::total_cmp);
    match least.zip(most).map(|(least, most)| (shown(least), shown(most))) {
        None => String::new(),
        Some((least, most)) if least == most => most,
        Some((least, most)) => format!("{least} to {most}"),
    }
}

/// A share as percent, with its sign: `0.12 %`.
pub fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (0, _) | (_, 0) => "0 %".to_owned(),
        _ => format!("{} %", figure(100.0 * part as f64 / whole as f64)),
    }
}

/// A share as percent with two decimals, aligned for comparison: `6.25 %`.
pub fn share(share: f64) -> String {
    format!("{} %", with_decimals(100.0 * share, 2))
}

/// A spoken factor: `5 %` below one, `2 times` above.
pub fn factor(factor: f64) -> String {
    let shortest = |value: f64| ((value * 1e4).round() / 1e4).to_string();
    if factor < 1.0 {
        format!("{} %", shortest(100.0 * factor))
    } else {
        format!("{} times", shortest(factor))
    }
}

/// A probability: `0.03`, `< 0.001`.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { figure(p) }
}

pub fn bytes(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1.0 {
        format!("{} KiB", figure(bytes as f64 / 1024.0))
    } else if mebibytes < 1024.0 {
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
        return if value.is_nan() { NOTHING } else { "unknown" }.to_owned();
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
            (f64::INFINITY, "unknown"),
            (f64::NAN, "–"),
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
        assert_eq!(interval(1234.5, Some(Interval { mean: 1234.5, half_width: f64::INFINITY })), "1,234");
        assert_eq!(interval(3.46, Some(Interval { mean: 3.46, half_width: 10.47 })), "3.5 ± 10.5");
        assert_eq!(half_width(Interval { mean: 935.0, half_width: 0.2 }), "1");
        assert_eq!(half_width(Interval { mean: 935.0, half_width: 0.0 }), "0");
        assert_eq!(range(25.94, (24.08, 101.2)), "24.1–101.2");
    }

    #[test]
    fn factors_are_spoken() {
        assert_eq!([factor(0.05), factor(0.07), factor(2.0)], ["5 %", "7 %", "2 times"]);
        assert_eq!(
            [bytes(3 << 29), bytes(100 << 20), bytes(0), bytes(2048)],
            ["1.50 GiB", "100 MiB", "0 KiB", "2.00 KiB"]
        );
        assert_eq!([probability(0.0001), probability(0.04)], ["< 0.001", "0.040"]);
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

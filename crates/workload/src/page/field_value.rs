//! The values of fields, by the value sanitization of the HTML standard.

use super::Tags;
use std::borrow::Cow;

pub(super) trait Attributes {
    fn get(&self, name: &str) -> Option<Cow<'_, str>>;
}

impl Attributes for Tags<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.attribute(name).map(super::decode_attribute)
    }
}

/// The value of an `<input>` of this type as a browser submits it.
pub(super) fn sanitized<'v>(kind: &str, value: Cow<'v, str>, field: &impl Attributes) -> Cow<'v, str> {
    let is = |known: &str| kind.eq_ignore_ascii_case(known);
    if is("number") {
        return if number(&value).is_some() { value } else { Cow::Borrowed("") };
    }
    if is("range") {
        return within_range(&value, field).into();
    }
    if is("color") {
        return color(&value).into();
    }
    if let Some(shape) = shape(kind) {
        return if has_shape(&value, shape) { value } else { Cow::Borrowed("") };
    }
    let value = match value.contains(['\n', '\r']) {
        true => value.replace(['\n', '\r'], "").into(),
        false => value,
    };
    let is_space = |c: char| c.is_ascii_whitespace();
    if (is("email") || is("url")) && (value.starts_with(is_space) || value.ends_with(is_space)) {
        return value.trim_matches(is_space).to_owned().into();
    }
    value
}

/// The text of an option: without markup, and with single blanks.
pub(super) fn collapsed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// A valid floating-point number.
fn number(text: &str) -> Option<f64> {
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (digits, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_valid =
        (whole.is_empty() && digits.starts_with('.') || plain(whole)) && plain(fraction) && plain(exponent);
    text.parse().ok().filter(|found: &f64| is_valid && found.is_finite())
}

/// A range always has a value: by default the one in the middle.
fn within_range(value: &str, field: &impl Attributes) -> String {
    let limit = |name: &str| field.get(name).and_then(|text| number(&text));
    let (min, max) = (limit("min").unwrap_or(0.0), limit("max").unwrap_or(100.0));
    let middle = if max < min { min } else { min + (max - min) / 2.0 };
    match number(value) {
        Some(found) if found < min || max < min => min.to_string(),
        Some(found) if found > max => max.to_string(),
        Some(_) => value.to_owned(),
        None => middle.to_string(),
    }
}

fn color(value: &str) -> String {
    let digits = value.trim_ascii().strip_prefix('#').unwrap_or_default();
    match digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => format!("#{}", digits.to_ascii_lowercase()),
        false => "#000000".to_owned(),
    }
}

/// The shape of a date or time: `0` stands for a digit.
fn shape(kind: &str) -> Option<&'static [&'static str]> {
    let shapes: [(&str, &[&str]); 5] = [
        ("date", &["0000-00-00"]),
        ("month", &["0000-00"]),
        ("week", &["0000-W00"]),
        ("time", &["00:00", "00:00:00", "00:00:00.000"]),
        ("datetime-local", &["0000-00-00T00:00", "0000-00-00T00:00:00"]),
    ];
    shapes.into_iter().find(|(known, _)| kind.eq_ignore_ascii_case(known)).map(|(_, shapes)| shapes)
}

fn has_shape(value: &str, shapes: &[&str]) -> bool {
    let fits =
        |(found, wanted): (u8, u8)| if wanted == b'0' { found.is_ascii_digit() } else { found == wanted };
    shapes.iter().any(|shape| value.len() == shape.len() && value.bytes().zip(shape.bytes()).all(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Limits;

    impl Attributes for Limits {
        fn get(&self, name: &str) -> Option<Cow<'_, str>> {
            [("min", "10"), ("max", "20")]
                .into_iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.into())
        }
    }

    #[test]
    fn values_are_sanitized_by_the_type_of_their_field() {
        for (kind, value, expected) in [
            ("text", "a\r\nb ", "ab "),
            ("email", " a@b\n ", "a@b"),
            ("number", "1e3", "1e3"),
            ("number", "-.5", "-.5"),
            ("number", "+1", ""),
            ("number", "1.", ""),
            ("number", "many", ""),
            ("range", "", "15"),
            ("range", "7", "10"),
            ("range", "21", "20"),
            ("color", "#AABBCC", "#aabbcc"),
            ("color", "red", "#000000"),
            ("date", "2026-11-28", "2026-11-28"),
            ("date", "28.11.2026", ""),
            ("Time", "12:30", "12:30"),
        ] {
            assert_eq!(sanitized(kind, value.into(), &Limits), expected, "{kind} {value}");
        }
    }
}

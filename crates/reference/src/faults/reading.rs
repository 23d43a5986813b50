//! A misread parameter. The request is rewritten, so that the correct model does what a faulty stack would.

use form_urlencoded::{byte_serialize, parse};
use workload::{Fill, Parameter};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    Ascii,
    Blanks,
    Bytes,
    Case,
    Decoded,
    Digits,
    Empty,
    Fraction,
    Longer,
    Missing,
    Next,
    Plus,
    Rubbish,
    Shorter,
    Sign,
    Tags,
    Zeros,
}

use Misreading::{
    Ascii, Blanks, Bytes, Case, Decoded, Digits, Empty, Fraction, Longer, Missing, Next, Plus, Rubbish,
    Shorter, Sign, Tags, Zeros,
};

/// Misreadings of any value: kind, name and description.
const ANY: [(Misreading, &str, &str); 5] = [
    (Blanks, "blanks", "blanks around it are dropped"),
    (Empty, "empty", "an empty one is taken for a 1"),
    (Longer, "longer", "one code point too many is cut off"),
    (Missing, "missing", "a missing one is taken for a 1"),
    (Shorter, "shorter", "the longest are refused"),
];

const OF_NUMBERS: [(Misreading, &str, &str); 6] = [
    (Digits, "digits", "digits of other scripts are taken"),
    (Fraction, "fraction", "what follows a full stop is dropped"),
    (Next, "next", "it is read as one more"),
    (Rubbish, "rubbish", "what follows the number is dropped"),
    (Sign, "sign", "a sign is dropped"),
    (Zeros, "zeros", "leading zeros are dropped"),
];

const OF_TEXTS: [(Misreading, &str, &str); 6] = [
    (Ascii, "ascii", "what isn't ASCII is lost"),
    (Bytes, "bytes", "its length is counted in bytes"),
    (Case, "case", "capitals are taken for small letters"),
    (Decoded, "decoded", "it is decoded twice"),
    (Plus, "plus", "a plus sign is not taken for a blank"),
    (Tags, "tags", "what looks like a tag is dropped"),
];

/// The possible misreadings of this parameter. How users fill it shows whether it is a number.
pub(super) fn readings(
    parameter: &Parameter,
) -> impl Iterator<Item = (Misreading, &'static str, &'static str)> {
    let is_text = matches!(
        parameter.fill,
        Some(Fill::OwnNickname | Fill::OwnPassword | Fill::Unique(_) | Fill::Text(_))
    );
    let own: &[_] = if is_text { &OF_TEXTS } else { &OF_NUMBERS };
    ANY.iter().chain(own).copied()
}

impl Misreading {
    /// The form-encoded parameters as the faulty stack reads them.
    pub(super) fn of(self, encoded: &str, parameter: &Parameter) -> String {
        let name = parameter.name.as_str();
        let values = encoded.split('&').filter(|pair| value_of(pair, name).is_some()).count();
        match self {
            Missing if values == 0 => join([encoded, &format!("{name}=1")]),
            _ => map_value(encoded, name, |value| self.of_encoded(value, parameter.max_length.unwrap_or(0))),
        }
    }

    fn of_encoded(self, encoded: &str, most: u32) -> String {
        if self == Plus {
            return encoded.replace('+', "%2B");
        }
        let value = decoded(encoded);
        let read = self.of_value(&value, most as usize);
        // A value that is read correctly stays as it was sent, valid or not.
        if read != value { encode(&read) } else { encoded.to_owned() }
    }

    fn of_value(self, value: &str, most: usize) -> String {
        let length = value.chars().count();
        let refused = || "1".repeat(most + 1);
        match self {
            Ascii => value.replace(|character: char| !character.is_ascii(), "?"),
            Blanks => value.trim().to_owned(),
            Bytes if value.len() > most && length <= most => refused(),
            Case => value.to_lowercase(),
            Decoded => decoded(&value.replace('&', "%26")),
            Digits => value.chars().map(ascii_digit).collect(),
            Empty if value.is_empty() => "1".to_owned(),
            Fraction => value.split('.').next().unwrap_or_default().to_owned(),
            Longer if length == most + 1 => value.chars().take(most).collect(),
            Next => plus_one(value),
            Rubbish => number_at_the_start(value).unwrap_or(value).to_owned(),
            Shorter if length == most => refused(),
            Sign => value.strip_prefix(['+', '-']).unwrap_or(value).to_owned(),
            Tags => without_tags(value),
            Zeros => without_zeros(value).to_owned(),
            _ => value.to_owned(),
        }
    }
}

/// Changes all encoded values of a parameter.
pub(super) fn map_value(encoded: &str, name: &str, change: impl Fn(&str) -> String) -> String {
    let pairs = encoded.split('&').map(|pair| match value_of(pair, name) {
        Some(value) => format!("{name}={}", change(value)),
        None => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// The first value of a parameter, decoded.
pub(super) fn value(encoded: &str, name: &str) -> Option<String> {
    encoded.split('&').find_map(|pair| value_of(pair, name)).map(decoded)
}

/// Parameters one after the other.
pub(super) fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&")
}

pub(super) fn encode(value: &str) -> String {
    byte_serialize(value.as_bytes()).collect()
}

fn decoded(encoded: &str) -> String {
    parse(format!("v={encoded}").as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// The encoded value, if the pair is this parameter's.
fn value_of<'a>(pair: &'a str, name: &str) -> Option<&'a str> {
    pair.strip_prefix(name)?.strip_prefix('=')
}

fn ascii_digit(character: char) -> char {
    const ARABIC: u32 = 0x660;
    const FULL_WIDTH: u32 = 0xff10;
    let code = u32::from(character);
    let digit =
        [ARABIC, FULL_WIDTH].into_iter().find_map(|zero| code.checked_sub(zero).filter(|digit| *digit < 10));
    digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(character)
}

fn plus_one(value: &str) -> String {
    let (whole, rest) = value.split_at(value.find('.').unwrap_or(value.len()));
    whole.parse::<i64>().map_or(value.to_owned(), |number| format!("{}{rest}", number.saturating_add(1)))
}

fn number_at_the_start(value: &str) -> Option<&str> {
    let sign = usize::from(value.starts_with(['+', '-']));
    let digits = value[sign..].find(|character: char| !character.is_ascii_digit())?;
    (digits > 0 && !value[sign + digits..].starts_with('.')).then(|| &value[..sign + digits])
}

fn without_zeros(value: &str) -> &str {
    let bare = value.trim_start_matches('0');
    let needs_zero = value.starts_with('0') && !bare.starts_with(|first: char| first.is_ascii_digit());
    &value[value.len() - bare.len() - usize::from(needs_zero)..]
}

fn without_tags(value: &str) -> String {
    let mut left = String::new();
    let mut rest = value;
    while let Some((before, tag)) = rest.split_once('<') {
        let Some((_, after)) = tag.split_once('>') else { break };
        left.push_str(before);
        rest = after;
    }
    left + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reading: Misreading, encoded: &str) -> String {
        let parameter = Parameter {
            name: "n".to_owned(),
            max_length: Some(4),
            fill: None,
            one_of: Vec::new(),
            optional: false,
            sealed: false,
            cookie: false,
        };
        reading.of(encoded, &parameter)
    }

    #[test]
    fn each_misreading_has_its_effect() {
        for (reading, sent, expected) in [
            (Ascii, "n=%C3%A4b", "n=%3Fb"),
            (Blanks, "n=+a%09", "n=a"),
            (Bytes, "n=%C3%A4%C3%A4%C3%A4", "n=11111"),
            (Case, "n=Ab", "n=ab"),
            (Decoded, "n=%2541%26", "n=A%26"),
            (Digits, "n=%D9%A3%EF%BC%94", "n=34"),
            (Empty, "n=", "n=1"),
            (Fraction, "n=1.5", "n=1"),
            (Longer, "n=12345", "n=1234"),
            (Missing, "b=2", "b=2&n=1"),
            (Missing, "", "n=1"),
            (Next, "n=12", "n=13"),
            (Next, "n=9.50", "n=10.50"),
            (Plus, "n=a+b", "n=a%2Bb"),
            (Rubbish, "n=1e3", "n=1"),
            (Rubbish, "n=-1+", "n=-1"),
            (Shorter, "n=1234", "n=11111"),
            (Sign, "n=%2B1", "n=1"),
            (Tags, "n=a%3Cb%3Ec", "n=ac"),
            (Zeros, "n=007", "n=7"),
            (Zeros, "n=00", "n=0"),
            (Zeros, "n=00.5", "n=0.5"),
        ] {
            assert_eq!(read(reading, sent), expected, "{reading:?}");
        }
    }

    #[test]
    fn harmless_values_are_read_as_sent() {
        let all = ANY.iter().chain(&OF_NUMBERS).chain(&OF_TEXTS).map(|(reading, ..)| *reading);
        for reading in all.filter(|reading| *reading != Next) {
            for sent in ["n=3", "m=%41%20&n=3&o=+%ff", "n=0"] {
                assert_eq!(read(reading, sent), sent, "{reading:?}");
            }
        }
        for (reading, sent) in [
            (Blanks, "n=a+b"),
            (Bytes, "n=%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4"),
            (Longer, "n=123456"),
            (Missing, "n="),
            (Rubbish, "n=x1"),
            (Rubbish, "n=1.5"),
            (Tags, "n=1%3C2"),
        ] {
            assert_eq!(read(reading, sent), sent, "{reading:?}");
        }
    }
}

//! How parameters are read. Every stack reads them so, and reports the first that is wrong as
//! [`Fault::Parameter`], status 400.
//!
//! - `GET` requests take their parameters from the query, `POST` requests from the body, which is form-encoded
//!   whatever its content type says. Other parameters than those listed in `app.toml` are ignored.
//! - A value must be there exactly once, be UTF-8 without NUL, and have 1 to `max_length` code points. It is taken
//!   as it is: nothing is trimmed.
//! - A *whole number* is ASCII digits, without sign and without leading zeros (`0` itself is fine), within its range.
//! - An *id* is a whole number from 1 to 999999999.
//! - *Money* is 1 to 10 ASCII digits, optionally followed by a full stop and 1 or 2 digits.
//! - A *rating* is exactly one of `-5`, `-3`, `0`, `3`, `5`.
//! - A *nickname* has only the characters `A-Z a-z 0-9 _ . -`.
//! - An *email address* contains an `@`.
//!
//! Parameters are checked completely, one after the other in the order of `app.toml`, before anything else about the
//! request is.

use crate::fault::Fault;
use application::{Money, Parameters};
use std::ops::RangeInclusive;
use workload::Interaction;

/// What users may give each other, from bad to excellent.
pub const RATINGS: [i64; 5] = [-5, -3, 0, 3, 5];

/// The parameters of one request, with the limits of the interaction that reads them.
pub struct Form<'a> {
    parameters: Parameters,
    interaction: &'a Interaction,
}

impl<'a> Form<'a> {
    pub fn new(parameters: Parameters, interaction: &'a Interaction) -> Self {
        Self { parameters, interaction }
    }

    pub fn text(&self, name: &str) -> Result<String, Fault> {
        self.checked(name, |text| Some(text.to_owned()))
    }

    pub fn id(&self, name: &str) -> Result<i64, Fault> {
        self.whole(name, 1..=999_999_999)
    }

    pub fn whole(&self, name: &str, range: RangeInclusive<i64>) -> Result<i64, Fault> {
        self.checked(name, |text| whole(text).filter(|number| range.contains(number)))
    }

    pub fn money(&self, name: &str) -> Result<Money, Fault> {
        self.checked(name, |text| text.parse().ok())
    }

    pub fn rating(&self, name: &str) -> Result<i64, Fault> {
        self.checked(name, |text| RATINGS.into_iter().find(|rating| rating.to_string() == text))
    }

    pub fn nickname(&self, name: &str) -> Result<String, Fault> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        self.checked(name, |text| text.bytes().all(allowed).then(|| text.to_owned()))
    }

    pub fn email(&self, name: &str) -> Result<String, Fault> {
        self.checked(name, |text| text.contains('@').then(|| text.to_owned()))
    }

    fn checked<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
        let limits = self.interaction.parameters.iter().find(|parameter| parameter.name == name);
        let most = limits.and_then(|parameter| parameter.max_length).unwrap_or(0);
        let fits = |text: &&str| (1..=most as usize).contains(&text.chars().count());
        let value = self.parameters.one(name).filter(fits).and_then(read);
        value.ok_or_else(|| Fault::Parameter(name.to_owned()))
    }
}

fn whole(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    if digits && !leading_zero { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CATALOGUE;
    use proptest::prelude::*;

    /// Reads from a form of `StoreBid`, whose `qty` has at most 9 code points, `bid` 13 and `token` 100.
    fn read<T>(encoded: &str, get: impl Fn(&Form<'_>) -> Result<T, Fault>) -> Option<T> {
        let store_bid = CATALOGUE.get(CATALOGUE.by_name("StoreBid").unwrap());
        get(&Form::new(Parameters::decode(encoded.as_bytes()), store_bid)).ok()
    }

    fn id(value: &str) -> Option<i64> {
        read(&format!("itemId={value}"), |form| form.id("itemId"))
    }

    #[test]
    fn ids_are_read_strictly() {
        assert_eq!(id("1"), Some(1));
        assert_eq!(id("999999999"), Some(999_999_999));
        for wrong in [
            "",
            "0",
            "01",
            "-1",
            "%2B1",
            "+1",
            "1+",
            "1.0",
            "1e3",
            "0x1",
            "1000000000",
            "%D9%A3",
            "1%00",
            "1&itemId=1",
        ] {
            assert_eq!(id(wrong), None, "{wrong}");
        }
        assert_eq!(read("other=1", |form| form.id("itemId")), None);
    }

    #[test]
    fn ratings_are_five_numbers() {
        let store_comment = CATALOGUE.get(CATALOGUE.by_name("StoreComment").unwrap());
        let rating = |value: &str| {
            let parameters = Parameters::decode(format!("rating={value}").as_bytes());
            Form::new(parameters, store_comment).rating("rating").ok()
        };
        assert_eq!(RATINGS.map(|given| rating(&given.to_string())), RATINGS.map(Some));
        for wrong in ["", "1", "-0", "03", "%2B3", "+3", "-4", "3.", "\u{2212}5"] {
            assert_eq!(rating(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lengths_are_in_code_points() {
        let token =
            |length: usize| read(&format!("token={}", "%C3%A4".repeat(length)), |form| form.text("token"));
        assert_eq!(token(100), Some("ä".repeat(100)));
        assert_eq!(token(101), None);
        assert_eq!(token(0), None);
    }

    #[test]
    fn nicknames_and_addresses_have_their_form() {
        let nickname = |value: &str| read(&format!("token={value}"), |form| form.nickname("token"));
        assert_eq!(nickname("Ab_9.-"), Some("Ab_9.-".to_owned()));
        for wrong in ["", "a+b", "%C3%A4", "a%40b", "a%0A", "%3Cb%3E"] {
            assert_eq!(nickname(wrong), None, "{wrong}");
        }
        assert!(read("token=%40", |form| form.email("token")).is_some());
        assert!(read("token=a", |form| form.email("token")).is_none());
    }

    proptest! {
        #[test]
        fn every_id_is_read_as_itself(number in 1i64..=999_999_999) {
            prop_assert_eq!(id(&number.to_string()), Some(number));
        }

        #[test]
        fn what_is_read_is_written_the_same(text in "[0-9+-]{0,12}") {
            if let Some(number) = whole(&text) {
                prop_assert_eq!(number.to_string(), text);
            }
        }

        #[test]
        fn any_bytes_are_read_without_panic(encoded: Vec<u8>, text: String) {
            let store_bid = CATALOGUE.get(CATALOGUE.by_name("StoreBid").unwrap());
            for body in [encoded, format!("bid={text}&qty={text}").into_bytes()] {
                let form = Form::new(Parameters::decode(&body), store_bid);
                if let Ok(money) = form.money("bid") {
                    prop_assert!((0..=999_999_999_999).contains(&money.0));
                }
                let _ = form.whole("qty", 0..=5).map(|number| assert!((0..=5).contains(&number)));
            }
        }
    }
}

//! Parameter formats of the auction alone. All others are those of [`application::Form`].
//!
//! - A *rating* is exactly one of `-5`, `-3`, `0`, `3`, `5`.
//! - A *nickname* has only the characters `A-Z a-z 0-9 _ . -`.

use application::{Form, RequestFault};

/// From bad to excellent.
pub const RATINGS: [i64; 5] = [-5, -3, 0, 3, 5];

pub fn rating(form: &Form<'_>, name: &str) -> Result<i64, RequestFault> {
    form.read(name, |text| RATINGS.into_iter().find(|rating| rating.to_string() == text))
}

pub fn nickname(form: &Form<'_>, name: &str) -> Result<String, RequestFault> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    form.read(name, |text| text.bytes().all(allowed).then(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CATALOGUE;
    use application::Request;

    fn form(body: &str) -> Form<'static> {
        Form::open(&CATALOGUE, &Request::new("POST", "/auction/StoreComment", body)).unwrap()
    }

    #[test]
    fn ratings_are_five_numbers() {
        let read = |value: &str| rating(&form(&format!("rating={value}")), "rating").ok();
        assert_eq!(RATINGS.map(|given| read(&given.to_string())), RATINGS.map(Some));
        for wrong in ["", "1", "-0", "03", "%2B3", "+3", "-4", "3.", "\u{2212}5"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nicknames_have_their_characters() {
        let read = |value: &str| nickname(&form(&format!("comment={value}")), "comment").ok();
        assert_eq!(read("Ab_9.-"), Some("Ab_9.-".to_owned()));
        for wrong in ["", "a+b", "%C3%A4", "a%40b", "a%0A", "%3Cb%3E"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}

//! Parameter formats of the bookstore alone. All others are those of [`application::Form`].
//!
//! - A *user name* has only the characters `A-Z a-z 0-9 _ . -`.
//! - A *date* is a day of the calendar as `1980-02-29`, from the year 1880 to 2100; an *expiry* is a month as `2030-12`,
//!   from the year 2000 to 2099.
//! - A *card number* is 13 to 16 ASCII digits.
//! - A *picture* is the path of one of the bookstore's pictures: `images/7/image_107.png`, or `thumb` instead of `image`.
//!   The number is an id, the folder its remainder by 100.

use crate::pictures::Kind;
use application::{Form, RequestFault, Timestamp};

pub fn uname(form: &Form<'_>, name: &str) -> Result<String, RequestFault> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    form.read(name, |text| text.bytes().all(allowed).then(|| text.to_owned()))
}

/// The first second of a day.
pub fn date(form: &Form<'_>, name: &str) -> Result<Timestamp, RequestFault> {
    form.read(name, |text| day(text).filter(|_| ("1880".."2101").contains(&&text[..4])))
}

/// The first second of a month.
pub fn expiry(form: &Form<'_>, name: &str) -> Result<Timestamp, RequestFault> {
    form.read(name, |text| day(&format!("{text}-01")).filter(|_| text.starts_with("20")))
}

fn day(text: &str) -> Option<Timestamp> {
    let instant = Timestamp::parse(&format!("{text} 00:00:00"))?;
    (instant.to_string() == format!("{text} 00:00:00")).then_some(instant)
}

pub fn card_number(form: &Form<'_>, name: &str) -> Result<String, RequestFault> {
    let is_number = |text: &str| text.len() >= 13 && text.bytes().all(|byte| byte.is_ascii_digit());
    form.read(name, |text| is_number(text).then(|| text.to_owned()))
}

pub fn picture(form: &Form<'_>, name: &str, kind: Kind) -> Result<String, RequestFault> {
    form.read(name, |text| {
        let number = text.strip_suffix(".png")?.rsplit_once('_')?.1;
        let id: i64 = number.parse().ok().filter(|id| (1..=999_999_999).contains(id))?;
        (kind.path(id) == text).then(|| text.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CATALOGUE;
    use application::Request;

    /// `DATA` takes long values.
    fn form(value: &str) -> Form<'static> {
        let body = format!("DATA={value}");
        Form::open(&CATALOGUE, &Request::new("POST", "/bookstore/BuyRequest", &body)).unwrap()
    }

    #[test]
    fn user_names_have_their_characters() {
        let read = |value: &str| uname(&form(value), "DATA").ok();
        assert_eq!(read("Ab_9.-"), Some("Ab_9.-".to_owned()));
        for wrong in ["", "a+b", "%C3%A4", "a%40b", "a%0A", "%3Cb%3E"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn dates_are_days_of_the_calendar() {
        let read = |value: &str| date(&form(value), "DATA").ok();
        assert_eq!(read("1970-01-02"), Some(Timestamp(86_400)));
        assert!(read("1880-01-01").is_some() && read("2100-12-31").is_some() && read("2000-02-29").is_some());
        for wrong in [
            "1879-12-31",
            "2101-01-01",
            "1900-02-29",
            "2001-04-31",
            "1980-13-01",
            "1980-00-01",
            "1980-1-1",
            "80-01-01",
            "+980-01-01",
            "1980-01-01+",
            "+1980-01-01",
            "1980-01-0%D9%A3",
            "1980-01-01%0A",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn cards_expire_with_a_month() {
        let read = |value: &str| expiry(&form(value), "DATA").ok();
        assert!(read("2000-01").is_some() && read("2099-12").is_some());
        for wrong in ["1999-12", "2100-01", "2030-13", "2030-00", "2030-1", "30-01", "2030-01-01", "2030"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn cards_have_digits() {
        let read = |value: &str| card_number(&form(value), "DATA").is_ok();
        assert!(read("1234567890123") && read("0000000000000000"));
        for wrong in ["123456789012", "123456789012x", "1234+5678+9012+3456", "-123456789012"] {
            assert!(!read(wrong), "{wrong}");
        }
    }

    #[test]
    fn pictures_are_in_the_folder_of_their_number() {
        let read = |value: &str, kind| picture(&form(value), "DATA", kind).is_ok();
        assert!(
            read("images/7/image_107.png", Kind::Image) && read("images/0/thumb_100.png", Kind::Thumbnail)
        );
        for wrong in [
            "images/7/image_108.png",
            "images/07/image_107.png",
            "images/7/image_0107.png",
            "images/7/thumb_107.png",
            "images/0/image_0.png",
            "../images/7/image_107.png",
            "images/7/image_107.jpg",
            "images/7/image_%2B107.png",
            "images/7/image_1000000007.png",
        ] {
            assert!(!read(wrong, Kind::Image), "{wrong}");
        }
    }
}

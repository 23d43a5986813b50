use crate::Refusal;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use rust_decimal::Decimal;

const MAX_ID: i32 = 999_999_999;

/// The parameters of a request: those of a GET come from its query, those of a POST from its body. The first value counts.
pub struct Parameters(Vec<(String, String)>);

impl<S: Send + Sync> FromRequest<S> for Parameters {
    type Rejection = FormRejection;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let Form(pairs) = Form::from_request(request, state).await?;
        Ok(Self(pairs))
    }
}

impl Parameters {
    /// Reads 1 to `most` code points.
    pub fn text(&self, name: &str, most: usize) -> Result<String, Refusal> {
        self.read(name, most, |_| true).map(str::to_owned)
    }

    pub fn email(&self, name: &str, most: usize) -> Result<String, Refusal> {
        self.read(name, most, |value| value.contains('@')).map(str::to_owned)
    }

    pub fn nickname(&self, name: &str) -> Result<String, Refusal> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        self.read(name, 20, |value| value.chars().all(allowed)).map(str::to_owned)
    }

    /// Reads a number in a range: digits without a sign, and without zeros before them.
    pub fn whole(&self, name: &str, least: i32, most: i32) -> Result<i32, Refusal> {
        let value =
            self.read(name, 9, |value| is_digits(value) && (value == "0" || !value.starts_with('0')))?;
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| wrong_parameter(name))
    }

    /// Reads the id of a row.
    pub fn id(&self, name: &str) -> Result<i32, Refusal> {
        self.whole(name, 1, MAX_ID)
    }

    /// Reads an amount: 1 to 10 digits, with at most two behind a point.
    pub fn money(&self, name: &str) -> Result<Decimal, Refusal> {
        let value = self.read(name, 13, |value| match value.split_once('.') {
            None => is_amount(value),
            Some((units, cents)) => is_amount(units) && cents.len() <= 2 && is_digits(cents),
        })?;
        value.parse().map_err(|_| wrong_parameter(name))
    }

    /// Reads one of some values.
    pub fn choice<T: Copy>(&self, name: &str, values: &[(&str, T)]) -> Result<T, Refusal> {
        let value = self.read(name, 9, |_| true)?;
        let chosen = values.iter().find(|(text, _)| *text == value);
        chosen.map(|(_, chosen)| *chosen).ok_or_else(|| wrong_parameter(name))
    }

    /// Finds a value that keeps to a rule. A database takes no NUL.
    fn read(&self, name: &str, most: usize, fits: impl Fn(&str) -> bool) -> Result<&str, Refusal> {
        let value = self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        let length = value.chars().count();
        if (1..=most).contains(&length) && !value.contains('\0') && fits(value) {
            Ok(value)
        } else {
            Err(wrong_parameter(name))
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_amount(text: &str) -> bool {
    text.len() <= 10 && is_digits(text)
}

/// Refuses a parameter.
pub fn wrong_parameter(name: &str) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, format!("The parameter {name} is missing, repeated or malformed."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_reads(kind: &str, reads: impl Fn(&Parameters) -> bool, right: &[&str], wrong: &[&str]) {
        for (values, fits) in [(right, true), (wrong, false)] {
            for value in values {
                let parameters = Parameters(vec![("a".to_owned(), (*value).to_owned())]);
                assert_eq!(reads(&parameters), fits, "the {kind} {value:?}");
            }
        }
    }

    #[test]
    fn values_keep_to_their_rules() {
        assert_reads("text", |p| p.text("a", 3).is_ok(), &["x", "  ", "öäü"], &["", "öäüß", "a\0"]);
        assert_reads("email", |p| p.email("a", 9).is_ok(), &["@", "a@b"], &["ab", "123456789@"]);
        assert_reads("nickname", |p| p.nickname("a").is_ok(), &["Ab_9.-"], &["ä", "a b", "a\n"]);
        assert_reads(
            "id",
            |p| p.id("a").is_ok(),
            &["1", "999999999"],
            &["0", "01", "+1", "-1", "1000000000", "1.0", " 1", "٣"],
        );
        assert_reads("number", |p| p.whole("a", 0, 10).is_ok(), &["0", "10"], &["11", "00", "1\n"]);
        assert_reads(
            "money",
            |p| p.money("a").is_ok(),
            &["0", "007.5", "9999999999.99"],
            &["1.", ".5", "1.234", "1e3", "-1", "12345678901"],
        );
        assert_reads(
            "choice",
            |p| p.choice("a", &[("-5", -5), ("3", 3)]).is_ok(),
            &["-5", "3"],
            &["5", "03"],
        );
    }

    #[test]
    fn a_wrong_parameter_is_named() {
        let parameters = Parameters(vec![("a".to_owned(), "x".to_owned())]);
        assert!(parameters.id("b").expect_err("it is missing").to_string().contains("parameter b "));
    }
}

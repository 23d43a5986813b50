//! Checks of a request and the reading of its parameters, common to all applications.
//!
//! The parameters are read one after the other in the order of `app.toml`, before anything else about the request is
//! looked at. The first that is wrong is named (400):
//!
//! - `GET` requests have their parameters in the query, `POST` requests in the body. Parameters that `app.toml` does not
//!   list are ignored.
//! - A value must be there and have 1 to `max_length` code points. It is taken as it is: nothing is trimmed.
//! - A *whole number* is ASCII digits, without sign and without leading zeros (`0` itself is fine), within its range.
//! - An *id* is a whole number from 1 to 999999999.
//! - *Money* is 1 to 10 ASCII digits, optionally followed by a full stop and 1 or 2 digits.
//! - An *email address* contains an `@`.
//! - A *choice* is one of the values that `app.toml` lists as `one_of`.
//! - An `optional` parameter may be missing or empty, which means the same.
//!
//! A value that is repeated or no text counts as malformed here. Stacks may read such requests otherwise: see
//! [`Contract`](crate::Contract).

use crate::{COOKIE, Header, Money, Parameters, Request, StaticFile};
use std::ops::RangeInclusive;

/// The source of these rules, for specifications that show the document above.
pub const RULES: &str = include_str!("form.rs");
use thiserror::Error;
use workload::{Catalogue, Interaction, Method};

/// Refusal of a request that doesn't depend on the rows. Its text is the message of the error page. A refused request
/// changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RequestFault {
    #[error("There is no such page.")]
    UnknownPage,
    #[error("The parameter {0} is missing, repeated or malformed.")]
    Parameter(String),
}

impl RequestFault {
    pub fn status(&self) -> u16 {
        match self {
            Self::Parameter(_) => 400,
            Self::UnknownPage => 404,
        }
    }
}

/// Title and heading of an error page with this status.
pub fn heading(status: u16) -> &'static str {
    match status {
        400 => "Bad request",
        403 => "Access denied",
        404 => "Not found",
        504 => "No answer",
        _ => "Refused",
    }
}

/// The static file of the request, if any.
pub fn file<'a>(files: &'a [StaticFile], request: &Request) -> Option<&'a StaticFile> {
    files.iter().find(|file| file.path == request.path && request.method == Method::Get.to_string())
}

/// The parameters of one request, with the limits of the interaction that reads them.
pub struct Form<'a> {
    parameters: Parameters,
    interaction: &'a Interaction,
}

impl<'a> Form<'a> {
    /// Checks a request up to its parameters.
    pub fn open(catalogue: &'a Catalogue, request: &Request) -> Result<Self, RequestFault> {
        let id = catalogue.by_path(&request.path).ok_or(RequestFault::UnknownPage)?;
        let interaction = catalogue.get(id);
        if request.method != interaction.method.to_string() {
            return Err(RequestFault::UnknownPage);
        }
        let encoded = match interaction.method {
            Method::Get => request.query.as_bytes(),
            _ => &request.body,
        };
        Ok(Self { parameters: Parameters::decode(encoded), interaction })
    }

    /// Likewise for an application with session cookies, which come with the headers.
    pub fn open_with_cookies(
        catalogue: &'a Catalogue,
        request: &Request,
        headers: &[Header],
    ) -> Result<Self, RequestFault> {
        let mut form = Self::open(catalogue, request)?;
        let cookies = workload::header(headers, COOKIE).unwrap_or_default();
        form.parameters.put_cookies(form.interaction.cookies(), cookies);
        Ok(form)
    }

    pub fn interaction(&self) -> &'a Interaction {
        self.interaction
    }

    /// A parameter as it was sent.
    pub fn text(&self, name: &str) -> Result<String, RequestFault> {
        self.read(name, |text| Some(text.to_owned()))
    }

    pub fn id(&self, name: &str) -> Result<i64, RequestFault> {
        self.whole(name, 1..=999_999_999)
    }

    /// A parameter that is a whole number within this range.
    pub fn whole(&self, name: &str, range: RangeInclusive<i64>) -> Result<i64, RequestFault> {
        self.read(name, |text| whole(text).filter(|number| range.contains(number)))
    }

    pub fn money(&self, name: &str) -> Result<Money, RequestFault> {
        self.read(name, |text| text.parse().ok())
    }

    pub fn email(&self, name: &str) -> Result<String, RequestFault> {
        self.read(name, |text| text.contains('@').then(|| text.to_owned()))
    }

    /// A parameter with one of the values that the catalogue lists.
    pub fn choice(&self, name: &str) -> Result<&'a str, RequestFault> {
        let parameter = self.interaction.parameters.iter().find(|parameter| parameter.name == name);
        let given = self.parameters.one(name);
        let chosen = parameter
            .and_then(|parameter| parameter.one_of.iter().find(|value| Some(value.as_str()) == given));
        chosen.map(String::as_str).ok_or_else(|| RequestFault::Parameter(name.to_owned()))
    }

    /// An optional parameter: none if it is missing or empty, or else the result of `read`.
    pub fn optional<T>(
        &self,
        name: &str,
        read: impl Fn(&Self, &str) -> Result<T, RequestFault>,
    ) -> Result<Option<T>, RequestFault> {
        if self.parameters.is_absent(name) { Ok(None) } else { read(self, name).map(Some) }
    }

    /// A parameter of another format: `read` returns none if the value is malformed.
    pub fn read<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, RequestFault> {
        let limits = self.interaction.parameters.iter().find(|parameter| parameter.name == name);
        let most = limits.and_then(|parameter| parameter.max_length).unwrap_or(0);
        let fits = |text: &&str| (1..=most as usize).contains(&text.chars().count());
        let value = self.parameters.one(name).filter(fits).and_then(read);
        value.ok_or_else(|| RequestFault::Parameter(name.to_owned()))
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
    use proptest::prelude::*;
    use settings::Document;
    use std::sync::LazyLock;
    use workload::ExternalSite;

    const SHOP: &str = r#"
prefix = "/shop"
follow = "mix"

[[interaction]]
name = "Look"
path = "Look"

[[interaction]]
name = "Own"
path = "Own"
parameters = [{ name = "session", max_length = 9, cookie = true }, { name = "id", max_length = 9 }]

[[interaction]]
name = "Buy"
path = "Buy"
method = "POST"
parameters = [
  { name = "id", max_length = 9 }, { name = "count", max_length = 9 }, { name = "price", max_length = 13 },
  { name = "text", max_length = 5 }, { name = "sort", one_of = ["old", "new"], optional = true },
]
"#;
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| ExternalSite::parse(&Document::new("shop.toml", SHOP), false).unwrap().catalogue);

    fn buy(body: &[u8]) -> Result<Form<'static>, RequestFault> {
        let request = Request { body: body.to_vec(), ..Request::new("POST", "/shop/Buy", "") };
        Form::open(&CATALOGUE, &request)
    }

    fn read<T>(body: &str, get: impl Fn(&Form<'_>) -> Result<T, RequestFault>) -> Option<T> {
        get(&buy(body.as_bytes()).unwrap()).ok()
    }

    fn id(value: &str) -> Option<i64> {
        read(&format!("id={value}"), |form| form.id("id"))
    }

    #[test]
    fn cookie_parameters_are_read_from_cookies_only() {
        let session = |query: &str, cookies: &str| {
            let request = Request::new("GET", &format!("/shop/Own?{query}"), "");
            let headers = [Header::new(COOKIE, cookies.to_owned())];
            Form::open_with_cookies(&CATALOGUE, &request, &headers).unwrap().text("session").ok()
        };
        assert_eq!(session("id=1", "a=b; session=x%41; c"), Some("x%41".to_owned()), "it is taken as it is");
        for (query, cookies) in [
            ("session=x", ""),
            ("session=x", "other=x"),
            ("", "session=x; session=x"),
            ("", "session="),
            ("", "session"),
            ("", "sessions=x"),
            ("", "session=0123456789"),
        ] {
            assert_eq!(session(query, cookies), None, "{query} {cookies}");
        }
        let mut request = Request::new("GET", "/shop/Own?session=x&id=1&session=y", "");
        assert_eq!(request.take_cookies(&CATALOGUE), Some(Header::new(COOKIE, "session=x; session=y")));
        assert_eq!(request.target(), "/shop/Own?id=1");
        let mut other = Request::new("GET", "/shop/Look?session=x", "");
        assert_eq!((other.take_cookies(&CATALOGUE), other.query.as_str()), (None, "session=x"));
    }

    #[test]
    fn the_first_failed_check_is_reported() {
        let open = |method: &str, target: &str, body: &str| {
            Form::open(&CATALOGUE, &Request::new(method, target, body))
                .map(|form| form.interaction().name.clone())
        };
        assert_eq!(open("POST", "/shop/Buy?", "&&"), Ok("Buy".to_owned()));
        assert_eq!(open("GET", "/shop/Look", "a"), Ok("Look".to_owned()), "a body that is not read");
        assert_eq!(open("POST", "/shop/buy", ""), Err(RequestFault::UnknownPage));
        assert_eq!(open("GET", "/shop/Buy", ""), Err(RequestFault::UnknownPage));
        assert_eq!(buy(b"id=0").unwrap().id("id"), Err(RequestFault::Parameter("id".to_owned())));
    }

    #[test]
    fn static_files_are_found_by_path() {
        let files =
            [StaticFile { path: "/shop/style.css".to_owned(), content_type: "text/css", body: vec![1] }];
        let asked = |method: &str, target: &str| {
            file(&files, &Request::new(method, target, "")).map(|file| file.body.clone())
        };
        assert_eq!(asked("GET", "/shop/style.css?a"), Some(vec![1]));
        assert_eq!(asked("POST", "/shop/style.css"), None);
        assert_eq!(asked("GET", "/shop/Look"), None);
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
            "1&id=1",
        ] {
            assert_eq!(id(wrong), None, "{wrong}");
        }
        assert_eq!(read("other=1", |form| form.id("id")), None);
    }

    #[test]
    fn lengths_are_in_code_points() {
        let text =
            |length: usize| read(&format!("text={}", "%C3%A4".repeat(length)), |form| form.text("text"));
        assert_eq!(text(5), Some("ä".repeat(5)));
        assert_eq!(text(6), None);
        assert_eq!(text(0), None);
    }

    #[test]
    fn email_addresses_contain_an_at_sign() {
        assert!(read("text=%40", |form| form.email("text")).is_some());
        assert!(read("text=a", |form| form.email("text")).is_none());
    }

    #[test]
    fn a_choice_must_be_listed_and_may_be_optional() {
        let sort = |body: &str| buy(body.as_bytes()).unwrap().optional("sort", Form::choice);
        assert_eq!((sort("sort=new"), sort("sort=old")), (Ok(Some("new")), Ok(Some("old"))));
        assert_eq!((sort("sort="), sort("")), (Ok(None), Ok(None)));
        let fault = Err(RequestFault::Parameter("sort".to_owned()));
        for wrong in ["sort=NEW", "sort=new+", "sort=new&sort=new", "sort=&sort=", "sort=&sort=new"] {
            assert_eq!(sort(wrong), fault, "{wrong}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn ids_round_trip(number in 1i64..=999_999_999) {
            prop_assert_eq!(id(&number.to_string()), Some(number));
        }

        #[test]
        fn read_values_round_trip(text in "[0-9+-]{0,12}") {
            if let Some(number) = whole(&text) {
                prop_assert_eq!(number.to_string(), text);
            }
        }

        #[test]
        fn arbitrary_bytes_cause_no_panic(encoded: Vec<u8>, text: String) {
            for body in [encoded, format!("price={text}&count={text}").into_bytes()] {
                let form = buy(&body).unwrap();
                if let Ok(money) = form.money("price") {
                    prop_assert!((0..=999_999_999_999).contains(&money.0));
                }
                let _ = form.whole("count", 0..=5).map(|number| assert!((0..=5).contains(&number)));
            }
        }
    }
}

//! A user's own site, which is no application of the laboratory: a list of addresses, or a file in the format of an
//! application with more defaults.

use crate::catalogue::{Listed, find_start, listed};
use crate::mix_file::RowEntry;
use crate::origins::with_upper_escapes;
use crate::{
    Account, Call, Calls, Catalogue, Class, Effect, Habits, Header, Interaction, Length, Method, Mix,
    Origins, Parameter, Protocol, Request, Users,
};
use rand::Rng;
use serde::Deserialize;
use settings::{Document, SettingsError};
use std::{collections::BTreeMap, ops::Range, time::Duration};
use thiserror::Error;
use toml::Spanned;
use url::Url;

/// A site, what its users do, and who they are.
#[derive(Debug)]
pub struct ExternalSite {
    /// The address, if the file has one: `http://127.0.0.1:8080`.
    pub at: Option<String>,
    pub catalogue: Catalogue,
    pub mix: Mix,
    accounts: Vec<Account>,
    /// The request for each interaction, by index, if pages are not read.
    requests: Option<Vec<Call>>,
}

/// Faults of a list of addresses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExternalSiteError {
    #[error("no address is named")]
    Nothing,
    #[error("{0} different addresses are too many; take at most {MOST_ADDRESSES}")]
    TooMany(usize),
}

/// A matrix of this size fits into a few MiB.
const MOST_ADDRESSES: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteFile {
    #[serde(default = "site")]
    name: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    prefix: String,
    #[serde(default = "think_time")]
    think_time: Length,
    #[serde(default = "session_length")]
    session_length: Length,
    #[serde(default)]
    start: Option<Spanned<String>>,
    #[serde(default)]
    embedded: bool,
    #[serde(default)]
    follow: Follow,
    #[serde(default)]
    accounts: Vec<AccountEntry>,
    interaction: Vec<Entry>,
    #[serde(default)]
    transitions: BTreeMap<Spanned<String>, RowEntry>,
}

/// The source of a user's next request.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Follow {
    /// Links and forms of the current page.
    #[default]
    Links,
    Mix,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountEntry {
    nickname: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    path: Spanned<String>,
    #[serde(default = "get")]
    method: Method,
    #[serde(default = "browse")]
    class: Class,
    #[serde(default = "read")]
    effect: Effect,
    #[serde(default)]
    writes: Option<String>,
    #[serde(default)]
    secure: bool,
    #[serde(default)]
    response_limit: Option<Length>,
    #[serde(default)]
    parameters: Vec<Parameter>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: String,
    #[serde(default)]
    weight: Option<Spanned<f64>>,
}

fn site() -> String {
    "site".to_owned()
}

/// The mean of TPC-W and RUBiS.
fn think_time() -> Length {
    Length(Duration::from_secs(7))
}

fn session_length() -> Length {
    Length(Duration::from_secs(900))
}

fn get() -> Method {
    Method::Get
}

fn browse() -> Class {
    Class::Browse
}

fn read() -> Effect {
    Effect::Read
}

impl ExternalSite {
    /// Reads a site's file. With `is_secure`, all of it uses TLS.
    pub fn parse(document: &Document, is_secure: bool) -> Result<Self, Box<SettingsError>> {
        let mut file: SiteFile = document.parse()?;
        let is_alone = file.interaction.len() == 1 && file.transitions.is_empty();
        let is_listed = file.follow == Follow::Mix || is_alone;
        let weights = weights(&file, document)?;
        let requests = file.interaction.iter_mut().map(|entry| entry.call(is_listed, document));
        let requests = requests.collect::<Result<Vec<_>, _>>()?;
        let all = std::mem::take(&mut file.interaction).into_iter();
        let all = all.map(|entry| entry.listed(&file.prefix, is_secure, is_listed, document));
        let (interactions, by_path) = listed(all.collect::<Result<_, _>>()?, !is_listed, document)?;
        let start = match &file.start {
            Some(start) => find_start(start, &interactions, document)?,
            None => crate::InteractionId(0),
        };
        let catalogue = Catalogue {
            title: file.title.unwrap_or_else(|| file.name.clone()),
            name: file.name,
            think_time: file.think_time,
            session_length: file.session_length,
            mix: String::new(),
            databases: Vec::new(),
            constant_tables: Vec::new(),
            stores: Vec::new(),
            depends: Vec::new(),
            start,
            embedded: file.embedded,
            interactions,
            by_path,
        };
        let mix = match weights {
            Some(weights) => Mix::weighted(&catalogue, &weights),
            None => Mix::of_rows(&file.transitions, document, &catalogue)?,
        };
        let accounts = file.accounts.into_iter();
        Ok(Self {
            at: file.at,
            catalogue,
            mix,
            accounts: accounts
                .map(|AccountEntry { nickname, password }| Account { nickname, password })
                .collect(),
            requests: is_listed.then_some(requests),
        })
    }

    /// A list of paths with queries, which are requested in random order; repeated ones more often.
    pub fn of_paths(name: &str, paths: &[String], is_secure: bool) -> Result<Self, ExternalSiteError> {
        let mut weights: Vec<(&String, f64)> = Vec::new();
        for path in paths {
            match weights.iter_mut().find(|(known, _)| *known == path) {
                Some((_, weight)) => *weight += 1.0,
                None => weights.push((path, 1.0)),
            }
        }
        match weights.len() {
            0 => return Err(ExternalSiteError::Nothing),
            1..=MOST_ADDRESSES => {}
            many => return Err(ExternalSiteError::TooMany(many)),
        }
        let interactions: Vec<Interaction> =
            weights.iter().map(|(path, _)| plain(path, path, is_secure)).collect();
        let by_path = (0..).map(crate::InteractionId);
        let by_path = interactions.iter().map(|one| one.path.clone()).zip(by_path).collect();
        let catalogue = Catalogue {
            name: name.to_owned(),
            title: name.to_owned(),
            think_time: think_time(),
            session_length: session_length(),
            mix: String::new(),
            databases: Vec::new(),
            constant_tables: Vec::new(),
            stores: Vec::new(),
            depends: Vec::new(),
            start: crate::InteractionId(0),
            embedded: false,
            interactions,
            by_path,
        };
        let requests = Some(vec![Call::default(); weights.len()]);
        let weights: Vec<f64> = weights.iter().map(|(_, weight)| *weight).collect();
        let mix = Mix::weighted(&catalogue, &weights);
        Ok(Self { at: None, catalogue, mix, accounts: Vec::new(), requests })
    }

    /// Calls `act` with the site's users.
    pub fn with_users<T>(&self, act: impl FnOnce(&Users<'_>) -> T) -> T {
        let nobody = Account { nickname: String::new(), password: String::new() };
        let account = |number: u64| {
            let known =
                usize::try_from(number).ok().and_then(|number| self.accounts.get(number.wrapping_sub(1)));
            known.unwrap_or(&nobody).clone()
        };
        let Self { catalogue, mix, .. } = self;
        act(&Users { catalogue, mix, accounts: self.accounts.len() as u64, account: &account, habits: self })
    }
}

impl Habits for ExternalSite {
    fn calls(&self) -> Option<&dyn Calls> {
        self.requests.as_ref().map(|_| self as &dyn Calls)
    }
}

/// Answers are checked by their status alone.
impl Calls for ExternalSite {
    fn call(&self, interaction: &Interaction, _: &mut dyn Rng) -> Call {
        let mut all = self.requests.iter().flatten().zip(self.catalogue.interactions());
        // They are those of the catalogue; comparing names would take longer than everything else here.
        let found = all.find(|(_, known)| std::ptr::eq(*known, interaction));
        found.map(|(call, _)| call.clone()).unwrap_or_default()
    }

    fn reads(&self) -> bool {
        false
    }

    fn is_right(&self, _: &Request, status: u16, _: &[u8]) -> bool {
        (200..300).contains(&status)
    }
}

/// An interaction with defaults for everything but its name and path.
fn plain(name: &str, path: &str, secure: bool) -> Interaction {
    Interaction {
        name: name.to_owned(),
        path: path.to_owned(),
        method: Method::Get,
        class: Class::Browse,
        effect: Effect::Read,
        writes: None,
        protocol: Protocol::Html,
        secure,
        response_limit: None,
        parameters: Vec::new(),
    }
}

/// The weights of the interactions, if the file has no transitions.
fn weights(file: &SiteFile, document: &Document) -> Result<Option<Vec<f64>>, Box<SettingsError>> {
    let Some(first) = file.interaction.first() else {
        let remedy = "add [[interaction]] with `name` and `path`".to_owned();
        return Err(document.error(None, "the site has no interaction", Some(remedy)));
    };
    let given = file.interaction.iter().find_map(|entry| entry.weight.as_ref());
    if let Some(weight) = given.filter(|_| !file.transitions.is_empty()) {
        let remedy = "leave out either `weight` or [transitions]".to_owned();
        return Err(document.error(
            Some(weight.span()),
            "transitions already define how often each is requested",
            Some(remedy),
        ));
    }
    if !file.transitions.is_empty() {
        return Ok(None);
    }
    if file.follow == Follow::Links && file.interaction.len() > 1 {
        let remedy = format!(
            "add [transitions.{}] and so on, or `follow = \"mix\"` where requests need no links",
            first.name.get_ref()
        );
        return Err(document.error(None, "transitions between pages are missing", Some(remedy)));
    }
    let weight = |entry: &Entry| match &entry.weight {
        None => Ok(1.0),
        Some(weight) if *weight.get_ref() > 0.0 && weight.get_ref().is_finite() => Ok(*weight.get_ref()),
        Some(weight) => {
            let remedy = Some("write a number above 0".to_owned());
            Err(document.error(Some(weight.span()), format!("{} is no weight", weight.get_ref()), remedy))
        }
    };
    let weights = file.interaction.iter().map(weight).collect::<Result<Vec<f64>, _>>()?;
    if weights.iter().sum::<f64>().is_infinite() {
        let place = given.map(Spanned::span);
        return Err(document.error(
            place,
            "the weights add up to infinity",
            Some("write smaller ones".to_owned()),
        ));
    }
    Ok(Some(weights))
}

/// A header that can't be sent, what is wrong with it, and what to do.
fn unsendable<'h>(name: &'h str, value: &str) -> Option<(&'h str, &'static str, &'static str)> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Some((name, "is no name of a header", "write letters, digits and `-`"));
    }
    if value.chars().any(|c| c.is_control() && c != '\t') {
        return Some((name, "has a control character or a line break", "leave it out"));
    }
    let is_framing = is("content-length") || is("transfer-encoding");
    is_framing.then_some((name, "is sent as the body needs it", "leave it out"))
}

impl Entry {
    fn call(&mut self, is_listed: bool, document: &Document) -> Result<Call, Box<SettingsError>> {
        let has_own = !self.headers.is_empty() || !self.body.is_empty();
        if has_own && !is_listed {
            let fault =
                "users who follow links send what forms have, and no `headers` or `body` of their own";
            let remedy = "write `follow = \"mix\"`, or leave them out".to_owned();
            return Err(self.error(document, fault, remedy));
        }
        if !self.body.is_empty() && self.method == Method::Get {
            return Err(self.error(document, "a GET has no body", "write `method = \"POST\"`".to_owned()));
        }
        if let Some((name, fault, remedy)) =
            self.headers.iter().find_map(|(name, value)| unsendable(name, value))
        {
            let fault = format!("the header `{}` {fault}", name.escape_default());
            return Err(self.error(document, &fault, remedy.to_owned()));
        }
        let mut names: Vec<String> = self.headers.keys().map(|name| name.to_ascii_lowercase()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let fault = format!("the header `{}` is there twice, in other letters", twice[0]);
            return Err(self.error(document, &fault, "leave one of them out".to_owned()));
        }
        if let Some(parameter) = self.parameters.iter().find(|one| is_listed && one.fill.is_some()) {
            let fault =
                format!("nobody fills `{}`: with `follow = \"mix\"`, no page is read", parameter.name);
            return Err(self.error(document, &fault, "write its value into `path` or `body`".to_owned()));
        }
        let headers = std::mem::take(&mut self.headers).into_iter();
        let headers = headers.map(|(name, value)| Header::new(name, value)).collect();
        Ok(Call { headers, body: std::mem::take(&mut self.body) })
    }

    fn listed(
        self,
        prefix: &str,
        is_secure: bool,
        is_listed: bool,
        document: &Document,
    ) -> Result<Listed, Box<SettingsError>> {
        let (name, place): (Range<usize>, _) = (self.name.span(), self.path.span());
        let path = self.path.get_ref();
        if matches!(self.name.get_ref().trim(), "" | "back") {
            let remedy = Some("give it another name: `back` is a step of users".to_owned());
            return Err(document.error(Some(name), format!("`{}` is no name", self.name.get_ref()), remedy));
        }
        if path.contains(|c: char| c.is_whitespace() || c.is_control()) {
            let remedy = Some("write blanks as %20".to_owned());
            return Err(document.error(Some(place), format!("`{path}` is no path"), remedy));
        }
        if path.contains('#') || path.starts_with("//") || Url::parse(path).is_ok() {
            let remedy = Some("write /PATH alone; the host is in `at`, and no fragment is sent".to_owned());
            return Err(document.error(Some(place), format!("`{path}` is no path"), remedy));
        }
        if path.contains('?') && !is_listed {
            let remedy =
                "leave the query out: links and forms have their own; or write `follow = \"mix\"`".to_owned();
            return Err(document.error(Some(place), "pages lead to paths with any query", Some(remedy)));
        }
        if (self.effect == Effect::Write) != self.writes.is_some() {
            let fault = "`effect = \"write\"` without `writes`, or the reverse";
            let remedy = "leave both out, unless pages acknowledge the rows that they write".to_owned();
            return Err(self.error(document, fault, remedy));
        }
        let path = format!("{}/{}", prefix.trim_end_matches('/'), path.trim_start_matches('/'));
        let url = Origins::nowhere().document(false, &path);
        let path = with_upper_escapes(crate::path_and_query(&url)).into_owned();
        let interaction = Interaction {
            method: self.method,
            class: self.class,
            effect: self.effect,
            writes: self.writes,
            response_limit: self.response_limit,
            parameters: self.parameters,
            ..plain(self.name.get_ref(), &path, self.secure || is_secure)
        };
        Ok(Listed { interaction, name, path: place })
    }

    fn error(&self, document: &Document, fault: &str, remedy: String) -> Box<SettingsError> {
        document.error(Some(self.name.span()), format!("`{}`: {fault}", self.name.get_ref()), Some(remedy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Caller, Dialogue, Fill, How, Page, Step};

    const LONG: Duration = Duration::from_secs(3_600);

    const SHOP: &str = r#"
at = "http://127.0.0.1:8080"
think_time = "2s"

[[interaction]]
name = "Home"
path = "/"

[[interaction]]
name = "Search"
path = "search"
parameters = [{ name = "q", fill = { text = "blue shoes" } }]

[transitions.Home]
Search = 1.0

[transitions.Search]
Home = 0.3
Search = 0.7
"#;

    const CALLS: &str = r#"
follow = "mix"

[[interaction]]
name = "Read"
path = "/api/items?limit=5"
weight = 3

[[interaction]]
name = "Add"
path = "/api/items"
method = "POST"
headers = { Content-Type = "application/json" }
body = '{"name": "x"}'
"#;

    fn read(text: &str) -> Result<ExternalSite, String> {
        ExternalSite::parse(&Document::new("shop.toml", text), false).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_minimal_file_is_a_site_whose_users_follow_links() {
        let site = read(SHOP).unwrap();
        assert_eq!(site.at.as_deref(), Some("http://127.0.0.1:8080"));
        let [home, search] = ["/", "/search"].map(|path| site.catalogue.by_path(path).unwrap());
        assert_eq!((site.catalogue.start, site.catalogue.think_time.0), (home, Duration::from_secs(2)));
        let fill = site.catalogue.get(search).parameters[0].fill.clone();
        assert_eq!(fill, Some(Fill::Text("blue shoes".into())));
        assert!(site.calls().is_none());
        let step = site.mix.steps(home).next();
        assert_eq!(step, Some((1.0, Step::To(search))));
    }

    #[test]
    fn an_application_can_be_written_as_a_site() {
        let text = SHOP.replace(
            "path = \"search\"",
            "path = \"search\"\nmethod = \"POST\"\nclass = \"order\"\neffect = \"write\"\nwrites = \"rows\"",
        );
        let site = read(&text).unwrap();
        let search = site.catalogue.by_name("Search").unwrap();
        assert_eq!(site.catalogue.get(search).effect, Effect::Write);
    }

    #[test]
    fn requests_without_links_follow_the_weights() {
        let site = read(CALLS).unwrap();
        site.with_users(|users| {
            let mut dialogue = users.dialogue(1, 0, 1, None);
            let mut adds = 0;
            for _ in 0..4000 {
                let request = dialogue.next(users, Duration::from_secs(900), Duration::ZERO);
                if request.how == How::Forward && request.method == Method::Post {
                    adds += 1;
                    assert_eq!(
                        (&*request.path_and_query, &*request.body),
                        ("/api/items", "{\"name\": \"x\"}")
                    );
                    assert_eq!(crate::header(&request.headers, "content-type"), Some("application/json"));
                } else {
                    assert_eq!(
                        (request.path_and_query.as_str(), request.body.len()),
                        ("/api/items?limit=5", 0)
                    );
                }
            }
            assert!((900..1100).contains(&adds), "{adds}");
        });
    }

    #[test]
    fn a_path_is_escaped_as_a_request_line_needs_it() {
        let site = read(&SHOP.replace("\"search\"", "\"caf\u{e9}/../s\u{e4}\"")).unwrap();
        let own = site.catalogue.by_path("/s%C3%A4");
        assert!(own.is_some());
        for href in ["s\u{e4}", "/s%C3%A4", "s%c3%a4", "http://site.invalid/s%c3%A4"] {
            let page = Page::scan(format!("<a href='{href}'></a>").as_bytes(), "/", &site.catalogue);
            assert_eq!(page.actions().next().map(|action| action.to()), own, "{href}");
        }
        let site = read(&CALLS.replace("?limit=5", "?q='\u{e4}'")).unwrap();
        assert_eq!(site.catalogue.get(site.catalogue.start).path, "/api/items?q=%27%C3%A4%27");
    }

    #[test]
    fn addresses_are_requested_as_often_as_they_are_listed() {
        let paths = ["/a", "/b?x=1", "/a"].map(str::to_owned);
        let site = ExternalSite::of_paths("here", &paths, true).unwrap();
        let shares: Vec<f64> = site.mix.steps(site.catalogue.start).map(|(share, _)| share).collect();
        assert!((shares[0] - 2.0 / 3.0).abs() < 1e-9 && shares.len() == 2, "{shares:?}");
        assert!(site.catalogue.is_secure());
        assert_eq!(ExternalSite::of_paths("here", &[], false).err(), Some(ExternalSiteError::Nothing));
        let many: Vec<String> = (0..501).map(|number| format!("/{number}")).collect();
        assert_eq!(ExternalSite::of_paths("here", &many, false).err(), Some(ExternalSiteError::TooMany(501)));
    }

    #[test]
    fn first_requests_are_as_frequent_as_others() {
        let site = ExternalSite::of_paths("here", &["/a", "/b", "/a"].map(str::to_owned), false).unwrap();
        let second = site.with_users(|users| {
            let first = |client| Caller::new(7, client).next(users, LONG, Duration::ZERO);
            (0..3_000).map(first).filter(|request| request.path_and_query == "/b").count()
        });
        // A third of 3,000, five standard deviations around.
        assert!((870..=1_130).contains(&second), "{second}");
    }

    #[test]
    fn the_documentations_example_is_a_site() {
        let document = include_str!("../../../docs/drive.md");
        let files: Vec<&str> =
            document.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let all: Vec<ExternalSite> = files.iter().map(|file| read(file).unwrap()).collect();
        let listed: Vec<bool> = all.iter().map(|site| site.calls().is_some()).collect();
        assert_eq!(listed, [false, true]);
        all[0].with_users(|users| assert_eq!((users.account)(1).nickname, "ann"));
    }

    #[test]
    fn contradictions_are_refused_with_a_remedy() {
        for (text, fault) in [
            (SHOP.replace("path = \"search\"", "path = \"search?q=x\""), "any query"),
            (SHOP.replace("[transitions.Search]\nHome = 0.3\nSearch = 0.7", ""), "has no row"),
            (SHOP.replace("path = \"/\"", "path = \"/\"\nbody = \"x\""), "`follow"),
            (SHOP.replace("think_time", "thinktime"), "unknown field"),
            (SHOP.split("[transitions").next().unwrap().to_owned(), "transitions between pages are missing"),
            ("interaction = []".to_owned(), "no interaction"),
            (CALLS.replace("weight = 3", "weight = 0"), "no weight"),
            (CALLS.replace("method = \"POST\"", ""), "a GET has no body"),
            (format!("start = 'Rad'\n{CALLS}"), "no interaction"),
            (CALLS.replace("/api/items\"", "/a b\""), "no path"),
            (CALLS.replace("application/json", "a\\r\\nb"), "line break"),
            (CALLS.replace("Content-Type", "\"Bad Name\""), "is no name of a header"),
            (CALLS.replace("Content-Type", "\"\""), "is no name of a header"),
            (CALLS.replace("Content-Type", "\"X:\""), "is no name of a header"),
            (
                CALLS.replace("{ Content-Type", "{ content-type = \"text/plain\", Content-Type"),
                "is there twice",
            ),
            (CALLS.replace("Content-Type", "content-length"), "is sent as the body needs it"),
            (CALLS.replace("Content-Type", "Transfer-Encoding"), "is sent as the body needs it"),
            (CALLS.replace("/api/items\"", "/api/items#top\""), "no fragment is sent"),
            (CALLS.replace("/api/items\"", "http://shop.example/api\""), "the host is in `at`"),
            (CALLS.replace("/api/items\"", "//shop.example/api\""), "the host is in `at`"),
            (
                CALLS.replace(
                    "weight = 3",
                    "parameters = [{ name = \"q\", fill = { text = \"shoes\" } }]\nweight = 3",
                ),
                "nobody fills `q`",
            ),
            (CALLS.replace("name = \"Read\"", "name = \"back\""), "`back` is no name"),
            (CALLS.replace("name = \"Read\"", "name = \" \""), "is no name"),
            (
                CALLS
                    .replace("weight = 3", "weight = 1e308")
                    .replace("method = \"POST\"", "method = \"POST\"\nweight = 1e308"),
                "add up to infinity",
            ),
        ] {
            let refused = ExternalSite::parse(&Document::new("shop.toml", text.as_str()), false).unwrap_err();
            let message =
                format!("{refused} {:?}", miette::Diagnostic::help(&*refused).map(|help| help.to_string()));
            assert!(message.contains(fault), "{fault}: {message}");
        }
    }
}

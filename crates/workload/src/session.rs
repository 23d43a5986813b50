//! One user's walk: the next page, the way from the current page to it, and the values typed into its form.
//!
//! A session behaves like a person with a browser. It follows links and submits forms of the page. If none leads to the
//! interaction that the mix has chosen, it goes back; these fallbacks are counted separately, because they are no
//! transitions of the mix. When its length is over, another user takes its place.

use crate::dialogue::random_of;
use crate::form_encoding::{append_pair, escape};
use crate::{
    Account, Answer, AnswerKind, Caller, Dialogue, Habits, How, Request, Step, Users, session_length,
};
use crate::{
    Action, Catalogue, Effect, Field, Fill, Form, FormCoding, Header, InteractionId, Method, Page, Parameter,
};
use rand::seq::IteratorRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{borrow::Cow, time::Duration};

impl Users<'_> {
    /// The dialogue of client `client` (from 0) of `clients`: as a browser, or as a program that calls operations. The
    /// same seed and the same answers give the same requests, but for unique texts, which hold the instant at which the
    /// run `began` (in seconds) if it is given.
    pub fn dialogue(
        &self,
        seed: u64,
        client: u32,
        clients: u32,
        began: Option<i64>,
    ) -> Box<dyn Dialogue + Send> {
        match self.habits.calls() {
            Some(_) => Box::new(Caller::new(seed, client)),
            None => Box::new(Session::new(seed, client, clients).of_run(began)),
        }
    }
}

/// The length of a tab's history in Firefox and Chromium.
const LONGEST_HISTORY: usize = 50;

/// The walk of one client through any number of consecutive sessions.
#[derive(Debug)]
pub struct Session {
    random: ChaCha8Rng,
    ends: Option<Duration>,
    /// The number of the account, which is the id of its user.
    user: u64,
    account: Account,
    /// Distinguishes this walk's unique texts from those of other clients and loads.
    unique: UniqueValues,
    history: History,
    at: At,
    page: Page,
}

/// The pages that were reached by GET and can be requested again; the last is the latest. Each client holds one
/// history, so that it takes two allocations instead of one for each page.
#[derive(Debug, Default)]
struct History {
    /// Each page with the length of its query.
    visited: Vec<(InteractionId, u16)>,
    /// Their queries, one after the other.
    queries: String,
}

/// The additional capacity when it grows.
const STEP: usize = 16;

impl History {
    /// The latest page and its query.
    fn last(&self) -> Option<(InteractionId, &str)> {
        let (interaction, length) = self.visited.last()?;
        Some((*interaction, &self.queries[self.queries.len() - usize::from(*length)..]))
    }

    fn push(&mut self, interaction: InteractionId, query: &str) {
        if self.visited.len() == LONGEST_HISTORY {
            let (_, length) = self.visited.remove(0);
            self.queries.drain(..usize::from(length));
        }
        // No server accepts a longer one, so that there is no page to return to.
        let (query, length) = u16::try_from(query.len()).map_or(("", 0), |length| (query, length));
        let missing = |free: usize, more: usize| if more > free { more + STEP } else { 0 };
        self.visited.reserve_exact(missing(self.visited.capacity() - self.visited.len(), 1));
        self.queries.reserve_exact(missing(self.queries.capacity() - self.queries.len(), query.len()));
        self.visited.push((interaction, length));
        self.queries.push_str(query);
    }

    fn pop(&mut self) {
        if let Some((_, length)) = self.visited.pop() {
            self.queries.truncate(self.queries.len() - usize::from(length));
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn is_empty(&self) -> bool {
        self.visited.is_empty()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// The last page of the history.
    History,
    Posted(InteractionId),
    Error,
}

/// Numbers of unique texts. They are unique within a load and, with a probability of error of 10⁻⁶, between two loads with
/// different seeds on the same data. Runs that began in different seconds have none in common.
#[derive(Debug)]
struct UniqueValues {
    /// The second at which the run began, if the data may hold texts of earlier runs.
    began: Option<u32>,
    load: u64,
    next: u64,
    clients: u64,
}

impl Session {
    /// The walk of client `client` (from 0) of `clients`. The same seed gives the same walk through the same pages.
    pub fn new(seed: u64, client: u32, clients: u32) -> Self {
        let load = ChaCha8Rng::seed_from_u64(seed).random_range(0..1 << 20);
        Self {
            random: random_of(seed, client),
            ends: None,
            user: 0,
            account: Account { nickname: String::new(), password: String::new() },
            unique: UniqueValues { began: None, load, next: u64::from(client), clients: u64::from(clients) },
            history: History::default(),
            at: At::Error,
            page: Page::default(),
        }
    }

    /// The same walk in a run that began at this second, which its unique texts hold.
    fn of_run(self, began: Option<i64>) -> Self {
        let began = began.map(|began| (began.unsigned_abs() % SECONDS) as u32);
        Self { unique: UniqueValues { began, ..self.unique }, ..self }
    }

    /// Takes the page that answers a request. Returns the id of the row that it acknowledges.
    pub fn arrived(&mut self, users: &Users<'_>, request: &Request, answer: &Answer<'_>) -> Option<u64> {
        self.page = Page::read(answer, &request.path_and_query, users.catalogue);
        let was_redirected =
            path_of(&request.path_and_query) != users.catalogue.get(request.interaction).path;
        self.at = match (request.method, request.how) {
            // A page after a redirect is read, but not put on the history.
            (method, _) if method == Method::Post || was_redirected => At::Posted(request.interaction),
            (_, How::Start | How::Forward) => self.remember(request),
            // After going back, the page is already the last of the history, unless the history was empty.
            _ if self.history.is_empty() => self.remember(request),
            _ => At::History,
        };
        self.page.acknowledged()
    }

    /// The interaction of the current page; none if it is an error.
    fn interaction(&self) -> Option<InteractionId> {
        match self.at {
            At::History => self.history.last().map(|(interaction, _)| interaction),
            At::Posted(interaction) => Some(interaction),
            At::Error => None,
        }
    }

    /// True if the page goes on as another user than the one who has asked for it: a form or a link has the log-in token of
    /// somebody else. Who sends neither a token nor a log-in may be anybody.
    fn is_of_another(&self, users: &Users<'_>, request: &Request) -> bool {
        let query = request.path_and_query.split_once('?').map_or("", |(_, query)| query);
        let of_token = user_in(query).or_else(|| user_in(&request.body));
        let log_in = || self.logs_in(users, request).then_some(self.user);
        let Some(own) = of_token.or_else(log_in) else { return false };
        let is_other = |user: Option<u64>| user.is_some_and(|user| user != own);
        self.page.actions().any(|action| match action {
            Action::Link { query, .. } => is_other(user_in(query)),
            Action::Form(form) => {
                form.fields().any(|field| field.name() == TOKEN && is_other(user_of_token(field.value())))
            }
        })
    }

    /// True if a form holds the user's own nickname.
    fn logs_in(&self, users: &Users<'_>, request: &Request) -> bool {
        let parameters = &users.catalogue.get(request.interaction).parameters;
        parameters.iter().filter(|parameter| parameter.fill == Some(Fill::OwnNickname)).any(|parameter| {
            let pair = format!("{}={}", parameter.name, escape(self.account.nickname.as_bytes()));
            request.body.split('&').any(|sent| sent == pair)
        })
    }

    fn start(&mut self, users: &Users<'_>, mean_length: Duration, now: Duration) -> Request {
        self.ends = Some(now + session_length(mean_length, &mut self.random));
        let visitor = users.habits.visitor(users.accounts, &mut self.random);
        self.user = visitor.account;
        self.account = (users.account)(visitor.account);
        self.history.clear();
        self.page = Page::default();
        self.at = At::Error;
        get(users.catalogue, users.catalogue.start, &visitor.query, How::Start, None)
    }

    fn go_back(&mut self, users: &Users<'_>, how: How, drawn: Option<(InteractionId, Step)>) -> Request {
        // If the answer to a form has no way on, for example after a refusal, the user goes back past the form: sending
        // it again would be refused for ever.
        let past_the_form = how == How::Fallback && matches!(self.at, At::Posted(_));
        if self.at == At::History || past_the_form {
            self.history.pop();
        }
        // Until the page arrives, there is no current page.
        self.at = At::Error;
        match self.history.last() {
            Some((interaction, query)) => get(users.catalogue, interaction, query, how, drawn),
            None => get(users.catalogue, users.catalogue.start, "", How::Fallback, drawn),
        }
    }

    fn remember(&mut self, request: &Request) -> At {
        let query = request.path_and_query.split_once('?').map_or("", |(_, query)| query);
        self.history.push(request.interaction, query);
        At::History
    }

    /// Takes one of the page's links and forms that lead to an interaction, with equal probabilities.
    fn follow(&mut self, users: &Users<'_>, to: InteractionId) -> Option<Request> {
        let Self { random, page, account, unique, .. } = self;
        let action = page.actions().filter(|action| action.to() == to).choose(random)?;
        Some(match action {
            Action::Link { query, .. } => get(users.catalogue, to, query, How::Forward, None),
            Action::Form(form) => {
                let parameters = &users.catalogue.get(to).parameters;
                let fields = fill_in(&form, parameters, account, unique, users.habits, random);
                submit(users.catalogue, to, &form, &fields)
            }
        })
    }
}

impl Dialogue for Session {
    /// A new session starts with a new history and a new account.
    fn next(&mut self, users: &Users<'_>, mean_length: Duration, now: Duration) -> Request {
        if self.ends.is_none_or(|ends| now >= ends) {
            return self.start(users, mean_length, now);
        }
        let Some(from) = self.interaction() else {
            return self.go_back(users, How::Fallback, None);
        };
        let step = users.mix.draw(from, &mut self.random);
        let drawn = Some((from, step));
        match step {
            Step::Back => self.go_back(users, How::Back, drawn),
            Step::To(to) => match self.follow(users, to) {
                Some(request) => Request { drawn, ..request },
                None => self.go_back(users, How::Fallback, drawn),
            },
        }
    }

    fn ends(&mut self, now: Duration) -> bool {
        self.ends = self.ends.filter(|ends| now < *ends);
        self.ends.is_none()
    }

    /// A refusal is a page like others: the user reads it and goes on from there.
    fn answered(&mut self, users: &Users<'_>, request: &Request, answer: &Answer<'_>) -> AnswerKind {
        let must_acknowledge = users.catalogue.get(request.interaction).effect == Effect::Write;
        match answer.status {
            200..300 => {
                let acknowledged = self.arrived(users, request, answer);
                if self.is_of_another(users, request) {
                    self.failed(request);
                    return AnswerKind::OfAnother;
                }
                if (acknowledged.is_some() || !must_acknowledge) && !self.page.is_too_large() {
                    return AnswerKind::Page { acknowledged };
                }
            }
            409 => {
                self.arrived(users, request, answer);
                if self.is_of_another(users, request) {
                    self.failed(request);
                    return AnswerKind::OfAnother;
                }
                return AnswerKind::Refused;
            }
            _ => {}
        }
        self.failed(request);
        AnswerKind::Wrong
    }

    /// A page that can't be reached again is removed from the history, so that the user returns to the first page instead
    /// of requesting a broken one for ever.
    fn failed(&mut self, request: &Request) {
        self.page = Page::default();
        self.at = At::Error;
        if matches!(request.how, How::Back | How::Fallback) {
            self.history.pop();
        }
    }

    fn take_embedded(&mut self) -> String {
        self.page.take_embedded()
    }

    fn take_left_out(&mut self) -> String {
        self.page.take_left_out()
    }

    fn random(&mut self) -> &mut ChaCha8Rng {
        &mut self.random
    }
}

fn get(
    catalogue: &Catalogue,
    interaction: InteractionId,
    query: &str,
    how: How,
    drawn: Option<(InteractionId, Step)>,
) -> Request {
    let path_and_query = with_query(&catalogue.get(interaction).path, query);
    Request {
        interaction,
        method: Method::Get,
        path_and_query,
        headers: Vec::new(),
        body: String::new(),
        how,
        drawn,
    }
}

fn submit(catalogue: &Catalogue, to: InteractionId, form: &Form<'_>, fields: &[Filled<'_>]) -> Request {
    if form.method() == Method::Get {
        return get(catalogue, to, &urlencoded(form, fields), How::Forward, None);
    }
    let (headers, body) = match form.coding() {
        FormCoding::Urlencoded => (Vec::new(), urlencoded(form, fields)),
        FormCoding::Multipart => multipart(fields),
        FormCoding::PlainText => {
            let lines = fields.iter().map(|field| format!("{}={}\r\n", field.name, field.value));
            (vec![Header::new("Content-Type", "text/plain")], lines.collect())
        }
    };
    Request {
        interaction: to,
        method: form.method(),
        path_and_query: with_query(&catalogue.get(to).path, form.query()),
        headers,
        body,
        how: How::Forward,
        drawn: None,
    }
}

/// A field with the value that is sent.
struct Filled<'f> {
    name: &'f str,
    value: Cow<'f, str>,
    is_file: bool,
}

fn urlencoded(form: &Form<'_>, fields: &[Filled<'_>]) -> String {
    let mut encoded = String::new();
    for Filled { name, value, .. } in fields {
        match form.encoding() {
            None => append_pair(&mut encoded, name, value),
            Some(encoding) => {
                let [name, value] = [name, &**value].map(|text| escape(&encoding.encode(text).0));
                let separator = if encoded.is_empty() { "" } else { "&" };
                encoded.extend([separator, &name, "=", &value]);
            }
        }
    }
    encoded
}

/// The body of `multipart/form-data`, in UTF-8. No file is chosen.
fn multipart(fields: &[Filled<'_>]) -> (Vec<Header>, String) {
    let is_within = |boundary: &str| fields.iter().any(|field| field.value.contains(boundary));
    let boundaries = (0_u32..).map(|number| format!("----TierbenchFormBoundary{number:08x}"));
    let boundary = boundaries.into_iter().find(|boundary| !is_within(boundary)).unwrap_or_default();
    let mut body = String::new();
    for Filled { name, value, is_file } in fields {
        let name =
            name.replace("\r\n", "%0D%0A").replace('\n', "%0A").replace('\r', "%0D").replace('"', "%22");
        let file = if *is_file { "; filename=\"\"\r\nContent-Type: application/octet-stream" } else { "" };
        body.extend(["--", &boundary, "\r\nContent-Disposition: form-data; name=\"", &name, "\"", file]);
        body.extend(["\r\n\r\n", value, "\r\n"]);
    }
    body.extend(["--", &boundary, "--\r\n"]);
    (vec![Header::new("Content-Type", format!("multipart/form-data; boundary={boundary}"))], body)
}

/// The parameter that carries a log-in token, in every application.
pub const TOKEN: &str = "token";

/// Hexadecimal digits of a token's signature.
const SIGNATURE: usize = 64;

/// The user whose log-in token is among encoded parameters.
fn user_in(parameters: &str) -> Option<u64> {
    let mut pairs = parameters.split('&').filter_map(|pair| pair.split_once('='));
    user_of_token(pairs.find(|(name, _)| *name == TOKEN)?.1)
}

/// The user of a log-in token, `user.expires.signature`; none if it is something else of that name.
fn user_of_token(token: &str) -> Option<u64> {
    let (user, rest) = token.split_once('.')?;
    let (expires, signature) = rest.split_once('.')?;
    let is_hexadecimal = signature.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_token = signature.len() == SIGNATURE && is_hexadecimal && expires.parse::<u64>().is_ok();
    user.parse().ok().filter(|_| is_token)
}

fn path_of(path_and_query: &str) -> &str {
    path_and_query.split_once('?').map_or(path_and_query, |(path, _)| path)
}

fn with_query(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// A form's fields with what the user typed.
fn fill_in<'f>(
    form: &Form<'f>,
    parameters: &'f [Parameter],
    account: &'f Account,
    unique: &mut UniqueValues,
    habits: &dyn Habits,
    random: &mut impl Rng,
) -> Vec<Filled<'f>> {
    let mut filled: Vec<(&str, Cow<'_, str>)> = Vec::new();
    let mut files = Vec::new();
    for field in form.fields() {
        files.push(field.is_file());
        let parameter = parameters.iter().find(|parameter| parameter.name == field.name());
        let rule = parameter.and_then(|parameter| parameter.fill.as_ref()).filter(|_| field.is_visible());
        let value = rule.and_then(|rule| match rule {
            Fill::OwnNickname => Some(account.nickname.as_str().into()),
            Fill::OwnPassword => Some(account.password.as_str().into()),
            Fill::Unique(prefix) => {
                let limits = [parameter.and_then(|parameter| parameter.max_length), field.max_length()];
                Some(unique.unique(prefix, limits.into_iter().flatten().min()).into())
            }
            Fill::Raise(most) => at_most_above(&field, field.min()?, *most, random),
            Fill::Above { field: earlier, most } => {
                let (_, value) = filled.iter().find(|(name, _)| name == earlier)?;
                at_most_above(&field, value.parse().ok()?, *most, random)
            }
            Fill::Within => whole_number(field.min()?, field.max()?, random),
            Fill::AnyOption => field.options().choose(random).map(Cow::from),
            Fill::Text(text) => Some(text.as_str().into()),
            Fill::Typed(kind) => habits.typed(kind, &filled, random).map(Cow::from),
        });
        filled.push((field.name(), value.unwrap_or_else(|| field.value().into())));
    }
    let filled = filled.into_iter().zip(files);
    filled.map(|((name, value), is_file)| Filled { name, value: with_line_ends(value), is_file }).collect()
}

/// A whole amount from `least` to `least` plus `most`, within the field's own limits.
fn at_most_above(
    field: &Field<'_>,
    least: f64,
    most: u32,
    random: &mut impl Rng,
) -> Option<Cow<'static, str>> {
    let lowest = field.min().map_or(least, |min| least.max(min));
    let highest = least + f64::from(most);
    whole_number(lowest, field.max().map_or(highest, |max| highest.min(max)), random)
}

/// A whole number between two, both included; none if there is none.
fn whole_number(min: f64, max: f64, random: &mut impl Rng) -> Option<Cow<'static, str>> {
    let (min, max) = (min.ceil() as i64, max.floor() as i64);
    (min <= max).then(|| random.random_range(min..=max).to_string().into())
}

impl UniqueValues {
    /// The prefix, truncated to fit, and a unique number.
    fn unique(&mut self, prefix: &str, max_length: Option<u32>) -> String {
        let number = match self.began {
            None => base_36(self.load << 32 | (self.next & 0xffff_ffff)),
            // Both begin with as many digits as any, so that the rest can be of any length.
            Some(began) => [
                &padded(began.into(), SECONDS_DIGITS),
                &padded(self.load, LOAD_DIGITS),
                base_36(self.next).as_str(),
            ]
            .concat(),
        };
        self.next += self.clients;
        let room = max_length.map_or(usize::MAX, |max| (max as usize).saturating_sub(number.len()));
        prefix.chars().take(room).chain(number.chars()).collect()
    }
}

/// Digits of the instant of a run: it recurs after 69 years.
const SECONDS_DIGITS: usize = 6;

const SECONDS: u64 = 36_u64.pow(SECONDS_DIGITS as u32);

/// Digits of any load's number, which has 20 bits.
const LOAD_DIGITS: usize = 4;

fn padded(number: u64, digits: usize) -> String {
    format!("{:0>digits$}", base_36(number))
}

fn base_36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while digits.is_empty() || number > 0 {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]);
        number /= 36;
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// Normalises line ends as browsers do.
fn with_line_ends(value: Cow<'_, str>) -> Cow<'_, str> {
    if !value.contains(['\r', '\n']) {
        return value;
    }
    value.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExternalSite, Mix, PlainHabits};
    use settings::Document;

    const INTERACTIONS: &str = r#"
prefix = "/shop"

[[interaction]]
name = "Home"
path = "index.html"

[[interaction]]
name = "Item"
path = "Item"
parameters = [{ name = "id" }]

[[interaction]]
name = "Buy"
path = "Buy"
method = "POST"
class = "order"
effect = "write"
writes = "rows"
parameters = [
  { name = "nick", fill = "own-nickname" }, { name = "pass", fill = "own-password" },
  { name = "new", max_length = 20, fill = { unique = "somebody-with-a-long-name" } },
  { name = "bid", fill = { raise = 10 } },
  { name = "most", fill = { above = { field = "bid", most = 5 } } }, { name = "count", fill = "within" },
  { name = "region", fill = "any-option" }, { name = "note", fill = { text = "a & b ü" } },
]
"#;

    const HOME: &[u8] = b"<a href='Item?id=1'>1</a><a href='Item?id=2'>2</a>";
    const ITEM: &[u8] = br#"<form action="Buy" method=post>
        <input type=hidden name=id value=7><input type=hidden name=nick2 value="h&amp;h">
        <input name=nick><input type=password name=pass><input name=new maxlength=30>
        <input type=number name=bid min=12.50 value=13><input type=number name=most min=12.50>
        <input type=number name=count min=1 max=3>
        <select name=region><option value=1>A<option value=2>B</select>
        <textarea name=note></textarea><input name=kept value="as it is"><input type=submit></form>"#;
    const BOUGHT: &[u8] = br#"<data class="acknowledged" value="99">99</data>"#;

    struct Shop {
        catalogue: Catalogue,
        mix: Mix,
    }

    fn account(number: u64) -> Account {
        Account { nickname: format!("user{number}"), password: format!("password{number}") }
    }

    impl Shop {
        fn new(transitions: &str) -> Self {
            let document = Document::new("shop.toml", format!("{INTERACTIONS}\n{transitions}"));
            let ExternalSite { catalogue, mix, .. } = ExternalSite::parse(&document, false).unwrap();
            Self { catalogue, mix }
        }

        fn users(&self) -> Users<'_> {
            Users {
                catalogue: &self.catalogue,
                mix: &self.mix,
                accounts: 5,
                account: &account,
                habits: &PlainHabits,
            }
        }
    }

    const STRAIGHT: &str =
        "[transitions.Home]\nItem = 1.0\n[transitions.Item]\nBuy = 1.0\n[transitions.Buy]\nback = 1.0\n";
    const LONG: Duration = Duration::from_secs(1_000_000);

    fn page(request: &Request) -> &'static [u8] {
        match request.interaction.0 {
            0 => HOME,
            1 => ITEM,
            _ => BOUGHT,
        }
    }

    #[test]
    fn follows_links_fills_forms_and_goes_back_over_posted_pages() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let mut session = Session::new(1, 3, 10);
        let home = session.next(&users, LONG, Duration::ZERO);
        assert_eq!((home.how, home.path_and_query.as_str()), (How::Start, "/shop/index.html"));
        session.arrived(&users, &home, &Answer::page(HOME));
        let item = session.next(&users, LONG, Duration::ZERO);
        assert_eq!(item.how, How::Forward);
        assert!(item.path_and_query.starts_with("/shop/Item?id="), "{item:?}");
        session.arrived(&users, &item, &Answer::page(ITEM));
        let buy = session.next(&users, LONG, Duration::ZERO);
        assert_eq!((buy.method, buy.path_and_query.as_str()), (Method::Post, "/shop/Buy"));
        let value = |name: &str| {
            let pair = buy.body.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
            pair.unwrap_or_else(|| panic!("no {name} in {}", buy.body)).to_owned()
        };
        assert_eq!(value("id"), "7");
        assert_eq!(value("nick2"), "h%26h");
        assert_eq!(value("nick").replace("user", "password"), value("pass"));
        assert_eq!(value("new").len(), 20);
        let bid: u32 = value("bid").parse().unwrap();
        assert!((13..=22).contains(&bid), "{}", buy.body);
        assert!((bid..=bid + 5).contains(&value("most").parse().unwrap()), "{}", buy.body);
        assert!((1..=3).contains(&value("count").parse::<u32>().unwrap()), "{}", buy.body);
        assert!(["1", "2"].contains(&value("region").as_str()));
        assert_eq!(value("note"), "a+%26+b+%C3%BC");
        assert_eq!(value("kept"), "as+it+is");
        assert_eq!(session.arrived(&users, &buy, &Answer::page(BOUGHT)), Some(99));
        let back = session.next(&users, LONG, Duration::ZERO);
        assert_eq!((back.how, &back.path_and_query), (How::Back, &item.path_and_query));
    }

    #[test]
    fn a_page_with_the_token_of_another_user_is_told_from_ones_own() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let token = |user: u32, digit: &str| format!("{user}.1900000000.{}", digit.repeat(SIGNATURE));
        let answer = |sent: &str, shown: &str| {
            let mut session = Session::new(1, 0, 1);
            let home = session.next(&users, LONG, Duration::ZERO);
            let asked = Request { body: format!("id=1&token={sent}"), ..home };
            let page =
                format!("<form action=Buy method=post><input type=hidden name=token value='{shown}'></form>");
            session.answered(&users, &asked, &Answer::page(page.as_bytes()))
        };
        let own = AnswerKind::Page { acknowledged: None };
        assert_eq!(answer(&token(7, "a"), &token(7, "b")), own, "a newer token");
        assert_eq!(answer(&token(7, "a"), &token(8, "b")), AnswerKind::OfAnother);
        assert_eq!(answer(&token(7, "a"), "8.9.b"), own, "no log-in token");
        assert_eq!(answer("x", &token(8, "b")), own, "whoever asks without a token has none to compare");
        let link = format!("<a href='Item?id=1&amp;token={}'>1</a>", token(8, "b"));
        let mut session = Session::new(1, 0, 1);
        let home = session.next(&users, LONG, Duration::ZERO);
        let asked = Request { path_and_query: format!("/shop/index.html?token={}", token(7, "a")), ..home };
        let kind = session.answered(&users, &asked, &Answer::page(link.as_bytes()));
        assert_eq!(kind, AnswerKind::OfAnother);
    }

    #[test]
    fn whoever_logs_in_gets_a_page_of_his_own() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let answer = |other: u64| {
            let mut session = Session::new(1, 0, 1);
            for html in [HOME, ITEM] {
                let request = session.next(&users, LONG, Duration::ZERO);
                session.arrived(&users, &request, &Answer::page(html));
            }
            let log_in = session.next(&users, LONG, Duration::ZERO);
            let token = format!("{}.1900000000.{}", session.user + other, "a".repeat(SIGNATURE));
            let page = format!(
                "<data class=acknowledged value=9></data><form action=Buy method=post><input type=hidden name=token value='{token}'></form>"
            );
            session.answered(&users, &log_in, &Answer::page(page.as_bytes()))
        };
        assert_eq!(answer(0), AnswerKind::Page { acknowledged: Some(9) });
        assert_eq!(answer(1), AnswerKind::OfAnother);
    }

    #[test]
    fn falls_back_without_a_way_on_and_restarts_without_a_history() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let mut session = Session::new(1, 0, 1);
        for html in [HOME, b"a dead end"] {
            let request = session.next(&users, LONG, Duration::ZERO);
            session.arrived(&users, &request, &Answer::page(html));
        }
        let back = session.next(&users, LONG, Duration::ZERO);
        assert_eq!((back.how, back.interaction), (How::Fallback, InteractionId(0)));
        assert_eq!(back.drawn, Some((InteractionId(1), Step::To(InteractionId(2)))));
        session.arrived(&users, &back, &Answer::page(b"nothing here either"));
        let start = session.next(&users, LONG, Duration::ZERO);
        assert_eq!((start.how, start.interaction), (How::Fallback, InteractionId(0)));
    }

    #[test]
    fn falls_back_past_a_form_that_was_refused() {
        let shop = Shop::new(
            "[transitions.Home]\nItem = 1.0\n[transitions.Item]\nBuy = 1.0\n[transitions.Buy]\nItem = 1.0\n",
        );
        let users = shop.users();
        let mut session = Session::new(1, 0, 1);
        for html in [HOME, ITEM, b"Refused, and no way on."] {
            let request = session.next(&users, LONG, Duration::ZERO);
            session.arrived(&users, &request, &Answer::page(html));
        }
        let back = session.next(&users, LONG, Duration::ZERO);
        assert_eq!((back.how, back.interaction), (How::Fallback, InteractionId(0)));
    }

    #[test]
    fn repeated_errors_go_back_further() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let mut session = Session::new(1, 0, 1);
        for html in [HOME, ITEM] {
            let request = session.next(&users, LONG, Duration::ZERO);
            session.arrived(&users, &request, &Answer::page(html));
        }
        let mut failed = Vec::new();
        for _ in 0..4 {
            let request = session.next(&users, LONG, Duration::ZERO);
            session.failed(&request);
            failed.push((request.how, request.interaction.0));
        }
        let expected = [(How::Forward, 2), (How::Fallback, 1), (How::Fallback, 0), (How::Fallback, 0)];
        assert_eq!(failed, expected);
    }

    #[test]
    fn a_session_ends_after_its_length() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let mean = Duration::from_secs(900);
        let mut session = Session::new(1, 0, 1);
        let mut starts = Vec::new();
        for second in (0..9_000_000).step_by(30) {
            let request = session.next(&users, mean, Duration::from_secs(second));
            if request.how == How::Start {
                starts.push(second);
            }
            let html = page(&request);
            session.arrived(&users, &request, &Answer::page(html));
        }
        // A session ends at the first request after its length: half a step later on average.
        let mean = *starts.last().unwrap() as f64 / (starts.len() - 1) as f64;
        assert!((mean - 915.0).abs() < 40.0, "{mean}");
    }

    #[test]
    fn a_later_run_with_the_same_seed_has_other_unique_texts() {
        let texts = |began, seed, clients: u32| {
            let text = |client: u32| {
                let mut session = Session::new(seed, client, clients).of_run(Some(began));
                (0..200).map(|_| session.unique.unique("somebody", Some(20))).collect::<Vec<_>>()
            };
            (0..clients).flat_map(text).collect::<Vec<_>>()
        };
        assert_eq!(texts(1_800_000_000, 1, 3), texts(1_800_000_000, 1, 3));
        let runs = [(1_800_000_000, 1), (1_800_000_001, 1), (1_800_000_000, 2), (3_000_000_000, 1)];
        let all: Vec<String> = runs.iter().flat_map(|(began, seed)| texts(*began, *seed, 3)).collect();
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!((all.len(), distinct.len()), (2400, 2400));
        assert!(all.iter().all(|text| text.len() <= 20 && text.starts_with("some")), "{:?}", &all[..3]);
    }

    #[test]
    fn walks_are_reproducible_and_texts_unique() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let walk = |seed, client| {
            let mut session = Session::new(seed, client, 2);
            let mut requests = Vec::new();
            for _ in 0..300 {
                let request = session.next(&users, LONG, Duration::ZERO);
                let html = page(&request);
                session.arrived(&users, &request, &Answer::page(html));
                requests.push(request);
            }
            requests
        };
        assert_eq!(walk(1, 0), walk(1, 0));
        assert_ne!(walk(1, 0), walk(2, 0));
        let walks = [walk(1, 0), walk(1, 1), walk(2, 0)].concat();
        let texts: Vec<_> = walks
            .iter()
            .filter_map(|request| request.body.split('&').find(|pair| pair.starts_with("new=")))
            .collect();
        assert!(texts.len() > 200, "{}", texts.len());
        let distinct: std::collections::HashSet<_> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len());
    }

    #[test]
    fn forms_are_sent_as_they_are_coded() {
        let shop = Shop::new(STRAIGHT);
        let users = shop.users();
        let sent = |attributes: &str| {
            let form = format!(
                "<form action=Buy method=post {attributes}><input type=hidden name='a\"' value='\u{e4}&#10;\u{20ac}'>\
                 <input type=file name=f></form>"
            );
            let mut session = Session::new(1, 0, 1);
            for html in [HOME, form.as_bytes()] {
                let request = session.next(&users, LONG, Duration::ZERO);
                session.arrived(&users, &request, &Answer::page(html));
            }
            let request = session.next(&users, LONG, Duration::ZERO);
            (request.headers.first().map(|header| header.value.to_string()), request.body)
        };
        assert_eq!(sent(""), (None, "a%22=%C3%A4%0D%0A%E2%82%AC&f=".to_owned()));
        assert_eq!(sent("accept-charset=latin1").1, "a%22=%E4%0D%0A%80&f=");
        assert_eq!(sent("accept-charset=koi8-r").1, "a%22=%26%23228%3B%0D%0A%26%238364%3B&f=");
        let plain = "a\"=\u{e4}\r\n\u{20ac}\r\nf=\r\n".to_owned();
        assert_eq!(sent("enctype=text/plain"), (Some("text/plain".to_owned()), plain));
        let (kind, body) = sent("enctype=multipart/form-data");
        let boundary = kind.unwrap().strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
        let part = |head: &str, value: &str| {
            format!("--{boundary}\r\nContent-Disposition: form-data; name={head}\r\n\r\n{value}\r\n")
        };
        let file = "\"f\"; filename=\"\"\r\nContent-Type: application/octet-stream";
        let parts = [part("\"a%22\"", "\u{e4}\r\n\u{20ac}"), part(file, "")].concat();
        assert_eq!(body, format!("{parts}--{boundary}--\r\n"));
    }
}

//! The two kinds of requests.
//!
//! A *plain* request is one that a browser's user can send, wrong values included. Only the model's answer to it is
//! right. Anything else comes from broken or hostile clients. A sound server refuses that, or reads it as one of the
//! libraries in use does. The plain requests that it may be taken for are its *readings*.

use crate::{Answer, Application, BODY_LIMIT, COOKIE, Header, Open, Request, http::unescape};
use std::collections::BTreeSet;
use workload::{Catalogue, Effect, Interaction, Method, Protocol, escape, header};

/// The longest path and query of a plain request, in bytes. Servers in use refuse first lines from 4 KiB on.
pub const TARGET_LIMIT: usize = 4000;

/// The longest form of a plain request, in bytes: enough for the longest text of any application, percent-encoded.
pub const FORM_LIMIT: usize = 256 << 10;

/// The longest path of a page that doesn't exist, for which the status 404 is demanded.
const PATH_LIMIT: usize = 200;

const FORM: &str = "application/x-www-form-urlencoded";

/// The requests of an application, told apart.
pub struct Contract<'a> {
    catalogue: &'a Catalogue,
    files: BTreeSet<String>,
}

/// A request that another one may be taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The request without its cookies.
    pub request: Request,
    pub headers: Vec<Header>,
}

impl<'a> Contract<'a> {
    pub fn new(application: &'a dyn Application) -> Self {
        let files = application.static_files().into_iter().map(|file| file.path).collect();
        Self { catalogue: application.catalogue(), files }
    }

    /// The readings of a request; none if it is plain. A request with an empty list must be refused.
    pub fn readings(&self, request: &Request, headers: &[Header]) -> Option<Vec<Reading>> {
        match self.method_at(&request.path) {
            None => self.of_unknown(request, headers),
            Some(method) if method.to_string() != request.method => Some(Vec::new()),
            Some(_) => self.of_known(request, headers),
        }
    }

    /// The answer with what the contract leaves open: the page of a path that doesn't exist.
    pub fn with_open(&self, request: &Request, answer: Answer) -> Answer {
        const ANY_DOCUMENT: &[Open] = &[Open::Document];
        let is_unknown = answer.response.status == 404 && self.method_at(&request.path).is_none();
        if is_unknown { Answer { leaves_open: ANY_DOCUMENT, ..answer } } else { answer }
    }

    fn method_at(&self, path: &str) -> Option<Method> {
        let interaction = self.catalogue.by_path(path).map(|id| self.catalogue.get(id).method);
        interaction.or_else(|| self.files.contains(path).then_some(Method::Get))
    }

    fn of_unknown(&self, request: &Request, headers: &[Header]) -> Option<Vec<Reading>> {
        let as_sent = |request: Request| vec![Reading { request, headers: headers.to_vec() }];
        if let Some(path) = self.canonical(&request.path) {
            let canonical = Request { path, ..request.clone() };
            return Some(self.readings(&canonical, headers).unwrap_or_else(|| as_sent(canonical)));
        }
        match request.method == "GET" && is_plain_path(&request.path) {
            true if is_plain_query(request) && request.body.is_empty() => None,
            // Its path may be that of a generated file.
            true => Some(as_sent(request.clone())),
            false => Some(Vec::new()),
        }
    }

    /// The known path that another notation may stand for.
    fn canonical(&self, path: &str) -> Option<String> {
        let bare = path.split('/').map(|segment| segment.split(';').next().unwrap_or_default());
        let bare = bare.collect::<Vec<_>>().join("/").replace('+', "%2B");
        let decoded = String::from_utf8(unescape(bare.as_bytes())).ok()?;
        let mut segments = Vec::new();
        for segment in decoded.split('/') {
            match segment {
                "" | "." => {}
                ".." => drop(segments.pop()),
                _ => segments.push(segment),
            }
        }
        if segments.is_empty() || segments == [self.catalogue.name.as_str()] {
            return Some(self.catalogue.get(self.catalogue.start).path.clone());
        }
        let joined = format!("/{}", segments.join("/"));
        let interactions = self.catalogue.interactions().iter().map(|interaction| &interaction.path);
        interactions.chain(&self.files).find(|known| known.eq_ignore_ascii_case(&joined)).cloned()
    }

    fn of_known(&self, request: &Request, headers: &[Header]) -> Option<Vec<Reading>> {
        let form = self.catalogue.by_path(&request.path).map(|id| self.catalogue.get(id));
        let form = form.filter(|one| one.protocol == Protocol::Html && one.effect != Effect::Static);
        let Some(interaction) = form else {
            let is_long = request.body.len() > BODY_LIMIT;
            let has_body = request.method == "GET" && !request.body.is_empty();
            let is_plain = is_plain_query(request) && !is_long && !has_body;
            return (!is_plain)
                .then(|| vec![Reading { request: request.clone(), headers: headers.to_vec() }]);
        };
        let (requests, is_odd) = of_form(interaction, request, headers);
        let (cookies, has_odd_cookies) = of_cookies(interaction, headers);
        let with = |request: Request| {
            cookies.iter().map(move |headers| Reading { request: request.clone(), headers: headers.clone() })
        };
        (is_odd || has_odd_cookies).then(|| requests.into_iter().flat_map(with).collect())
    }
}

/// True if a path without a page is such that no server mistakes it for something else.
fn is_plain_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain);
    path.len() <= PATH_LIMIT && path.strip_prefix('/').is_some_and(|names| names.split('/').all(is_name))
}

/// True if a query that nobody reads is harmless.
fn is_plain_query(request: &Request) -> bool {
    let oddities = Oddities::of(request.query.as_bytes());
    request.target().len() <= TARGET_LIMIT && !oddities.of_bytes && !oddities.of_encoding
}

/// The requests that one for a form's interaction may be taken for, and whether it isn't plain.
fn of_form(interaction: &Interaction, request: &Request, headers: &[Header]) -> (Vec<Request>, bool) {
    let query = request.query.as_bytes();
    let is_post = interaction.method == Method::Post;
    let kind = header(headers, "Content-Type").unwrap_or(FORM);
    let is_form = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(FORM));
    let (encoded, elsewhere) = if is_post { (&*request.body, query) } else { (query, &*request.body) };
    let is_long = request.target().len() > TARGET_LIMIT || request.body.len() > FORM_LIMIT;
    let mut texts = vec![encoded.to_vec()];
    if is_post && !is_form {
        texts.push(Vec::new());
    }
    if is_post && !query.is_empty() {
        let merged = texts.iter().map(|text| [query, b"&", text].concat());
        texts.extend(merged.collect::<Vec<_>>());
    }
    let (parameters, _) = Pairs::decode(split(encoded, false), Escapes::Literal);
    let is_odd = is_long
        || !elsewhere.is_empty()
        || (is_post && !is_form)
        || Oddities::of(encoded).any()
        || repeats(&parameters)
        || in_own_case(interaction, &parameters) != parameters;
    let with = |encoded: Vec<u8>| match is_post {
        true => Request { query: String::new(), body: encoded, ..request.clone() },
        false => Request {
            query: String::from_utf8_lossy(&encoded).into_owned(),
            body: Vec::new(),
            ..request.clone()
        },
    };
    // A text that is too long is read as it is, or not at all.
    let texts =
        if is_long { texts } else { texts.iter().flat_map(|text| of_text(interaction, text)).collect() };
    let mut requests: Vec<Request> = Vec::new();
    for request in texts.into_iter().map(with) {
        if !requests.contains(&request) {
            requests.push(request);
        }
    }
    (requests, is_odd)
}

/// The `Cookie` headers that one may be taken for, among the others, and whether it isn't plain.
fn of_cookies(interaction: &Interaction, headers: &[Header]) -> (Vec<Vec<Header>>, bool) {
    let mut all = vec![headers.to_vec()];
    let (Some(name), Some(cookies)) = (interaction.cookies().next(), header(headers, COOKIE)) else {
        return (all, false);
    };
    let pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
    let values: Vec<&str> = pairs.filter(|(known, _)| *known == name).map(|(_, value)| value).collect();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~=".contains(&byte);
    if values.len() < 2 && values.iter().all(|value| value.bytes().all(is_plain)) {
        return (all, false);
    }
    let others: Vec<Header> =
        headers.iter().filter(|one| !one.name.eq_ignore_ascii_case(COOKIE)).cloned().collect();
    let with = |value: &str| {
        let cookie = Header::new(COOKIE, format!("{name}={value}"));
        others.iter().cloned().chain([cookie]).collect::<Vec<_>>()
    };
    for value in [values.first(), values.last()].into_iter().flatten() {
        let decoded = String::from_utf8_lossy(&unescape(value.as_bytes())).into_owned();
        all.extend([*value, &decoded, value.trim_matches('"')].map(with));
    }
    all.push(others.clone());
    (all, true)
}

/// The peculiarities of form-encoded text.
struct Oddities {
    /// Broken escapes, invalid UTF-8 or NUL.
    of_bytes: bool,
    /// Characters that browsers would escape, or pieces that are no parameter.
    of_encoding: bool,
    /// Names with what some libraries take for syntax.
    of_names: bool,
}

impl Oddities {
    fn of(encoded: &[u8]) -> Self {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"*-._~!$'()+,:@/?%".contains(byte);
        let is_pair = |pair: &[u8]| {
            let mut parts = pair.split(|byte| *byte == b'=');
            let (name, value) = (parts.next().unwrap_or_default(), parts.next());
            !name.is_empty()
                && value.is_some_and(|value| value.iter().all(is_plain))
                && name.iter().all(is_plain)
                && parts.next().is_none()
        };
        let (pairs, has_broken) = Pairs::decode(split(encoded, false), Escapes::Literal);
        let is_text = |bytes: &[u8]| str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
        Self {
            of_bytes: has_broken || !pairs.iter().all(|(name, value)| is_text(name) && is_text(value)),
            of_encoding: !encoded.is_empty() && !encoded.split(|byte| *byte == b'&').all(is_pair),
            of_names: pairs.iter().any(|(name, _)| bare_name(name) != *name),
        }
    }

    fn any(&self) -> bool {
        self.of_bytes || self.of_encoding || self.of_names
    }
}

/// Decoded parameters: names and values.
type Parameters = Vec<(Vec<u8>, Vec<u8>)>;

/// A library's reading of broken escapes.
#[derive(Clone, Copy, PartialEq)]
enum Escapes {
    /// Left as they are.
    Literal,
    /// With U+FFFD for the percent sign.
    Replaced,
    /// `%u0041` as the character with that number.
    Unicode,
    /// It leaves the whole name or value encoded, with blanks for `+`, as it does with what is no UTF-8.
    Encoded,
    Dropped,
}

/// A library's reading of bytes that are no UTF-8.
#[derive(Clone, Copy)]
enum Bytes {
    Kept,
    /// U+FFFD for each part that might have been a character.
    Replaced,
    /// U+FFFD for each byte.
    EachReplaced,
    /// U+FFFD for each part, and one for a surrogate of three bytes, as the JVM reads it.
    SurrogatesReplaced,
    Skipped,
    Dropped,
}

/// A library's reading of several values of a parameter.
#[derive(Clone, Copy)]
enum Repeated {
    Kept,
    First,
    Last,
    Joined,
}

struct Pairs;

impl Pairs {
    /// Decodes parameters. The second value says whether an escape was broken.
    fn decode(pairs: Vec<&[u8]>, escapes: Escapes) -> (Parameters, bool) {
        let mut is_broken = false;
        let mut decoded = Vec::new();
        for pair in pairs {
            let broken = has_broken_escape(pair);
            is_broken |= broken;
            if broken && escapes == Escapes::Dropped {
                continue;
            }
            let read = |text: &[u8]| match escapes {
                Escapes::Encoded if !is_decodable(text) => with_blanks(text),
                _ => unescape(&mended(text, escapes)),
            };
            decoded.push(match pair.iter().position(|byte| *byte == b'=') {
                Some(at) => (read(&pair[..at]), read(&pair[at + 1..])),
                None => (read(pair), Vec::new()),
            });
        }
        (decoded, is_broken)
    }
}

fn split(encoded: &[u8], at_semicolons: bool) -> Vec<&[u8]> {
    let is_end = |byte: &u8| *byte == b'&' || (at_semicolons && *byte == b';');
    encoded.split(is_end).filter(|pair| !pair.is_empty()).collect()
}

fn is_escape(text: &[u8], at: usize) -> bool {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_hexdigit);
    is_digit(at + 1) && is_digit(at + 2)
}

fn has_broken_escape(text: &[u8]) -> bool {
    (0..text.len()).any(|at| text[at] == b'%' && !is_escape(text, at))
}

/// True if text has no broken escape and stands for UTF-8.
fn is_decodable(text: &[u8]) -> bool {
    !has_broken_escape(text) && str::from_utf8(&unescape(text)).is_ok()
}

fn with_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect()
}

/// The text without broken escapes.
fn mended(text: &[u8], escapes: Escapes) -> Vec<u8> {
    let mut whole = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let is_broken = text[at] == b'%' && !is_escape(text, at);
        let number = text.get(at + 1..at + 6).filter(|_| is_broken && escapes == Escapes::Unicode);
        let number = number.and_then(|text| str::from_utf8(text.strip_prefix(b"u")?).ok());
        let character = number.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        match character {
            Some(character) => {
                whole.extend_from_slice(escape(character.to_string().as_bytes()).as_bytes());
                at += 5;
            }
            None if is_broken && escapes == Escapes::Replaced => whole.extend_from_slice(b"%EF%BF%BD"),
            None => whole.push(text[at]),
        }
        at += 1;
    }
    whole
}

/// The name as a library reads it that takes brackets, dots and blanks for syntax, as PHP does.
fn bare_name(name: &[u8]) -> Vec<u8> {
    let start = name.iter().position(|byte| *byte != b' ').unwrap_or(name.len());
    let name = name[start..].split(|byte| *byte == b'[' || *byte == 0).next().unwrap_or_default();
    name.iter().map(|byte| if b". ".contains(byte) { b'_' } else { *byte }).collect()
}

/// The parameters with the interaction's own names, as a library reads them that takes any case.
fn in_own_case(interaction: &Interaction, list: &Parameters) -> Parameters {
    let own = |name: &[u8]| {
        let all = interaction.parameters.iter().map(|parameter| parameter.name.as_bytes());
        all.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name).to_vec()
    };
    list.iter().map(|(name, value)| (own(name), value.clone())).collect()
}

fn repeats(parameters: &Parameters) -> bool {
    let names: BTreeSet<&[u8]> = parameters.iter().map(|(name, _)| name.as_slice()).collect();
    names.len() < parameters.len()
}

/// The pair without equals signs before its name, as Netty reads it.
fn without_mark(pair: &[u8]) -> &[u8] {
    let start = pair.iter().position(|byte| *byte != b'=').unwrap_or(pair.len());
    &pair[start..]
}

/// The plain texts that form-encoded text may be taken for. The first one is the text itself.
fn of_text(interaction: &Interaction, encoded: &[u8]) -> Vec<Vec<u8>> {
    use Escapes::{Dropped, Encoded, Literal, Replaced, Unicode};
    let mut separated = vec![split(encoded, false)];
    if encoded.contains(&b';') {
        separated.push(split(encoded, true));
        separated.push(split(encoded, false).into_iter().filter(|pair| !pair.contains(&b';')).collect());
    }
    let has_value = |pair: &&[u8]| pair.contains(&b'=');
    let with_values = separated.iter().filter(|pairs| !pairs.iter().all(has_value));
    let with_values: Vec<Vec<&[u8]>> =
        with_values.map(|pairs| pairs.iter().copied().filter(has_value).collect()).collect();
    separated.extend(with_values);
    let has_mark = |pair: &&[u8]| pair.starts_with(b"=");
    let marked = separated.iter().filter(|pairs| pairs.iter().any(has_mark));
    let unmarked: Vec<Vec<&[u8]>> =
        marked.map(|pairs| pairs.iter().map(|pair| without_mark(pair)).collect()).collect();
    separated.extend(unmarked);
    let mut texts = Vec::new();
    for pairs in separated {
        let is_broken = pairs.iter().any(|pair| has_broken_escape(pair));
        let escapes: &[Escapes] = match is_broken {
            true => &[Literal, Replaced, Unicode, Encoded, Dropped],
            false if pairs.iter().all(|pair| is_decodable(pair)) => &[Literal],
            false => &[Literal, Encoded],
        };
        for escapes in escapes {
            let (decoded, _) = Pairs::decode(pairs.clone(), *escapes);
            of_decoded(interaction, &decoded, &mut texts);
        }
    }
    texts
}

fn of_decoded(interaction: &Interaction, decoded: &Parameters, texts: &mut Vec<Vec<u8>>) {
    use Bytes::{Dropped, EachReplaced, Kept, Replaced, Skipped, SurrogatesReplaced};
    const BYTES: [Bytes; 6] = [Kept, Replaced, EachReplaced, SurrogatesReplaced, Skipped, Dropped];
    const REPEATED: [Repeated; 4] = [Repeated::Kept, Repeated::First, Repeated::Last, Repeated::Joined];
    let all = |is: &dyn Fn(&[u8]) -> bool| decoded.iter().all(|(name, value)| is(name) && is(value));
    let is_text = all(&|bytes| str::from_utf8(bytes).is_ok());
    let has_no_nul = all(&|bytes| !bytes.contains(&0));
    for bytes in if is_text { &BYTES[..1] } else { &BYTES } {
        let parameters: Parameters = decoded.iter().filter_map(|pair| text_of(pair, *bytes)).collect();
        let mut lists = vec![parameters.clone()];
        if !has_no_nul {
            let has_none = |(name, value): &&(Vec<u8>, Vec<u8>)| !name.contains(&0) && !value.contains(&0);
            let without = |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != 0).collect();
            lists.push(parameters.iter().map(|(name, value)| (without(name), without(value))).collect());
            lists.push(parameters.iter().filter(has_none).cloned().collect());
        }
        let bare = |list: &Parameters| -> Parameters {
            list.iter().map(|(name, value)| (bare_name(name), value.clone())).collect()
        };
        let renamed: Vec<Parameters> =
            lists.iter().map(|list| (bare(list), list)).filter(|(a, b)| a != *b).map(|(a, _)| a).collect();
        lists.extend(renamed);
        let in_case: Vec<Parameters> = lists.iter().map(|list| in_own_case(interaction, list)).collect();
        lists.extend(in_case.into_iter().filter(|list| !lists.contains(list)).collect::<Vec<_>>());
        for list in lists {
            for repeated in if repeats(&list) { &REPEATED[..] } else { &REPEATED[..1] } {
                texts.push(encode(&once(interaction, &list, *repeated)));
            }
        }
    }
}

/// The parameter as text; none if it is dropped.
fn text_of((name, value): &(Vec<u8>, Vec<u8>), bytes: Bytes) -> Option<(Vec<u8>, Vec<u8>)> {
    let is_text = str::from_utf8(name).is_ok() && str::from_utf8(value).is_ok();
    let joined = |text: &[u8], instead: fn(usize) -> String| -> Vec<u8> {
        let pieces =
            text.utf8_chunks().map(|chunk| chunk.valid().to_owned() + &instead(chunk.invalid().len()));
        pieces.collect::<String>().into_bytes()
    };
    let read = |text: &[u8]| match bytes {
        Bytes::Kept | Bytes::Dropped => text.to_vec(),
        Bytes::Replaced => joined(text, |length| "\u{fffd}".repeat(length.min(1))),
        Bytes::EachReplaced => joined(text, |length| "\u{fffd}".repeat(length)),
        Bytes::SurrogatesReplaced => {
            joined(&without_surrogates(text), |length| "\u{fffd}".repeat(length.min(1)))
        }
        Bytes::Skipped => joined(text, |_| String::new()),
    };
    (is_text || !matches!(bytes, Bytes::Dropped)).then(|| (read(name), read(value)))
}

/// The text with U+FFFD for each surrogate that is encoded as if it were a character.
fn without_surrogates(text: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        if let [0xed, 0xa0..=0xbf, 0x80..=0xbf, after @ ..] = rest {
            whole.extend_from_slice("\u{fffd}".as_bytes());
            rest = after;
        } else {
            whole.push(*first);
            rest = after;
        }
    }
    whole
}

/// The interaction's parameters with the values that are taken of several.
fn once(interaction: &Interaction, list: &Parameters, repeated: Repeated) -> Parameters {
    let mut taken = Vec::new();
    for parameter in &interaction.parameters {
        let name = parameter.name.as_bytes();
        let values: Vec<&Vec<u8>> =
            list.iter().filter(|(known, _)| known == name).map(|(_, value)| value).collect();
        let values: Vec<Vec<u8>> = match (repeated, values.as_slice()) {
            (Repeated::First, [first, ..]) => vec![first.to_vec()],
            (Repeated::Last, [.., last]) => vec![last.to_vec()],
            (Repeated::Joined, [_, _, ..]) => {
                vec![values.iter().map(|value| value.as_slice()).collect::<Vec<_>>().join(&b","[..])]
            }
            _ => values.into_iter().cloned().collect(),
        };
        taken.extend(values.into_iter().map(|value| (name.to_vec(), value)));
    }
    taken
}

fn encode(parameters: &Parameters) -> Vec<u8> {
    let pairs = parameters.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value)));
    pairs.collect::<Vec<_>>().join("&").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use settings::Document;
    use std::sync::LazyLock;
    use workload::ExternalSite;

    const SHOP: &str = r#"
name = "shop"
prefix = "/shop"
follow = "mix"

[[interaction]]
name = "Home"
path = "Home"
effect = "static"

[[interaction]]
name = "Look"
path = "Look"
parameters = [{ name = "id", max_length = 9 }]

[[interaction]]
name = "Own"
path = "Own"
parameters = [{ name = "session", max_length = 9, cookie = true }]

[[interaction]]
name = "Buy"
path = "Buy"
method = "POST"
parameters = [{ name = "id", max_length = 9 }, { name = "note", max_length = 9 }]
"#;
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| ExternalSite::parse(&Document::new("shop.toml", SHOP), false).unwrap().catalogue);

    fn contract() -> Contract<'static> {
        Contract { catalogue: &CATALOGUE, files: BTreeSet::from(["/shop/style.css".to_owned()]) }
    }

    fn readings(request: &Request, headers: &[Header]) -> Option<Vec<Reading>> {
        contract().readings(request, headers)
    }

    /// The queries that one may be taken for, decoded.
    fn look(query: &str) -> Option<Vec<String>> {
        let readings = readings(&Request::new("GET", &format!("/shop/Look?{query}"), ""), &[])?;
        let text = |reading: Reading| {
            String::from_utf8_lossy(&unescape(reading.request.query.as_bytes())).into_owned()
        };
        Some(readings.into_iter().map(text).collect())
    }

    /// The bodies that one may be taken for.
    fn buy(target: &str, body: &[u8], kind: &'static str) -> Option<Vec<String>> {
        let request = Request { body: body.to_vec(), ..Request::new("POST", target, "") };
        let readings = readings(&request, &[Header::new("Content-Type", kind)])?;
        let text = |reading: Reading| String::from_utf8_lossy(&reading.request.body).into_owned();
        Some(readings.into_iter().map(text).collect())
    }

    #[test]
    fn what_users_of_a_browser_can_send_is_plain() {
        for query in [
            "",
            "id=1",
            "id=",
            "id=1+2",
            "id=%3Cb%3E",
            "id=%C3%A4%0D%0A",
            "other=1&id=2",
            "%69d=1",
            "id=a'b",
            "id=%01",
            "id=%2500",
            "id=%25zz",
        ] {
            assert_eq!(look(query), None, "{query}");
        }
        assert_eq!(buy("/shop/Buy", b"id=1&note=%F0%9F%98%80", FORM), None);
        assert_eq!(
            buy("/shop/Buy", b"id=1&note=a", "application/x-www-form-urlencoded; charset=utf-8"),
            None
        );
        let file = |target: &str| readings(&Request::new("GET", target, ""), &[]);
        for target in [
            "/shop/Home",
            "/shop/style.css?v=1",
            "/shop/nowhere",
            "/shop/nowhere?id=1",
            "/status",
            "/shop/~x",
        ] {
            assert_eq!(file(target), None, "{target}");
        }
        let long = "ä".repeat(FORM_LIMIT / 8);
        assert_eq!(buy("/shop/Buy", format!("note={}", escape(long.as_bytes())).as_bytes(), FORM), None);
    }

    #[test]
    fn broken_escapes_have_several_readings() {
        assert_eq!(look("id=1%zz").unwrap(), ["id=1%zz", "id=1\u{fffd}zz", ""]);
        assert_eq!(look("id=%u0031").unwrap(), ["id=%u0031", "id=\u{fffd}u0031", "id=1", ""]);
        assert_eq!(look("id=%").unwrap(), ["id=%", "id=\u{fffd}", ""]);
        assert!(look("id=%31+%zz").unwrap().contains(&"id=%31 %zz".to_owned()), "left encoded as a whole");
        let invalid = look("id=a%E2%82").unwrap();
        for reading in ["id=a\u{fffd}", "id=a\u{fffd}\u{fffd}", "id=a", ""] {
            assert!(invalid.iter().any(|one| one == reading), "{reading}: {invalid:?}");
        }
        let surrogate = look("id=a%ED%A0%80b%FF").unwrap();
        for marks in [("\u{fffd}", "\u{fffd}"), ("\u{fffd}\u{fffd}\u{fffd}", "\u{fffd}"), ("", "")] {
            let reading = format!("id=a{}b{}", marks.0, marks.1);
            assert!(surrogate.contains(&reading), "{reading}: {surrogate:?}");
        }
        assert_eq!(look("id=a%00b").unwrap(), ["id=a\0b", "id=ab", ""]);
    }

    #[test]
    fn of_several_values_any_may_be_taken_but_no_other() {
        assert_eq!(look("id=1&id=2").unwrap(), ["id=1&id=2", "id=1", "id=2", "id=1,2"]);
        assert_eq!(look("id=1&id[]=2").unwrap(), ["id=1", "id=1&id=2", "id=2", "id=1,2"]);
        assert_eq!(look("id[]=2").unwrap(), ["", "id=2"]);
        assert_eq!(look("+id=2").unwrap(), ["", "id=2"]);
        assert_eq!(look("ID=1").unwrap(), ["", "id=1"]);
        assert_eq!(look("==id=1").unwrap(), ["", "id=1"], "Netty passes over these");
        assert_eq!(look("id=1&Id=2").unwrap(), ["id=1", "id=1&id=2", "id=2", "id=1,2"]);
        assert_eq!(look("id=1&id").unwrap(), ["id=1&id=", "id=1", "id=", "id=1,"]);
        assert_eq!(look("id=1;id=2").unwrap(), ["id=1;id=2", "id=1&id=2", "id=1", "id=2", "id=1,2", ""]);
        assert_eq!(look("&&id=1").unwrap(), ["id=1"], "empty ones are nothing");
    }

    #[test]
    fn a_body_of_another_type_is_read_or_not() {
        for kind in ["text/plain", "application/json", "multipart/form-data; boundary=x", ""] {
            assert_eq!(buy("/shop/Buy", b"id=1&note=x", kind).unwrap(), ["id=1&note=x", ""], "{kind}");
        }
    }

    #[test]
    fn parameters_in_the_wrong_place_are_ignored_or_merged_in_a_post_request() {
        assert_eq!(buy("/shop/Buy?id=1", b"note=x", FORM).unwrap(), ["note=x", "id=1&note=x"]);
        let get = Request { body: b"id=1".to_vec(), ..Request::new("GET", "/shop/Look", "") };
        let read = readings(&get, &[]).unwrap();
        assert_eq!(read.len(), 1);
        assert!(read[0].request.body.is_empty() && read[0].request.query.is_empty(), "{read:?}");
    }

    #[test]
    fn what_is_too_long_is_read_as_it_is() {
        let long = format!("id={}", "1".repeat(TARGET_LIMIT));
        assert_eq!(look(&long).unwrap(), [long]);
        let body = "x".repeat(FORM_LIMIT + 1);
        assert_eq!(buy("/shop/Buy", body.as_bytes(), FORM).unwrap(), [body]);
    }

    #[test]
    fn other_notations_of_a_path_stand_for_it_or_for_nothing() {
        let path = |path: &str| {
            let readings = readings(&Request::new("GET", path, ""), &[])?;
            Some(readings.into_iter().map(|reading| reading.request.path).collect::<Vec<_>>())
        };
        for other in [
            "//shop/Home",
            "/shop//Home",
            "/shop/./Home",
            "/shop/x/../Home",
            "/shop/%48ome",
            "/shop%2FHome",
            "/shop/Home/",
            "/shop/Home;a=1",
            "/SHOP/HOME",
            "/",
            "/shop",
            "/shop/",
        ] {
            assert_eq!(path(other), Some(vec!["/shop/Home".to_owned()]), "{other}");
        }
        for other in [
            "/shop/%zz",
            "/shop/.htaccess",
            "/shop/a%20b",
            "/..%2F..%2Fetc/passwd",
            "/shop/*",
            "/shop/Home%20",
        ] {
            assert_eq!(path(other), Some(Vec::new()), "{other}");
        }
        assert_eq!(path(&format!("/shop/{}", "a".repeat(300))), Some(Vec::new()));
        assert_eq!(path("/shop/Home.php"), None);
    }

    #[test]
    fn another_method_than_the_paths_own_must_be_refused() {
        for (method, path) in [
            ("POST", "/shop/Home"),
            ("GET", "/shop/Buy"),
            ("PUT", "/shop/Look"),
            ("POST", "/shop/nowhere"),
            ("GET", "//shop/Buy"),
        ] {
            assert_eq!(readings(&Request::new(method, path, ""), &[]), Some(Vec::new()), "{method} {path}");
        }
    }

    #[test]
    fn cookies_may_be_decoded_or_the_first_or_the_last() {
        let own = |cookie: &'static str| {
            let readings = readings(&Request::new("GET", "/shop/Own", ""), &[Header::new(COOKIE, cookie)])?;
            let value = |reading: Reading| header(&reading.headers, COOKIE).map(ToOwned::to_owned);
            Some(readings.into_iter().map(value).collect::<Vec<_>>())
        };
        for plain in ["session=aZ0-_", "session=a=", "session=", "other=x"] {
            assert_eq!(own(plain), None, "{plain}");
        }
        assert!(own("session=%41").unwrap().contains(&Some("session=A".to_owned())));
        assert!(own("session=\"a\"").unwrap().contains(&Some("session=a".to_owned())));
        let twice = own("session=a; session=b").unwrap();
        for one in [Some("session=a".to_owned()), Some("session=b".to_owned()), None] {
            assert!(twice.contains(&one), "{one:?}");
        }
    }

    #[test]
    fn only_the_page_of_a_path_that_does_not_exist_is_open() {
        let answer = |path: &str, status: u16| {
            let response = crate::Response { status, content_type: "text/html", body: Vec::new() };
            !contract().with_open(&Request::new("GET", path, ""), response.into()).leaves_open.is_empty()
        };
        assert!(answer("/shop/nowhere", 404));
        assert!(!answer("/shop/Look", 404) && !answer("/shop/image.png", 200));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_browsers_encode_is_plain(id: String, note: String) {
            if !id.contains('\0') && !note.contains('\0') {
                let mut body = String::new();
                workload::append_pair(&mut body, "id", &id);
                workload::append_pair(&mut body, "note", &note);
                prop_assert_eq!(buy("/shop/Buy", body.as_bytes(), FORM), None);
            }
        }

        /// All readings are plain themselves but for what the application refuses, and few.
        #[test]
        fn any_bytes_have_few_readings(body in prop::collection::vec(any::<u8>(), 0..40)) {
            let readings = buy("/shop/Buy", &body, FORM).unwrap_or_default();
            prop_assert!(readings.len() < 1000, "{} readings", readings.len());
        }
    }
}

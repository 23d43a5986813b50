//! Malicious requests, derived from the catalogue alone. Every parameter of every dynamic interaction gets every kind
//! of wrong value, while the others get valid values as far as the catalogue defines them.
//!
//! [`requests`] are written as steps. The application's [`Contract`](application::Contract) tells those that must be
//! answered as by the model from those that only must be safe. The latter are also [`raw_requests`], which can't be
//! written as steps (other content types, huge bodies), and what is hardly HTTP: [`malformed`].

use crate::{Subject, concurrency, safety::MARKUP};
use application::{BODY_LIMIT, FORM_LIMIT, Header, Request, Step};
use rand::{Rng, RngExt};
use workload::{Account, Catalogue, Effect, Fill, Interaction, Method, Parameter, Protocol, append_pair};

/// Valid text with a meaning in SQL, HTML, templates, shells or headers.
const TEXTS: [&str; 40] = [
    "'",
    "\"",
    "''",
    "1' OR '1'='1",
    "1 OR 1=1",
    "'; DROP TABLE users; --",
    "1 UNION SELECT password FROM users",
    "1)/**/--",
    "x\\",
    "\\'; -- ",
    "%",
    "_%",
    "?",
    ":itemId",
    "`users`",
    "#",
    "<b>x</b>",
    "<script>alert(1)</script>",
    "\"><i title=\"",
    "' onclick='x",
    "</title><b>",
    "</textarea><b>",
    "&lt;b&gt; &amp; &#60; &quot;",
    "&",
    "<!--",
    "]]>",
    "<?php echo 1;",
    "{{7*7}} ${7*7} {7}",
    "$(id) `id` |id",
    "../../etc/passwd",
    "\r\nSet-Cookie: a=1",
    "\nx",
    "a\tb",
    " x ",
    "\u{a0}x\u{2028}",
    "e\u{301}\u{202e}x",
    "\u{feff}x",
    "😀\u{10ffff}",
    "a@b",
    "NULL",
];

/// Invalid, oversized and unusual numbers.
const NUMBERS: [&str; 30] = [
    "0",
    "-0",
    "-1",
    "+1",
    "01",
    " 1",
    "1 ",
    "1.",
    ".5",
    "1.5",
    "0.001",
    "1.234",
    "1,5",
    "1e3",
    "0x1",
    "1_0",
    "999999999",
    "1000000000",
    "2147483647",
    "2147483648",
    "4294967297",
    "9999999999.99",
    "10000000000",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551617",
    "NaN",
    "INF",
    "١",
    "１",
];

/// Encoded values: broken escapes, invalid UTF-8, separators.
const ENCODED: [&str; 24] = [
    "%zz%3Cb%3Ehostile%3C%2Fb%3E",
    "%FF%3Cb%3Ehostile%3C%2Fb%3E",
    "%00%3Cb%3Ehostile%3C%2Fb%3E",
    "",
    "%00",
    "1%00",
    "1%0A",
    "%80",
    "%C0%AF",
    "%ED%A0%80",
    "%E2%82",
    "%F4%90%80%80",
    "%FF",
    "%",
    "%4",
    "%zz",
    "1%",
    "%u0031",
    "%2531",
    "%31",
    "1;x=2",
    "1=2",
    "%26x",
    "+",
];

/// Tokens of each age, and invalid ones: cut, lengthened, in capitals, of another user, made up.
const TOKENS: [&str; 20] = [
    "{token:1:half}",
    "{token:1:late}",
    "{token:1:just}",
    "{token:1:cut}",
    "{token:1:other}",
    "{token:1:capitals}",
    "{token:1:expired}",
    "{token:1:forged}",
    "{token:1}0",
    "{token:1}.0",
    "0{token:1}",
    "%31{token:1}",
    ".{token:1}",
    "{token:1}%0A",
    "+{token:1}",
    "{token:1}{token:2}",
    "1.9999999999.",
    "1.9999999999.0000000000000000000000000000000000000000000000000000000000000000",
    "..",
    "1",
];

/// The sorts of tokens that differ by their age.
const AGES: [&str; 4] = [":half", ":late", ":just", ":expired"];

/// Session cookies of each age, and invalid ones: cut, lengthened, of somebody else, made up. `{}` is the valid one, and
/// `{SORT}` one of that sort.
const SESSIONS: [&str; 15] = [
    "{half}",
    "{late}",
    "{just}",
    "{expired}",
    "{forged}",
    "{cut}",
    "{other}",
    "{}0",
    "0{}",
    "%31{}",
    "{}{}",
    "{}=",
    "%22{}%22",
    "{};session={}",
    "{forged:1}",
];

/// Paths where servers often expose their status and internals.
const INSIDE: [&str; 12] = [
    "/server-status",
    "/server-status?auto",
    "/server-info",
    "/status",
    "/fpm-status",
    "/metrics",
    "/jolokia",
    "/actuator/health",
    "/manager/status?XML=true",
    "/manager/jmxproxy",
    "/WEB-INF/web.xml",
    "/META-INF/MANIFEST.MF",
];

/// More parameters than any form has.
const MANY: usize = 1000;

/// All of them that can be written as steps.
pub(crate) fn requests(catalogue: &Catalogue, account: &Account) -> Vec<Step> {
    let mut steps = paths(catalogue);
    for interaction in dynamic(catalogue) {
        let mut forms = Forms { interaction, account, unique: 0 };
        steps.extend(whole_forms(&mut forms));
        for at in 0..interaction.parameters.len() {
            steps.extend(values(&interaction.parameters[at]).iter().map(|value| forms.with(at, value)));
            if interaction.parameters[at].cookie {
                steps.extend(SESSIONS.map(|spoilt| forms.with(at, &session(spoilt, account))));
            }
            steps.extend(shapes(&mut forms, at));
        }
    }
    steps.extend(after_log_out(catalogue, account));
    steps
}

/// Each page of a session once more, after the user has logged out: whether the cookie of before still opens it is for the
/// model to say.
fn after_log_out(catalogue: &Catalogue, account: &Account) -> Vec<Step> {
    let has_session =
        |interaction: &&Interaction| interaction.parameters.iter().any(|parameter| parameter.cookie);
    let right = |interaction| {
        let mut forms = Forms { interaction, account, unique: 0 };
        let right = joined(&forms.right());
        forms.step(&right)
    };
    let pages = || dynamic(catalogue).filter(has_session).map(right);
    // Once round, the log-out is among them.
    pages().chain(pages()).collect()
}

/// A session cookie of an account, as [`SESSIONS`] writes it.
fn session(spoilt: &str, account: &Account) -> String {
    let right = locked(account);
    let sort = spoilt.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match sort.filter(|sort| !sort.is_empty() && sort.bytes().all(|byte| byte.is_ascii_lowercase())) {
        Some(sort) => right.replacen("locked", sort, 1),
        None => spoilt.replace("{}", &right),
    }
}

fn dynamic(catalogue: &Catalogue) -> impl Iterator<Item = &Interaction> {
    let is_form = |interaction: &&Interaction| interaction.protocol == Protocol::Html;
    catalogue.interactions().iter().filter(is_form).filter(|interaction| interaction.effect != Effect::Static)
}

/// Every wrong value of a parameter, encoded.
fn values(parameter: &Parameter) -> Vec<String> {
    let encoded = TEXTS.iter().chain(&NUMBERS).map(|text| encode(text));
    let mut values: Vec<String> = encoded.chain(ENCODED.map(str::to_owned)).collect();
    if is_token(parameter) {
        values.extend(TOKENS.map(str::to_owned));
    }
    if parameter.sealed {
        // They have no age.
        let tokens = TOKENS.iter().filter(|token| !AGES.iter().any(|age| token.contains(age)));
        values.extend(tokens.map(|token| token.replace("token", "sealed")));
    }
    values.extend(lengths(parameter).into_iter().map(|text| encode(&text)));
    if let Some(Fill::Text(right)) = &parameter.fill {
        // Values with a format, such as addresses, keep it.
        let ends = TEXTS.iter().map(|text| encode(text)).chain(ENCODED.map(str::to_owned));
        values.extend(ends.map(|end| encode(right) + &end).collect::<Vec<_>>());
    }
    values
}

/// The longest values, and values one code point longer, with code points of one to four bytes; long numbers.
fn lengths(parameter: &Parameter) -> Vec<String> {
    let Some(most) = parameter.max_length else { return Vec::new() };
    let most = most as usize;
    let repeated = ["1", "a", "ä", "😀"].into_iter().flat_map(|one| [one.repeat(most), one.repeat(most + 1)]);
    // Truncated, or without leading zeros, these would be valid.
    let cut = [format!("1{}", "0".repeat(most)), format!("{}.000", "1".repeat(most.saturating_sub(3)))];
    repeated.chain(cut).chain([format!("{:0>width$}", 1, width = most)]).collect()
}

fn encode(text: &str) -> String {
    let mut pair = String::new();
    append_pair(&mut pair, "", text);
    // Browsers normalise line ends.
    pair.split_off(1)
}

/// The session of an account, sealed as in a cookie.
pub(crate) fn locked(account: &Account) -> String {
    format!("{{locked:{}:{}}}", account.nickname, account.password)
}

fn is_token(parameter: &Parameter) -> bool {
    parameter.name == "token"
}

/// The forms of one interaction.
struct Forms<'a> {
    interaction: &'a Interaction,
    /// A valid account.
    account: &'a Account,
    /// Unique values in use.
    unique: usize,
}

impl Forms<'_> {
    /// All parameters with valid values as far as the catalogue defines them, encoded.
    fn right(&mut self) -> Vec<(String, String)> {
        self.unique += 1;
        let value = |parameter: &Parameter| match &parameter.fill {
            Some(Fill::Text(text)) => encode(text),
            Some(Fill::Unique(prefix)) => {
                let text = format!("{prefix}{}", self.unique);
                encode(&text[..text.len().min(parameter.max_length.unwrap_or(u32::MAX) as usize)])
            }
            Some(Fill::OwnNickname) => encode(&self.account.nickname),
            Some(Fill::OwnPassword) => encode(&self.account.password),
            _ if parameter.cookie => locked(self.account),
            _ if parameter.sealed => "{sealed:1}".to_owned(),
            _ if !parameter.one_of.is_empty() => encode(&parameter.one_of[0]),
            Some(Fill::Raise(_)) => "1000".to_owned(),
            Some(Fill::Above { .. }) => "2000".to_owned(),
            // As a rule, a third option exists.
            Some(Fill::AnyOption) => "3".to_owned(),
            None if is_token(parameter) => "{token:1}".to_owned(),
            _ => "1".to_owned(),
        };
        self.interaction.parameters.iter().map(|each| (each.name.clone(), value(each))).collect()
    }

    /// The request with one wrong value.
    fn with(&mut self, at: usize, value: &str) -> Step {
        let mut pairs = self.right();
        value.clone_into(&mut pairs[at].1);
        self.step(&joined(&pairs))
    }

    fn step(&self, parameters: &str) -> Step {
        Step {
            method: self.interaction.method.to_string(),
            path: self.interaction.path.clone(),
            parameters: parameters.to_owned(),
        }
    }
}

fn joined(pairs: &[(String, String)]) -> String {
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// One parameter missing, repeated, or renamed.
fn shapes(forms: &mut Forms<'_>, at: usize) -> Vec<Step> {
    let right = forms.right();
    let (name, value) = right[at].clone();
    let renamed = |name: String| {
        let mut pairs = right.clone();
        pairs[at].0 = name;
        joined(&pairs)
    };
    let (first, rest) = name.split_at(1);
    let hexadecimal = format!("%{:02x}{rest}", first.as_bytes()[0]);
    let dotted = format!("{first}.{rest}");
    let mut others = right.clone();
    others.remove(at);
    let whole = joined(&right);
    let shapes = [
        joined(&others),
        format!("{whole}&{name}={value}"),
        format!("{name}=0&{whole}"),
        format!("{whole}&{name}={}", encode(MARKUP)),
        format!("{whole}&{}=1", encode(MARKUP)),
        format!("{whole}&{name}[]={value}"),
        format!("{whole}&%{:02X}{rest}={value}", first.as_bytes()[0]),
        format!("{whole}&{name}"),
        format!("{whole}&{name}%00={value}"),
        format!("{whole}&+{name}={value}"),
        renamed(format!("{name}[]")),
        renamed(format!("{name}[a]")),
        renamed(format!("{name}[")),
        renamed(hexadecimal),
        renamed(dotted),
        renamed(format!("{name}%00")),
        renamed(format!("+{name}")),
        renamed(name.to_ascii_uppercase()),
        joined(&others) + "&" + &name,
    ];
    shapes.iter().map(|parameters| forms.step(parameters)).collect()
}

/// Faults of a whole request: its method, the position and the encoding of its parameters.
fn whole_forms(forms: &mut Forms<'_>) -> Vec<Step> {
    let right = joined(&forms.right());
    let shapes = [
        String::new(),
        "&".to_owned(),
        "=".to_owned(),
        "&&=&&".to_owned(),
        right.replace('&', ";"),
        right.replace('&', "%26"),
        right.replace('=', "%3D"),
        format!("&&{right}&&"),
        format!("{right}&unknown=1&unknown=2&%00=%FF&[]=&_method=DELETE&=x"),
        format!("{right}&{}", "a=1&".repeat(MANY / 2)),
        "&".repeat(MANY - 1),
        "&".repeat(MANY),
    ];
    let mut steps: Vec<Step> = shapes.iter().map(|parameters| forms.step(parameters)).collect();
    let (method, path) = (forms.interaction.method.to_string(), &forms.interaction.path);
    for other in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "FOO"] {
        if other != method {
            steps.push(Step { method: other.to_owned(), path: path.clone(), parameters: right.clone() });
        }
    }
    if forms.interaction.method == Method::Post {
        // In the query, and in both places.
        for (path, parameters) in [(format!("{path}?{right}"), ""), (format!("{path}?x=1"), &*right)] {
            steps.push(Step { method: method.clone(), path, parameters: parameters.to_owned() });
        }
    }
    steps
}

/// Unknown paths, and other notations of known ones.
fn paths(catalogue: &Catalogue) -> Vec<Step> {
    let folder = format!("/{}", catalogue.name);
    let mut paths = vec!["/".to_owned(), folder.clone(), "/..%2F..%2Fetc/passwd".to_owned()];
    paths.extend(INSIDE.map(str::to_owned));
    let below = [
        "/",
        "/nowhere",
        "/.htaccess",
        "/.git/config",
        "/index.php",
        "/app.toml",
        "/%3Cb%3Ehostile%3C%2Fb%3E",
        "/%22%3E",
        "/%C3%A4",
        "/a%20b",
        "/a'b",
        "/*",
        "/~",
        "/nowhere?itemId=1",
        "/WEB-INF/web.xml",
    ];
    paths.extend(below.iter().map(|end| format!("{folder}{end}")));
    paths.push(format!("{folder}/{}", "a".repeat(300)));
    paths.push(format!("{folder}{}", "/a".repeat(2000)));
    for interaction in catalogue.interactions() {
        paths.extend(other_names(&interaction.path, &folder));
    }
    let mut steps: Vec<Step> = paths
        .into_iter()
        .flat_map(|path| {
            ["GET", "POST"].map(|method| Step {
                method: method.to_owned(),
                path: path.clone(),
                parameters: String::new(),
            })
        })
        .collect();
    // Forms are also sent with other methods.
    let takes_no_form =
        |each: &&Interaction| each.effect == Effect::Static || each.protocol == Protocol::Soap;
    for interaction in catalogue.interactions().iter().filter(takes_no_form) {
        let others = ["GET", "POST", "PUT", "DELETE", "OPTIONS"].into_iter();
        let others = others.filter(|method| *method != interaction.method.to_string());
        steps.extend(others.map(|method| Step {
            method: method.to_owned(),
            path: interaction.path.clone(),
            parameters: String::new(),
        }));
    }
    steps
}

/// Other notations of a path. A site serves only one.
fn other_names(path: &str, folder: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (first, rest) = name.split_at(1);
    let escaped = format!("%{:02x}{rest}", first.as_bytes()[0]);
    vec![
        format!("/{path}"),
        format!("{folder}//{name}"),
        format!("{folder}/./{name}"),
        format!("{folder}/x/../{name}"),
        format!("{folder}/%2e%2e{path}"),
        format!("{folder}%2F{name}"),
        format!("{folder}/{escaped}"),
        format!("{path}/"),
        format!("{path}/x"),
        format!("{path}%3Fa=1"),
        format!("{path};a=1"),
        format!("{path}.php"),
        format!("{path}%20"),
        path.to_ascii_uppercase(),
    ]
}

/// A request that can't be written as a step, with its bytes.
pub(crate) struct RawRequest {
    /// Its peculiarity, for readers.
    pub(crate) name: &'static str,
    pub(crate) request: Request,
    /// The declared content type; empty for none.
    content_type: &'static str,
    /// True if the body is sent in chunks.
    chunked: bool,
}

impl RawRequest {
    /// Its headers that decide how it is read.
    pub(crate) fn headers(&self) -> Vec<Header> {
        vec![Header::new("Content-Type", self.content_type)]
    }

    /// The bytes that are sent.
    pub(crate) fn bytes(&self, host: &str) -> Vec<u8> {
        let Self { request, content_type, chunked, .. } = self;
        let mut head = format!("{} {} HTTP/1.1\r\nHost: {host}\r\n", request.method, request.target());
        if !content_type.is_empty() {
            head += &format!("Content-Type: {content_type}\r\n");
        }
        let body = if *chunked {
            head += "Transfer-Encoding: chunked\r\n";
            in_chunks(&request.body)
        } else {
            head += &format!("Content-Length: {}\r\n", request.body.len());
            request.body.clone()
        };
        [head.as_bytes(), b"\r\n", &body].concat()
    }
}

/// The body in chunks of one byte.
pub(crate) fn in_chunks(body: &[u8]) -> Vec<u8> {
    let chunk = |byte: &u8| [b"1\r\n".as_slice(), &[*byte], b"\r\n"].concat();
    let mut framed: Vec<u8> = body.iter().flat_map(chunk).collect();
    framed.extend_from_slice(b"0\r\n\r\n");
    framed
}

const FORM: &str = "application/x-www-form-urlencoded";

/// The size of values that no parameter accepts.
const HUGE: usize = 1 << 20;

/// Requests that can't be written as steps.
pub(crate) fn raw_requests(subject: &Subject<'_>, account: &Account) -> impl Iterator<Item = RawRequest> {
    dynamic(subject.catalogue).flat_map(move |interaction| {
        let right = Forms { interaction, account, unique: 0 }.right();
        let step = Step { method: "POST".to_owned(), path: String::new(), parameters: joined(&right) };
        let form = step.request(&subject.key, concurrency::now()).body;
        match interaction.method {
            Method::Get => vec![odd_get(interaction, form)],
            _ => odd_posts(interaction, &form),
        }
    })
}

fn odd_get(interaction: &Interaction, form: Vec<u8>) -> RawRequest {
    RawRequest { name: "parameters in the body of a GET request", ..odd("GET", interaction, FORM, form) }
}

fn odd_posts(interaction: &Interaction, form: &[u8]) -> Vec<RawRequest> {
    let form = form.to_vec();
    let first = interaction.parameters.first().map_or("x", |parameter| &parameter.name);
    let multipart = format!(
        "--x\r\nContent-Disposition: form-data; name=\"{first}\"; filename=\"../x.php\"\r\n\r\n1\r\n--x--\r\n"
    );
    let json = format!("{{\"{first}\":\"1\"}}").into_bytes();
    let no_text = [first.as_bytes(), b"=", &[0x80, 0xff, 0, b'\n', b'\r', 0x1b]].concat();
    let bodies = [
        ("a multipart body", "multipart/form-data; boundary=x", multipart.into_bytes()),
        ("a form called multipart", "multipart/form-data", form.clone()),
        ("a form called plain text", "text/plain", form.clone()),
        ("a form called JSON", "application/json", form.clone()),
        ("a form called XML, in another character set", "text/xml; charset=utf-16", form.clone()),
        ("a form of no type", "", form.clone()),
        ("JSON", "application/json", json.clone()),
        ("JSON called a form", FORM, json),
        ("bytes that are no text", FORM, no_text),
        ("all bytes", FORM, (0..=255).collect()),
        ("a value of 1 MiB", FORM, with_huge_value(interaction)),
        ("a body longer than any form", FORM, vec![b'x'; FORM_LIMIT + 1]),
        ("a body longer than any message", FORM, vec![b'x'; BODY_LIMIT + 1]),
        ("a body of ampersands", FORM, vec![b'&'; BODY_LIMIT]),
    ];
    let mut raw_requests = bodies
        .map(|(name, kind, body)| RawRequest { name, ..odd("POST", interaction, kind, body) })
        .into_iter()
        .collect::<Vec<_>>();
    let name = "a body in chunks of one byte";
    raw_requests.push(RawRequest { name, chunked: true, ..odd("POST", interaction, FORM, form) });
    raw_requests
}

fn with_huge_value(interaction: &Interaction) -> Vec<u8> {
    let longest = interaction.parameters.iter().max_by_key(|parameter| parameter.max_length);
    let pair = |parameter: &Parameter| {
        let length = if longest.is_some_and(|longest| longest.name == parameter.name) { HUGE } else { 1 };
        (parameter.name.clone(), "1".repeat(length))
    };
    joined(&interaction.parameters.iter().map(pair).collect::<Vec<_>>()).into_bytes()
}

fn odd(method: &str, interaction: &Interaction, content_type: &'static str, body: Vec<u8>) -> RawRequest {
    let request =
        Request { method: method.to_owned(), path: interaction.path.clone(), query: String::new(), body };
    RawRequest { name: "", request, content_type, chunked: false }
}

/// Separators, escapes, parameter syntax, and text that is easily parsed in two ways.
const SYNTAX: [&str; 24] = [
    "&", "&&", "=", "==", "+", "%", "%2", "%zz", "%00", "%20", "%26", "%3D", "%25", "%C3", "%A4", "%FF",
    "%0D%0A", ";", "[]", "[0]", "0", "-", ".", "'",
];

/// The request with some damaged parameters: pieces are cut out, doubled, moved, or mixed with syntax.
pub(crate) fn spoilt(step: Step, random: &mut impl Rng) -> Step {
    let tokens = step.parameters.split_inclusive('}').flat_map(|part| {
        let (text, token) = part.split_at(part.find('{').unwrap_or(part.len()));
        text.chars().map(String::from).chain([token.to_owned()])
    });
    let mut pieces: Vec<String> = tokens.filter(|piece| !piece.is_empty()).collect();
    for _ in 0..random.random_range(1..4) {
        let from = random.random_range(0..=pieces.len());
        let until = (from + random.random_range(0..12)).min(pieces.len());
        let piece = pieces[from..until].to_vec();
        let at = random.random_range(0..=pieces.len());
        match random.random_range(0..4) {
            0 => drop(pieces.drain(from..until)),
            1 => drop(pieces.splice(at..at, piece)),
            _ => pieces.insert(at, SYNTAX[random.random_range(0..SYNTAX.len())].to_owned()),
        }
    }
    Step { parameters: pieces.concat(), ..step }
}

/// A request that is invalid HTTP, or unusual.
pub(crate) struct Malformed {
    /// Its fault, for readers.
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The request that it may be taken for; none if it must be refused.
    pub(crate) reading: Option<Request>,
}

/// Requests that are invalid HTTP, or unusual.
pub(crate) fn malformed(catalogue: &Catalogue, host: &str) -> Vec<Malformed> {
    let path = &catalogue.get(catalogue.start).path;
    let reading = |bytes: &[u8]| {
        let is_start = bytes.starts_with(format!("GET {path}").as_bytes());
        is_start.then(|| Request::new("GET", path, ""))
    };
    let with_reading = |(name, bytes): (&'static str, Vec<u8>)| {
        let reading = reading(&bytes);
        Malformed { name, bytes, reading }
    };
    malformed_bytes(&catalogue.name, path, host).into_iter().map(with_reading).collect()
}

fn malformed_bytes(folder: &str, path: &str, host: &str) -> Vec<(&'static str, Vec<u8>)> {
    let get =
        |name, target: &str| (name, format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes());
    let with = |name, method: &str, headers: &str| {
        (name, format!("{method} {path} HTTP/1.1\r\n{headers}\r\n").into_bytes())
    };
    let host = format!("Host: {host}\r\n");
    let long = "a".repeat(20_000);
    vec![
        get("an escape of no digits in the path", &format!("/{folder}/%zz")),
        get("a broken escape in the path", &format!("/{folder}/%")),
        get("an escaped NUL in the path", &format!("/{folder}/%00")),
        get("a way out of the site", "/../../etc/passwd"),
        get("an escaped way out of the site", &format!("/{folder}/%2e%2e/%2e%2e/%2e%2e/etc/passwd")),
        get("markup and a blank in the path", &format!("/{folder}/{MARKUP} {MARKUP}")),
        get("a NUL in the path", &format!("/{folder}/\0{MARKUP}")),
        get("a control character in the query", &format!("{path}?\x01{MARKUP}")),
        get("a query of 20 KB", &format!("{path}?{long}{MARKUP}")),
        get("a query of 1 MB", &format!("{path}?{}", "a".repeat(1_000_000))),
        get("no path", ""),
        get("no slash at the beginning", MARKUP),
        with("TRACE", "TRACE", &host),
        with("a method with markup", MARKUP, &host),
        with("no host", "GET", ""),
        with("a host with markup", "GET", &format!("Host: {MARKUP}\r\n")),
        with("a header of 20 KB", "GET", &format!("{host}X: {long}\r\n")),
        with("a header without a name", "GET", &format!("{host}: {MARKUP}\r\n")),
        with("a header without a colon", "GET", &format!("{host}{MARKUP}\r\n")),
        with("a blank in a header's name", "GET", &format!("{host}X Y: {MARKUP}\r\n")),
        with("500 headers", "GET", &format!("{host}{}", format!("X: {MARKUP}\r\n").repeat(500))),
        with("a negative length", "POST", &format!("{host}Content-Length: -1\r\n")),
        with("a length with markup", "POST", &format!("{host}Content-Length: {MARKUP}\r\n")),
        with("two lengths", "POST", &format!("{host}Content-Length: 0\r\nContent-Length: 1\r\n")),
        with("an unknown transfer coding", "POST", &format!("{host}Transfer-Encoding: {MARKUP}\r\n")),
        ("a chunk without a size", {
            let head = format!("POST {path} HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n");
            [head.as_bytes(), b"zz\r\n\r\n"].concat()
        }),
        ("HTTP/0.9", format!("GET {path}\r\n\r\n").into_bytes()),
        ("no HTTP", format!("GET {path} {MARKUP}\r\n{host}\r\n").into_bytes()),
        ("the beginning of TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec()),
    ]
}

/// A request's beginning as ASCII text in one line, with escapes as in Rust, so that a reader can send it again.
pub(crate) fn beginning(request: &[u8]) -> String {
    const MOST: usize = 200;
    let shown = request[..request.len().min(MOST)].escape_ascii();
    match request.len() {
        ..=MOST => format!("`{shown}`"),
        bytes => format!("`{shown}…`, {bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use settings::Document;
    use std::collections::BTreeSet;
    use workload::ExternalSite;

    const SHOP: &str = r#"
prefix = "/shop"
follow = "mix"

[[interaction]]
name = "Home"
path = "index.html"
effect = "static"

[[interaction]]
name = "Find"
path = "Find"
parameters = [{ name = "word", max_length = 4 }]

[[interaction]]
name = "Buy"
path = "Buy"
method = "POST"
effect = "write"
writes = "orders"
parameters = [{ name = "item", max_length = 9 }, { name = "token", max_length = 100 }, { name = "note", max_length = 50 }]
"#;

    fn account() -> Account {
        Account { nickname: "user1".to_owned(), password: "password1".to_owned() }
    }

    fn catalogue(text: &str) -> Catalogue {
        ExternalSite::parse(&Document::new("shop.toml", text), false).unwrap().catalogue
    }

    fn shop() -> Catalogue {
        catalogue(SHOP)
    }

    #[test]
    fn each_parameter_gets_each_wrong_value_beside_valid_ones() {
        let steps: BTreeSet<String> = requests(&shop(), &account()).iter().map(Step::to_string).collect();
        for value in TEXTS.iter().chain(&NUMBERS).map(|text| encode(text)).chain(ENCODED.map(str::to_owned)) {
            for wrong in [
                format!("GET /shop/Find word={value}"),
                format!("POST /shop/Buy item={value}&token={{token:1}}&note=1"),
                format!("POST /shop/Buy item=1&token={value}&note=1"),
                format!("POST /shop/Buy item=1&token={{token:1}}&note={value}"),
            ] {
                assert!(steps.contains(&wrong), "{wrong}");
            }
        }
        for wrong in
            ["GET /shop/Find word=1234567890", "GET /shop/Find word=11111", "DELETE /shop/Buy item=1"]
        {
            let expected = wrong == "GET /shop/Find word=11111";
            assert_eq!(steps.contains(wrong), expected, "{wrong}");
        }
        assert!(steps.contains("POST /shop/Buy item=1&token={token:1:forged}&note=1"));
    }

    #[test]
    fn session_cookies_come_in_each_age_and_shape_and_after_the_log_out() {
        let text = SHOP.replace(
            "name = \"word\", max_length = 4",
            "name = \"session\", max_length = 400, cookie = true",
        );
        let steps: Vec<String> =
            requests(&catalogue(&text), &account()).iter().map(Step::to_string).collect();
        for session in [
            "{half:user1:password1}",
            "{just:user1:password1}",
            "{cut:user1:password1}",
            "{forged:1}",
            "{locked:user1:password1}0",
        ] {
            assert!(steps.contains(&format!("GET /shop/Find session={session}")), "{session}");
        }
        let right = "GET /shop/Find session={locked:user1:password1}";
        assert_eq!(steps[steps.len() - 2..], [right, right]);
        assert!(!steps.iter().any(|step| step.contains(":half}") && step.contains("sealed")));
    }

    #[test]
    fn each_request_can_be_saved_as_a_step() {
        for step in requests(&shop(), &account()) {
            assert_eq!(step.to_string().parse(), Ok(step.clone()), "{step}");
            let target_fits = step.method == "POST" || step.to_string().len() < 16_000;
            assert!(target_fits, "web servers refuse so long a request themselves: {step}");
        }
    }

    #[test]
    fn raw_requests_are_framed_as_they_say() {
        let catalogue = shop();
        let buy = dynamic(&catalogue).find(|interaction| interaction.name == "Buy").unwrap();
        let all = odd_posts(buy, b"item=1");
        assert_eq!(all.len(), 15);
        let chunked = all.iter().find(|raw_request| raw_request.chunked).unwrap();
        let bytes = String::from_utf8(chunked.bytes("x")).unwrap();
        assert!(bytes.starts_with("POST /shop/Buy HTTP/1.1\r\nHost: x\r\n"), "{bytes}");
        assert!(bytes.ends_with("1\r\n1\r\n0\r\n\r\n"), "{bytes}");
        assert_eq!(chunked.request.body, b"item=1");
    }

    #[test]
    fn spoilt_requests_are_steps_with_an_intact_token() {
        let right: Step = "POST /shop/Buy item=17&token={token:1}&note=a%20b".parse().unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let spoilt: BTreeSet<Step> = (0..1000).map(|_| spoilt(right.clone(), &mut random)).collect();
        assert!(spoilt.len() > 900, "only {} are different", spoilt.len());
        for step in spoilt {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
    }

    #[test]
    fn a_request_is_shown_in_one_line_by_how_it_begins() {
        assert_eq!(beginning(b"GET /\x01 HTTP/1.1\r\n"), "`GET /\\x01 HTTP/1.1\\r\\n`");
        let long = beginning("a".repeat(20_000).as_bytes());
        assert!(long.len() < 250 && long.ends_with("a…`, 20000 bytes"), "{long}");
    }
}

//! The interactions of an application, as `app.toml` lists them: the only definition of their names, paths and
//! parameters.

use crate::{Length, SiteProtocol};
use serde::{Deserialize, Serialize};
use settings::{Document, PlainName, SettingsError, did_you_mean};
use std::{borrow::Cow, collections::HashMap, fmt, ops::Range};
use toml::Spanned;

/// Position of an interaction in its application's catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct InteractionId(pub u16);

impl InteractionId {
    /// The index into tables with a row for each interaction.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Parameters in the query.
    Get,
    /// Parameters in the body, form-encoded.
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// True if its requests have a body, though it may be empty.
    pub fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }

    /// True if sending it again has the effect of sending it once (RFC 9110, 9.2.2).
    pub fn is_idempotent(self) -> bool {
        matches!(self, Self::Get | Self::Put | Self::Delete)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    Browse,
    /// On the way to a transaction.
    Order,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// A file; the same for all users.
    Static,
    /// Reads the data.
    Read,
    /// Changes the data.
    Write,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// HTML documents over HTTP.
    Html,
    /// SOAP envelopes over HTTP.
    Soap,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Fill {
    /// The nickname of the account this client acts as.
    OwnNickname,
    /// The password of that account.
    OwnPassword,
    /// A text that is unique in this run: the prefix and a number.
    Unique(String),
    /// A whole amount from the field's `min` to `min` plus this.
    Raise(u32),
    /// A whole amount from the value of an earlier field to that plus `most`.
    Above { field: String, most: u32 },
    /// A whole number from the field's `min` to its `max`.
    Within,
    /// One of the options that the page offers.
    AnyOption,
    /// A constant.
    Text(String),
    /// A text of the application: a kind of [`crate::Habits::typed`].
    Typed(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    pub name: String,
    /// Longest value, in code points.
    #[serde(default)]
    pub max_length: Option<u32>,
    /// The rule by which a client fills it, if it is a visible field.
    #[serde(default)]
    pub fill: Option<Fill>,
    /// Its allowed values; empty if they aren't fixed.
    #[serde(default)]
    pub one_of: Vec<String>,
    /// True if it may be missing or empty, which are equivalent. Its interaction defines the meaning.
    #[serde(default)]
    pub optional: bool,
    /// True if it is a number that the site seals, and accepts only unaltered.
    #[serde(default)]
    pub sealed: bool,
    /// True if it is sent in the cookie of its name.
    #[serde(default)]
    pub cookie: bool,
}

/// A user's action that yields a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interaction {
    pub name: String,
    /// The full path, such as `/auction/ViewItem`.
    pub path: String,
    pub method: Method,
    /// Browsing, or buying and selling.
    pub class: Class,
    pub effect: Effect,
    /// The table of the row whose id its page acknowledges, if it changes the data.
    pub writes: Option<String>,
    pub protocol: Protocol,
    pub secure: bool,
    /// The limit of the 90th percentile of response times, if the application's specification has one.
    pub response_limit: Option<Length>,
    pub parameters: Vec<Parameter>,
}

impl Interaction {
    /// The names of the parameters in cookies.
    pub fn cookies(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().filter(|parameter| parameter.cookie).map(|parameter| parameter.name.as_str())
    }
}

/// A service that an application needs and that is not measured, such as a payment gateway.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    pub service: PlainName,
    pub role: PlainName,
}

/// An application's interactions and the habits of its users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    pub name: String,
    /// A line of text for readers.
    pub title: String,
    /// Mean think time (negative exponential).
    pub think_time: Length,
    /// Mean length of a session (negative exponential).
    pub session_length: Length,
    /// The default.
    pub mix: String,
    /// Alternative services for its data, in order of preference.
    pub databases: Vec<String>,
    /// Tables whose rows never change, so that a site may keep them in memory.
    pub constant_tables: Vec<String>,
    /// The services for its records outside SQL, all of them at once: mailboxes, a directory.
    pub stores: Vec<String>,
    /// Other services that it needs, whatever the stack.
    pub depends: Vec<Dependency>,
    /// The interaction every session starts with; it takes no parameters.
    pub start: InteractionId,
    /// True if browsers fetch embedded images, style sheets and scripts. A page is then complete when all have arrived.
    pub embedded: bool,
    pub(crate) interactions: Vec<Interaction>,
    pub(crate) by_path: HashMap<String, InteractionId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AppFile {
    name: PlainName,
    title: String,
    prefix: String,
    think_time: Length,
    session_length: Length,
    mix: String,
    #[serde(default)]
    databases: Vec<PlainName>,
    #[serde(default)]
    stores: Vec<PlainName>,
    #[serde(default)]
    constant_tables: Vec<PlainName>,
    start: Spanned<String>,
    #[serde(default)]
    embedded: bool,
    #[serde(default)]
    depends: Vec<Dependency>,
    interaction: Vec<InteractionEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InteractionEntry {
    name: Spanned<String>,
    path: Spanned<String>,
    method: Method,
    class: Class,
    effect: Effect,
    #[serde(default)]
    writes: Option<String>,
    protocol: Protocol,
    #[serde(default)]
    secure: bool,
    #[serde(default)]
    response_limit: Option<Length>,
    #[serde(default)]
    parameters: Vec<Parameter>,
}

impl InteractionEntry {
    fn read(self, prefix: &str, document: &Document) -> Result<Interaction, Box<SettingsError>> {
        if (self.effect == Effect::Write) != self.writes.is_some() {
            let name = self.name.get_ref();
            let fault = format!("`{name}` has `effect = \"write\"` without `writes`, or the reverse");
            let remedy = "name in `writes` the table of the row whose id its page acknowledges".to_owned();
            return Err(document.error(Some(self.name.span()), fault, Some(remedy)));
        }
        Ok(Interaction {
            name: self.name.into_inner(),
            path: format!("{prefix}/{}", self.path.get_ref()),
            method: self.method,
            class: self.class,
            effect: self.effect,
            writes: self.writes,
            protocol: self.protocol,
            secure: self.secure,
            response_limit: self.response_limit,
            parameters: self.parameters,
        })
    }
}

/// An interaction with the positions of its name and its path in the file.
pub(crate) struct Listed {
    pub interaction: Interaction,
    pub name: Range<usize>,
    pub path: Range<usize>,
}

/// Interactions in their order, and by their paths.
pub(crate) type Interactions = (Vec<Interaction>, HashMap<String, InteractionId>);

/// Reads the listed interactions. Names must be unique, and also paths if they identify the interaction.
pub(crate) fn listed(
    all: Vec<Listed>,
    told_by_path: bool,
    document: &Document,
) -> Result<Interactions, Box<SettingsError>> {
    let mut interactions: Vec<Interaction> = Vec::new();
    let mut by_path = HashMap::new();
    for Listed { interaction, name, path } in all {
        if interactions.iter().any(|known| known.name == interaction.name) {
            let fault = format!("the interaction `{}` is listed twice", interaction.name);
            return Err(document.error(Some(name), fault, None));
        }
        let id = InteractionId(interactions.len() as u16);
        let first = *by_path.entry(interaction.path.clone()).or_insert(id);
        if told_by_path && first != id && !may_share(&interactions[first.index()], &interaction) {
            let fault = format!("two interactions have the path `{}`", interaction.path);
            return Err(document.error(Some(path), fault, None));
        }
        interactions.push(interaction);
    }
    Ok((interactions, by_path))
}

/// Operations are identified by their content, so that several may share a path.
fn may_share(one: &Interaction, other: &Interaction) -> bool {
    [one, other].iter().all(|each| each.protocol == Protocol::Soap) && one.method == other.method
}

pub(crate) fn find_start(
    start: &Spanned<String>,
    interactions: &[Interaction],
    document: &Document,
) -> Result<InteractionId, Box<SettingsError>> {
    let names = || interactions.iter().map(|interaction| interaction.name.as_str());
    let name = start.get_ref();
    let position = names().position(|known| known == name).ok_or_else(|| {
        let fault = format!("`{name}` is no interaction of this application");
        document.error(Some(start.span()), fault, Some(did_you_mean(name, names())))
    })?;
    Ok(InteractionId(position as u16))
}

impl Catalogue {
    pub fn parse(document: &Document) -> Result<Self, Box<SettingsError>> {
        let file: AppFile = document.parse()?;
        let read = |entry: InteractionEntry| {
            let (name, path) = (entry.name.span(), entry.path.span());
            Ok(Listed { interaction: entry.read(&file.prefix, document)?, name, path })
        };
        let all = file.interaction.into_iter().map(read).collect::<Result<_, Box<SettingsError>>>()?;
        let (interactions, by_path) = listed(all, true, document)?;
        let start = find_start(&file.start, &interactions, document)?;
        Ok(Self {
            name: file.name.into_string(),
            title: file.title,
            think_time: file.think_time,
            session_length: file.session_length,
            mix: file.mix,
            constant_tables: file.constant_tables.into_iter().map(PlainName::into_string).collect(),
            databases: file.databases.into_iter().map(PlainName::into_string).collect(),
            stores: file.stores.into_iter().map(PlainName::into_string).collect(),
            start,
            embedded: file.embedded,
            depends: file.depends,
            interactions,
            by_path,
        })
    }

    /// The catalogue of a site to which browsers speak this protocol.
    pub fn over(&self, protocol: SiteProtocol) -> Cow<'_, Self> {
        if protocol == SiteProtocol::Http {
            return Cow::Borrowed(self);
        }
        let mut all_secure = self.clone();
        all_secure.interactions.iter_mut().for_each(|interaction| interaction.secure = true);
        Cow::Owned(all_secure)
    }

    pub fn interactions(&self) -> &[Interaction] {
        &self.interactions
    }

    pub fn ids(&self) -> impl Iterator<Item = InteractionId> + use<> {
        (0..self.interactions.len() as u16).map(InteractionId)
    }

    pub fn get(&self, id: InteractionId) -> &Interaction {
        &self.interactions[id.index()]
    }

    pub fn by_name(&self, name: &str) -> Option<InteractionId> {
        self.ids().find(|id| self.get(*id).name == name)
    }

    /// True if any interaction uses TLS.
    pub fn is_secure(&self) -> bool {
        self.interactions.iter().any(|interaction| interaction.secure)
    }

    /// True if a request for this path, with or without a query, uses TLS.
    pub fn is_secure_at(&self, path_and_query: &str) -> bool {
        let path = path_and_query.split('?').next().unwrap_or_default();
        self.by_path(path).is_some_and(|id| self.get(id).secure)
    }

    /// The interaction of a path (without its query); the first of several operations.
    pub fn by_path(&self, path: &str) -> Option<InteractionId> {
        self.by_path.get(path).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
name = "small"
title = "A small one"
prefix = "/small"
think_time = "7s"
session_length = "15m"
mix = "usual"
start = "Home"

[[interaction]]
name = "Home"
path = "index.html"
method = "GET"
class = "browse"
effect = "static"
protocol = "html"

[[interaction]]
name = "Store"
path = "Store"
method = "POST"
class = "order"
effect = "write"
writes = "bids"
protocol = "html"
parameters = [{ name = "bid", fill = { raise = 10 } }, { name = "nickname", max_length = 20, fill = "own-nickname" }]
"#;

    #[test]
    fn reads_interactions_with_their_parameters() {
        let catalogue = Catalogue::parse(&Document::new("app.toml", SMALL)).unwrap();
        let store = catalogue.by_path("/small/Store").unwrap();
        assert_eq!(catalogue.by_name("Store"), Some(store));
        assert_eq!(catalogue.get(store).writes.as_deref(), Some("bids"));
        assert_eq!(catalogue.get(store).parameters[0].fill, Some(Fill::Raise(10)));
        assert_eq!(catalogue.get(store).parameters[1].fill, Some(Fill::OwnNickname));
        assert_eq!(catalogue.get(catalogue.start).name, "Home");
    }

    #[test]
    fn operations_may_share_a_path_and_pages_may_not() {
        let soap = |text: &str| text.replace("protocol = \"html\"", "protocol = \"soap\"");
        let one_path =
            SMALL.replace("path = \"Store\"", "path = \"index.html\"").replace("\"POST\"", "\"GET\"");
        let catalogue = Catalogue::parse(&Document::new("app.toml", soap(&one_path))).unwrap();
        assert_eq!(catalogue.by_path("/small/index.html"), catalogue.by_name("Home"));
        for refused in [one_path.clone(), soap(&one_path).replacen("\"GET\"", "\"POST\"", 1)] {
            assert!(Catalogue::parse(&Document::new("app.toml", refused)).is_err());
        }
    }

    #[test]
    fn refuses_duplicates_and_an_unknown_start() {
        for (from, to, fault) in [
            ("start = \"Home\"", "start = \"Hom\"", "no interaction"),
            ("name = \"Store\"", "name = \"Home\"", "listed twice"),
            ("path = \"Store\"", "path = \"index.html\"", "two interactions"),
            ("method = \"POST\"", "method = \"PUSH\"", "unknown variant"),
            ("writes = \"bids\"", "", "without `writes`"),
            ("effect = \"static\"", "effect = \"static\"\nwrites = \"bids\"", "or the reverse"),
        ] {
            let error = Catalogue::parse(&Document::new("app.toml", SMALL.replace(from, to))).unwrap_err();
            assert!(error.to_string().contains(fault), "{error}");
        }
    }
}

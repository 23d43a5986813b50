//! A request of a client.

use crate::{InteractionId, Method, Step};
use std::borrow::Cow;

/// A header of a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    /// Its name, as it is sent.
    pub name: Cow<'static, str>,
    /// Its value.
    pub value: Cow<'static, str>,
}

impl Header {
    /// A header of this name and value.
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// The value of a header, whatever the case of its name; none if it is missing.
pub fn header<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|known| known.name.eq_ignore_ascii_case(name)).map(|known| &*known.value)
}

/// Why a user makes a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    /// A session begins.
    Start,
    /// A link or a form of the page, as the mix has chosen.
    Forward,
    /// The back button, as the mix has chosen.
    Back,
    /// The back button (or the first page, if the history is empty), because nothing on the page leads to the chosen
    /// interaction, or because of an error.
    Fallback,
}

impl How {
    /// All of them, in the order of their indexes.
    pub const ALL: [Self; 4] = [Self::Start, Self::Forward, Self::Back, Self::Fallback];

    /// The index into tables.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A request of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The interaction it belongs to.
    pub interaction: InteractionId,
    /// How it is sent.
    pub method: Method,
    /// The path and the query, encoded.
    pub path_and_query: String,
    /// Headers of its own, instead of or beside those that a browser sends with a form.
    pub headers: Vec<Header>,
    /// The body of a POST, form-encoded unless its headers say otherwise; empty for a GET.
    pub body: String,
    /// Why it is made.
    pub how: How,
    /// The transition drawn from the mix; none at the start and after an error.
    pub drawn: Option<(InteractionId, Step)>,
}

use crate::{InteractionId, Method, Step};
use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    pub name: Cow<'static, str>,
    pub value: Cow<'static, str>,
}

impl Header {
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// The value of a header by its name in any case.
pub fn header<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|known| known.name.eq_ignore_ascii_case(name)).map(|known| &*known.value)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    Start,
    /// A link or a form of the page, drawn from the mix.
    Forward,
    /// The back button, drawn from the mix.
    Back,
    /// The back button (or the first page, if the history is empty), because nothing on the page leads to the chosen
    /// interaction, or because of an error.
    Fallback,
}

impl How {
    pub const ALL: [Self; 4] = [Self::Start, Self::Forward, Self::Back, Self::Fallback];

    pub fn index(self) -> usize {
        self as usize
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub interaction: InteractionId,
    pub method: Method,
    /// The path and the query, encoded.
    pub path_and_query: String,
    /// Headers of its own, instead of or beside those that a browser sends with a form.
    pub headers: Vec<Header>,
    /// The body of a POST, form-encoded unless its headers say otherwise; empty for a GET.
    pub body: String,
    pub how: How,
    /// The transition drawn from the mix; none at the start and after an error.
    pub drawn: Option<(InteractionId, Step)>,
}

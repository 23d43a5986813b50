//! Names in files: words that know where they stand, so that an error can point at them.

use serde::Deserialize;
use std::{
    fmt,
    ops::{Deref, Range},
};
use toml::Spanned;

/// A name, with its place in the file that it was read from.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct Name(Spanned<String>);

impl Name {
    pub(crate) fn place(&self) -> Range<usize> {
        self.0.span()
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.get_ref()
    }
}

/// A name that stands in no file.
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(Spanned::new(0..0, text.to_owned()))
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Name {}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

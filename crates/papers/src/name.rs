//! Names in files, with their places for errors.

use serde::{Deserialize, Deserializer, de};
use settings::RelativePath;
use std::{
    fmt,
    ops::{Deref, Range},
};
use toml::Spanned;

/// A name, with its place in its file.
#[derive(Clone)]
pub struct Name(Spanned<String>);

/// It may become part of a path: the name of a testbed's file, or of a result's folder.
impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Spanned::<RelativePath>::deserialize(deserializer)?;
        match name.get_ref() == &name.get_ref().first_part() {
            true => Ok(Self(Spanned::new(name.span(), name.get_ref().to_string()))),
            false => Err(de::Error::custom(format!("the name `{}` can't hold a `/`", name.get_ref()))),
        }
    }
}

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

/// A name without a file.
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

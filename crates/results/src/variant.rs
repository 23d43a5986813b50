//! The names of variants: the only place where they are put together and taken apart.

use std::{fmt, str::FromStr};

/// A configuration, and in what it differs from how it is declared: `WsPhp-DB,engine=MyISAM`. In results and commands it is
/// this text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantId {
    /// The configuration's name.
    pub configuration: String,
    /// Factors with their values, in the order in which they were chosen.
    pub overrides: Vec<(String, String)>,
    /// True if it takes part for the second time.
    pub is_again: bool,
}

/// A part of a name that is no factor with its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no factor with its value")]
pub struct NoOverride(pub String);

/// Stands between the parts of a name.
const COMMA: char = ',';
/// Stands before the commit of the stack's files, where that is not the present one.
const AT: char = '@';
/// The last part of the name of one that takes part for the second time.
const AGAIN: &str = "again";

impl VariantId {
    /// The value of a factor, where it differs.
    pub fn value_of(&self, factor: &str) -> Option<&str> {
        let found = self.overrides.iter().find(|(name, _)| name == factor);
        found.map(|(_, value)| value.as_str())
    }

    /// With another value of a factor.
    pub fn with(mut self, factor: impl Into<String>, value: impl Into<String>) -> Self {
        self.overrides.push((factor.into(), value.into()));
        self
    }

    /// The same without a value of its own for this factor.
    pub fn without(mut self, factor: &str) -> Self {
        self.overrides.retain(|(name, _)| name != factor);
        self
    }

    /// The same of the stack's files at a commit.
    pub fn at(self, commit: &str) -> Self {
        Self { configuration: format!("{}{AT}{commit}", self.configuration), ..self }
    }

    /// The configuration's name and the commit of its files; none for the present ones.
    pub fn committed(&self) -> Option<(&str, &str)> {
        self.configuration.rsplit_once(AT)
    }

    /// The same of the present files.
    pub fn present(self) -> Self {
        match self.committed() {
            Some((name, _)) => Self { configuration: name.to_owned(), ..self },
            None => self,
        }
    }

    /// The same, for the second time.
    pub fn again(self) -> Self {
        Self { is_again: true, ..self }
    }

    /// True if it is the same configuration and has all of the other's values.
    pub fn is_kind_of(&self, other: &Self) -> bool {
        self.configuration == other.configuration
            && other.overrides.iter().all(|differs| self.overrides.contains(differs))
    }
}

/// The name of the configuration that a variant with this name is of.
pub fn plain_name(variant: &str) -> &str {
    variant.split(COMMA).next().unwrap_or(variant)
}

/// The name that a variant has which takes part for the second time with this one; none if this takes part only once.
pub fn once(variant: &str) -> Option<&str> {
    variant.strip_suffix(AGAIN)?.strip_suffix(COMMA)
}

impl fmt::Display for VariantId {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(&self.configuration)?;
        self.overrides.iter().try_for_each(|(name, value)| write!(text, "{COMMA}{name}={value}"))?;
        if self.is_again { write!(text, "{COMMA}{AGAIN}") } else { Ok(()) }
    }
}

impl FromStr for VariantId {
    type Err = NoOverride;

    fn from_str(text: &str) -> Result<Self, NoOverride> {
        let first = once(text);
        let mut parts = first.unwrap_or(text).split(COMMA);
        let configuration = parts.next().unwrap_or_default().to_owned();
        let read = |part: &str| match part.split_once('=') {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                Ok((name.to_owned(), value.to_owned()))
            }
            _ => Err(NoOverride(part.to_owned())),
        };
        let overrides = parts.map(read).collect::<Result<_, _>>()?;
        Ok(Self { configuration, overrides, is_again: first.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id(text: &str) -> VariantId {
        text.parse().unwrap()
    }

    proptest! {
        #[test]
        fn a_name_that_was_put_together_is_taken_apart_into_the_same(
            configuration in "[A-Za-z][A-Za-z0-9._-]{0,12}",
            overrides in prop::collection::vec(("[a-z][a-z.]{0,6}", "[A-Za-z0-9=.]{1,6}"), 0..4),
            is_again in any::<bool>(),
        ) {
            let variant = VariantId { configuration, overrides, is_again };
            let text = variant.to_string();
            prop_assert_eq!(plain_name(&text), &variant.configuration);
            prop_assert_eq!(once(&text).is_some(), is_again);
            prop_assert_eq!(text.parse(), Ok(variant));
        }
    }

    #[test]
    fn what_differs_is_added_and_left_out() {
        let varied = id("WsPhp-DB").with("engine", "MyISAM").with("timeout", "30s");
        assert_eq!(varied.to_string(), "WsPhp-DB,engine=MyISAM,timeout=30s");
        assert_eq!(varied.value_of("engine"), Some("MyISAM"));
        assert_eq!(varied.value_of("database"), None);
        assert_eq!(varied.clone().without("timeout"), id("WsPhp-DB,engine=MyISAM"));
        assert_eq!(varied.again().to_string(), "WsPhp-DB,engine=MyISAM,timeout=30s,again");
    }

    #[test]
    fn the_commit_of_its_files_is_a_part_of_a_name() {
        let now = id("php/WsPhp-DB,engine=MyISAM");
        let then = now.clone().at("v1.0-2");
        assert_eq!(then.to_string(), "php/WsPhp-DB@v1.0-2,engine=MyISAM");
        assert_eq!(id(&then.to_string()).committed(), Some(("php/WsPhp-DB", "v1.0-2")));
        assert_eq!(now.committed(), None);
        assert_eq!((then.present(), now.clone().present()), (now.clone(), now));
    }

    #[test]
    fn a_variant_is_a_kind_of_all_that_differ_in_less() {
        let variant = id("WsPhp-DB,engine=MyISAM,protocol=text");
        for other in ["WsPhp-DB", "WsPhp-DB,protocol=text", "WsPhp-DB,protocol=text,engine=MyISAM"] {
            assert!(variant.is_kind_of(&id(other)), "{other}");
        }
        for other in ["WsPhp", "WsPhp-DB,engine=InnoDB", "WsPhp-DB,engine=MyISAM,protocol=text,pool=4"] {
            assert!(!variant.is_kind_of(&id(other)), "{other}");
        }
    }

    #[test]
    fn what_is_no_factor_with_its_value_is_named() {
        for (text, part) in
            [("A,b", "b"), ("A,b=1,=2", "=2"), ("A,b=", "b="), ("A,", ""), ("A,again,b", "again")]
        {
            assert_eq!(text.parse::<VariantId>(), Err(NoOverride(part.to_owned())), "{text}");
        }
    }
}

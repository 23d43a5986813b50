//! TOML files with precise error messages.
//!
//! All files of users (applications, mixes, services, stacks, testbeds) are read here, so that each error names the
//! file, the line, the fault, and a remedy.

mod blame;
mod deadline;
mod package;
mod path;
mod read;
mod terminal;
mod write;

pub use blame::Blame;
pub use deadline::{Socket, WithDeadline};
pub use package::package_names;
pub use path::{PathFault, PlainName, RelativePath};
pub use read::{LONGEST_FILE, read_bytes, read_text};
pub use terminal::{harmless, note};
pub use write::{inside, replace, replace_by, write_inside, write_named};

use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::de::DeserializeOwned;
use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
};
use thiserror::Error;
use toml::Spanned;

/// A fault in a user's file, with its position.
#[derive(Debug, Error, Diagnostic)]
#[error("{fault}")]
pub struct SettingsError {
    fault: String,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    place: Option<SourceSpan>,
    #[help]
    remedy: Option<String>,
}

/// The text of a settings file, and its name for errors.
#[derive(Debug, Clone)]
pub struct Document {
    name: String,
    text: String,
}

impl Document {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Reads a user's file. An error names it.
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(Self::new(path.display().to_string(), read_text(path)?))
    }

    /// Resolves a path of this document below a folder. An error names its position.
    pub fn path(&self, folder: &Path, path: &Spanned<RelativePath>) -> Result<PathBuf, Box<SettingsError>> {
        let wrong = |PathFault { fault, remedy }| self.error(Some(path.span()), fault, Some(remedy));
        path.get_ref().below(folder).map_err(wrong)
    }

    /// The file and line of a position: `stack.toml:3`.
    pub fn place(&self, place: Range<usize>) -> String {
        let before = self.text.get(..place.start).unwrap_or(&self.text);
        format!("{}:{}", self.name, before.matches('\n').count() + 1)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses the document. If the type denies unknown fields, a misspelt key gets a suggestion.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Box<SettingsError>> {
        toml::from_str(&self.text).map_err(|error| {
            let message = error.message();
            match message.split_once(path::REMEDY) {
                Some((fault, remedy)) => self.error(error.span(), fault, Some(remedy.to_owned())),
                None => self.error(error.span(), message, suggestion(message)),
            }
        })
    }

    /// An error at a position of this document, beyond its syntax. Without a position, it names the document.
    pub fn error(
        &self,
        place: Option<Range<usize>>,
        fault: impl Into<String>,
        remedy: Option<String>,
    ) -> Box<SettingsError> {
        let fault = fault.into();
        Box::new(SettingsError {
            fault: if place.is_some() { fault } else { format!("{}: {fault}", self.name) },
            source_code: NamedSource::new(&self.name, self.text.clone()).with_language("toml"),
            place: place.map(SourceSpan::from),
            remedy,
        })
    }
}

/// The known word nearest to `wrong`, if one is similar enough.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&wrong.to_lowercase(), &word.to_lowercase()), word))
        .min()
        .filter(|(distance, word)| *distance <= 1 + word.chars().count().min(wrong.chars().count()) / 3)
        .map(|(_, word)| word)
}

/// "did you mean …" for an unknown word, or else the known words.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(wrong, known.clone()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => {
            let known: Vec<_> = known.into_iter().collect();
            format!("known are: {}", known.join(", "))
        }
    }
}

/// Turns serde's list of expected keys into a suggestion.
fn suggestion(message: &str) -> Option<String> {
    let (wrong, known) = message.split_once(", expected ")?;
    let words =
        |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect() };
    let wrong = words(wrong).pop()?;
    let known = words(known);
    (!known.is_empty()).then(|| did_you_mean(&wrong, known.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code, reason = "only parsed")]
        think_time: String,
    }

    #[test]
    fn a_misspelt_key_is_reported_with_its_line_and_a_suggestion() {
        let document = Document::new("mix.toml", "\n\nthink_tme = '7s'\n");
        let error = document.parse::<Sample>().unwrap_err();
        assert!(error.to_string().contains("unknown field `think_tme`"), "{error}");
        assert_eq!(error.remedy.as_deref(), Some("did you mean `think_time`?"));
        let shown = format!("{:?}", miette::Report::new(*error));
        assert!(shown.contains("mix.toml:3:1"), "{shown}");
    }

    #[test]
    fn a_fault_without_a_position_names_its_file() {
        let error = Document::new("mix.toml", "").error(None, "nobody clicks", None);
        let shown = format!("{:?}", miette::Report::new(*error));
        assert!(shown.contains("mix.toml: nobody clicks"), "{shown}");
    }

    #[test]
    fn dissimilar_words_are_not_suggested() {
        assert_eq!(nearest("zebra", ["think_time", "clients"]), None);
        assert_eq!(nearest("Auction", ["auction", "bookstore"]), Some("auction"));
        assert_eq!(did_you_mean("zebra", ["a1", "b2"]), "known are: a1, b2");
    }
}

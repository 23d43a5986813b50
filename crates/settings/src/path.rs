//! Paths and names in users' files. [`RelativePath::below`] is the only way from such a text to a path of the file
//! system, and never leaves its folder.

use serde::{Deserialize, Deserializer, de};
use std::{
    fmt, fs, io,
    ops::Deref,
    path::{Component, Path, PathBuf},
};
use thiserror::Error;

/// A fault of a path below a folder.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{fault}")]
pub struct PathFault {
    pub fault: String,
    pub remedy: String,
}

impl PathFault {
    fn new(fault: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { fault: fault.into(), remedy: remedy.into() }
    }
}

/// A path in a file: relative, with at least one part, and without parts that lead upwards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(PathBuf);

impl RelativePath {
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        let wrong = |what: &str| {
            let fault = format!("the path `{}` {what}", text.escape_debug());
            PathFault::new(
                fault,
                "write it relative to the folder that it is looked for in: `pages/index.html`",
            )
        };
        if let Some(odd) = text.chars().find(|c| c.is_control()) {
            return Err(wrong(&format!("holds the character {}", odd.escape_debug())));
        }
        let mut parts = PathBuf::new();
        for part in Path::new(text).components() {
            match part {
                Component::Normal(part) => parts.push(part),
                Component::CurDir => {}
                Component::ParentDir => return Err(wrong("leads upwards")),
                Component::RootDir | Component::Prefix(_) => return Err(wrong("is absolute")),
            }
        }
        if parts.as_os_str().is_empty() {
            return Err(wrong("names nothing"));
        }
        Ok(Self(parts))
    }

    /// The path below a folder, which must exist. An error if it leaves the folder through a symbolic link, or has a
    /// dangling one. The named file need not exist.
    pub fn below(&self, folder: &Path) -> Result<PathBuf, PathFault> {
        let unreadable = |path: &Path, fault: &io::Error| {
            PathFault::new(
                format!("the path `{self}` can't be followed: {}: {fault}", path.display()),
                "mend what is there, or name another path",
            )
        };
        let home = folder.canonicalize().map_err(|fault| unreadable(folder, &fault))?;
        let path = folder.join(&self.0);
        let prefixes = path.ancestors().take_while(|prefix| *prefix != folder);
        for prefix in prefixes {
            match fs::symlink_metadata(prefix) {
                Ok(_) => return expect_inside(prefix, &home, self).map(|()| path.clone()),
                Err(fault) if is_missing(&fault) => {}
                Err(fault) => return Err(unreadable(prefix, &fault)),
            }
        }
        Ok(path)
    }

    /// True if this path is the other one or lies below it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The path of its first part alone.
    pub fn first_part(&self) -> Self {
        Self(self.0.iter().take(1).collect())
    }
}

fn is_missing(fault: &io::Error) -> bool {
    matches!(fault.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// An error unless a path, with all links resolved, lies in a folder whose path has no links.
fn expect_inside(place: &Path, home: &Path, named: &RelativePath) -> Result<(), PathFault> {
    let fault = match place.canonicalize() {
        Ok(real) if real.starts_with(home) => return Ok(()),
        Ok(real) => format!("the path `{named}` leads out of its folder, to {}", real.display()),
        Err(_) => format!("the path `{named}` leads through a link to nothing: {}", place.display()),
    };
    Err(PathFault::new(fault, format!("put the file itself into {}, not a link", home.display())))
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl fmt::Debug for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<'de> Deserialize<'de> for RelativePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(with_remedy)
    }
}

/// A name that becomes a part of paths: letters, digits and the characters `.`, `_`, `-`, `+`, not beginning with `.`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlainName(String);

/// The longest name, since the path of a socket is limited.
const LONGEST_NAME: usize = 64;

impl PlainName {
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        let is_name = !text.is_empty() && text.len() <= LONGEST_NAME && !text.starts_with('.');
        if is_name && text.chars().all(is_plain) {
            return Ok(Self(text.to_owned()));
        }
        let shown: String = text.escape_debug().take(LONGEST_NAME).collect();
        Err(PathFault::new(
            format!("`{shown}` is no name that can be part of a path"),
            format!(
                "make it of letters, digits and the marks . _ - +, at most {LONGEST_NAME}, with no . in front"
            ),
        ))
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for PlainName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<'de> Deserialize<'de> for PlainName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(with_remedy)
    }
}

/// Separates fault and remedy in the single message of a serde error.
pub(crate) const REMEDY: char = '\u{1f}';

pub(crate) fn with_remedy<E: de::Error>(PathFault { fault, remedy }: PathFault) -> E {
    E::custom(format!("{fault}{REMEDY}{remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use proptest::prelude::*;
    use std::os::unix::fs::symlink;
    use toml::Spanned;

    #[derive(Debug, Deserialize)]
    struct Sample {
        file: Spanned<RelativePath>,
    }

    #[test]
    fn a_path_out_of_its_folder_is_refused_with_a_remedy() {
        for (path, what) in [
            ("/etc/passwd", "is absolute"),
            ("a/../../b", "leads upwards"),
            ("..", "leads upwards"),
            ("", "names nothing"),
            ("./.", "names nothing"),
            ("a\\u0000b", "holds the character \\0"),
            ("a\\nb", "holds the character \\n"),
        ] {
            let document = Document::new("stack.toml", format!("\n\nfile = \"{path}\"\n"));
            let shown = format!("{:?}", miette::Report::new(*document.parse::<Sample>().unwrap_err()));
            for text in [what, "stack.toml:3:8", "write it relative to the folder"] {
                assert!(shown.contains(text), "{path}: {text}: {shown}");
            }
        }
    }

    #[test]
    fn links_must_not_leave_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        fs::create_dir_all(home.join("pages")).unwrap();
        for (name, target) in [
            ("pages/index", "../pages"),
            ("out", "/etc/passwd"),
            ("up", "../"),
            ("nowhere", "none"),
            ("loop", "loop"),
        ] {
            symlink(target, home.join(name)).unwrap();
        }
        let below = |path: &str| RelativePath::parse(path).unwrap().below(&home);
        // A link that leads back stays inside.
        for path in ["pages", "pages/none/deep", "pages/index/new", "up/home/pages"] {
            assert_eq!(below(path), Ok(home.join(path)));
        }
        for path in ["out", "up", "up/new", "nowhere", "nowhere/new", "loop", "loop/new"] {
            assert!(below(path).is_err(), "{path}");
        }
        let document = Document::new("stack.toml", "\nfile = 'up/new'");
        let path = document.parse::<Sample>().unwrap().file;
        let shown = format!("{:?}", miette::Report::new(*document.path(&home, &path).unwrap_err()));
        assert!(shown.contains("leads out of its folder") && shown.contains("stack.toml:2:8"), "{shown}");
    }

    #[test]
    fn the_folder_itself_may_be_a_link() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("real")).unwrap();
        symlink("real", place.path().join("home")).unwrap();
        let home = place.path().join("home");
        assert_eq!(RelativePath::parse("./a//b/").unwrap().below(&home), Ok(home.join("a/b")));
    }

    proptest! {
        #[test]
        fn every_path_stays_below_its_folder(parts in prop::collection::vec(
            prop::sample::select(vec![
                "..", ".", "", "a", "b", "link", "out", "~", "$HOME", "...", "a b", "\u{202e}", "é", "..\\", "%2e%2e",
                "\n", "\0", "-rf", "*", "{{ folder }}", "/", "//", "link/..", "nul",
            ]),
            0..6,
        )) {
            let place = tempfile::tempdir().unwrap();
            let home = place.path().join("home");
            fs::create_dir_all(home.join("a/b")).unwrap();
            symlink("a", home.join("link")).unwrap();
            symlink("..", home.join("out")).unwrap();
            if let Ok(path) = RelativePath::parse(&parts.join("/"))
                && let Ok(path) = path.below(&home)
            {
                fs::create_dir_all(path.parent().unwrap()).ok();
                fs::write(&path, "x").ok();
                let entries: Vec<_> = fs::read_dir(place.path()).unwrap().collect();
                prop_assert_eq!(entries.len(), 1, "{:?} was written outside", path);
            }
        }

        #[test]
        fn arbitrary_text_is_refused_or_stays_below(text in ".{0,60}") {
            if let Ok(path) = RelativePath::parse(&text) {
                let place = tempfile::tempdir().unwrap();
                let joined = path.below(place.path()).unwrap();
                prop_assert!(joined.starts_with(place.path()) && joined != place.path());
                prop_assert!(!joined.components().any(|part| part == Component::ParentDir));
            }
        }

        #[test]
        fn a_plain_name_is_a_single_part(text in "[a./_ \\-\0~+é]{0,70}") {
            if let Ok(name) = PlainName::parse(&text) {
                prop_assert_eq!(Path::new(&*name).components().count(), 1);
                prop_assert!(RelativePath::parse(&name).is_ok());
            }
        }
    }
}

//! The store of proofs: a folder for each application with a file for each stack, a line for each variant.

use super::{Proof, ProofDepth};
use crate::workspace::WorkspaceError;
use fs_err as fs;
use jiff::civil::Date;
use serde::Deserialize;
use settings::{Document, read_text, replace};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// A folder with proofs: the workspace's own, which are committed, or those of a user's cache.
#[derive(Debug, Clone)]
pub struct ProofStore {
    folder: PathBuf,
}

/// The proofs of a stack, by the names of its variants.
pub type Held = BTreeMap<String, Proof>;

/// A line of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    key: String,
    lab: String,
    depth: ProofDepth,
    on: Spanned<String>,
    sql: String,
    seen: Option<String>,
}

const HEAD: &str = "# What was verified with which content. `make prove` writes it; docs/verification.md says what it is good for.\n";

impl ProofStore {
    /// The proofs in a folder, which need not be there.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The file of a stack's proofs for an application.
    pub fn file(&self, application: &str, stack: &str) -> PathBuf {
        self.folder.join(application).join(format!("{stack}.toml"))
    }

    pub fn read(&self, application: &str, stack: &str) -> Result<Held, WorkspaceError> {
        let path = self.file(application, stack);
        match read_text(&path) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Held::new()),
            text => parse(&path, text?),
        }
    }

    /// Changes the proofs of a stack, and nothing of what others change at the same time.
    pub fn change(
        &self,
        application: &str,
        stack: &str,
        change: impl FnOnce(&mut Held),
    ) -> Result<(), WorkspaceError> {
        let path = self.file(application, stack);
        let folder = self.folder.join(application);
        fs::create_dir_all(&folder)?;
        let lock = fs::File::open(&folder)?.into_file();
        lock.lock()?;
        let before = self.read(application, stack)?;
        let mut held = before.clone();
        change(&mut held);
        if held == before {
            return Ok(());
        }
        if held.is_empty() {
            return Ok(fs::remove_file(&path)?);
        }
        // A concurrent reader finds the whole file.
        Ok(replace(&path, written(&held).as_bytes())?)
    }
}

fn written(held: &Held) -> String {
    let mut text = HEAD.to_owned();
    for (name, Proof { key, lab, depth, on, sql, seen }) in held {
        let depth = depth.word();
        let seen = seen.as_ref().map_or(String::new(), |seen| format!(", seen = \"{seen}\""));
        let line = format!(
            "\"{name}\" = {{ key = \"{key}\", lab = \"{lab}\", sql = \"{sql}\", depth = \"{depth}\", on = \"{on}\"{seen} }}"
        );
        writeln!(text, "{line}").expect("writing to a string can't fail");
    }
    text
}

fn parse(path: &Path, text: String) -> Result<Held, WorkspaceError> {
    let document = Document::new(path.display().to_string(), text);
    let remedy =
        || Some("remove the line, or the whole file: `make prove` proves again what is missing".to_owned());
    let lines: BTreeMap<String, Line> = toml::from_str(document.text())
        .map_err(|fault| document.error(fault.span(), fault.message().to_owned(), remedy()))?;
    let read = |(name, line): (String, Line)| {
        let on: Date = line.on.get_ref().parse().map_err(|_| {
            let fault = format!("`{}` is no day, such as 2026-11-24", line.on.get_ref());
            document.error(Some(line.on.span()), fault, remedy())
        })?;
        let Line { key, lab, depth, sql, seen, .. } = line;
        Ok((name, Proof { key, lab, depth, on, sql, seen }))
    };
    lines.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn proof(key: &str) -> Proof {
        Proof {
            key: key.into(),
            lab: "l".into(),
            depth: ProofDepth::Full,
            on: date(2026, 11, 24),
            sql: "s".into(),
            seen: Some("items 1 of 1, pages of lists 1,240 of 1,240".into()),
        }
    }

    #[test]
    fn what_is_written_is_read_again_a_line_for_each_variant() {
        let place = tempfile::tempdir().unwrap();
        let store = ProofStore::new(place.path().join("proofs"));
        assert_eq!(store.read("auction", "php").unwrap(), Held::new());
        let names = ["WsPhp-DB", "WsPhp-DB,engine=MyISAM"];
        for name in names {
            store.change("auction", "php", |held| drop(held.insert(name.into(), proof(name)))).unwrap();
        }
        let held = store.read("auction", "php").unwrap();
        assert_eq!(held.keys().collect::<Vec<_>>(), names);
        assert_eq!(held[names[1]], proof(names[1]));
        let text = fs::read_to_string(store.file("auction", "php")).unwrap();
        let line = "\"WsPhp-DB,engine=MyISAM\" = { key = \"WsPhp-DB,engine=MyISAM\", lab = \"l\", sql = \"s\", depth = \"full\", \
                    on = \"2026-11-24\", seen = \"items 1 of 1, pages of lists 1,240 of 1,240\" }";
        assert!(text.lines().any(|other| other == line), "{text}");
        store.change("auction", "php", Held::clear).unwrap();
        assert_eq!(store.read("auction", "php").unwrap(), Held::new());
        let left = fs::read_dir(place.path().join("proofs/auction")).unwrap().count();
        assert_eq!(left, 0);
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let place = tempfile::tempdir().unwrap();
        let store = ProofStore::new(place.path().join("proofs"));
        let (file, other) = (store.file("auction", "php"), place.path().join("other"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&other, "mine").unwrap();
        for draft in [".php.part", "php.toml.part"] {
            std::os::unix::fs::symlink(&other, file.with_file_name(draft)).unwrap();
        }
        store.change("auction", "php", |held| drop(held.insert("A".into(), proof("k")))).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    }

    #[test]
    fn many_writers_lose_nothing() {
        let place = tempfile::tempdir().unwrap();
        let store = ProofStore::new(place.path().to_owned());
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for line in 0..20 {
                        let name = format!("{writer}-{line}");
                        store.change("auction", "php", |held| drop(held.insert(name, proof("k")))).unwrap();
                    }
                });
            }
        });
        assert_eq!(store.read("auction", "php").unwrap().len(), 80);
    }

    #[test]
    fn a_damaged_file_is_named_with_the_line_and_a_remedy() {
        use miette::Diagnostic as _;
        let place = tempfile::tempdir().unwrap();
        let store = ProofStore::new(place.path().to_owned());
        let path = store.file("auction", "php");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let good = written(&[("A".to_owned(), proof("k"))].into());
        for (damaged, says) in [
            (good.replace("2026-11-24", "2026-13-24"), "no day"),
            (good.replace("full", "deep"), "deep"),
            (good.replace("key", "keys"), "keys"),
            (format!("<<<<<<< ours\n{good}"), "key"),
            (good[..good.len() - 9].to_owned(), ""),
        ] {
            fs::write(&path, &damaged).unwrap();
            let WorkspaceError::Settings(fault) = store.read("auction", "php").unwrap_err() else { panic!() };
            assert!(fault.to_string().contains(says), "{fault}");
            assert!(fault.labels().is_some_and(|mut labels| labels.next().is_some()), "{damaged}");
            assert!(fault.help().unwrap().to_string().contains("make prove"));
            // Nothing is written over what can't be read.
            assert!(store.change("auction", "php", Held::clear).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
        }
    }
}

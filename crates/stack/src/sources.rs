//! The files of a configuration: their fingerprint, and the size of the authors' code.

use crate::{Configuration, Stack, lines::Language};
use fs_err as fs;
use ignore::WalkBuilder;
use results::CodeSize;
use std::{
    collections::BTreeMap,
    fs::FileType,
    io,
    path::{Path, PathBuf},
};

/// Folders with third-party code, which runs but does not count as the authors'.
const VENDORED: [&str; 3] = ["vendor", "node_modules", "third_party"];

impl Stack {
    /// A text that changes with anything in a configuration: the stack's files for this application, its services'
    /// files, the application's own in `home`, and the factors in force. Ignored files of Git are products, and the
    /// models are part of the laboratory.
    pub fn fingerprint(
        &self,
        configuration: &Configuration,
        application: &str,
        home: &Path,
    ) -> io::Result<String> {
        let mut texts = vec![configuration.name.clone().into_bytes(), facts(configuration).into_bytes()];
        let services = configuration.tiers.iter().map(|tier| files(&tier.service.home, Vec::new()));
        let own = self.sources(application);
        for files in services.chain([own, files(home, laboratory_in(home)?)]) {
            for Source { name, path } in files? {
                texts.push(name.into_bytes());
                texts.push(fs::read(path)?);
            }
        }
        Ok(cache::fingerprint(texts))
    }

    /// Size of the authors' code for an application, by falling number of lines. Code shared by applications counts
    /// for each, third-party code for none.
    pub fn code_size(&self, application: &str) -> io::Result<Vec<CodeSize>> {
        let sources = self.sources(application)?.into_iter();
        let is_vendored = |source: &Source| source.name.split('/').any(|part| VENDORED.contains(&part));
        let own: Vec<PathBuf> =
            sources.filter(|source| !is_vendored(source)).map(|source| source.path).collect();
        count(&own)
    }

    /// Its files, without those for other applications or configurations alone.
    pub(crate) fn sources(&self, application: &str) -> io::Result<Vec<Source>> {
        let others = self.applications.iter().filter(|name| *name != application);
        let others = others.flat_map(|name| [self.home.join(name), self.place.join(name)]);
        files(&self.home, others.chain(self.other_folders.iter().cloned()).collect())
    }
}

fn facts(configuration: &Configuration) -> String {
    let tiers = configuration.tiers.iter().map(|tier| (&tier.role, &tier.service.name, &tier.factors));
    format!("{:?} {:?}", configuration.factors, tiers.collect::<Vec<_>>())
}

pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

pub(crate) fn laboratory_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join("Cargo.toml").exists() {
            found.push(path);
        }
    }
    Ok(found)
}

/// All files in a folder but for some subfolders, in the same order on all machines. Only ignore files of the folder
/// and above it count, not a user's own.
pub(crate) fn files(folder: &Path, without: Vec<PathBuf>) -> io::Result<Vec<Source>> {
    let entries = entries(folder, without)?.into_iter();
    Ok(entries.filter(|(kind, _)| kind.is_file()).map(|(_, source)| source).collect())
}

/// Files as in [`files`], with the targets of links.
pub(crate) fn files_and_linked(folder: &Path, without: Vec<PathBuf>) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    for (kind, source) in entries(folder, without)? {
        let Source { name, path } = source;
        if kind.is_file() || (kind.is_symlink() && path.is_file()) {
            found.push(Source { name, path });
        } else if kind.is_symlink() && path.is_dir() {
            let linked = all_files(&fs::canonicalize(&path)?)?.into_iter();
            found.extend(linked.map(|source| Source { name: format!("{name}/{}", source.name), ..source }));
        }
    }
    Ok(found)
}

fn entries(folder: &Path, without: Vec<PathBuf>) -> io::Result<Vec<(FileType, Source)>> {
    let mut walk = WalkBuilder::new(folder);
    walk.hidden(false).ignore(false).git_global(false).git_exclude(false).require_git(false);
    walk.filter_entry(move |entry| {
        entry.file_name() != ".git" && !without.iter().any(|path| path == entry.path())
    });
    let mut found = BTreeMap::new();
    for entry in walk.build() {
        let entry = entry.map_err(io::Error::other)?;
        let Some(kind) = entry.file_type() else { continue };
        let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        found.insert(name.to_string_lossy().into_owned(), (kind, entry.into_path()));
    }
    Ok(found.into_iter().map(|(name, (kind, path))| (kind, Source { name, path })).collect())
}

pub(crate) fn all_files(folder: &Path) -> io::Result<Vec<Source>> {
    files(folder, Vec::new())
}

fn count(files: &[PathBuf]) -> io::Result<Vec<CodeSize>> {
    let mut sizes: BTreeMap<&str, CodeSize> = BTreeMap::new();
    for file in files {
        let ending = file.extension().and_then(|ending| ending.to_str());
        let Some(language) = ending.and_then(Language::of_ending) else { continue };
        let (code, comments) = language.count(&String::from_utf8_lossy(&fs::read(file)?));
        let none = CodeSize { language: language.name.to_owned(), files: 0, code: 0, comments: 0 };
        let size = sizes.entry(language.name).or_insert(none);
        size.files += 1;
        size.code += code;
        size.comments += comments;
    }
    let mut sizes: Vec<CodeSize> = sizes.into_values().filter(|size| size.code > 0).collect();
    sizes.sort_by_key(|size| std::cmp::Reverse(size.code));
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, write};
    use services::Factors;

    const CODE: &str = "<?php\n// Says hello.\necho 'hello';\n";

    fn stack() -> (tempfile::TempDir, Stack) {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("php");
        for (name, text) in [
            ("stack.toml", "title = 'PHP'\n"),
            ("auction/index.php", CODE),
            ("auction/.htaccess", "Require all granted\n"),
            ("bookstore/index.php", CODE),
            ("common/html.php", CODE),
            ("auction/page.jte", "@param String name\n\n<p>${name}</p>\n"),
            ("vendor/theirs/lib.php", CODE),
            ("built/cache.php", CODE),
            (".gitignore", "/built\n"),
        ] {
            write(&home, name, text);
        }
        let applications = vec!["auction".into(), "bookstore".into()];
        let stack = Stack { applications, ..fixture::stack(home) };
        (place, stack)
    }

    fn configuration() -> Configuration {
        let factors = [("protocol".to_owned(), "text".to_owned())].into();
        let statements = crate::Statements::Exact;
        Configuration {
            name: "WsPhp".into(),
            summary: String::new(),
            applications: Vec::new(),
            statements,
            factors,
            declared: Factors::default(),
            folder: None,
            choices: Factors::default(),
            tiers: Vec::new(),
        }
    }

    #[test]
    fn code_is_what_the_authors_wrote_for_the_application() {
        let (_place, stack) = stack();
        let size = |language: &str, files, code, comments| CodeSize {
            language: language.into(),
            files,
            code,
            comments,
        };
        let expected = [size("PHP", 2, 4, 2), size("JTE", 1, 2, 0), size("TOML", 1, 1, 0)];
        assert_eq!(stack.code_size("auction").unwrap(), expected);
    }

    #[test]
    fn what_links_lead_to_is_among_what_a_stack_is_built_from() {
        let (place, stack) = stack();
        write(place.path(), "shared/page.html", "<p>");
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(place.path().join(to), stack.home.join(name)).unwrap();
        };
        link("shared", "pages");
        link("shared/page.html", "page.html");
        link("nowhere", "gone");
        let names = |files: io::Result<Vec<Source>>| -> Vec<String> {
            files.unwrap().into_iter().map(|source| source.name).collect()
        };
        let plain = names(all_files(&stack.home));
        assert!(plain.iter().all(|name| !name.ends_with("page.html")), "{plain:?}");
        let linked = names(files_and_linked(&stack.home, Vec::new()));
        let more: Vec<&String> = linked.iter().filter(|name| !plain.contains(name)).collect();
        assert_eq!(more, ["page.html", "pages/page.html"]);
    }

    #[test]
    fn an_empty_stack_has_no_code() {
        let (place, mut stack) = stack();
        stack.home = place.path().join("none");
        fs::create_dir(&stack.home).unwrap();
        assert_eq!(stack.code_size("auction").unwrap(), []);
    }

    #[test]
    fn the_content_differs_with_whatever_a_configuration_is_made_of_and_with_nothing_else() {
        let (place, stack) = stack();
        let home = place.path().join("apps/auction");
        write(&home, "app.toml", "title = 'Auction'\n");
        write(&home, "model/Cargo.toml", "");
        write(&home, "model/src/lib.rs", "");
        let fingerprint =
            |configuration: &Configuration| stack.fingerprint(configuration, "auction", &home).unwrap();
        let first = fingerprint(&configuration());
        for (home, name) in [
            (&stack.home, "bookstore/index.php"),
            (&stack.home, "built/cache.php"),
            (&home, "model/src/lib.rs"),
        ] {
            write(home, name, "other");
            assert_eq!(fingerprint(&configuration()), first, "{name}");
        }
        let mut seen = vec![first];
        let parts = [
            "auction/index.php",
            "auction/.htaccess",
            "common/html.php",
            "vendor/theirs/lib.php",
            "auction/new.php",
        ];
        for (home, name) in parts.iter().map(|name| (&stack.home, *name)).chain([(&home, "app.toml")]) {
            write(home, name, "other");
            let now = fingerprint(&configuration());
            assert!(!seen.contains(&now), "{name}");
            seen.push(now);
        }
        let mut varied = configuration();
        varied.factors.insert("protocol".into(), "prepared".into());
        assert!(!seen.contains(&fingerprint(&varied)));
    }
}

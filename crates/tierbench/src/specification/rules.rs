//! The rules that a model states in its documents: those of its modules, and of the functions that they name.

use fs_err as fs;
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

/// The sources of an application's model.
#[derive(Default)]
pub(crate) struct Rules {
    /// By the module's own name; `lib` is that of the whole model.
    modules: BTreeMap<String, String>,
}

impl Rules {
    /// Reads `model/src` of an application's folder.
    pub(crate) fn read(application: &Path) -> io::Result<Self> {
        let mut modules = BTreeMap::from([("Form".to_owned(), application::FORM_RULES.to_owned())]);
        let mut folders = vec![application.join("model/src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.extend((!path.ends_with("tests")).then_some(path));
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    modules.insert(module_of(&path), fs::read_to_string(&path)?);
                }
            }
        }
        Ok(Self { modules })
    }

    /// The rules that hold for all interactions.
    pub(crate) fn of_all(&self) -> String {
        let texts = ["lib", "interactions"].map(|module| self.document(module));
        texts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }

    /// The rules of an interaction that has a module of its own.
    pub(crate) fn of(&self, interaction: &str) -> Option<String> {
        let mut module = String::new();
        for c in interaction.chars() {
            if c.is_uppercase() && !module.is_empty() {
                module.push('_');
            }
            module.extend(c.to_lowercase());
        }
        self.document(&module)
    }

    /// The functions and modules that these texts name, and those that are named there: each with its text, once.
    pub(crate) fn named_in(&self, texts: &[String]) -> Vec<(String, String)> {
        let mut named: Vec<(String, String)> = Vec::new();
        let mut open: Vec<String> =
            texts.iter().rev().flat_map(|text| names(text).into_iter().rev()).collect();
        while let Some(name) = open.pop() {
            if named.iter().any(|(known, _)| *known == name) {
                continue;
            }
            if let Some(text) = self.text_of(&name) {
                open.extend(names(&text).into_iter().rev());
                named.push((name, text));
            }
        }
        named
    }

    fn text_of(&self, name: &str) -> Option<String> {
        let (owner, last) = name.rsplit_once("::").unwrap_or(("", name));
        let owned = |source: &&String| owner.is_empty() || source.contains(&format!("impl {owner} {{"));
        let function =
            || self.modules.values().filter(owned).find_map(|source| document_of_function(source, last));
        self.document(last).or_else(function)
    }

    fn document(&self, module: &str) -> Option<String> {
        let lines = self.modules.get(module)?.lines().map_while(|line| line.strip_prefix("//!"));
        let text: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        (!text.is_empty()).then(|| text.join("\n"))
    }
}

/// `interactions/mod.rs` is the module `interactions`.
fn module_of(path: &Path) -> String {
    let stem =
        |path: &Path| path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    match stem(path).as_str() {
        "mod" => stem(&path.parent().map_or_else(PathBuf::new, Path::to_path_buf)),
        name => name.to_owned(),
    }
}

/// The document above a function, if it has one.
fn document_of_function(source: &str, name: &str) -> Option<String> {
    let head = format!("fn {name}");
    let is_head = |line: &str| {
        let rest = line.trim_start().trim_start_matches("pub ").strip_prefix(&head);
        rest.is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let place = lines.iter().position(|line| is_head(line))?;
    let above = lines[..place].iter().rev().skip_while(|line| line.starts_with("#["));
    let mut text: Vec<&str> = above.map_while(|line| line.strip_prefix("///")).collect();
    text.reverse();
    (!text.is_empty()).then(|| {
        text.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    })
}

/// The functions and modules that a text names: [`Item::price`], the module `search`.
fn names(text: &str) -> Vec<String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found: Vec<(usize, String)> = Vec::new();
    for before in ["[`", "module `"] {
        for (at, _) in words.match_indices(before) {
            let rest = &words[at + before.len()..];
            found.extend(rest.split_once('`').map(|(name, _)| (at, name.to_owned())));
        }
    }
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// A text without the targets of its links, which are paths of Rust.
pub(crate) fn without_links(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else { break };
        plain.push_str(before);
        plain.push_str(&format!("`{name}`"));
        rest = match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        let modules = [
            ("lib", "//! All.\n\nmod x;"),
            (
                "store_bid",
                "//! Bids, by [`Item::check`](crate::rows::Item::check).\n//!\n//! See the module\n//! `log_in`.\n",
            ),
            ("log_in", "//! Log-in.\n"),
            (
                "rows",
                "impl Item {\n    /// Whether it is [`Item::open`].\n    #[must_use]\n    pub fn check(&self) {}\n\n    /// Open\n    /// until its end.\n    fn open(&self) {}\n}\n",
            ),
        ];
        Rules { modules: modules.map(|(name, text)| (name.to_owned(), text.to_owned())).into() }
    }

    #[test]
    fn an_interaction_has_the_document_of_its_module_and_of_all_that_it_names() {
        let rules = rules();
        let text = rules.of("StoreBid").unwrap();
        assert_eq!(rules.of_all(), "All.");
        assert_eq!(
            rules.named_in(std::slice::from_ref(&text)),
            [
                ("Item::check", "Whether it is [`Item::open`]."),
                ("Item::open", "Open\nuntil its end."),
                ("log_in", "Log-in."),
            ]
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
        );
        assert_eq!(without_links(&text), "Bids, by `Item::check`.\n\nSee the module\n`log_in`.");
        assert_eq!(rules.of("Home"), None);
    }
}

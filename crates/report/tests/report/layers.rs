//! Files use files below them only, so each can be read once its dependencies are understood.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Uses = BTreeMap<String, BTreeSet<String>>;

/// Code of each file by name (`page/charts`), without comments and tests.
fn files(folder: &Path, within: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = format!("{within}{}", entry.file_stem().unwrap().to_str().unwrap());
        if entry.is_dir() {
            self::files(&entry, &format!("{name}/"), files);
        } else if name != "lib" {
            let text = fs::read_to_string(&entry).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap().lines();
            let code = code.filter(|line| !line.trim_start().starts_with("//"));
            files.insert(name, code.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Paths after `crate::` or `super::` in a text: `a::b`, or each of `{a, b::{c, d}}`.
fn paths(after: &str) -> Vec<String> {
    let is_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
    let path = |text: &str| text.trim().chars().take_while(|letter| is_path(*letter)).collect::<String>();
    let Some(group) = after.strip_prefix('{') else { return vec![path(after)] };
    let mut depth = 0;
    let parts = group.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0 || depth < 0
    });
    let mut parts: Vec<String> = parts.map(path).collect();
    let end = parts.iter().position(String::is_empty).unwrap_or(parts.len());
    parts.truncate(end);
    parts
}

/// The file for the longest prefix of a path below a module.
fn file_of(files: &BTreeMap<String, String>, base: &str, path: &str) -> String {
    let parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
    let name = |count: usize| format!("{base}{}", parts[..count].join("/"));
    let found = (1..=parts.len()).rev().map(name).find(|name| files.contains_key(name));
    found.unwrap_or_else(|| panic!("`{base}{path}` is no file: name a thing by its own module"))
}

fn uses(files: &BTreeMap<String, String>) -> Uses {
    let of = |(name, code): (&String, &String)| {
        let parent = name.rsplit_once('/').map_or("", |(parent, _)| parent);
        let above = if parent.is_empty() { String::new() } else { format!("{parent}/") };
        let from = |word: &str, base: &str| -> Vec<String> {
            code.split(word).skip(1).flat_map(paths).map(|path| file_of(files, base, &path)).collect()
        };
        let mut used: BTreeSet<String> =
            from("crate::", "").into_iter().chain(from("super::", &above)).collect();
        used.remove(name);
        (name.clone(), used)
    };
    files.iter().map(of).collect()
}

/// Removes files that use no remaining file, until none is left to remove; the rest is in a circle or above one.
fn circle(mut uses: Uses) -> Uses {
    loop {
        let left: BTreeSet<String> = uses.keys().cloned().collect();
        uses.values_mut().for_each(|used| used.retain(|file| left.contains(file)));
        let before = uses.len();
        uses.retain(|_, used| !used.is_empty());
        if uses.len() == before {
            return uses;
        }
    }
}

#[test]
fn files_form_no_circle() {
    let mut all = BTreeMap::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut all);
    let uses = uses(&all);
    assert!(uses["terminal"].contains("summary") && uses["page/hosts"].contains("page/tiers"), "{uses:?}");
    assert_eq!(circle(uses), Uses::new());
}

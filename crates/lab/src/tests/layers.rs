//! The layers of this crate: each module imports only lower ones, and none through `lib.rs`.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The modules, lowest first, as the head of `lib.rs` lists them.
const LAYERS: [&str; 8] = ["workspace", "events", "plan", "point", "workers", "start", "drive", "proof"];

/// The module of the error that all return.
const ERROR: &str = "error";

/// The first words of all paths that begin with `crate::` in a source text, comments apart.
fn imports(text: &str) -> Vec<String> {
    let code =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let of_path = |path: &str| match path.trim_start().strip_prefix('{') {
        Some(list) => firsts(list),
        None => firsts(path).into_iter().take(1).collect(),
    };
    code.split("crate::").skip(1).flat_map(of_path).collect()
}

/// The first word of each item of a list, up to the brace that closes it.
fn firsts(list: &str) -> Vec<String> {
    let (mut depth, mut words, mut item) = (0, Vec::new(), String::new());
    for letter in list.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => words.push(std::mem::take(&mut item)),
            _ if depth == 0 => item.push(letter),
            _ => {}
        }
    }
    words.push(item);
    let first = |item: &String| {
        item.trim_start().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    words.iter().map(first).filter(|word: &String| !word.is_empty()).collect()
}

/// All source files below a folder, with their text.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| match path.is_dir() {
        true => sources(&path),
        false => vec![(path.clone(), fs::read_to_string(&path).unwrap())],
    };
    entries.flat_map(of).collect()
}

/// Imports of a module in which it, or a module below it, would depend on a higher one, or on all through `lib.rs`.
fn arrows_back(module: &str, text: &str) -> Vec<String> {
    let layer = |word: &str| LAYERS.iter().position(|layer| *layer == word);
    let own = layer(module);
    // Unit tests of a module may use what all tests share.
    let is_free = |word: &str| [ERROR, "tests"].contains(&word);
    let is_back = |word: &String| !is_free(word) && layer(word).is_none_or(|layer| Some(layer) > own);
    imports(text).into_iter().filter(is_back).collect()
}

#[test]
fn each_module_imports_only_lower_ones() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (path, text) in sources(&source) {
        let place = path.strip_prefix(&source).unwrap();
        let module = place.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        match module {
            "lib" | "tests" => {}
            ERROR => assert_eq!(imports(&text), [""; 0], "{}", place.display()),
            module => {
                assert!(LAYERS.contains(&module), "{} is in no layer", place.display());
                assert_eq!(arrows_back(module, &text), [""; 0], "{}", place.display());
            }
        }
    }
}

#[test]
fn an_import_of_a_higher_module_is_found_in_any_form() {
    for text in [
        "use crate::start::Experiment;",
        "use crate::{error::LabError, plan::{Loads, Timing}, start::{Experiment, system::System}};",
        "let found = crate::start::run(all);",
        "use crate::{\n    error::LabError,\n    start::RunContext,\n};",
    ] {
        assert_eq!(arrows_back("point", text), ["start"], "{text}");
    }
    assert_eq!(arrows_back("point", "use crate::LabError;"), ["LabError"], "through `lib.rs`");
    assert_eq!(arrows_back("point", "use crate::{plan::Loads, workspace::start};"), [""; 0]);
    assert_eq!(arrows_back("point", "/// See [`crate::start`].\nuse crate::plan::Loads;"), [""; 0]);
}

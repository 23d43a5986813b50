//! Fixtures of the unit tests.

use crate::Stack;
use fs_err as fs;
use services::Factors;
use settings::{Document, RelativePath};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A stack whose manifest has only a name.
pub(crate) fn stack(home: PathBuf) -> Stack {
    Stack {
        tools: Default::default(),
        sections: Default::default(),
        preferred_database: None,
        interactions: None,
        name: "stack".into(),
        place: home.clone(),
        other_folders: Vec::new(),
        home,
        document: Document::new("stack.toml", ""),
        deploy: Vec::new(),
        title: String::new(),
        language: String::new(),
        applications: vec!["auction".into()],
        packages: Vec::new(),
        toolchain: Vec::new(),
        build: Vec::new(),
        factors: Factors::default(),
        application_factors: Default::default(),
        configurations: Vec::new(),
        components: Vec::new(),
        common: Vec::new(),
    }
}

pub(crate) fn deployed(name: &str) -> Vec<Spanned<RelativePath>> {
    vec![Spanned::new(0..0, RelativePath::parse(name).unwrap())]
}

pub(crate) fn write(home: &Path, name: &str, text: &str) {
    let path = home.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

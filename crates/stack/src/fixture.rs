//! What the unit tests of stacks share.

use crate::Stack;
use fs_err as fs;
use services::Factors;
use std::path::PathBuf;

/// A stack in a folder that says nothing but its name.
pub(crate) fn stack(home: PathBuf) -> Stack {
    Stack {
        tools: Default::default(),
        name: "stack".into(),
        home,
        title: String::new(),
        language: String::new(),
        applications: vec!["auction".into()],
        packages: Vec::new(),
        build: Vec::new(),
        deploy: Vec::new(),
        factors: Factors::default(),
        configurations: Vec::new(),
        components: Vec::new(),
        common: Vec::new(),
    }
}

/// Writes a file below a folder.
pub(crate) fn write(home: &std::path::Path, name: &str, text: &str) {
    let path = home.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

//! The files of a paper as written.

use settings::Document;
use std::{io, path::Path};

pub(crate) struct Documents {
    pub(crate) about: Document,
    pub(crate) configurations: Document,
    pub(crate) experiments: Document,
    pub(crate) printed: Document,
    pub(crate) claims: Document,
}

impl Documents {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let read = |file: &str| Document::read(&folder.join(file));
        Ok(Self {
            about: read("paper.toml")?,
            configurations: read("configurations.toml")?,
            experiments: read("experiments.toml")?,
            printed: read("printed.toml")?,
            claims: read("claims.toml")?,
        })
    }
}

//! The recorded statements of an application, one file for each storage engine, because locking is up to the stack on
//! some engines and to the store on others.

use crate::workspace::{Variant, WorkspaceError};
use fs_err as fs;
use services::store::ENGINE;
use settings::{Document, RelativePath};
use stack::Statements;
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};
use verify::{Sequences, StatementRecord};
use workload::Catalogue;

/// The factor of a stack that says what a site keeps in memory: rows of the application's constant tables, or nothing.
const CACHE: &str = "cache";
const NO_CACHE: &str = "none";

/// The statement records in `apps/<application>/statements/`.
#[derive(Debug, Clone)]
pub struct Records {
    folder: PathBuf,
    by_engine: BTreeMap<String, Sequences>,
}

impl Records {
    /// Reads all files of the folder; that there is none is fine.
    pub(crate) fn read(home: &Path) -> Result<Self, WorkspaceError> {
        let mut by_engine = BTreeMap::new();
        let folder = RelativePath::parse("statements")?.below(home)?;
        let entries = if folder.is_dir() { Some(fs::read_dir(&folder)?) } else { None };
        for entry in entries.into_iter().flatten() {
            let entry = entry?;
            let path = entry.path();
            let engine = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let name = entry.file_name();
                let path = RelativePath::parse(&name.to_string_lossy())?.below(&folder)?;
                let document = Document::read(&path)?;
                by_engine.insert(engine, Sequences::parse(&document)?);
            }
        }
        Ok(Self { folder, by_engine })
    }

    /// The record for a configuration's store, with the tables that it may keep; none if it has no store.
    pub fn record(&self, variant: &Variant, catalogue: &Catalogue) -> Option<StatementRecord> {
        let engine = engine(variant)?;
        let is_cached = variant.configuration.factors.get(CACHE).is_some_and(|cache| cache != NO_CACHE);
        let cached = if is_cached { catalogue.constant_tables.as_slice() } else { &[] };
        Some(StatementRecord {
            is_binding: variant.configuration.statements == Statements::Exact,
            cached: cached.iter().cloned().collect(),
            place: self.place(&engine),
            sequences: self.by_engine.get(&engine).cloned(),
        })
    }

    /// Writes down what a configuration has sent, and holds others against it from now on. Returns the file.
    pub fn accept(&mut self, variant: &Variant, sequences: &Sequences) -> io::Result<Option<PathBuf>> {
        let Some(engine) = engine(variant) else { return Ok(None) };
        fs::create_dir_all(&self.folder)?;
        let name = RelativePath::parse(&format!("{engine}.toml")).map_err(io::Error::other)?;
        let place = name.below(&self.folder).map_err(io::Error::other)?;
        fs::write(&place, sequences.to_string())?;
        self.by_engine.insert(engine, sequences.clone());
        Ok(Some(place))
    }

    /// The recorded sequences, by the storage engine or the store's name.
    pub fn by_engine(&self) -> impl Iterator<Item = (&str, &Sequences)> {
        self.by_engine.iter().map(|(engine, sequences)| (engine.as_str(), sequences))
    }

    fn place(&self, engine: &str) -> PathBuf {
        self.folder.join(format!("{engine}.toml"))
    }
}

/// The storage engine, or else the store's name, in lower case; none if the configuration has no store.
fn engine(variant: &Variant) -> Option<String> {
    let store = variant.configuration.tiers.iter().find(|tier| tier.service.store().is_some())?;
    Some(store.factors.get(ENGINE).unwrap_or(&store.service.name).to_lowercase())
}

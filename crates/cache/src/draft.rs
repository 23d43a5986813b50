//! Snapshots in the making.

use crate::{
    Identity, PART, Snapshot, TableRows,
    lock::FolderLock,
    note::{DATA, NAME, Note, files},
    remove, versions,
};
use application::Timestamp;
use fs_err as fs;
use std::{
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// The space that must stay free on the cache's disk besides a snapshot.
const ROOM: u64 = 256 << 20;

/// A snapshot in the making. Other commands that need it wait; dropping it removes everything.
#[derive(Debug)]
pub struct Draft {
    home: PathBuf,
    name: String,
    /// The folder that it is written into.
    part: PathBuf,
    /// None once it is published.
    lock: Option<FolderLock>,
    spare: Option<PathBuf>,
}

/// A store that was loaded and then shut down cleanly.
#[derive(Debug, Clone)]
pub struct Loaded<'a> {
    /// The store's files, which are moved into the snapshot.
    pub data: &'a Path,
    /// The inputs that they depend on.
    pub identity: &'a Identity,
    /// The reference instant of the rows' dates.
    pub history: Timestamp,
    pub tables: Vec<TableRows>,
    pub now: Timestamp,
}

impl Draft {
    /// Begins a new snapshot; none while another command makes it.
    pub(crate) fn begin(home: &Path, name: &str, spare: Option<PathBuf>) -> io::Result<Option<Self>> {
        let mut folders = std::fs::DirBuilder::new();
        // The store's files belong to the user that it runs as.
        folders.mode(0o700).recursive(true);
        let part = home.join(format!("{name}{PART}"));
        folders.create(&part).map_err(|fault| {
            io::Error::new(fault.kind(), format!("{} can't be made: {fault}", part.display()))
        })?;
        let Some(lock) = FolderLock::exclusive(&part)? else { return Ok(None) };
        Ok(Some(Self { home: home.to_owned(), name: name.to_owned(), part, lock: Some(lock), spare }))
    }

    /// Publishes the snapshot, in the spare folder if the cache can't store it. Snapshots of the same data with older
    /// dates are removed, unless they are in use.
    pub fn keep(mut self, loaded: &Loaded<'_>, remark: &mut dyn FnMut(&str)) -> io::Result<Snapshot> {
        let fault = match self.publish(loaded) {
            Ok(snapshot) => {
                let older = versions(&self.home, &self.name)?.into_iter().skip(1);
                older.for_each(|folder| drop(remove(&folder)));
                return Ok(snapshot);
            }
            Err(fault) => fault,
        };
        let Some(spare) = self.spare.take() else { return Err(fault) };
        remark(&format!("the loaded data can't be kept ({fault}); --cache names another folder for them"));
        let moved = self.part.join(DATA);
        let data = if loaded.data.exists() { loaded.data } else { &moved };
        let draft = Self::begin(&spare, &self.name, None)?;
        let mut draft = draft.ok_or_else(|| io::Error::other("this command has made the snapshot before"))?;
        draft.publish(&Loaded { data, ..loaded.clone() })
    }

    fn publish(&mut self, loaded: &Loaded<'_>) -> io::Result<Snapshot> {
        let Loaded { identity, history, tables, now, .. } = loaded.clone();
        let data = self.part.join(DATA);
        move_folder(loaded.data, &data)?;
        let file = files(&data)?;
        let bytes = file.iter().map(|file| file.bytes).sum();
        let note = Note { made: now, history, bytes, identity: identity.clone(), table: tables, file };
        let text = toml::to_string(&note).map_err(io::Error::other)?;
        settings::replace(&self.part.join(NAME), text.as_bytes())?;
        testbed::sync_tree(&self.part)?;
        let folder = self.home.join(format!("{}.{}", self.name, history.0));
        fs::rename(&self.part, &folder)?;
        fs::File::open(&self.home)?.sync_all()?;
        let lock = self.lock.take().expect("a snapshot is published once");
        Ok(Snapshot::new(folder.clone(), note, lock.into_shared(&folder)?))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // The next command will remove it.
            let _ = fs::remove_dir_all(&self.part);
        }
    }
}

/// Moves a folder; onto another disk it is copied, if there is room.
fn move_folder(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::rename(from, to) {
        Err(fault) if fault.kind() == io::ErrorKind::CrossesDevices => {}
        moved => return moved,
    }
    let bytes: u64 = files(from)?.iter().map(|file| file.bytes).sum();
    let home = to.parent().unwrap_or(to);
    let free = testbed::free_bytes(home)?;
    if free < bytes + ROOM {
        let (free, needed) = (free >> 20, (bytes + ROOM) >> 20);
        let text = format!("{} has {free} MiB free, and {needed} are needed", home.display());
        return Err(io::Error::new(io::ErrorKind::StorageFull, text));
    }
    testbed::copy_tree(from, to)?;
    fs::remove_dir_all(from)
}

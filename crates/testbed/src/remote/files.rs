//! Files on their way to a host: in parts, so that few calls carry many small files, and no large one is in memory.

use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::{
    io,
    os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// Bytes of one part, and of all parts of a call, at most.
pub(super) const PART_BYTES: usize = 1 << 20;
/// Parts of a call, at most.
const PARTS: usize = 500;

/// A folder, a link, or a part of a file, by its path below the copied folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    path: PathBuf,
    mode: u32,
    kind: PartKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum PartKind {
    Folder,
    Link(PathBuf),
    File {
        /// Of the whole file, whose other bytes are 0 until they are written.
        size: u64,
        offset: u64,
        length: usize,
    },
}

/// Collects the parts of a file or a tree into calls.
pub(super) struct Parcel<'a> {
    parts: Vec<Part>,
    bytes: Vec<u8>,
    send: &'a mut dyn FnMut(Vec<Part>, Vec<u8>) -> io::Result<()>,
}

/// Sends a file or a tree in as many parcels as it needs.
pub(super) fn send_tree(
    from: &Path,
    send: &mut dyn FnMut(Vec<Part>, Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let mut parcel = Parcel { parts: Vec::new(), bytes: Vec::new(), send };
    parcel.add(from, PathBuf::new())?;
    parcel.send()
}

impl Parcel<'_> {
    fn add(&mut self, from: &Path, path: PathBuf) -> io::Result<()> {
        let meta = fs::symlink_metadata(from)?;
        let mode = meta.mode() & 0o7777;
        if meta.is_symlink() {
            return self.push(Part { path, mode, kind: PartKind::Link(fs::read_link(from)?) }, &[]);
        }
        if meta.is_file() {
            return self.add_file(from, &path, mode, meta.len());
        }
        // Sockets and pipes belong to this machine.
        if !meta.is_dir() {
            return Ok(());
        }
        self.push(Part { path: path.clone(), mode, kind: PartKind::Folder }, &[])?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            self.add(&entry.path(), path.join(entry.file_name()))?;
        }
        Ok(())
    }

    /// Parts with nothing but zeros are left out: files of databases have many.
    fn add_file(&mut self, from: &Path, path: &Path, mode: u32, size: u64) -> io::Result<()> {
        let file = fs::File::open(from)?;
        let part = |offset, length| Part {
            path: path.to_owned(),
            mode,
            kind: PartKind::File { size, offset, length },
        };
        self.push(part(0, 0), &[])?;
        let mut bytes = vec![0; PART_BYTES.min(size as usize)];
        let mut offset = 0;
        while offset < size {
            let length = file.file().read_at(&mut bytes, offset)?;
            if length == 0 {
                break;
            }
            if bytes[..length].iter().any(|byte| *byte != 0) {
                self.push(part(offset, length), &bytes[..length])?;
            }
            offset += length as u64;
        }
        Ok(())
    }

    fn push(&mut self, part: Part, bytes: &[u8]) -> io::Result<()> {
        if self.parts.len() >= PARTS || self.bytes.len() + bytes.len() > PART_BYTES {
            self.send()?;
        }
        self.parts.push(part);
        self.bytes.extend(bytes);
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        match self.parts.is_empty() {
            true => Ok(()),
            false => (self.send)(std::mem::take(&mut self.parts), std::mem::take(&mut self.bytes)),
        }
    }
}

/// Writes the parts of a parcel below a path.
pub(super) fn write_parts(to: &Path, parts: &[Part], bytes: &[u8]) -> io::Result<()> {
    let mut rest = bytes;
    for Part { path, mode, kind } in parts {
        let path = if path.as_os_str().is_empty() { to.to_owned() } else { to.join(path) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        match kind {
            PartKind::Folder => {
                fs::create_dir_all(&path)?;
                fs::set_permissions(&path, std::fs::Permissions::from_mode(*mode))?;
            }
            PartKind::Link(target) => {
                let _ = fs::remove_file(&path);
                std::os::unix::fs::symlink(target, &path)?;
            }
            PartKind::File { size, offset, length } => {
                let (own, others) = rest.split_at_checked(*length).ok_or_else(|| {
                    io::Error::new(io::ErrorKind::InvalidData, "a file's bytes are missing")
                })?;
                rest = others;
                let file = fs::OpenOptions::new().create(true).write(true).truncate(false).open(&path)?;
                if *offset == 0 && *length == 0 {
                    file.set_len(0)?;
                    file.set_len(*size)?;
                    file.set_permissions(std::fs::Permissions::from_mode(*mode))?;
                }
                file.file().write_all_at(own, *offset)?;
            }
        }
    }
    Ok(())
}

/// The folders and files below a path, each with its size; none for a folder.
pub(super) fn list(path: &Path) -> io::Result<Vec<(PathBuf, Option<u64>)>> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(path.join(&folder))? {
            let entry = entry?;
            let (below, meta) = (folder.join(entry.file_name()), entry.metadata()?);
            if meta.is_dir() {
                found.push((below.clone(), None));
                open.push(below);
            } else if meta.is_file() {
                found.push((below, Some(meta.len())));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_arrives_whole_with_its_zeros_links_and_rights() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        fs::create_dir_all(from.join("empty")).unwrap();
        fs::create_dir_all(from.join("a/b")).unwrap();
        let mut large = vec![0; 5 * PART_BYTES / 2];
        large[PART_BYTES + 3] = 7;
        fs::write(from.join("a/large"), &large).unwrap();
        fs::write(from.join("a/b/zeros"), vec![0; PART_BYTES + 1]).unwrap();
        fs::write(from.join("none"), "").unwrap();
        fs::set_permissions(from.join("none"), std::fs::Permissions::from_mode(0o750)).unwrap();
        std::os::unix::fs::symlink("a/large", from.join("link")).unwrap();
        let (mut parcels, mut sent) = (0, 0);
        send_tree(&from, &mut |parts, bytes| {
            parcels += 1;
            sent += bytes.len();
            write_parts(&to, &parts, &bytes)
        })
        .unwrap();
        assert!(parcels <= 3 && sent == PART_BYTES, "{parcels} parcels, {sent} bytes");
        assert!(fs::read(to.join("a/large")).unwrap() == large);
        assert!(fs::read(to.join("a/b/zeros")).unwrap() == vec![0; PART_BYTES + 1]);
        assert_eq!(fs::metadata(to.join("none")).unwrap().mode() & 0o777, 0o750);
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("a/large"));
        assert!(to.join("empty").is_dir());
        let mut listed = list(&to).unwrap();
        listed.sort();
        let names: Vec<_> = listed.iter().map(|(path, size)| (path.to_str().unwrap(), *size)).collect();
        let (large, zeros) = (Some(5 * PART_BYTES as u64 / 2), Some(PART_BYTES as u64 + 1));
        let expected = [
            ("a", None),
            ("a/b", None),
            ("a/b/zeros", zeros),
            ("a/large", large),
            ("empty", None),
            ("none", Some(0)),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_file_is_written_anew() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        fs::write(&to, "a longer text").unwrap();
        fs::write(&from, "short").unwrap();
        send_tree(&from, &mut |parts, bytes| write_parts(&to, &parts, &bytes)).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "short");
    }
}

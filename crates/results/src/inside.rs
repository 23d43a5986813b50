//! Paths in a result folder, which never lead out of it.

use fs_err as fs;
use std::{
    io,
    path::{Component, Path, PathBuf},
};

/// The path of a file of the folder, which need not be there. A link on the way, or in the place of the file, is an error.
pub(crate) fn inside(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    for part in Path::new(name).components() {
        let Component::Normal(part) = part else {
            return wrong(format!("`{name}` is no file of the result"));
        };
        path.push(part);
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_dir() && !found.is_file()) {
            return wrong(format!("{} is no plain file, and is not followed", path.display()));
        }
    }
    Ok(path)
}

/// The names of these files and of all files in these folders, as far as they are there, and whether each is a plain file.
/// Drafts are left out.
pub(crate) fn plain_files(
    folder: &Path,
    files: &[&str],
    folders: &[&str],
) -> io::Result<Vec<(String, bool)>> {
    let mut found = Vec::new();
    let mut left: Vec<String> = files.iter().chain(folders).map(|name| (*name).to_owned()).collect();
    while let Some(name) = left.pop() {
        let path = folder.join(&name);
        let kind = match fs::symlink_metadata(&path) {
            Ok(found) => found.file_type(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if !kind.is_dir() {
            found.push((name, kind.is_file()));
            continue;
        }
        for entry in fs::read_dir(&path)? {
            let entry = entry?.file_name();
            if !entry.as_encoded_bytes().ends_with(b".part") {
                left.push(format!("{name}/{}", entry.to_string_lossy()));
            }
        }
    }
    Ok(found)
}

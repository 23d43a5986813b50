//! Files of a result folder, as far as they are there.

use fs_err as fs;
use std::{io, path::Path};

/// The names of these files and of all files in these folders, as far as they are there, each with its length if it is a
/// plain file. Drafts are left out.
pub(crate) fn plain_files(
    folder: &Path,
    files: &[&str],
    folders: &[&str],
) -> io::Result<Vec<(String, Option<u64>)>> {
    let mut found = Vec::new();
    let mut left: Vec<String> = files.iter().chain(folders).map(|name| (*name).to_owned()).collect();
    while let Some(name) = left.pop() {
        let path = folder.join(&name);
        let facts = match fs::symlink_metadata(&path) {
            Ok(facts) => facts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if !facts.is_dir() {
            found.push((name, facts.is_file().then_some(facts.len())));
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

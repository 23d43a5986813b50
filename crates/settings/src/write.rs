//! Writing files in one step, and through no link.

use crate::read::at;
use std::{
    ffi::OsStr,
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::FileTypeExt,
    path::{Component, Path, PathBuf},
};

/// The path of a file of a folder, which need not be there. A link on the way, or in the place of the file, is an error.
pub fn inside(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    for part in Path::new(name).components() {
        let Component::Normal(part) = part else {
            return wrong(format!("`{name}` is no file of {}", folder.display()));
        };
        path.push(part);
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_dir() && !found.is_file()) {
            return wrong(format!("{} is no plain file, and is not followed", path.display()));
        }
    }
    Ok(path)
}

/// Writes a file of a folder in one step, with the folders on the way. A link on the way, or in its place, is an error.
pub fn write_inside(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let path = inside(folder, name)?;
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(|fault| at(parent, fault.kind(), &fault.to_string()))?;
    replace(&path, content)
}

/// Writes a file that somebody names. A pipe or a device is written to, such as `/dev/stdout`; anything else is replaced in
/// one step.
pub fn write_named(path: &Path, content: &[u8]) -> io::Result<()> {
    let is_stream = |found: fs::Metadata| found.file_type().is_fifo() || found.file_type().is_char_device();
    // There, links lead to what this process has open.
    let leads_to_open_file = |folder: &Path| {
        folder == Path::new("/dev") || folder.starts_with("/dev/fd") || folder.starts_with("/proc")
    };
    let leads_there = path.is_absolute() && path.parent().is_some_and(leads_to_open_file);
    if leads_there || fs::symlink_metadata(path).is_ok_and(is_stream) {
        return fs::write(path, content).map_err(|fault| at(path, fault.kind(), &fault.to_string()));
    }
    replace(path, content)
}

/// Replaces a file in one step. A link in its place is replaced and not followed.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_by("part", path, content)
}

/// The same by a draft whose name has this extension: no two may write the same draft at once.
pub fn replace_by(extension: impl AsRef<OsStr>, path: &Path, content: &[u8]) -> io::Result<()> {
    let draft = path.with_added_extension(extension);
    let write = || {
        match fs::remove_file(&draft) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
        file.write_all(content)?;
        // A machine that loses its power might else keep the new name with nothing in it.
        file.sync_data()?;
        fs::rename(&draft, path)
    };
    write().map_err(|fault| {
        // Half a draft is of no use, and on a full disk its room is.
        let _ = fs::remove_file(&draft);
        at(path, fault.kind(), &fault.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{os::unix::fs::symlink, process::Command, thread};

    #[test]
    fn a_link_in_the_place_of_a_file_is_replaced_and_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let [file, other] = ["page.html", "other"].map(|name| place.path().join(name));
        for write in [replace, write_named] {
            for link in ["page.html", "page.html.part"] {
                fs::write(&other, "mine").unwrap();
                symlink(&other, place.path().join(link)).unwrap();
                write(&file, b"page").unwrap();
                assert_eq!(fs::read_to_string(&other).unwrap(), "mine", "{link}");
                assert_eq!(fs::read_to_string(&file).unwrap(), "page", "{link}");
                assert!(fs::symlink_metadata(&file).unwrap().is_file(), "{link}");
                fs::remove_file(&file).unwrap();
            }
        }
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "only the other file is left");
    }

    #[test]
    fn nothing_is_written_outside_of_its_folder() {
        let place = tempfile::tempdir().unwrap();
        let [folder, other] = ["folder", "other"].map(|name| place.path().join(name));
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&other).unwrap();
        symlink(&other, folder.join("link")).unwrap();
        symlink(other.join("file"), folder.join("file")).unwrap();
        for name in ["link/file", "link/deep/file", "file", "../other/file", "/tmp/file"] {
            assert!(write_inside(&folder, name, b"x").is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
        write_inside(&folder, "deep/file", b"x").unwrap();
        assert_eq!(fs::read_to_string(folder.join("deep/file")).unwrap(), "x");
    }

    #[test]
    fn a_pipe_or_a_device_that_somebody_names_is_written_to() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reading = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_named(&pipe, b"page").unwrap();
        assert_eq!(reading.join().unwrap(), "page");
        write_named(Path::new("/dev/null"), b"page").unwrap();
        assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device());
        let file = fs::File::create(place.path().join("file")).unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&file);
        write_named(&Path::new("/dev/fd").join(number.to_string()), b"page").unwrap();
        assert_eq!(fs::read_to_string(place.path().join("file")).unwrap(), "page");
    }
}

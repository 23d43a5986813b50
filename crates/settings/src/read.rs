//! Reading users' files without blocking, and with a size limit.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

/// The longest user's file, in bytes.
pub const LONGEST_FILE: u64 = 4 << 20;

/// The text of a user's file. Refuses files longer than [`LONGEST_FILE`], and pipes and devices, which may never end.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_bytes(path, LONGEST_FILE)?;
    String::from_utf8(bytes).map_err(|fault| at(path, io::ErrorKind::InvalidData, &fault.to_string()))
}

/// The bytes of a file, at most `most`.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe would block until it has a writer.
    let meta = fs::metadata(path).map_err(|fault| at(path, fault.kind(), &fault.to_string()))?;
    if !meta.is_file() {
        return Err(at(path, io::ErrorKind::InvalidInput, "is no file; name one that holds the text itself"));
    }
    let too_long = || {
        let fault = format!("is longer than {} MiB, the limit of such a file; shorten it", most >> 20);
        at(path, io::ErrorKind::FileTooLarge, &fault)
    };
    if meta.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|fault| at(path, fault.kind(), &fault.to_string()))?;
    // A file may grow, and files below /proc have no length.
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

fn at(path: &Path, kind: io::ErrorKind, fault: &str) -> io::Error {
    io::Error::new(kind, format!("{}: {fault}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    #[test]
    fn endless_and_oversized_files_are_refused_at_once() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let long = place.path().join("long.toml");
        fs::File::create(&long).unwrap().set_len(8 << 30).unwrap();
        for (path, what) in [
            (Path::new("/dev/zero"), "is no file"),
            (&pipe, "is no file"),
            (place.path(), "is no file"),
            (&long, "is longer than 4 MiB"),
            (&place.path().join("none"), "No such file"),
        ] {
            let fault = Document::read(path).unwrap_err().to_string();
            assert!(fault.contains(what) && fault.contains(&path.display().to_string()), "{fault}");
        }
        let short = place.path().join("short.toml");
        fs::write(&short, "title = 'x'").unwrap();
        assert_eq!(read_text(&short).unwrap(), "title = 'x'");
        fs::write(&short, [0xff]).unwrap();
        assert_eq!(read_text(&short).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}

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
    text_of(bytes).map_err(|fault| at(path, io::ErrorKind::InvalidData, &fault))
}

/// The text of a file in UTF-8, or in UTF-16 where its byte order mark says so. The mark is no text.
fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let units = |unit: fn([u8; 2]) -> u16| -> Result<String, String> {
        let (pairs, rest) = bytes[2..].as_chunks();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
        text.ok_or_else(|| "its byte order mark is that of UTF-16, which it isn't".to_owned())
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        _ => {
            let text = String::from_utf8(bytes).map_err(|fault| fault.to_string())?;
            Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
        }
    }
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

pub(crate) fn at(path: &Path, kind: io::ErrorKind, fault: &str) -> io::Error {
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

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let text = "h\u{e4}\r\n\u{1f600}";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            [b"\xff\xfe".as_slice(), &little].concat(),
            [b"\xfe\xff".as_slice(), &big].concat(),
        ] {
            assert_eq!(text_of(bytes).as_deref(), Ok(text));
        }
        for broken in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8", b"\xc3"] {
            assert!(text_of(broken.to_vec()).is_err(), "{broken:?}");
        }
    }
}

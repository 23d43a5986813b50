//! `SHA256SUMS`: the sums of a result's files, in the format of `sha256sum`.
//!
//! A file that is written at once has the line `SUM  FILE`. A file that grows has a line `SUM  FILE:NUMBER` for each of its
//! lines, and when the run ends `SUM  FILE`. Each sum is written before what it covers, so that a writer that is killed
//! leaves at most the last sum without its data. Of several sums of a file the last one counts.
//!
//! This shows accidents and edits. It is no signature: anybody can compute sums.

use crate::{
    layout::{EVENTS, FOLDERS, LONGEST_FILE, MANIFEST, MOST_DAMAGES, POINTS, SUMS},
    lines::file_too_long,
    plain_files::plain_files,
};
use fs_err as fs;
use settings::{inside, replace};
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// Files that grow line by line.
const GROWING: [&str; 2] = [POINTS, EVENTS];

/// The most bytes of a list that is read.
pub(crate) const LONGEST_LIST: u64 = 256 << 20;

/// The most lines of a growing file: a list must not fill the memory.
const MOST_LINES: usize = 1 << 20;

/// SHA-256 as 64 hexadecimal digits.
pub(crate) fn sum_of(content: &[u8]) -> String {
    hex(Sha256::new_with_prefix(content))
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sum_of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut buffer) = (fs::File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(hash)),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// The list that is being written.
#[derive(Debug)]
pub(crate) struct SumWriter {
    folder: PathBuf,
    file: fs::File,
    length: u64,
}

impl SumWriter {
    /// Replaces the list of a folder.
    pub(crate) fn begin(folder: &Path, sums: &Sums) -> io::Result<Self> {
        let path = inside(folder, SUMS)?;
        let text = sums.text();
        replace(&path, text.as_bytes())?;
        let file = fs::OpenOptions::new().append(true).open(&path)?;
        Ok(Self { folder: folder.to_owned(), file, length: text.len() as u64 })
    }

    /// Adds a sum, and then writes what it covers. If that fails, the sum is taken back.
    pub(crate) fn cover<T>(
        &mut self,
        sum: &str,
        name: &str,
        is_synced: bool,
        write: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        let line = format!("{sum}  {name}\n");
        let mut written = self.file.write_all(line.as_bytes());
        if is_synced {
            // A machine that loses its power must not keep data without their sum.
            written = written.and_then(|()| self.file.sync_data());
        }
        let written = written.and_then(|()| write());
        match &written {
            Ok(_) => self.length += line.len() as u64,
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }

    /// Adds the sums of the growing files as they are now.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        GROWING.iter().try_for_each(|name| {
            let sum = sum_of_file(&self.folder.join(name))?;
            self.cover(&sum, name, false, || Ok(()))
        })
    }
}

/// The sums that a list holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// By file, in the order in which they were written.
    files: BTreeMap<String, Vec<String>>,
    /// By growing file, in the order of its lines; none where the list lacks a line.
    lines: BTreeMap<String, Vec<Option<String>>>,
    /// Name of the file or line that the last sum covers: of a killed run, it may not have been written.
    last: String,
}

impl Sums {
    /// Reads the list of a folder, and whatever is wrong with it; none if there is no list.
    pub(crate) fn read(folder: &Path) -> io::Result<Option<(Self, Vec<String>)>> {
        let path = inside(folder, SUMS)?;
        if !path.exists() {
            return Ok(None);
        }
        let text = settings::read_bytes(&path, LONGEST_LIST)?;
        let (mut sums, mut damages) = (Self::default(), Vec::new());
        // A sum without an end covers nothing: its data come after it.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        for (index, line) in text[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            if let Err(what) = sums.add(line.trim_ascii_end())
                && damages.len() < MOST_DAMAGES
            {
                damages.push(format!("{SUMS}, line {}: {what}", index + 1));
            }
        }
        Ok(Some((sums, damages)))
    }

    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let parts = str::from_utf8(line).ok().and_then(|line| line.split_once("  "));
        let parts = parts.filter(|(sum, _)| sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit()));
        let (sum, name) = parts.ok_or("is no sum")?;
        name.clone_into(&mut self.last);
        let Some((file, number)) = name.rsplit_once(':').filter(|(file, _)| GROWING.contains(file)) else {
            self.files.entry(name.to_owned()).or_default().push(sum.to_owned());
            return Ok(());
        };
        let lines = self.lines.entry(file.to_owned()).or_default();
        let expected = lines.len() + 1;
        let number: usize = number.parse().map_err(|_| format!("`{name}` has no number"))?;
        if number < expected {
            return Err(format!("{name} is there twice"));
        }
        if number > MOST_LINES {
            return Err(format!("{name} is no line that a run writes"));
        }
        lines.resize(number - 1, None);
        lines.push(Some(sum.to_owned()));
        Ok(())
    }

    /// The list without what no longer counts, the manifest last.
    fn text(&self) -> String {
        let mut text = String::new();
        for (file, sums) in &self.lines {
            for (index, sum) in sums.iter().flatten().enumerate() {
                text += &format!("{sum}  {file}:{}\n", index + 1);
            }
        }
        let manifest = self.files.get_key_value(MANIFEST);
        for (file, sums) in self.files.iter().filter(|(file, _)| *file != MANIFEST).chain(manifest) {
            text += &sums.last().map(|sum| format!("{sum}  {file}\n")).unwrap_or_default();
        }
        text
    }

    /// Readies a list for more: growing files lose their sum as a whole and have so many lines, and nothing has a sum that
    /// was not written.
    pub(crate) fn reopen(&mut self, folder: &Path, lines: [(&str, usize); 2]) -> io::Result<()> {
        for (file, count) in lines {
            self.files.remove(file);
            self.lines.entry(file.to_owned()).or_default().truncate(count);
        }
        let Some(sums) = self.files.get_mut(&self.last) else { return Ok(()) };
        let path = inside(folder, &self.last)?;
        if !path.exists() || sums.last() != Some(&sum_of_file(&path)?) {
            sums.pop();
        }
        Ok(())
    }

    /// Follows the lines of a growing file.
    pub(crate) fn follow(&self, file: &str) -> LineCheck<'_> {
        let sums = self.lines.get(file).map_or(&[][..], Vec::as_slice);
        LineCheck { sums, next: 0, may_lack_last: self.last == format!("{file}:{}", sums.len()) }
    }

    /// Faults of files as a whole: changed, missing, without a sum, or a link.
    pub(crate) fn check_files(
        &self,
        folder: &Path,
        is_damaged: impl Fn(&str) -> bool,
    ) -> io::Result<Vec<String>> {
        let mut damages = Vec::new();
        let mut there = BTreeSet::new();
        for (name, length) in plain_files(folder, &[MANIFEST, POINTS, EVENTS], &FOLDERS)? {
            let what = if length.is_none() {
                Some("is no plain file, and is not read".to_owned())
            } else if length > Some(LONGEST_FILE) {
                (!is_damaged(&name)).then(file_too_long)
            } else if let Some(sums) = self.files.get(&name) {
                let sum = sum_of_file(&folder.join(&name))?;
                let allowed = if self.last == name { 2 } else { 1 };
                let is_known = sums.iter().rev().take(allowed).any(|known| *known == sum);
                (!is_known && !is_damaged(&name)).then(|| "was changed after it was written".to_owned())
            } else {
                // A growing file has one when its run has ended; until then its lines have.
                (!GROWING.contains(&name.as_str())).then(|| format!("has no sum in {SUMS}"))
            };
            damages.extend(what.map(|what| format!("{name}: {what}")));
            there.insert(name);
        }
        for (name, sums) in &self.files {
            let is_begun = self.last == *name && sums.len() == 1;
            if !there.contains(name) && !is_begun {
                damages.push(format!("{name}: is missing"));
            }
        }
        Ok(damages)
    }
}

/// The lines of a growing file beside their sums.
pub(crate) struct LineCheck<'a> {
    sums: &'a [Option<String>],
    /// The index of the sum that is expected next.
    next: usize,
    may_lack_last: bool,
}

impl LineCheck<'_> {
    /// Takes the next line with its end. What is wrong with it, if anything is.
    pub(crate) fn take(&mut self, line: &[u8]) -> Option<String> {
        let sum = sum_of(line);
        let is_it = |known: &Option<String>| known.as_ref() == Some(&sum);
        let expected = self.next;
        match self.sums.get(expected) {
            Some(known) if is_it(known) => {
                self.next += 1;
                return None;
            }
            Some(None) => {
                self.next += 1;
                return Some(format!("has no sum in {SUMS}"));
            }
            _ => {}
        }
        let later = self.sums.iter().skip(expected).position(is_it);
        if let Some(missing) = later {
            self.next += missing + 1;
            return Some(match missing {
                1 => format!("line {} is missing before it", expected + 1),
                _ => format!("lines {} to {} are missing before it", expected + 1, expected + missing),
            });
        }
        match self.sums[..expected.min(self.sums.len())].iter().rposition(is_it) {
            Some(index) if index + 1 == expected => Some(format!("line {expected} is there twice")),
            Some(index) => Some(format!("was written as line {} and stands in another place", index + 1)),
            None if expected < self.sums.len() => {
                self.next += 1;
                Some("was changed after it was written".to_owned())
            }
            None => Some(format!("has no sum in {SUMS}")),
        }
    }

    /// Goes on after a line that is too long to be held.
    pub(crate) fn skip(&mut self) {
        self.next += 1;
    }

    /// Takes a last line without its end.
    pub(crate) fn take_torn(&mut self) -> Option<String> {
        let is_accident = self.may_lack_last && self.next + 1 == self.sums.len();
        self.next += 1;
        (!is_accident).then(|| "has no end: the file was cut off here".to_owned())
    }

    /// Fault at the end of the file.
    pub(crate) fn end(self) -> Option<String> {
        let count = self.sums.len();
        match count.saturating_sub(self.next) {
            0 => None,
            1 if self.may_lack_last => None,
            1 => Some(format!("1 line is missing at the end: there were {count}")),
            missing => Some(format!("{missing} lines are missing at the end: there were {count}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Some lines, and a list of their sums in which another sum follows.
    fn lines(count: usize) -> (Vec<String>, Sums) {
        let lines: Vec<String> = (0..count).map(|at| format!("{{\"clients\":{}}}\n", at * 10)).collect();
        let mut sums = Sums::default();
        for (index, line) in lines.iter().enumerate() {
            let entry = format!("{}  {POINTS}:{}", sum_of(line.as_bytes()), index + 1);
            sums.add(entry.as_bytes()).unwrap();
        }
        sums.add(format!("{}  {MANIFEST}", sum_of(b"")).as_bytes()).unwrap();
        (lines, sums)
    }

    /// All that is wrong, each with the position in the file.
    fn wrong(lines: &[String], sums: &Sums) -> Vec<(usize, String)> {
        let mut check = sums.follow(POINTS);
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let what = if line.ends_with('\n') { check.take(line.as_bytes()) } else { check.take_torn() };
            found.extend(what.map(|what| (at + 1, what)));
        }
        found.extend(check.end().map(|what| (0, what)));
        found
    }

    #[test]
    fn each_kind_of_damage_is_named_with_its_line() {
        let (good, sums) = lines(5);
        assert_eq!(wrong(&good, &sums), []);
        let of = |change: &dyn Fn(&mut Vec<String>)| {
            let mut lines = good.clone();
            change(&mut lines);
            wrong(&lines, &sums)
        };
        let what = |text: &str| text.to_owned();
        let changed = what("was changed after it was written");
        assert_eq!(of(&|lines| lines[2] = lines[2].replace("20", "90")), [(3, changed.clone())]);
        assert_eq!(of(&|lines| drop(lines.remove(1))), [(2, what("line 2 is missing before it"))]);
        assert_eq!(of(&|lines| drop(lines.drain(1..3))), [(2, what("lines 2 to 3 are missing before it"))]);
        assert_eq!(of(&|lines| lines.insert(3, lines[2].clone())), [(4, what("line 3 is there twice"))]);
        assert_eq!(of(&|lines| lines.swap(1, 2))[1].1, "was written as line 2 and stands in another place");
        let missing = what("2 lines are missing at the end: there were 5");
        assert_eq!(of(&|lines| lines.truncate(3)), [(0, missing)]);
        assert_eq!(of(&|lines| lines[4] = "{}\n".into()), [(5, changed)]);
        let cut = what("has no end: the file was cut off here");
        assert_eq!(of(&|lines| lines[4].truncate(9)), [(5, cut)]);
        let (more, _) = lines(6);
        assert_eq!(wrong(&more, &sums), [(6, what("has no sum in SHA256SUMS"))]);
    }

    #[test]
    fn only_what_the_last_sum_covers_may_be_missing_or_torn() {
        let (good, sums) = lines(3);
        let open = Sums { last: format!("{POINTS}:3"), ..sums.clone() };
        let torn = [good[0].clone(), good[1].clone(), good[2][..4].to_owned()];
        for lines in [&good[..], &good[..2], &torn] {
            assert_eq!(wrong(lines, &open), [], "{lines:?}");
        }
        assert_eq!(wrong(&good[..1], &open).len(), 1, "two are missing");
        assert_eq!(wrong(&torn[1..], &open).len(), 1, "the first is missing");
        assert_eq!(
            (wrong(&good[..2], &sums).len(), wrong(&torn, &sums).len()),
            (1, 1),
            "another sum follows"
        );
    }

    #[test]
    fn a_list_that_lacks_repeats_or_garbles_a_sum_is_damaged() {
        let (good, sums) = lines(3);
        let text = sums.text();
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            fs::write(folder.path().join(SUMS), text).unwrap();
            Sums::read(folder.path()).unwrap().unwrap()
        };
        assert_eq!(Sums::read(folder.path()).unwrap(), None);
        assert_eq!(read(&text), (sums, Vec::new()));
        let line = text.lines().nth(1).unwrap();
        let (lacking, damages) = read(&text.replace(&format!("{line}\n"), ""));
        assert_eq!(damages, [""; 0]);
        assert_eq!(wrong(&good, &lacking), [(2, "has no sum in SHA256SUMS".to_owned())]);
        let (_, damages) = read(&text.replace(line, &format!("{line}\n{line}")));
        assert_eq!(damages, ["SHA256SUMS, line 3: points.jsonl:2 is there twice"]);
        let (_, damages) = read(&text.replace(line, "what"));
        assert_eq!(damages, ["SHA256SUMS, line 2: is no sum"]);
        let (_, damages) = read(&text.replace("points.jsonl:3", "points.jsonl:4000000000"));
        assert_eq!(damages, ["SHA256SUMS, line 3: points.jsonl:4000000000 is no line that a run writes"]);
    }

    proptest! {
        #[test]
        fn no_changed_byte_goes_unseen(line in 0_usize..4, at in 0_usize..400, byte in 0_u8..=127) {
            let (mut lines, sums) = lines(4);
            let mut bytes = std::mem::take(&mut lines[line]).into_bytes();
            let at = at % bytes.len();
            prop_assume!(bytes[at] != byte);
            bytes[at] = byte;
            lines[line] = String::from_utf8(bytes).unwrap();
            prop_assert!(!wrong(&lines, &sums).is_empty());
        }
    }
}

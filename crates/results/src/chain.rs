//! Lines that are numbered and chained, so that one shows which is damaged, missing or changed.
//!
//! Each line ends with its number and a hash of itself and of the hash before it; the manifest of a run that has ended
//! holds the last hash of each file, and a hash of itself. This shows accidents and edits. It is no signature: who writes
//! all hashes anew forges a result that nothing here can tell from a good one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt};

/// A line as it is written.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Chained<T> {
    #[serde(flatten)]
    pub value: T,
    /// The number of the line in its file, from 1.
    pub line: u64,
    /// SHA-256 of the hash of the line before (of the first line: of the file's name) and of this line up to here, as 64
    /// hexadecimal digits.
    pub chain: String,
}

/// With what a run has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Seal {
    /// Where each file of lines has ended.
    pub files: BTreeMap<String, End>,
    /// SHA-256 of the manifest up to its seal, and of the ends of the files, as 64 hexadecimal digits.
    pub manifest: String,
}

/// Where a file of lines has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct End {
    /// How many lines it has.
    pub lines: u64,
    /// The hash of the last one.
    pub chain: String,
}

/// A manifest as it is written at the end of a run.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sealed<T> {
    #[serde(flatten)]
    pub manifest: T,
    /// Absent while it runs or if it was killed.
    pub seal: Option<Seal>,
}

/// What is wrong with a file of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The file's name.
    pub file: String,
    /// The line, from 1; none if it is about the whole file.
    pub line: Option<u64>,
    /// What is wrong, without a subject: `was changed after it was written`.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// What stands between a line's value and its hash.
const LINE: &str = "\"line\":";
const CHAIN: &str = ",\"chain\":\"";
/// What stands between a manifest and its seal.
const SEAL: &str = ",\n  \"seal\": ";

/// How far a file's lines have come.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    lines: u64,
    link: String,
    /// Whether lines have numbers. Those that an earlier laboratory has written have none.
    is_numbered: bool,
}

impl Chain {
    /// Before the first line of a file.
    pub(crate) fn begin(file: &str) -> Self {
        Self { lines: 0, link: hash([file.as_bytes()]), is_numbered: false }
    }

    /// A value as the next line, with its end.
    pub(crate) fn next(&self, value: &impl Serialize) -> (Vec<u8>, Self) {
        let mut line = serde_json::to_vec(value).expect("it is plain data");
        line.pop();
        let comma = if line.len() > 1 { "," } else { "" };
        let number = self.lines + 1;
        line.extend(format!("{comma}{LINE}{number}").bytes());
        let link = hash([self.link.as_bytes(), &line]);
        line.extend(format!("{CHAIN}{link}\"}}\n").bytes());
        (line, Self { lines: number, link, is_numbered: true })
    }

    /// Takes the next line as it was found, without its end. What is wrong with it, if anything is.
    pub(crate) fn take(&mut self, line: &[u8]) -> Option<String> {
        let Some((body, number, link)) = parts(line) else {
            self.lines += 1;
            // The first numbered line counts these in.
            self.link = hash([self.link.as_bytes(), line]);
            return self.is_numbered.then(|| "has lost its number or its hash".to_owned());
        };
        let expected = self.lines + 1;
        let fault = if number == expected {
            let is_whole = hash([self.link.as_bytes(), body]) == link;
            (!is_whole).then(|| "was changed after it was written".to_owned())
        } else if number > expected {
            Some(match number - expected {
                1 => format!("line {expected} is missing before it"),
                _ => format!("lines {expected} to {} are missing before it", number - 1),
            })
        } else if number == self.lines {
            Some(format!("line {number} is there twice"))
        } else {
            Some(format!("was written as line {number} and stands in another place"))
        };
        if number >= self.lines {
            (self.lines, self.link) = (number, link.to_owned());
        }
        self.is_numbered = true;
        fault
    }

    /// Goes on after a line that can't be read.
    pub(crate) fn skip(&mut self) {
        self.lines += 1;
        self.is_numbered = true;
    }

    /// Where it has come to.
    pub(crate) fn end(&self) -> End {
        End { lines: self.lines, chain: self.link.clone() }
    }

    /// Whether its lines have numbers.
    pub(crate) fn is_numbered(&self) -> bool {
        self.is_numbered
    }

    /// What is wrong with the end of a file whose run has ended elsewhere.
    pub(crate) fn differs_from(&self, end: &End) -> Option<String> {
        let count =
            |lines: u64| if lines == 1 { "1 line is".to_owned() } else { format!("{lines} lines are") };
        if self.lines < end.lines {
            Some(format!("{} missing at the end: there were {}", count(end.lines - self.lines), end.lines))
        } else if self.lines > end.lines {
            Some(format!(
                "{} too many: there were {} when it ended",
                count(self.lines - end.lines),
                end.lines
            ))
        } else {
            (self.link != end.chain).then(|| "the last line is not the one with which it ended".to_owned())
        }
    }
}

/// What a line says, its number, and its hash.
fn parts(line: &[u8]) -> Option<(&[u8], u64, &str)> {
    let line = str::from_utf8(line).ok()?;
    let (body, rest) = line.rsplit_once(CHAIN)?;
    let (_, number) = body.rsplit_once(LINE)?;
    Some((body.as_bytes(), number.parse().ok()?, rest.strip_suffix("\"}")?))
}

/// A manifest with its seal. It must be an object that is written over several lines.
pub(crate) fn seal(manifest: &str, files: BTreeMap<String, End>) -> String {
    let body = manifest.trim_end().trim_end_matches('}').trim_end();
    let seal = Seal { manifest: hash_of_manifest(body, &files), files };
    let seal = serde_json::to_string(&seal).expect("it is plain data");
    format!("{body}{SEAL}{seal}\n}}\n")
}

/// The seal of a manifest, and whether the manifest is as it was sealed; none if it has none.
pub(crate) fn seal_of(manifest: &str) -> Option<(Seal, bool)> {
    let (body, rest) = manifest.rsplit_once(SEAL)?;
    let seal: Seal = serde_json::from_str(rest.trim_end().strip_suffix('}')?).ok()?;
    let is_whole = hash_of_manifest(body, &seal.files) == seal.manifest;
    Some((seal, is_whole))
}

fn hash_of_manifest(body: &str, files: &BTreeMap<String, End>) -> String {
    let files = serde_json::to_vec(files).expect("it is plain data");
    hash([body.as_bytes(), &files])
}

fn hash<const N: usize>(texts: [&[u8]; N]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Some lines, without their ends, and where they end.
    fn lines(count: u64) -> (Vec<Vec<u8>>, End) {
        let mut chain = Chain::begin("points.jsonl");
        let mut lines = Vec::new();
        for at in 0..count {
            let (mut line, next) =
                chain.next(&json!({"clients": at * 10, "text": "a\"line\":7,\"chain\":\"b"}));
            assert_eq!(line.pop(), Some(b'\n'));
            lines.push(line);
            chain = next;
        }
        (lines, chain.end())
    }

    /// All that is wrong, each with the position in the file.
    fn wrong(lines: &[Vec<u8>], end: &End) -> Vec<(usize, String)> {
        let mut chain = Chain::begin("points.jsonl");
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            found.extend(chain.take(line).map(|what| (at + 1, what)));
        }
        found.extend(chain.differs_from(end).map(|what| (0, what)));
        found
    }

    #[test]
    fn each_kind_of_damage_is_named_with_its_line() {
        let (good, end) = lines(5);
        assert_eq!(wrong(&good, &end), []);
        let value: serde_json::Value = serde_json::from_slice(&good[1]).unwrap();
        assert_eq!((&value["clients"], &value["line"]), (&json!(10), &json!(2)));
        let of = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
            let mut lines = good.clone();
            change(&mut lines);
            wrong(&lines, &end)
        };
        let what = |text: &str| text.to_owned();
        let edit = |lines: &mut Vec<Vec<u8>>| {
            lines[2] = String::from_utf8(lines[2].clone()).unwrap().replace("20", "90").into_bytes();
        };
        assert_eq!(of(&edit), [(3, what("was changed after it was written"))]);
        assert_eq!(of(&|lines| drop(lines.remove(1))), [(2, what("line 2 is missing before it"))]);
        assert_eq!(of(&|lines| drop(lines.drain(1..3))), [(2, what("lines 2 to 3 are missing before it"))]);
        assert_eq!(of(&|lines| lines.insert(3, lines[2].clone())), [(4, what("line 3 is there twice"))]);
        assert_eq!(of(&|lines| lines.swap(1, 2))[1].1, "was written as line 2 and stands in another place");
        assert_eq!(
            of(&|lines| lines.truncate(3)),
            [(0, what("2 lines are missing at the end: there were 5"))]
        );
        assert_eq!(of(&|lines| lines[4] = b"{}".to_vec())[0], (5, what("has lost its number or its hash")));
        let (more, _) = lines(6);
        assert_eq!(wrong(&more, &end), [(0, what("1 line is too many: there were 5 when it ended"))]);
    }

    #[test]
    fn lines_without_numbers_are_those_of_an_earlier_laboratory_until_the_first_that_has_one() {
        let mut chain = Chain::begin("points.jsonl");
        assert_eq!(chain.take(b"{\"clients\":1}"), None);
        assert!(!chain.is_numbered());
        let (line, next) = chain.next(&json!({"clients": 2}));
        assert_eq!(chain.take(line.trim_ascii_end()), None);
        assert_eq!(chain.end(), next.end());
        let mut other = Chain::begin("points.jsonl");
        other.take(b"{\"clients\":7}");
        assert!(other.take(line.trim_ascii_end()).is_some(), "what came before it was changed");
    }

    #[test]
    fn a_manifest_is_held_against_its_seal() {
        let (_, end) = lines(2);
        let files: BTreeMap<String, End> = [("points.jsonl".to_owned(), end)].into();
        let text = serde_json::to_string_pretty(&json!({"seed": 1, "ending": {"complete": true}})).unwrap();
        let sealed = seal(&text, files.clone());
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        assert_eq!(
            (&value["seed"], &value["seal"]["files"]["points.jsonl"]["lines"]),
            (&json!(1), &json!(2))
        );
        assert_eq!(seal_of(&sealed).map(|(seal, whole)| (seal.files, whole)), Some((files, true)));
        for (from, to) in [("\"seed\": 1", "\"seed\": 2"), ("true", "false"), ("\"lines\":2", "\"lines\":3")]
        {
            assert!(sealed.contains(from), "{sealed}");
            assert!(seal_of(&sealed.replace(from, to)).is_none_or(|(_, whole)| !whole), "{from}");
        }
        assert!(seal_of(&text).is_none());
    }

    proptest! {
        #[test]
        fn no_changed_byte_goes_unseen(line in 0_usize..4, at in 0_usize..400, byte in 0_u8..=255) {
            let (mut lines, end) = lines(4);
            let at = at % lines[line].len();
            prop_assume!(lines[line][at] != byte);
            lines[line][at] = byte;
            prop_assert!(!wrong(&lines, &end).is_empty());
        }
    }
}

//! Writing and reading a result folder. What is written once is never changed, but for the manifest's ending.

use crate::{Ending, Manifest, PlantedLoss, Point, SCHEMA_VERSION};
use fs_err as fs;
use serde::Deserialize;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why a result folder can't be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// Somebody else's result is there already.
    #[error(
        "{0} already holds a result or another run is writing it; name another folder with --out, or move it away"
    )]
    Taken(PathBuf),
    /// Nothing there to read.
    #[error("{0} is no result folder: it holds no manifest.json")]
    NoResult(PathBuf),
    /// A line of the result can't be read.
    #[error("{file}, line {line}: {fault}")]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: serde_json::Error,
    },
    /// A later laboratory wrote it, and its fields may mean something else.
    #[error(
        "{path} has schema {version}, and this tierbench reads up to {SCHEMA_VERSION}; read it with the one that wrote it"
    )]
    Newer {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The disk is full.
    #[error("no space left on the disk of {0}; free some, or name a folder elsewhere with --out")]
    Full(PathBuf),
    /// Anything else the file system says.
    #[error(transparent)]
    Io(io::Error),
}

const MANIFEST: &str = "manifest.json";
const POINTS: &str = "points.jsonl";

/// A result folder that is being written. Its creation claims it: no two runs write one folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    points: fs::File,
    count: u32,
}

impl Folder {
    /// Makes the folder and writes its manifest.
    pub fn create(path: &Path, manifest: Manifest) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        fs::create_dir_all(path).map_err(at)?;
        let claim = path.join(POINTS);
        let points = fs::OpenOptions::new().append(true).create_new(true).open(&claim).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                FolderError::Taken(path.into())
            } else {
                at(error)
            }
        })?;
        let folder = Self { path: path.into(), manifest, points, count: 0 };
        folder.write_manifest()?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The [`Point::sequence`] of the point that is appended next.
    pub fn next_sequence(&self) -> u32 {
        self.count + 1
    }

    /// Appends a point; it is on the disk when this returns.
    pub fn append(&mut self, point: &Point) -> Result<(), FolderError> {
        let mut line = serde_json::to_vec(point).expect("a point is plain data");
        line.push(b'\n');
        let written = self.points.write_all(&line).and_then(|()| self.points.sync_data());
        written.map_err(|error| classify(&self.path, error))?;
        self.count += 1;
        Ok(())
    }

    /// Writes a file of the folder, such as `report.html`, all or nothing.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, FolderError> {
        let at = |error| classify(&self.path, error);
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at)?;
        }
        let draft = path.with_added_extension("part");
        fs::write(&draft, content).and_then(|()| fs::rename(&draft, &path)).map_err(|error| {
            // Half a draft is of no use, and on a full disk its room is.
            let _ = fs::remove_file(&draft);
            at(error)
        })?;
        Ok(path)
    }

    /// Records how a configuration's verification ended.
    pub fn record_verification(&mut self, configuration: &str, verified: &str) -> Result<(), FolderError> {
        let mut records = self.manifest.configurations.iter_mut();
        if let Some(record) = records.find(|record| record.name == configuration) {
            verified.clone_into(&mut record.verified);
        }
        self.write_manifest()
    }

    /// What is written of the run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Records which row was deleted on purpose, and what saw it.
    pub fn record_planted_loss(&mut self, loss: PlantedLoss) -> Result<(), FolderError> {
        self.manifest.planted_loss = Some(loss);
        self.write_manifest()
    }

    /// Records how the command ended.
    pub fn end(&mut self, ending: Ending) -> Result<(), FolderError> {
        self.manifest.ending = Some(ending);
        self.write_manifest()
    }

    fn write_manifest(&self) -> Result<(), FolderError> {
        let text = serde_json::to_vec_pretty(&self.manifest).expect("a manifest is plain data");
        self.write(MANIFEST, &text).map(drop)
    }
}

/// All that may be read of a manifest before its schema is known.
#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

/// A result folder that is being read; a report needs nothing else.
#[derive(Debug, Clone)]
pub struct ResultReader {
    /// What was run.
    pub manifest: Manifest,
    /// What was measured, in the order in which it was.
    pub points: Vec<Point>,
}

impl ResultReader {
    /// Reads a folder, also one whose run was killed: a last line that was cut off is left out.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        let file = path.join(MANIFEST);
        if !file.exists() {
            return Err(FolderError::NoResult(path.into()));
        }
        let malformed = |file: &Path, line, fault| FolderError::Malformed { file: file.into(), line, fault };
        let text = fs::read(&file).map_err(at)?;
        let fault = |fault: serde_json::Error| malformed(&file, fault.line(), fault);
        let Version { schema_version: version } = serde_json::from_slice(&text).map_err(fault)?;
        if version > SCHEMA_VERSION {
            return Err(FolderError::Newer { path: file, version });
        }
        let manifest = serde_json::from_slice(&text).map_err(fault)?;
        let file = path.join(POINTS);
        let text = fs::read_to_string(&file).map_err(at)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let points = whole.lines().enumerate().map(|(index, line)| {
            serde_json::from_str(line).map_err(|fault| malformed(&file, index + 1, fault))
        });
        Ok(Self { manifest, points: points.collect::<Result<_, _>>()? })
    }
}

fn classify(path: &Path, error: io::Error) -> FolderError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FolderError::Full(path.into()),
        _ => FolderError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Check, Host, HostFigures, LoadPlan, Purpose, Times, Verdict};

    fn manifest() -> Manifest {
        Manifest {
            schema_version: SCHEMA_VERSION,
            tierbench: "0.1.0".into(),
            command: vec!["tierbench".into()],
            verb: "run".into(),
            application: "auction".into(),
            application_title: "Auction".into(),
            mix: "bidding".into(),
            rerun: Vec::new(),
            started: "2026-11-21T20:34:49Z".into(),
            seed: 1,
            scale: 0.05,
            shape: "uniform".into(),
            time_scale: 1.0,
            think_time_s: 7.0,
            session_length_s: 900.0,
            ramp_s: 70.0,
            window_s: 60.0,
            loads: LoadPlan::Listed(vec![10, 20]),
            repetitions: 1,
            conditions: Vec::new(),
            expected_s: 60.0,
            resumed: Vec::new(),
            demonstration: Vec::new(),
            configurations: Vec::new(),
            host: Host {
                system: "s".into(),
                kernel: "k".into(),
                cpu: "c".into(),
                cores: 2,
                memory_bytes: 1,
                settings: [].into(),
            },
            planted_loss: None,
            ending: None,
        }
    }

    fn point(clients: u32) -> Point {
        Point {
            configuration: "WsPhp-DB".into(),
            stack: "php".into(),
            clients,
            repetition: 1,
            sequence: 1,
            purpose: Purpose::Listed,
            seed: 1,
            started: String::new(),
            warm_s: 1.0,
            window_s: 1.0,
            throughput: 10.0,
            throughput_half_width: None,
            response: Times::default(),
            quantiles: Vec::new(),
            service: Times::default(),
            completed: 10,
            refused: 0,
            errors: [("timeout".to_owned(), 2)].into(),
            backs: 0,
            fallbacks: 0,
            reconnects: 0,
            bytes_received: 0,
            interactions: Vec::new(),
            tiers: Vec::new(),
            host: HostFigures::default(),
            sampler_cpu: 0.0,
            generator_cpu: 0.1,
            lateness_p99_ms: 0.1,
            timeline: Vec::new(),
            audit: None,
            verdict: Verdict::default(),
        }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("result");
        let mut folder = Folder::create(&path, manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.append(&point(20)).unwrap();
        folder.end(Ending { at: String::new(), complete: true, reason: None }).unwrap();
        let read = ResultReader::open(&path).unwrap();
        assert_eq!(read.points.iter().map(|point| point.clients).collect::<Vec<_>>(), [10, 20]);
        assert_eq!(read.points[0].failed(), 2);
        assert!(read.manifest.ending.unwrap().complete);
    }

    #[test]
    fn two_runs_never_write_one_folder() {
        let place = tempfile::tempdir().unwrap();
        let _first = Folder::create(place.path(), manifest()).unwrap();
        assert!(matches!(Folder::create(place.path(), manifest()), Err(FolderError::Taken(_))));
    }

    #[test]
    fn a_killed_run_keeps_its_points_and_a_broken_line_is_named() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(place.path(), manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.points.write_all(b"{\"configuration\": \"Ws").unwrap();
        assert_eq!(ResultReader::open(place.path()).unwrap().points.len(), 1);
        folder.points.write_all(b"\n").unwrap();
        let error = ResultReader::open(place.path()).unwrap_err();
        assert!(error.to_string().contains("points.jsonl, line 2"), "{error}");
    }

    #[test]
    fn a_result_of_a_later_schema_is_refused_even_if_its_fields_changed() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join(MANIFEST), "{\"schema_version\": 99, \"verb\": 7}").unwrap();
        let error = ResultReader::open(place.path()).unwrap_err();
        assert!(matches!(error, FolderError::Newer { version: 99, .. }), "{error}");
    }

    #[test]
    fn a_verdict_without_checks_is_not_valid() {
        let check = |passed| Check::new("errors", passed, String::new(), String::new());
        assert!(!Verdict::of(Vec::new()).valid);
        assert!(Verdict::of(vec![check(true), check(true)]).valid);
        assert!(!Verdict::of(vec![check(true), check(false)]).valid);
    }
}

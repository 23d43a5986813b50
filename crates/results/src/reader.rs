//! Reading a result folder: all that a report needs.

use crate::{
    FolderError, Manifest, Names, Partial, Point, Profile, Purpose, ResponseTimes, SCHEMA_VERSION, Sample,
    Stacks, TierProfile,
    change::digest,
    error::classify,
    layout::{EVENTS, LONGEST_FILE, MANIFEST, POINTS, PROFILE, SUMS, latency_of, profile_of, samples_of},
    lines::{self, read_checked},
    sums::{LONGEST_LIST, Sums, sum_of},
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use settings::{inside, read_bytes};
use std::path::{Path, PathBuf};
use workload::Series;

/// All that may be read of a manifest before its schema is known.
#[derive(Deserialize)]
struct Version {
    schema_version: u32,
    /// Specification as the manifest has it, with keys that later versions of tierbench no longer know.
    #[serde(default)]
    spec: Value,
}

/// Versions whose points do not name their specification, though they have this schema.
const WITHOUT_SPECIFICATION: [&str; 1] = ["0.1.0 (6169ad90703a)"];

/// Attempts to read a folder that is written meanwhile.
const READS: usize = 10;

/// A result folder that is being read; a report needs nothing else.
#[derive(Debug, Clone)]
pub struct ResultReader {
    /// Manifest of the run.
    pub manifest: Manifest,
    /// Points in the order of measurement.
    pub points: Vec<Point>,
    /// Points at which profilers were at work. They are no measurement, so they are kept apart.
    pub profiled: Vec<Point>,
    /// Steps of overload cycles, which are kept apart because their servers were not started anew. All steps of a cycle follow
    /// one another, in the order of time.
    pub overload_steps: Vec<Point>,
    /// Loads of arrivals, which are kept apart because they have no steady state.
    pub arrivals: Vec<Point>,
    /// Path of the folder.
    pub folder: PathBuf,
    /// Damage and later changes: each in a line, with the file and where possible the line. Lines
    /// that can't be read are left out.
    pub damages: Vec<String>,
}

impl ResultReader {
    /// Reads a folder, also one whose run goes on or was killed: a last line that has no end is left out.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        Self::open_with_sums(path).map(|(result, _)| result)
    }

    /// The same, but an error if anything of it was damaged, or changed after it was written.
    pub fn open_whole(path: &Path) -> Result<Self, FolderError> {
        let result = Self::open(path)?;
        result.expect_whole()?;
        Ok(result)
    }

    /// The same with the list of sums, if there is one.
    pub(crate) fn open_with_sums(path: &Path) -> Result<(Self, Option<Sums>), FolderError> {
        let list = || Sums::read(path).map_err(|error| classify(path, error));
        let mut known = list()?;
        for _ in 0..READS {
            let result = Self::read(path, known.as_ref())?;
            let now = if result.damages.is_empty() { None } else { Some(list()?) };
            match now {
                // Somebody wrote meanwhile, so list and files may not be of one instant.
                Some(now) if now != known => known = now,
                _ => return Ok((result, known.map(|(sums, _)| sums))),
            }
        }
        Ok((Self::read(path, known.as_ref())?, known.map(|(sums, _)| sums)))
    }

    fn read(path: &Path, list: Option<&(Sums, Vec<String>)>) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        let (manifest, specification) = read_manifest(path)?;
        let sums = list.map(|(sums, _)| sums);
        let (mut points, of_points) = read_checked::<Point>(path, POINTS, sums).map_err(at)?;
        let (_, of_events) = read_checked::<IgnoredAny>(path, EVENTS, sums).map_err(at)?;
        let mut damages =
            list.map_or_else(|| vec![format!("{SUMS}: is missing")], |(_, wrong)| wrong.clone());
        if let Some(sums) = sums {
            let is_damaged = |name: &str| {
                (name == POINTS && !of_points.is_empty()) || (name == EVENTS && !of_events.is_empty())
            };
            damages.extend(sums.check_files(path, is_damaged).map_err(at)?);
        }
        damages.extend(of_points.into_iter().chain(of_events));
        let may_lack = WITHOUT_SPECIFICATION.contains(&manifest.tierbench.as_str());
        damages.extend(points.iter().find_map(|point| specification_fault(point, &specification, may_lack)));
        let profiled = points.extract_if(.., |point| point.purpose == Purpose::Profile).collect();
        let mut take = |series| points.extract_if(.., |point| point.kind.series() == series).collect();
        let [overload_steps, arrivals] = [Series::OverloadCycle, Series::Arrivals].map(&mut take);
        Ok(Self { manifest, points, profiled, overload_steps, arrivals, folder: path.into(), damages })
    }

    /// The names of all configurations, some of them several times.
    pub fn configurations(&self) -> impl Iterator<Item = &str> {
        let records = self.manifest.configurations.iter().map(|record| record.name.as_str());
        let points =
            [&self.points, &self.profiled, &self.overload_steps, &self.arrivals].into_iter().flatten();
        records.chain(points.map(|point| point.configuration.as_str()))
    }

    /// The variants of partial stacks.
    pub fn partial(&self) -> impl Iterator<Item = (&str, &Partial)> {
        let records = self.manifest.configurations.iter();
        records.filter_map(|record| Some((record.name.as_str(), record.partial.as_ref()?)))
    }

    /// The same with other names of configurations, for people to read.
    pub fn renamed(&self, name: impl Fn(&str) -> String) -> Self {
        let mut result = self.clone();
        let Self { manifest, points, profiled, overload_steps, arrivals, .. } = &mut result;
        let records = manifest.configurations.iter_mut().map(|record| &mut record.name);
        let points = [points, profiled, overload_steps, arrivals].into_iter().flatten();
        records.chain(points.map(|point| &mut point.configuration)).for_each(|known| *known = name(known));
        result
    }

    /// The same with some of its configurations only.
    pub fn only(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let mut result = self.clone();
        let Self { manifest, points, profiled, overload_steps, arrivals, .. } = &mut result;
        manifest.configurations.retain(|record| is_wanted(&record.name));
        for points in [points, profiled, overload_steps, arrivals] {
            points.retain(|point| is_wanted(&point.configuration));
        }
        result
    }

    /// The same with names that leave out what all configurations share, and what that is.
    pub fn with_short_names(&self) -> (Self, Names) {
        let names = Names::of(self.configurations()).marked(self.partial());
        (self.renamed(|name| names.short(name)), names)
    }

    /// An error if anything of it was damaged, or changed after it was written.
    pub fn expect_whole(&self) -> Result<(), FolderError> {
        match self.damages.is_empty() {
            true => Ok(()),
            false => Err(FolderError::Damaged { path: self.folder.clone(), damages: self.damages.clone() }),
        }
    }

    /// The SHA-256 of the list of sums, which names the result: each of its files changes it. None without the list.
    pub fn digest(&self) -> Option<String> {
        Some(sum_of(&read_bytes(&self.path(SUMS).ok()?, LONGEST_LIST).ok()?))
    }

    /// Samples of each second of the point with this [`Point::sequence`]; empty where there is no file of them.
    pub fn samples(&self, sequence: u32) -> Result<Vec<Sample>, FolderError> {
        let path = self.path(&samples_of(sequence))?;
        if path.exists() { lines::read(&path) } else { Ok(Vec::new()) }
    }

    /// The response times in the window of the point with this [`Point::sequence`]; none where nobody wrote them down.
    pub fn response_times(&self, sequence: u32) -> Result<Option<ResponseTimes>, FolderError> {
        let file = self.path(&latency_of(sequence))?;
        if !file.exists() {
            return Ok(None);
        }
        let log = self.content(&file)?;
        let times = ResponseTimes::read(&log);
        times.map(Some).map_err(|(line, fault)| FolderError::Malformed { file, line, fault })
    }

    /// CPU time, by component, of the profiled point with this [`Point::sequence`].
    pub fn profile(&self, sequence: u32) -> Result<Profile, FolderError> {
        let file = self.path(&format!("{}/{PROFILE}", profile_of(sequence)))?;
        let text = self.content(&file)?;
        serde_json::from_slice(&text).map_err(|fault| FolderError::Malformed {
            line: fault.line() as u64,
            file,
            fault: fault.to_string(),
        })
    }

    /// The sampled stacks of a tier of the profiled point with this [`Point::sequence`]; lines that are no stack are
    /// left out.
    pub fn stacks(&self, sequence: u32, tier: &TierProfile) -> Result<Stacks, FolderError> {
        let file = self.path(&format!("{}/{}", profile_of(sequence), tier.file))?;
        Ok(Stacks::read(&String::from_utf8_lossy(&self.content(&file)?)))
    }

    fn content(&self, file: &Path) -> Result<Vec<u8>, FolderError> {
        read_bytes(file, LONGEST_FILE).map_err(|error| classify(&self.folder, error))
    }

    fn path(&self, name: &str) -> Result<PathBuf, FolderError> {
        inside(&self.folder, name).map_err(|error| classify(&self.folder, error))
    }
}

/// A line about a point that is not of the specification with this digest; none if it is.
fn specification_fault(point: &Point, digest: &str, may_lack: bool) -> Option<String> {
    let fault = match &point.specification {
        Some(own) if own == digest => return None,
        None if may_lack => return None,
        Some(_) => "was measured by another specification than",
        None => "does not say that it was measured by the specification that",
    };
    Some(format!("{POINTS}: point {} {fault} {MANIFEST} holds in `spec`", point.sequence))
}

/// The manifest, and the digest of its specification.
fn read_manifest(folder: &Path) -> Result<(Manifest, String), FolderError> {
    let at = |error| classify(folder, error);
    let file = inside(folder, MANIFEST).map_err(at)?;
    if !file.exists() {
        return Err(FolderError::NoResult(folder.into()));
    }
    let text = settings::read_text(&file).map_err(at)?;
    let malformed = |fault: serde_json::Error| FolderError::Malformed {
        file: file.clone(),
        line: fault.line() as u64,
        fault: fault.to_string(),
    };
    let Version { schema_version: version, spec } = serde_json::from_str(&text).map_err(malformed)?;
    if version != SCHEMA_VERSION {
        return Err(FolderError::Schema { path: file, version });
    }
    Ok((serde_json::from_str(&text).map_err(malformed)?, digest(&spec)))
}

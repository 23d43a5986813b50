//! Reading a result folder: all that a report needs.

use crate::{
    Damage, FolderError, Manifest, Names, Point, Profile, Purpose, SCHEMA_VERSION, Sample, Stacks,
    TierProfile,
    chain::{self, End, Seal},
    error::classify,
    layout::{EVENTS, MANIFEST, POINTS, PROFILE, profile_of, samples_of},
    lines::{self, ReadChain},
};
use fs_err as fs;
use serde::{Deserialize, de::IgnoredAny};
use std::path::{Path, PathBuf};

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
    /// Points at which profilers were at work. They are no measurement, so they are kept apart.
    pub profiled: Vec<Point>,
    /// Steps of overload cycles, which are kept apart because their servers were not started anew: of each overload cycle all, in the order
    /// of time, each overload cycle of a configuration in turn.
    pub swept: Vec<Point>,
    /// Loads whose users arrived, which are kept apart because they have no steady state.
    pub arrived: Vec<Point>,
    /// Where it was read.
    pub folder: PathBuf,
    /// What was damaged, or changed after it was written. Lines that can't be read are left out.
    pub damages: Vec<Damage>,
}

impl ResultReader {
    /// Reads a folder, also one whose run goes on or was killed: a last line that has no end is left out.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let (manifest, seal) = read_manifest(&path.join(MANIFEST), path)?;
        let end = |file: &str| seal.as_ref().and_then(|(seal, _)| seal.files.get(file));
        let ReadChain { values: mut points, mut damages, is_numbered } =
            lines::read_chain::<Point>(&path.join(POINTS), end(POINTS))?;
        damages.extend(events_damages(path, end(EVENTS))?);
        let what = match &seal {
            Some((_, true)) => None,
            Some((_, false)) => Some("was changed after the run had ended"),
            None => (is_numbered && manifest.ending.is_some()).then_some("has lost its seal"),
        };
        damages.extend(what.map(|what| Damage { file: MANIFEST.into(), line: None, what: what.into() }));
        let mut take = |purpose| points.extract_if(.., |point| point.purpose == purpose).collect();
        let [profiled, swept, arrived] =
            [Purpose::Profile, Purpose::OverloadCycle, Purpose::Arrivals].map(&mut take);
        Ok(Self { manifest, points, profiled, swept, arrived, folder: path.into(), damages })
    }

    /// The names of all configurations, some of them several times.
    pub fn configurations(&self) -> impl Iterator<Item = &str> {
        let records = self.manifest.configurations.iter().map(|record| record.name.as_str());
        let points = [&self.points, &self.profiled, &self.swept, &self.arrived].into_iter().flatten();
        records.chain(points.map(|point| point.configuration.as_str()))
    }

    /// The same with other names of configurations, for people to read.
    pub fn renamed(&self, name: impl Fn(&str) -> String) -> Self {
        let mut result = self.clone();
        let Self { manifest, points, profiled, swept, arrived, .. } = &mut result;
        let records = manifest.configurations.iter_mut().map(|record| &mut record.name);
        let points = [points, profiled, swept, arrived].into_iter().flatten();
        records.chain(points.map(|point| &mut point.configuration)).for_each(|known| *known = name(known));
        result
    }

    /// The same with names that leave out what all configurations share, and what that is.
    pub fn with_short_names(&self) -> (Self, Names) {
        let names = Names::of(self.configurations());
        (self.renamed(|name| names.short(name)), names)
    }

    /// An error if anything of it was damaged, or changed after it was written.
    pub fn expect_whole(&self) -> Result<(), FolderError> {
        match self.damages.is_empty() {
            true => Ok(()),
            false => Err(FolderError::Damaged { path: self.folder.clone(), damages: self.damages.clone() }),
        }
    }

    /// What was seen second by second of the point with this [`Point::sequence`]; nothing where nobody wrote it down.
    pub fn samples(&self, sequence: u32) -> Result<Vec<Sample>, FolderError> {
        let path = self.folder.join(samples_of(sequence));
        if path.exists() { lines::read(&path) } else { Ok(Vec::new()) }
    }

    /// Where the CPU of the profiled point with this [`Point::sequence`] went.
    pub fn profile(&self, sequence: u32) -> Result<Profile, FolderError> {
        let file = self.folder.join(profile_of(sequence)).join(PROFILE);
        let text = fs::read(&file).map_err(|error| classify(&self.folder, error))?;
        serde_json::from_slice(&text).map_err(|fault| FolderError::Malformed {
            line: fault.line() as u64,
            file,
            fault: fault.to_string(),
        })
    }

    /// The sampled stacks of a tier of the profiled point with this [`Point::sequence`]; lines that are no stack are
    /// left out.
    pub fn stacks(&self, sequence: u32, tier: &TierProfile) -> Result<Stacks, FolderError> {
        let file = self.folder.join(profile_of(sequence)).join(&tier.file);
        let text = fs::read_to_string(&file).map_err(|error| classify(&self.folder, error))?;
        Ok(Stacks::read(&text))
    }
}

/// What is wrong with the events, which nobody else reads.
fn events_damages(path: &Path, end: Option<&End>) -> Result<Vec<Damage>, FolderError> {
    let file = path.join(EVENTS);
    if file.exists() {
        return Ok(lines::read_chain::<IgnoredAny>(&file, end)?.damages);
    }
    let what = "is missing".to_owned();
    let is_missed = end.is_some_and(|end| end.lines > 0);
    Ok(is_missed.then(|| Damage { file: EVENTS.into(), line: None, what }).into_iter().collect())
}

/// The manifest, and its seal with whether it holds, if it has one.
fn read_manifest(file: &Path, folder: &Path) -> Result<(Manifest, Option<(Seal, bool)>), FolderError> {
    if !file.exists() {
        return Err(FolderError::NoResult(folder.into()));
    }
    let text = settings::read_text(file).map_err(|error| classify(folder, error))?;
    let malformed = |fault: serde_json::Error| FolderError::Malformed {
        file: file.into(),
        line: fault.line() as u64,
        fault: fault.to_string(),
    };
    let Version { schema_version: version } = serde_json::from_str(&text).map_err(malformed)?;
    if version != SCHEMA_VERSION {
        return Err(FolderError::Schema { path: file.into(), version });
    }
    Ok((serde_json::from_str(&text).map_err(malformed)?, chain::seal_of(&text)))
}

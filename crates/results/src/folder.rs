//! Writing a result folder. What is written once is never changed, but for the manifest's ending, and nobody else
//! writes it meanwhile. Whoever is killed leaves a folder that can be read and resumed.

use crate::{
    Ending, EventRecord, FolderError, LatencyInterval, LoadPlan, Manifest, PlantedLoss, Point, Profile,
    ResultReader, SCHEMA_VERSION, Sample, Stacks, StoreTraffic, Verification,
    chain::seal,
    change::differences,
    error::classify,
    latency::latency_log,
    layout::{EVENTS, MANIFEST, POINTS, PROFILE, profile_of, samples_of},
    lines::{Lines, line},
};
use fs_err as fs;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A result folder that is being written. It is locked until it is dropped or its process ends: no two runs write one
/// folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    measured: Vec<Point>,
    /// Holds the lock.
    points: Lines,
    events: Lines,
    /// What of it an accident had damaged and was mended, each in a sentence.
    repairs: Vec<String>,
}

impl Folder {
    /// Makes the folder and writes its manifest.
    pub fn create(path: &Path, manifest: Manifest) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        fs::create_dir_all(path).map_err(at)?;
        let points = Lines::create(&path.join(POINTS)).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FolderError::Taken(path.into()),
            _ => at(error),
        })?;
        let begun = Self::begin(path, manifest, points);
        if begun.is_err() {
            // Without a manifest it is no result, and must not keep others from the folder.
            let _ = fs::remove_file(path.join(POINTS));
        }
        begun
    }

    fn begin(path: &Path, manifest: Manifest, points: Lines) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        if !points.lock().map_err(at)? {
            return Err(FolderError::Taken(path.into()));
        }
        let mut events = Lines::open(&path.join(EVENTS)).map_err(at)?;
        events.repair().map_err(at)?;
        let (measured, repairs) = (Vec::new(), Vec::new());
        let folder = Self { path: path.into(), manifest, measured, points, events, repairs };
        folder.write_manifest()?;
        Ok(folder)
    }

    /// Goes on with the folder of a run that ended early. `now` is what the manifest would be if the run began now: in
    /// all that matters to figures it must be the same.
    pub fn resume(path: &Path, now: &Manifest) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        if !path.join(MANIFEST).exists() {
            return Err(FolderError::NoResult(path.into()));
        }
        let mut points = Lines::open(&path.join(POINTS)).map_err(at)?;
        if !points.lock().map_err(at)? {
            return Err(FolderError::Running(path.into()));
        }
        let read = ResultReader::open(path)?;
        read.expect_whole()?;
        let manifest = read.manifest;
        let mut measured: Vec<Point> =
            read.points.into_iter().chain(read.profiled).chain(read.swept).chain(read.arrived).collect();
        measured.sort_by_key(|point| point.sequence);
        expect_resumable(path, &manifest, now)?;
        let mut events = Lines::open(&path.join(EVENTS)).map_err(at)?;
        let cut = [(POINTS, points.repair().map_err(at)?), (EVENTS, events.repair().map_err(at)?)];
        let repairs = cut.iter().filter(|(_, bytes)| *bytes > 0).map(|(file, bytes)| {
            format!("{file}: the last line had no end, because whoever wrote it was stopped; its {bytes} bytes were cut off")
        });
        let repairs = repairs.collect();
        if let LoadPlan::OverloadCycle(steps) = &manifest.spec.loads {
            // The servers that had borne the steps of half an overload cycle are gone: it begins again.
            let whole = measured.len() - measured.len() % steps.len().max(1);
            measured.truncate(whole);
            points.keep(whole).map_err(at)?;
        }
        let mut folder = Self { path: path.into(), manifest, measured, points, events, repairs };
        folder.manifest.ending = None;
        folder.manifest.resumed.push(now.started.clone());
        folder.write_manifest()?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What an accident had left half written and resuming has mended, each in a sentence.
    pub fn repairs(&self) -> &[String] {
        &self.repairs
    }

    /// What is written of the run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// All points so far, those from before an interruption too, in the order in which they were measured.
    pub fn points(&self) -> &[Point] {
        &self.measured
    }

    /// The [`Point::sequence`] of the point that is appended next.
    pub fn next_sequence(&self) -> u32 {
        self.measured.len() as u32 + 1
    }

    /// Appends a point; it is on the disk when this returns. Its samples and latencies should be there before: a point
    /// without its line is measured again, and then they are written again.
    pub fn append(&mut self, point: &Point) -> Result<(), FolderError> {
        let written = self.points.append(point).and_then(|()| self.points.sync());
        written.map_err(|error| classify(&self.path, error))?;
        self.measured.push(point.clone());
        Ok(())
    }

    /// Writes what was seen second by second of the point with this [`Point::sequence`].
    pub fn write_samples(&self, sequence: u32, samples: &[Sample]) -> Result<(), FolderError> {
        self.write(&samples_of(sequence), &samples.iter().flat_map(line).collect::<Vec<u8>>()).map(drop)
    }

    /// Writes the response times of the point with this [`Point::sequence`], whose load began at `started`.
    pub fn write_latency<'a>(
        &self,
        sequence: u32,
        started: SystemTime,
        intervals: impl IntoIterator<Item = LatencyInterval<'a>>,
    ) -> Result<(), FolderError> {
        self.write(&format!("latency/{sequence:04}.hlog"), &latency_log(started, intervals)).map(drop)
    }

    /// Writes where the CPU of the profiled point with this [`Point::sequence`] went. `stacks` are those of its tiers, in
    /// their order.
    pub fn write_profile(
        &self,
        sequence: u32,
        profile: &Profile,
        stacks: &[Stacks],
    ) -> Result<(), FolderError> {
        let folder = profile_of(sequence);
        for (tier, stacks) in profile.tiers.iter().zip(stacks) {
            self.write(&format!("{folder}/{}", tier.file), stacks.folded().as_bytes())?;
        }
        let text = serde_json::to_vec_pretty(profile).expect("a profile is plain data");
        self.write(&format!("{folder}/{PROFILE}"), &text).map(drop)
    }

    /// Appends something that was told.
    pub fn event(&mut self, event: &EventRecord) -> Result<(), FolderError> {
        self.events.append(event).map_err(|error| classify(&self.path, error))
    }

    /// Writes a file of the folder, such as `report.html`, all or nothing.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, FolderError> {
        let at = |error| classify(&self.path, error);
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at)?;
        }
        let draft = path.with_added_extension("part");
        write_to_disk(&draft, content).and_then(|()| fs::rename(&draft, &path)).map_err(|error| {
            // Half a draft is of no use, and on a full disk its room is.
            let _ = fs::remove_file(&draft);
            at(error)
        })?;
        Ok(path)
    }

    /// Records how a configuration's verification ended, and what its pages asked of the store, if that was traced.
    pub fn record_verification(
        &mut self,
        configuration: &str,
        verified: Verification,
        traffic: Option<&StoreTraffic>,
    ) -> Result<(), FolderError> {
        let mut records = self.manifest.configurations.iter_mut();
        if let Some(record) = records.find(|record| record.name == configuration) {
            (record.verified, record.traffic) = (verified, traffic.cloned());
        }
        self.write_manifest()
    }

    /// Records which row was deleted on purpose, and what saw it.
    pub fn record_planted_loss(&mut self, loss: PlantedLoss) -> Result<(), FolderError> {
        self.manifest.planted_loss = Some(loss);
        self.write_manifest()
    }

    /// Records how the command ended, and seals what was written: nothing is written afterwards.
    pub fn end(&mut self, ending: Ending) -> Result<(), FolderError> {
        self.manifest.ending = Some(ending);
        let files = [&self.points, &self.events].map(Lines::end).into();
        let text = seal(&self.manifest_text(), files);
        self.write(MANIFEST, text.as_bytes()).map(drop)
    }

    fn manifest_text(&self) -> String {
        serde_json::to_string_pretty(&self.manifest).expect("a manifest is plain data")
    }

    fn write_manifest(&self) -> Result<(), FolderError> {
        self.write(MANIFEST, self.manifest_text().as_bytes()).map(drop)
    }
}

fn expect_resumable(path: &Path, then: &Manifest, now: &Manifest) -> Result<(), FolderError> {
    if then.schema_version != SCHEMA_VERSION {
        return Err(FolderError::Schema { path: path.join(MANIFEST), version: then.schema_version });
    }
    if then.ending.as_ref().is_some_and(|ending| ending.complete) {
        return Err(FolderError::Complete(path.into()));
    }
    let differences = differences(then, now);
    if differences.is_empty() { Ok(()) } else { Err(FolderError::Changed { path: path.into(), differences }) }
}

fn write_to_disk(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(content)?;
    // Else a machine that loses its power may keep the new name with nothing in it.
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Component, EventKind, HostSample, Purpose, TierProfile,
        fixture::{manifest, manifest_with, point},
    };
    use std::{fs::OpenOptions, thread};

    /// A run of two points that ended in the middle of writing the third and of telling something.
    fn killed(path: &Path) {
        let mut folder = Folder::create(path, manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.append(&point(20)).unwrap();
        folder.event(&remark("begun")).unwrap();
        drop(folder);
        for (file, half) in [(POINTS, "{\"configuration\": \"Ws"), (EVENTS, "{\"at\"")] {
            let mut file = OpenOptions::new().append(true).open(path.join(file)).unwrap();
            file.write_all(half.as_bytes()).unwrap();
        }
    }

    fn remark(text: &str) -> EventRecord {
        let event = EventKind::Remark { configuration: "A".into(), text: text.into() };
        EventRecord { at: "2026-11-21T20:34:49.123Z".into(), event }
    }

    fn sample(at_s: f64) -> Sample {
        Sample { at_s, length_s: 1.0, host: HostSample::default(), hosts: Vec::new(), tiers: Vec::new() }
    }

    fn loads(path: &Path) -> Vec<u32> {
        ResultReader::open(path).unwrap().points.iter().map(|point| point.clients).collect()
    }

    #[test]
    fn what_was_written_is_read_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("result");
        let mut folder = Folder::create(&path, manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.write_samples(2, &[sample(1.0), sample(2.0)]).unwrap();
        assert_eq!(folder.next_sequence(), 2);
        folder.append(&point(20)).unwrap();
        folder.end(Ending { at: String::new(), complete: true, reason: None }).unwrap();
        let read = ResultReader::open(&path).unwrap();
        assert_eq!(loads(&path), [10, 20]);
        assert_eq!(read.points[0].failed(), 2);
        assert!(read.manifest.ending.as_ref().unwrap().complete);
        assert_eq!(read.samples(2).unwrap(), [sample(1.0), sample(2.0)]);
        assert_eq!(read.samples(1).unwrap(), []);
    }

    #[test]
    fn profiled_points_are_read_apart_and_resumed_in_their_place() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(place.path(), manifest()).unwrap();
        for (sequence, purpose) in [(1, Purpose::Listed), (2, Purpose::Profile), (3, Purpose::Listed)] {
            folder.append(&Point { sequence, purpose, ..point(10 * sequence) }).unwrap();
        }
        let stacks = Stacks::read("php-fpm8.2`main;libc.so.6`read 7\n");
        let components = vec![Component { name: "network".into(), frames: vec!["libc.so.6`read".into()] }];
        let tier = TierProfile {
            role: "app".into(),
            service: "php-fpm".into(),
            profiler: "perf".into(),
            file: "app-php-fpm.folded".into(),
            samples: stacks.samples(),
            shares: stacks.shares(&components),
            components,
        };
        let profile = Profile { tiers: vec![tier] };
        folder.write_profile(2, &profile, std::slice::from_ref(&stacks)).unwrap();
        drop(folder);
        let read = ResultReader::open(place.path()).unwrap();
        let clients = |points: &[Point]| points.iter().map(|point| point.clients).collect::<Vec<_>>();
        assert_eq!((clients(&read.points), clients(&read.profiled)), (vec![10, 30], vec![20]));
        assert_eq!(read.profile(2).unwrap(), profile);
        assert_eq!(read.stacks(2, &profile.tiers[0]).unwrap(), stacks);
        assert!(read.profile(1).is_err());
        let folder = Folder::resume(place.path(), &manifest()).unwrap();
        assert_eq!(clients(folder.points()), [10, 20, 30]);
        assert_eq!(folder.next_sequence(), 4);
    }

    #[test]
    fn a_sweep_that_was_interrupted_begins_again() {
        let place = tempfile::tempdir().unwrap();
        let plan = || manifest_with(LoadPlan::OverloadCycle(vec![10, 20, 10]));
        let steps = [10, 20, 10, 10, 20];
        let mut folder = Folder::create(place.path(), plan()).unwrap();
        for (index, clients) in steps.into_iter().enumerate() {
            let sequence = index as u32 + 1;
            folder.append(&Point { sequence, purpose: Purpose::OverloadCycle, ..point(clients) }).unwrap();
        }
        drop(folder);
        assert_eq!(ResultReader::open(place.path()).unwrap().swept.len(), 5, "what there is can be read");
        let mut folder = Folder::resume(place.path(), &plan()).unwrap();
        assert_eq!((folder.points().len(), folder.next_sequence()), (3, 4));
        folder.append(&Point { sequence: 4, purpose: Purpose::OverloadCycle, ..point(10) }).unwrap();
        let read = ResultReader::open(place.path()).unwrap();
        let sequences: Vec<u32> = read.swept.iter().map(|point| point.sequence).collect();
        assert_eq!((sequences, read.points.len()), (vec![1, 2, 3, 4], 0));
    }

    #[test]
    fn two_runs_never_write_one_folder() {
        let place = tempfile::tempdir().unwrap();
        let first = Folder::create(place.path(), manifest()).unwrap();
        assert!(matches!(Folder::create(place.path(), manifest()), Err(FolderError::Taken(_))));
        assert!(matches!(Folder::resume(place.path(), &manifest()), Err(FolderError::Running(_))));
        drop(first);
        let second = Folder::resume(place.path(), &manifest()).unwrap();
        assert!(matches!(Folder::resume(place.path(), &manifest()), Err(FolderError::Running(_))));
        drop(second);
    }

    #[test]
    fn of_many_who_resume_at_once_one_does() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        let resume = || Folder::resume(place.path(), &manifest()).ok();
        let resumed: Vec<Folder> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(resume)).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(resumed.len(), 1);
        assert_eq!(resumed[0].manifest().resumed.len(), 1);
    }

    #[test]
    fn a_folder_that_could_not_be_begun_is_free_for_the_next() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join(MANIFEST)).unwrap();
        assert!(Folder::create(place.path(), manifest()).is_err());
        fs::remove_dir(place.path().join(MANIFEST)).unwrap();
        Folder::create(place.path(), manifest()).unwrap();
    }

    #[test]
    fn half_a_line_is_cut_off_when_a_killed_run_is_resumed() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        assert_eq!(loads(place.path()), [10, 20]);
        let mut folder = Folder::resume(place.path(), &manifest()).unwrap();
        assert_eq!((folder.points().len(), folder.next_sequence()), (2, 3));
        folder.append(&point(30)).unwrap();
        folder.event(&remark("resumed")).unwrap();
        assert_eq!(loads(place.path()), [10, 20, 30]);
        let events: Vec<EventRecord> = crate::lines::read(&place.path().join(EVENTS)).unwrap();
        assert_eq!(events, [remark("begun"), remark("resumed")]);
        assert_eq!(folder.manifest().resumed, [manifest().started]);
    }

    #[test]
    fn wherever_a_writer_was_killed_all_whole_points_are_kept() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        let content = fs::read(place.path().join(POINTS)).unwrap();
        let ends: Vec<usize> = (0..content.len()).filter(|at| content[*at] == b'\n').collect();
        for length in (0..content.len()).step_by(7) {
            fs::write(place.path().join(POINTS), &content[..length]).unwrap();
            let kept = ends.iter().filter(|end| **end < length).count();
            let folder = Folder::resume(place.path(), &manifest()).unwrap();
            assert_eq!(folder.points().len(), kept, "cut after {length} bytes");
        }
    }

    #[test]
    fn what_is_complete_or_changed_is_not_resumed() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        let mut now = manifest();
        now.host.cores = 4;
        let refused = Folder::resume(place.path(), &now).unwrap_err().to_string();
        assert!(refused.contains("host.cores was 2 and is 4"), "{refused}");
        let mut folder = Folder::resume(place.path(), &manifest()).unwrap();
        folder.end(Ending { at: String::new(), complete: true, reason: None }).unwrap();
        drop(folder);
        assert!(matches!(Folder::resume(place.path(), &manifest()), Err(FolderError::Complete(_))));
        let elsewhere = place.path().join("elsewhere");
        assert!(matches!(Folder::resume(&elsewhere, &manifest()), Err(FolderError::NoResult(_))));
        assert!(!elsewhere.exists());
    }

    #[test]
    fn a_broken_line_is_named() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        OpenOptions::new().append(true).open(place.path().join(POINTS)).unwrap().write_all(b"\n").unwrap();
        let read = ResultReader::open(place.path()).unwrap();
        assert_eq!(read.points.len(), 2, "what can be read is");
        let error = read.expect_whole().unwrap_err().to_string();
        assert!(error.contains("points.jsonl, line 3: can't be read"), "{error}");
        let resumed = Folder::resume(place.path(), &manifest());
        assert!(matches!(resumed, Err(FolderError::Damaged { .. })), "{resumed:?}");
    }

    #[test]
    fn half_a_line_of_a_crash_is_mended_and_said() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        assert!(ResultReader::open(place.path()).unwrap().damages.is_empty(), "it is an accident");
        let mut folder = Folder::resume(place.path(), &manifest()).unwrap();
        assert_eq!(folder.repairs().len(), 2, "{:?}", folder.repairs());
        assert!(
            folder.repairs()[0].starts_with("points.jsonl: the last line had no end"),
            "{:?}",
            folder.repairs()
        );
        folder.append(&point(30)).unwrap();
        folder.end(Ending { at: String::new(), complete: true, reason: None }).unwrap();
        let read = ResultReader::open(place.path()).unwrap();
        assert_eq!((read.points.len(), read.damages), (3, Vec::new()));
    }

    #[test]
    fn a_run_that_is_resumed_after_its_end_is_sealed_anew() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(place.path(), manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.end(Ending { at: String::new(), complete: false, reason: Some("Ctrl-C".into()) }).unwrap();
        drop(folder);
        let whole = || ResultReader::open(place.path()).unwrap().damages.is_empty();
        assert!(whole());
        let mut folder = Folder::resume(place.path(), &manifest()).unwrap();
        assert!(whole(), "it goes on, so it has no seal");
        folder.append(&point(20)).unwrap();
        folder.end(Ending { at: String::new(), complete: true, reason: None }).unwrap();
        assert!(whole());
        let text = fs::read_to_string(place.path().join(MANIFEST)).unwrap();
        let (unsealed, _) = text.rsplit_once(",\n  \"seal\"").unwrap();
        fs::write(place.path().join(MANIFEST), format!("{unsealed}\n}}\n")).unwrap();
        let damages = ResultReader::open(place.path()).unwrap().damages;
        assert_eq!(damages[0].to_string(), "manifest.json: has lost its seal");
    }

    #[test]
    fn a_result_of_another_schema_is_refused_even_if_its_fields_changed() {
        let place = tempfile::tempdir().unwrap();
        for schema in [1, 99] {
            let text = format!("{{\"schema_version\": {schema}, \"verb\": 7}}");
            fs::write(place.path().join(MANIFEST), text).unwrap();
            let error = ResultReader::open(place.path()).unwrap_err();
            assert!(matches!(error, FolderError::Schema { version, .. } if version == schema), "{error}");
            let error = Folder::resume(place.path(), &manifest()).unwrap_err();
            assert!(matches!(error, FolderError::Schema { version, .. } if version == schema), "{error}");
        }
    }

    #[test]
    fn events_hold_no_terminal_codes() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(place.path(), manifest()).unwrap();
        folder.event(&remark("\u{1b}[31mred\u{1b}[0m")).unwrap();
        let text = fs::read_to_string(place.path().join(EVENTS)).unwrap();
        assert!(!text.contains('\u{1b}') && text.lines().count() == 1, "{text}");
    }
}

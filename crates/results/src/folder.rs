//! Writing a result folder. What is written once is never changed, but for the manifest's ending, and nobody else
//! writes it meanwhile. Whoever is killed leaves a folder that can be read and resumed.

use crate::{
    Ending, EventRecord, FolderError, LatencyInterval, Manifest, PlantedLoss, Point, Profile, ResultReader,
    SCHEMA_VERSION, Sample, Stacks, StoreTraffic, Verification,
    change::{differences, digest},
    error::{classify, has_unended_run},
    latency::latency_log,
    layout::{EVENTS, MANIFEST, POINTS, PROFILE, SUMS, latency_of, profile_of, samples_of},
    lines::{Lines, line},
    sums::{SumWriter, Sums, sum_of},
};
use fs_err as fs;
use settings::{replace, write_inside};
use std::{
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};
use workload::Series;

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
    sums: SumWriter,
    /// Repairs of damage by an accident, each in a sentence.
    repairs: Vec<String>,
}

impl Folder {
    /// Makes the folder and writes its manifest.
    pub fn create(path: &Path, manifest: Manifest) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        fs::create_dir_all(path).map_err(at)?;
        let create = |name| {
            Lines::create(path, name).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => taken(path),
                _ => at(error),
            })
        };
        let points = create(POINTS)?;
        // Without a manifest it is no result, and must not keep others from the folder.
        let give_back = |file: &str| drop(fs::remove_file(path.join(file)));
        let events = create(EVENTS).inspect_err(|_| give_back(POINTS))?;
        let begun = Self::begin(path, manifest, points, events);
        if begun.is_err() {
            [SUMS, EVENTS, POINTS].into_iter().for_each(give_back);
        }
        begun
    }

    fn begin(path: &Path, manifest: Manifest, points: Lines, events: Lines) -> Result<Self, FolderError> {
        let at = |error| classify(path, error);
        if !points.lock().map_err(at)? {
            return Err(taken(path));
        }
        let sums = SumWriter::begin(path, &Sums::default()).map_err(at)?;
        let (measured, repairs) = (Vec::new(), Vec::new());
        let mut folder = Self { path: path.into(), manifest, measured, points, events, sums, repairs };
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
        if !path.join(POINTS).exists() {
            ResultReader::open_whole(path)?;
        }
        let mut points = Lines::open(path, POINTS).map_err(at)?;
        if !points.lock().map_err(at)? {
            return Err(FolderError::Running(path.into()));
        }
        let (read, sums) = ResultReader::open_with_sums(path)?;
        read.expect_whole()?;
        let manifest = read.manifest;
        let mut measured: Vec<Point> = read
            .points
            .into_iter()
            .chain(read.profiled)
            .chain(read.overload_steps)
            .chain(read.arrivals)
            .collect();
        measured.sort_by_key(|point| point.sequence);
        expect_resumable(path, &manifest, now)?;
        let mut events = Lines::open(path, EVENTS).map_err(at)?;
        let mut repairs = Vec::new();
        for (name, file) in [(POINTS, &mut points), (EVENTS, &mut events)] {
            let bytes = file.keep(usize::MAX).map_err(at)?;
            if bytes > 0 {
                repairs.push(format!("{name}: the last line had no end, because whoever wrote it was stopped; its {bytes} bytes were cut off"));
            }
        }
        if manifest.spec.loads.series() == Series::OverloadCycle {
            // The servers that had borne the steps of half an overload cycle are gone: it begins again.
            let whole = measured.len() - measured.len() % manifest.spec.loads.kinds.len().max(1);
            measured.truncate(whole);
            points.keep(whole).map_err(at)?;
        }
        let mut sums = sums.unwrap_or_default();
        sums.reopen(path, [(POINTS, points.count()), (EVENTS, events.count())]).map_err(at)?;
        let sums = SumWriter::begin(path, &sums).map_err(at)?;
        let mut folder = Self { path: path.into(), manifest, measured, points, events, sums, repairs };
        folder.manifest.ending = None;
        folder.manifest.resumed.push(now.started.clone());
        folder.write_manifest()?;
        Ok(folder)
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Repairs of what an accident had left half written, each in a sentence.
    pub fn repairs(&self) -> &[String] {
        &self.repairs
    }

    /// Manifest as written so far.
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
        // Sums that reach the disk with this one must not lack their events there.
        let written = self.events.sync();
        let point = Point { specification: Some(digest(&self.manifest.spec)), ..point.clone() };
        let written = written.and_then(|()| self.points.append(&point, &mut self.sums, true));
        written.map_err(|error| classify(&self.path, error))?;
        self.measured.push(point);
        Ok(())
    }

    /// Writes what was seen second by second of the point with this [`Point::sequence`].
    pub fn write_samples(&mut self, sequence: u32, samples: &[Sample]) -> Result<(), FolderError> {
        self.write(&samples_of(sequence), &samples.iter().flat_map(line).collect::<Vec<u8>>())
    }

    /// Writes the response times of the point with this [`Point::sequence`], whose load began at `started`.
    pub fn write_latency<'a>(
        &mut self,
        sequence: u32,
        started: SystemTime,
        intervals: impl IntoIterator<Item = LatencyInterval<'a>>,
    ) -> Result<(), FolderError> {
        self.write(&latency_of(sequence), &latency_log(started, intervals))
    }

    /// Writes where the CPU of the profiled point with this [`Point::sequence`] went. `stacks` are those of its tiers, in
    /// their order.
    pub fn write_profile(
        &mut self,
        sequence: u32,
        profile: &Profile,
        stacks: &[Stacks],
    ) -> Result<(), FolderError> {
        let folder = profile_of(sequence);
        for (tier, stacks) in profile.tiers.iter().zip(stacks) {
            self.write(&format!("{folder}/{}", tier.file), stacks.folded().as_bytes())?;
        }
        let text = serde_json::to_vec_pretty(profile).expect("a profile is plain data");
        self.write(&format!("{folder}/{PROFILE}"), &text)
    }

    /// Appends something that was told.
    pub fn event(&mut self, event: &EventRecord) -> Result<(), FolderError> {
        self.events.append(event, &mut self.sums, false).map_err(|error| classify(&self.path, error))
    }

    /// Writes a file of the folder, all or nothing.
    pub fn write(&mut self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        let write = || write_inside(&self.path, name, content);
        let written = self.sums.cover(&sum_of(content), name, true, write);
        written.map_err(|error| classify(&self.path, error))
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

    /// Records how the command ended: nothing is written afterwards.
    pub fn end(&mut self, ending: Ending) -> Result<(), FolderError> {
        self.manifest.ending = Some(ending);
        self.sums.close().map_err(|error| classify(&self.path, error))?;
        self.write_manifest()?;
        // `sha256sum` takes every sum for one that counts.
        let shortened = Sums::read(&self.path).and_then(|list| {
            let (sums, _) = list.unwrap_or_default();
            self.sums = SumWriter::begin(&self.path, &sums)?;
            Ok(())
        });
        shortened.map_err(|error| classify(&self.path, error))
    }

    fn write_manifest(&mut self) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(&self.manifest).expect("a manifest is plain data");
        self.write(MANIFEST, text.as_bytes())
    }
}

/// Writes the page of a result, which is derived from its other files and therefore has no sum. Returns its path.
pub fn write_report(folder: &Path, html: &str) -> Result<PathBuf, FolderError> {
    let page = folder.join("report.html");
    replace(&page, html.as_bytes()).map_err(|error| match classify(folder, error) {
        // A run that goes on would not write the page now.
        FolderError::Full { path, .. } => FolderError::Full { path, can_resume: false },
        fault => fault,
    })?;
    Ok(page)
}

fn taken(path: &Path) -> FolderError {
    FolderError::Taken { path: path.into(), can_resume: has_unended_run(path) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Component, EventKind, HostSample, Loads, Purpose, TierProfile,
        fixture::{THINK_TIME, manifest, manifest_with, point, step},
    };
    use std::{os::unix::fs::symlink, process::Command, thread};

    /// A run of two points that was killed while it wrote the third.
    fn killed(path: &Path) {
        let mut folder = Folder::create(path, manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.append(&point(20)).unwrap();
        folder.event(&remark("begun")).unwrap();
        folder.append(&point(30)).unwrap();
        drop(folder);
        edit(&path.join(POINTS), |text| text[..text.len() - 40].to_owned());
    }

    fn edit(file: &Path, change: impl Fn(&str) -> String) {
        let text = fs::read_to_string(file).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed, "{}", file.display());
        fs::write(file, changed).unwrap();
    }

    fn damages(path: &Path) -> Vec<String> {
        ResultReader::open(path).unwrap().damages
    }

    fn complete() -> Ending {
        Ending { at: String::new(), complete: true, reason: None }
    }

    /// The result of a complete run of two points, with a file of each kind.
    fn ended(path: &Path) {
        let mut folder = Folder::create(path, manifest()).unwrap();
        for (sequence, clients) in [(1, 10), (2, 20)] {
            folder.event(&remark("begun")).unwrap();
            folder.write_samples(sequence, &[sample(1.0), sample(2.0)]).unwrap();
            folder.write("logs/A/web/error.log", format!("of {clients}").as_bytes()).unwrap();
            folder.append(&point(clients)).unwrap();
        }
        folder.end(complete()).unwrap();
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
    fn points_of_another_specification_are_told_although_somebody_has_sealed_the_manifest() {
        for (field, value) in [("window_s", 1.5), ("scale", 0.5), ("repetitions", 9.0)] {
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("result");
            running(&path);
            edit(&path.join(MANIFEST), |text| {
                let mut manifest: serde_json::Value = serde_json::from_str(text).unwrap();
                let is_whole = manifest["spec"][field].is_u64();
                manifest["spec"][field] = if is_whole { (value as u64).into() } else { value.into() };
                manifest.to_string()
            });
            seal(&path);
            let fault = Folder::resume(&path, &ResultReader::open(&path).unwrap().manifest).unwrap_err();
            assert!(fault.to_string().contains("point 1 was measured by another specification"), "{fault}");
        }
    }

    #[test]
    fn points_that_name_no_specification_are_told_unless_their_version_never_named_it() {
        for (version, is_told) in [("0.1.0", true), ("0.1.0 (6169ad90703a)", false)] {
            let place = tempfile::tempdir().unwrap();
            let written = Manifest { tierbench: version.into(), ..manifest() };
            Folder::create(place.path(), written).unwrap().append(&point(10)).unwrap();
            let points = place.path().join(POINTS);
            let text = fs::read(&points).unwrap();
            let mut stripped: serde_json::Value = serde_json::from_slice(&text).unwrap();
            stripped.as_object_mut().unwrap().remove("specification").unwrap();
            fs::write(&points, line(&stripped)).unwrap();
            edit(&place.path().join(SUMS), |text| {
                let others = text.lines().filter(|line| !line.ends_with("points.jsonl:1"));
                let own = format!("{}  {POINTS}:1", sum_of(&line(&stripped)));
                others.chain([own.as_str()]).map(|line| format!("{line}\n")).collect()
            });
            let told = "point 1 does not say that it was measured by the specification";
            let found = damages(place.path());
            assert_eq!(found.iter().any(|damage| damage.contains(told)), is_told, "{found:?}");
            assert_eq!(ResultReader::open_whole(place.path()).is_err(), is_told, "{version}");
        }
    }

    #[test]
    fn other_conditions_are_no_other_specification() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("result");
        running(&path);
        let mut manifest = ResultReader::open(&path).unwrap().manifest;
        manifest.spec.conditions.push("errors > 0".parse().unwrap());
        fs::write(path.join(MANIFEST), serde_json::to_vec(&manifest).unwrap()).unwrap();
        seal(&path);
        assert_eq!(damages(&path), [""; 0]);
    }

    /// A run of two points that goes on.
    fn running(path: &Path) {
        let mut folder = Folder::create(path, manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.append(&point(20)).unwrap();
    }

    /// Adds the sum of the manifest as it is now, which anybody can.
    fn seal(path: &Path) {
        let sum = sum_of(&fs::read(path.join(MANIFEST)).unwrap());
        let sums = fs::read_to_string(path.join(SUMS)).unwrap();
        fs::write(path.join(SUMS), format!("{sums}{sum}  {MANIFEST}\n")).unwrap();
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
        folder.end(complete()).unwrap();
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
        let plan = || manifest_with(Loads::overload_cycle(&[10, 20, 10], THINK_TIME));
        let steps = [10, 20, 10, 10, 20];
        let mut folder = Folder::create(place.path(), plan()).unwrap();
        for (index, clients) in steps.into_iter().enumerate() {
            let sequence = index as u32 + 1;
            folder.append(&Point { sequence, ..step(clients) }).unwrap();
        }
        drop(folder);
        assert_eq!(
            ResultReader::open(place.path()).unwrap().overload_steps.len(),
            5,
            "what there is can be read"
        );
        let mut folder = Folder::resume(place.path(), &plan()).unwrap();
        assert_eq!((folder.points().len(), folder.next_sequence()), (3, 4));
        folder.append(&Point { sequence: 4, ..step(10) }).unwrap();
        let read = ResultReader::open(place.path()).unwrap();
        let sequences: Vec<u32> = read.overload_steps.iter().map(|point| point.sequence).collect();
        assert_eq!((sequences, read.points.len()), (vec![1, 2, 3, 4], 0));
    }

    #[test]
    fn two_runs_never_write_one_folder() {
        let place = tempfile::tempdir().unwrap();
        let first = Folder::create(place.path(), manifest()).unwrap();
        assert!(matches!(Folder::create(place.path(), manifest()), Err(FolderError::Taken { .. })));
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
    fn going_on_is_advised_only_where_it_is_possible() {
        let place = tempfile::tempdir().unwrap();
        let [whole, part, begun] = ["whole", "part", "begun"].map(|name| place.path().join(name));
        ended(&whole);
        killed(&part);
        killed(&begun);
        fs::remove_file(begun.join(MANIFEST)).unwrap();
        for (path, is_advised) in [(&whole, false), (&part, true), (&begun, false)] {
            let taken = Folder::create(path, manifest()).unwrap_err().to_string();
            let full = classify(path, io::ErrorKind::StorageFull.into()).to_string();
            for text in [taken, full] {
                assert_eq!(text.contains("--resume"), is_advised, "{text}");
                assert!(text.contains("--out"), "{text}");
            }
        }
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
        let path = place.path();
        let of = |file: &str| fs::read(path.join(file)).unwrap();
        let mut folder = Folder::create(path, manifest()).unwrap();
        let mut kept = 0;
        while kept < 2 {
            let before = [SUMS, POINTS].map(of);
            folder.append(&point(10)).unwrap();
            let after = [SUMS, POINTS].map(of);
            let ends = [0, 1].map(|file| (before[file].len(), after[file].len()));
            // First the sum is written, then the line.
            let of_sum = (ends[0].0..ends[0].1).step_by(9).map(|end| (end, ends[1].0));
            let of_line = (ends[1].0..ends[1].1).step_by(57).map(|end| (ends[0].1, end));
            let copy = tempfile::tempdir().unwrap();
            for (sums, points) in of_sum.chain(of_line) {
                for (file, content) in [(MANIFEST, &of(MANIFEST)[..]), (EVENTS, &of(EVENTS))] {
                    fs::write(copy.path().join(file), content).unwrap();
                }
                fs::write(copy.path().join(SUMS), &after[0][..sums]).unwrap();
                fs::write(copy.path().join(POINTS), &after[1][..points]).unwrap();
                let mut folder = Folder::resume(copy.path(), &manifest()).unwrap();
                assert_eq!(folder.points().len(), kept, "cut after {sums} and {points} bytes");
                folder.append(&point(10)).unwrap();
                assert_eq!(damages(copy.path()), [""; 0]);
            }
            kept += 1;
        }
    }

    #[test]
    fn a_manifest_or_sample_that_was_not_written_after_its_sum_is_no_damage() {
        let place = tempfile::tempdir().unwrap();
        for name in [MANIFEST, "samples/0001.jsonl", "samples/0002.jsonl"] {
            let path = place.path().join(name);
            let mut folder = Folder::create(&path, manifest()).unwrap();
            folder.write_samples(1, &[sample(1.0)]).unwrap();
            folder.sums.cover(&sum_of(b"of the next"), name, false, || Ok(())).unwrap();
            drop(folder);
            assert_eq!(damages(&path), [""; 0], "{name}");
            let mut folder = Folder::resume(&path, &manifest()).unwrap();
            folder.end(complete()).unwrap();
            assert_eq!(damages(&path), [""; 0], "{name}");
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
        folder.end(complete()).unwrap();
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
        edit(&place.path().join(POINTS), |text| format!("{text}\n"));
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
        assert_eq!(damages(place.path()), [""; 0], "it is an accident");
        let mut folder = Folder::resume(place.path(), &manifest()).unwrap();
        let [repair] = folder.repairs() else { panic!("{:?}", folder.repairs()) };
        assert!(repair.starts_with("points.jsonl: the last line had no end"), "{repair}");
        folder.append(&point(30)).unwrap();
        folder.end(complete()).unwrap();
        let read = ResultReader::open(place.path()).unwrap();
        assert_eq!((read.points.len(), read.damages), (3, Vec::new()));
    }

    #[test]
    fn half_a_line_that_another_followed_is_damage() {
        let place = tempfile::tempdir().unwrap();
        killed(place.path());
        let sums = place.path().join(SUMS);
        edit(&sums, |text| format!("{text}{}  {EVENTS}:2\n", sum_of(b"")));
        assert_eq!(damages(place.path()), ["points.jsonl, line 3: has no end: the file was cut off here"]);
    }

    #[test]
    fn a_run_that_is_resumed_after_its_end_is_whole_at_each_moment() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(place.path(), manifest()).unwrap();
        folder.append(&point(10)).unwrap();
        folder.end(Ending { at: String::new(), complete: false, reason: Some("Ctrl-C".into()) }).unwrap();
        drop(folder);
        assert_eq!(damages(place.path()), [""; 0]);
        let mut folder = Folder::resume(place.path(), &manifest()).unwrap();
        assert_eq!(damages(place.path()), [""; 0]);
        folder.append(&point(20)).unwrap();
        folder.end(complete()).unwrap();
        assert_eq!(damages(place.path()), [""; 0]);
    }

    /// Also of a run that goes on or was killed: its specification decides what `--resume` measures.
    #[test]
    fn each_edit_of_a_result_is_seen_whether_its_run_has_ended_or_not() {
        let place = tempfile::tempdir().unwrap();
        for is_ended in [true, false] {
            let expect = |what: &str, change: &dyn Fn(&Path)| {
                let path = place.path().join(format!("{is_ended} {what}").replace('/', " "));
                if is_ended {
                    ended(&path);
                } else {
                    killed(&path);
                }
                assert_eq!(damages(&path), [""; 0]);
                change(&path);
                let found = damages(&path);
                assert!(found.iter().any(|damage| damage == what), "{what}: {found:?}");
                assert!(Folder::resume(&path, &manifest()).is_err(), "{what}");
            };
            expect("manifest.json: was changed after it was written", &|path| {
                edit(&path.join(MANIFEST), |text| text.replace("\"seed\": 1", "\"seed\": 2"));
            });
            expect("points.jsonl, line 1: was changed after it was written", &|path| {
                edit(&path.join(POINTS), |text| text.replacen("\"throughput\":10", "\"throughput\":90", 1));
            });
            expect("events.jsonl, line 1: was changed after it was written", &|path| {
                edit(&path.join(EVENTS), |text| text.replacen("begun", "gone", 1));
            });
            expect("events.jsonl: is missing", &|path| fs::remove_file(path.join(EVENTS)).unwrap());
            expect("points.jsonl: is missing", &|path| fs::remove_file(path.join(POINTS)).unwrap());
            expect("SHA256SUMS: is missing", &|path| fs::remove_file(path.join(SUMS)).unwrap());
            expect("manifest.json: has no sum in SHA256SUMS", &|path| {
                let is_other = |line: &&str| !line.ends_with(MANIFEST);
                edit(&path.join(SUMS), |text| {
                    text.lines().filter(is_other).map(|line| format!("{line}\n")).collect()
                });
            });
            expect("points.jsonl, line 2: has no sum in SHA256SUMS", &|path| {
                let is_other = |line: &&str| !line.ends_with("points.jsonl:2");
                edit(&path.join(SUMS), |text| {
                    text.lines().filter(is_other).map(|line| format!("{line}\n")).collect()
                });
            });
            expect("latency/0001.hlog: has no sum in SHA256SUMS", &|path| {
                fs::create_dir(path.join("latency")).unwrap();
                fs::write(path.join("latency/0001.hlog"), "").unwrap();
            });
        }
        let path = place.path().join("samples");
        ended(&path);
        edit(&path.join("samples/0002.jsonl"), |text| text.replacen("2.0", "3.0", 1));
        fs::remove_file(path.join("samples/0001.jsonl")).unwrap();
        fs::remove_file(path.join("logs/A/web/error.log")).unwrap();
        symlink("/etc/hostname", path.join("logs/A/web/error.log")).unwrap();
        let mut found = damages(&path);
        found.sort();
        assert_eq!(
            found,
            [
                "logs/A/web/error.log: is no plain file, and is not read",
                "samples/0001.jsonl: is missing",
                "samples/0002.jsonl: was changed after it was written",
            ]
        );
    }

    #[test]
    fn a_file_longer_than_any_that_a_run_writes_is_damage_and_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        for name in [POINTS, EVENTS, "samples/0001.jsonl", "logs/A/web/error.log"] {
            let path = place.path().join(name.replace('/', " "));
            ended(&path);
            let file = fs::OpenOptions::new().write(true).open(path.join(name)).unwrap();
            file.set_len(8 << 30).unwrap();
            assert_eq!(damages(&path), [format!("{name}: is longer than 1024 MiB, the limit of a file")]);
            let samples = ResultReader::open(&path).unwrap().samples(1);
            assert_eq!(samples.is_err(), name.starts_with("samples"), "{name}");
        }
    }

    #[test]
    fn damages_without_end_are_not_all_told() {
        let place = tempfile::tempdir().unwrap();
        ended(place.path());
        edit(&place.path().join(EVENTS), |text| format!("{text}{}", "\n".repeat(5000)));
        assert_eq!(damages(place.path()).len(), 1000);
    }

    #[test]
    fn sha256sum_knows_the_list_of_a_run_that_has_ended() {
        let place = tempfile::tempdir().unwrap();
        ended(place.path());
        let check = || {
            let words = ["--check", "--ignore-missing", "--strict", SUMS];
            let output = Command::new("sha256sum").args(words).current_dir(place.path()).output().unwrap();
            (output.status.success(), String::from_utf8(output.stdout).unwrap())
        };
        let (is_whole, said) = check();
        assert!(is_whole, "{said}");
        for file in [MANIFEST, POINTS, EVENTS, "samples/0002.jsonl", "logs/A/web/error.log"] {
            assert_eq!(said.matches(&format!("{file}: OK")).count(), 1, "{said}");
        }
        edit(&place.path().join(EVENTS), |text| text.replacen("begun", "gone", 1));
        assert!(!check().0);
    }

    #[test]
    fn nothing_is_read_or_written_through_a_link() {
        let place = tempfile::tempdir().unwrap();
        let (path, other) = (place.path().join("result"), place.path().join("other"));
        ended(&path);
        fs::write(&other, "mine").unwrap();
        for name in ["report.html", "report.html.part"] {
            symlink(&other, path.join(name)).unwrap();
            assert_eq!(write_report(&path, "page").unwrap(), path.join("report.html"));
            assert_eq!(fs::read_to_string(path.join("report.html")).unwrap(), "page");
            assert_eq!(fs::read_to_string(&other).unwrap(), "mine", "{name}");
            assert!(path.join("report.html").symlink_metadata().unwrap().is_file());
        }
        let samples = path.join("samples");
        fs::rename(&samples, place.path().join("elsewhere")).unwrap();
        symlink(place.path().join("elsewhere"), &samples).unwrap();
        let read = ResultReader::open(&path).unwrap();
        assert!(read.samples(1).unwrap_err().to_string().contains("is not followed"));
        assert!(
            read.damages.contains(&"samples: is no plain file, and is not read".to_owned()),
            "{:?}",
            read.damages
        );
        let tier = TierProfile { file: "../../../other".into(), ..TierProfile::default() };
        assert!(read.stacks(1, &tier).unwrap_err().to_string().contains("is no file of "));
        fs::rename(path.join(POINTS), &other).unwrap();
        symlink(&other, path.join(POINTS)).unwrap();
        assert!(ResultReader::open(&path).is_err());
    }

    #[test]
    fn who_reads_while_another_writes_sees_no_damage() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(place.path(), manifest()).unwrap();
        thread::scope(|scope| {
            let writing = scope.spawn(|| {
                for sequence in 1..=30 {
                    folder.event(&remark("begun")).unwrap();
                    folder.write_samples(sequence, &[sample(1.0)]).unwrap();
                    folder.append(&point(sequence)).unwrap();
                }
                folder.end(complete()).unwrap();
            });
            while !writing.is_finished() {
                assert_eq!(damages(place.path()), [""; 0]);
            }
            writing.join().unwrap();
        });
        assert_eq!((loads(place.path()).len(), damages(place.path())), (30, Vec::new()));
    }

    #[test]
    fn a_result_of_another_schema_is_refused_even_if_its_fields_changed() {
        let place = tempfile::tempdir().unwrap();
        for schema in [0, 99] {
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

//! The loop: for each configuration build and verify; then, interleaved, point after point until all peaks are passed.

use crate::{
    Bench, Chosen, Event, LabError, audit,
    clock::rfc3339,
    point::{Identity, Measured, TierUsage, point, tier_figures},
};
use engine::{Load, Outcome, Progress};
use results::{Audit, ConfigurationRecord, Folder, HostFigures, Point, Purpose};
use stack::Site;
use stats::PeakSearch;
use std::{
    collections::VecDeque,
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};
use testbed::{Preferred, Scratch};
use verify::Depth;

/// How long everything takes.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Mean think time of the clients.
    pub think_time: Duration,
    /// Mean length of their sessions.
    pub session_length: Duration,
    /// How long a point runs before it counts.
    pub ramp: Duration,
    /// How long it counts.
    pub window: Duration,
    /// Factor on all lengths of time that services know of their clients.
    pub time_scale: f64,
}

/// At which loads to measure.
#[derive(Debug, Clone)]
pub enum Loads {
    /// At these, in this order.
    These(Vec<u32>),
    /// From the first upwards until the peak is passed, with no more clients than the second.
    ToThePeak(u32, u32),
}

/// Everything an experiment needs to know.
pub struct Experiment<'a> {
    /// What all sites have in common.
    pub bench: Bench<'a>,
    /// What is compared.
    pub chosen: &'a [Chosen],
    /// How long everything takes.
    pub timing: Timing,
    /// At which loads to measure.
    pub loads: Loads,
    /// How often each load is measured.
    pub repetitions: u32,
    /// How many requests verification walks; none leaves verification out.
    pub verify_requests: Option<usize>,
}

/// A configuration with what is known of its peak.
struct Contender<'a> {
    chosen: &'a Chosen,
    site: Site<'a>,
    plan: Plan,
}

impl Contender<'_> {
    /// Takes in the points of a round, and tells when no more are needed.
    fn learn(&mut self, points: &[Point], emit: &mut dyn FnMut(Event<'_>)) {
        let Some(clients) = self.plan.next() else { return };
        self.plan.record(clients, points);
        if let (Plan::Search(search), None) = (&self.plan, self.plan.next()) {
            let (configuration, passed) = (self.chosen.configuration.name.as_str(), search.passed());
            emit(Event::Passed { configuration, peak: search.peak(), passed });
        }
    }
}

/// How often a search measures a load again that brought no VALID point: a busy moment of the machine, which shows as
/// lateness, should not decide how far a configuration goes.
const SECOND_CHANCES: u32 = 1;

/// Which loads are still to be measured.
enum Plan {
    These(VecDeque<u32>),
    Search(PeakSearch),
}

impl Plan {
    fn new(loads: &Loads) -> Self {
        match loads {
            Loads::These(list) => Self::These(list.iter().copied().collect()),
            Loads::ToThePeak(first, most) => Self::Search(PeakSearch::new(*first, *most)),
        }
    }

    fn next(&self) -> Option<u32> {
        match self {
            Self::These(list) => list.front().copied(),
            Self::Search(search) => search.next(),
        }
    }

    /// Whether a load none of whose points is VALID should be measured again. Loads that somebody has listed are
    /// measured as often as was said.
    fn wants_second_chance(&self, points: &[Point]) -> bool {
        matches!(self, Self::Search(_)) && !points.iter().any(|point| point.verdict.valid)
    }

    /// Takes in all points at one load. Only VALID ones count; without any, the load is INVALID.
    fn record(&mut self, clients: u32, points: &[Point]) {
        match self {
            Self::These(list) => drop(list.pop_front()),
            Self::Search(search) => {
                let valid = points.iter().filter(|point| point.verdict.valid).map(|point| point.throughput);
                let valid: Vec<f64> = valid.collect();
                let mean = valid.iter().sum::<f64>() / valid.len().max(1) as f64;
                search.record(clients, mean, !valid.is_empty());
            }
        }
    }
}

/// Runs an experiment. Each point is in the folder as soon as it is judged.
pub fn run(
    experiment: &Experiment<'_>,
    folder: &mut Folder,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<(), LabError> {
    let result = experiment.run(folder, emit);
    // Once somebody has asked for the end, whatever fails fails because of it.
    experiment.bench.check_stop().and(result)
}

impl Experiment<'_> {
    fn run(&self, folder: &mut Folder, emit: &mut dyn FnMut(Event<'_>)) -> Result<(), LabError> {
        let scratch = self.bench.scratch(self.chosen.len())?;
        let mut contenders = Vec::new();
        for chosen in self.chosen {
            let (site, verified) = self.prepare(chosen, &scratch, emit)?;
            folder.record_verification(&chosen.configuration.name, verified)?;
            contenders.push(Contender { chosen, site, plan: Plan::new(&self.loads) });
        }
        self.measure_all(&mut contenders, folder, emit)
    }

    /// Verifies a configuration, and brings the data that it is measured with.
    fn prepare(
        &self,
        chosen: &Chosen,
        scratch: &Scratch,
        emit: &mut dyn FnMut(Event<'_>),
    ) -> Result<(Site<'_>, &'static str), LabError> {
        let verified = match self.verify_requests {
            None => "left out with --unverified",
            Some(requests) => {
                self.verify(chosen, requests, scratch, emit)?;
                "passed"
            }
        };
        Ok((self.bench.site(chosen, scratch, None, emit)?, verified))
    }

    /// Holds a configuration against the model on a small site of its own: the model has its rows in memory.
    fn verify(
        &self,
        chosen: &Chosen,
        requests: usize,
        scratch: &Scratch,
        emit: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), LabError> {
        let mut site = self.bench.small_site(chosen, scratch, emit)?;
        let record = self.bench.records.record(chosen);
        let proof = self.bench.verify(chosen, &mut site, Depth::Walk { requests }, record.as_ref(), emit)?;
        emit(Event::Verified { configuration: &chosen.configuration.name, proof: &proof });
        Ok(())
    }

    /// Round after round, each configuration at its next load, until none has a next one.
    fn measure_all(
        &self,
        contenders: &mut [Contender<'_>],
        folder: &mut Folder,
        emit: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), LabError> {
        while contenders.iter().any(|contender| contender.plan.next().is_some()) {
            let mut points: Vec<Vec<Point>> = vec![Vec::new(); contenders.len()];
            for repetition in 1..=self.repetitions + SECOND_CHANCES {
                for (contender, points) in contenders.iter_mut().zip(&mut points) {
                    let Some(clients) = contender.plan.next() else { continue };
                    if repetition > self.repetitions && !contender.plan.wants_second_chance(points) {
                        continue;
                    }
                    let point = self.measure(contender, clients, repetition, folder, emit)?;
                    folder.append(&point)?;
                    emit(Event::Measured(&point));
                    points.push(point);
                }
            }
            for (contender, points) in contenders.iter_mut().zip(&points) {
                contender.learn(points, emit);
            }
        }
        Ok(())
    }

    /// One point, from the same start as every other.
    fn measure(
        &self,
        contender: &mut Contender<'_>,
        clients: u32,
        repetition: u32,
        folder: &mut Folder,
        emit: &mut dyn FnMut(Event<'_>),
    ) -> Result<Point, LabError> {
        let name = contender.chosen.configuration.name.clone();
        self.bench.check_stop()?;
        emit(Event::Step { configuration: &name, step: "putting everything back to its first state" });
        contender.site.start_fresh().map_err(|fault| self.bench.site_error(contender.chosen, fault))?;
        let load = Load {
            clients,
            think_time: self.timing.think_time,
            session_length: self.timing.session_length,
            ramp: self.timing.ramp,
            warm_requests: 0.0,
            longest_ramp: self.timing.ramp,
            window: self.timing.window,
            timeout: Load::TIMEOUT,
            seed: self.seed_of(clients, repetition),
        };
        let started = rfc3339();
        let driven = self.drive(&contender.site, &load, &name, emit);
        let audited = driven.and_then(|(outcome, tiers)| {
            let audit = self.audit(&contender.site, &outcome, &name, folder, emit)?;
            Ok((outcome, tiers, audit))
        });
        self.keep_logs(&contender.site, &name, folder)?;
        contender.site.stop();
        let (outcome, tiers, audit) = audited?;
        let stack = contender.chosen.stack.name.as_str();
        let (sequence, seed) = (folder.next_sequence(), load.seed);
        let purpose = match self.loads {
            Loads::These(_) => Purpose::Listed,
            Loads::ToThePeak(..) => Purpose::Search,
        };
        let identity = Identity { configuration: &name, stack, repetition, sequence, purpose, seed, started };
        let window_s = outcome.window.as_secs_f64();
        let measured = Measured {
            catalogue: &self.bench.catalogue,
            mix: &self.bench.mix,
            timing: &self.timing,
            outcome: &outcome,
            tiers: tiers.into_iter().map(|tier| tier_figures(tier, window_s)).collect(),
            host: HostFigures::default(),
            sampler_cpu: 0.0,
            audit,
        };
        Ok(point(identity, measured))
    }

    /// Puts the load on while watching that all services live, and takes what they use in the window.
    fn drive(
        &self,
        site: &Site<'_>,
        load: &Load,
        name: &str,
        emit: &mut dyn FnMut(Event<'_>),
    ) -> Result<(Outcome, Vec<TierUsage>), LabError> {
        let entry = site.entry();
        let length_s = (load.ramp + load.window).as_secs_f64();
        emit(Event::Step {
            configuration: name,
            step: &format!("{} clients for {length_s} s", load.clients),
        });
        let halt = AtomicBool::new(false);
        let (driven, tiers) = std::thread::scope(|scope| {
            let (over, is_over) = mpsc::channel();
            let (bench, halt) = (&self.bench, &halt);
            let watcher = scope.spawn(move || watch(site, load, bench, halt, &is_over));
            let mut progress = |progress: Progress| {
                emit(Event::Driving {
                    configuration: name,
                    clients: load.clients,
                    length_s,
                    progress: &progress,
                });
            };
            let _preferred = Preferred::this_thread();
            let driven = bench.with_users(&site.scenario(), |users| {
                engine::drive(entry, &entry.to_string(), users, load, halt, &mut progress)
            });
            drop(over);
            (driven, watcher.join().expect("the watcher does not panic"))
        });
        self.bench.check_stop()?;
        let configuration = || name.to_owned();
        site.check_alive().map_err(|fault| LabError::Died {
            configuration: configuration(),
            clients: load.clients,
            fault,
        })?;
        let outcome = driven.map_err(|fault| LabError::Engine { configuration: configuration(), fault })?;
        Ok((outcome, tiers))
    }

    /// Looks into the data that a load has left. The first audit of a result is made once more after a row was deleted
    /// on purpose, to show that it would see a loss; the data are put back before the next point anyway.
    fn audit(
        &self,
        site: &Site<'_>,
        outcome: &Outcome,
        name: &str,
        folder: &mut Folder,
        emit: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<Audit>, LabError> {
        self.bench.check_stop()?;
        emit(Event::Step { configuration: name, step: "auditing what has changed" });
        let Some(audited) = audit::audit(&self.bench, site, outcome) else { return Ok(None) };
        let audited = audited.map_err(|fault| self.bench.service_error(name, fault))?;
        if folder.manifest().planted_loss.is_none() {
            emit(Event::Step {
                configuration: name,
                step: "deleting a row, to see whether the audit sees it",
            });
            let loss = audit::plant_loss(&self.bench, name, site, outcome, &audited)?;
            loss.map_or(Ok(()), |loss| folder.record_planted_loss(loss))?;
        }
        Ok(Some(audited.audit))
    }

    /// The logs of the latest point of a configuration stay in the result.
    fn keep_logs(&self, site: &Site<'_>, name: &str, folder: &Folder) -> Result<(), LabError> {
        for (path, text) in site.logs() {
            let path = Path::new("logs").join(name).join(path);
            folder.write(&path.to_string_lossy(), &text)?;
        }
        Ok(())
    }

    /// All configurations meet the same users at the same load and repetition.
    fn seed_of(&self, clients: u32, repetition: u32) -> u64 {
        self.bench.scenario.seed ^ (u64::from(clients) << 32) ^ (u64::from(repetition) << 16)
    }
}

/// How often it is looked whether the load should end early.
const LOOK: Duration = Duration::from_millis(50);

/// Takes what each tier uses between the window's two ends. Meanwhile sets `halt` as soon as a service has ended or
/// somebody has asked for the end. Returns when the load is over.
fn watch(
    site: &Site<'_>,
    load: &Load,
    bench: &Bench<'_>,
    halt: &AtomicBool,
    over: &mpsc::Receiver<()>,
) -> Vec<TierUsage> {
    let start = Instant::now();
    let mut samples = Vec::new();
    let mut instants = [load.ramp, load.ramp + load.window].into_iter().peekable();
    loop {
        let next = instants.peek().map_or(LOOK, |instant| instant.saturating_sub(start.elapsed()).min(LOOK));
        if over.recv_timeout(next) == Err(mpsc::RecvTimeoutError::Disconnected) {
            break;
        }
        if instants.next_if(|instant| start.elapsed() >= *instant).is_some() {
            samples.push(site.usage());
        }
        if bench.check_stop().is_err() || site.check_alive().is_err() {
            halt.store(true, Ordering::Relaxed);
        }
    }
    let mut samples = samples.into_iter();
    let (Some(first), last) = (samples.next(), samples.next()) else { return Vec::new() };
    let last = last.unwrap_or_else(|| site.usage());
    let used =
        last.into_iter().zip(first).map(|((role, service, end), (_, _, begin))| (role, service, end - begin));
    used.collect()
}

/// What a result records of a configuration before anything is known of it.
pub fn describe(chosen: &Chosen) -> ConfigurationRecord {
    let tiers = &chosen.configuration.tiers;
    let own = (&chosen.stack.name, &chosen.configuration.factors);
    let all = std::iter::once(own).chain(tiers.iter().map(|tier| (&tier.service.name, &tier.factors)));
    let factors = all.flat_map(|(of, factors)| {
        factors.iter().map(move |(factor, value)| (format!("{of}.{factor}"), value.clone()))
    });
    let services = tiers.iter().map(|tier| results::ServiceRecord {
        role: tier.role.clone(),
        service: tier.service.name.clone(),
        version: tier.service.version().unwrap_or_else(|| "unknown".to_owned()),
    });
    ConfigurationRecord {
        name: chosen.configuration.name.clone(),
        stack: chosen.stack.name.clone(),
        summary: chosen.configuration.summary.clone(),
        content: String::new(),
        code: Vec::new(),
        work: chosen.configuration.work.to_string(),
        verified: "not yet".to_owned(),
        factors: factors.collect(),
        services: services.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use results::{HostFigures, Times, Verdict};

    fn point(throughput: f64, valid: bool) -> Point {
        Point {
            configuration: String::new(),
            stack: String::new(),
            clients: 50,
            repetition: 1,
            sequence: 1,
            purpose: Purpose::Search,
            seed: 1,
            started: String::new(),
            warm_s: 1.0,
            window_s: 10.0,
            throughput,
            throughput_half_width: None,
            response: Times::default(),
            quantiles: Vec::new(),
            service: Times::default(),
            completed: 1,
            refused: 0,
            errors: [].into(),
            backs: 0,
            fallbacks: 0,
            reconnects: 0,
            bytes_received: 0,
            interactions: Vec::new(),
            tiers: Vec::new(),
            host: HostFigures::default(),
            sampler_cpu: 0.0,
            generator_cpu: 0.0,
            lateness_p99_ms: 0.0,
            timeline: Vec::new(),
            audit: None,
            verdict: Verdict { valid, checks: Vec::new() },
        }
    }

    #[test]
    fn a_search_measures_a_load_again_until_one_point_is_valid() {
        let mut plan = Plan::new(&Loads::ToThePeak(50, 100));
        assert!(plan.wants_second_chance(&[point(9.0, false)]));
        assert!(!plan.wants_second_chance(&[point(9.0, false), point(20.0, true)]));
        plan.record(50, &[point(9.0, false), point(20.0, true)]);
        let Plan::Search(search) = &plan else { panic!("a search stays one") };
        assert_eq!(search.peak(), Some((50, 20.0)));
    }

    #[test]
    fn a_load_without_a_valid_point_is_no_peak() {
        let mut plan = Plan::new(&Loads::ToThePeak(50, 100));
        plan.record(50, &[point(9.0, false), point(9.5, false)]);
        let Plan::Search(search) = &plan else { panic!("a search stays one") };
        assert_eq!(search.peak(), None);
    }

    #[test]
    fn listed_loads_are_measured_in_their_order_and_never_again() {
        let mut plan = Plan::new(&Loads::These(vec![20, 10]));
        assert!(!plan.wants_second_chance(&[point(9.0, false)]));
        assert_eq!(plan.next(), Some(20));
        plan.record(20, &[point(9.0, false)]);
        assert_eq!(plan.next(), Some(10));
        plan.record(10, &[point(9.0, true)]);
        assert_eq!(plan.next(), None);
    }
}

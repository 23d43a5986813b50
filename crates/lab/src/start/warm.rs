//! Warms the servers of a point: a load of its own, before the point's.
//!
//! Freshly started servers compile, fill caches and open connections; with the few requests of a light load, a JVM would
//! do so for minutes. So a full load comes first, by the same users with the same mix but without think times, until
//! there is evidence that an interaction costs what it will cost (see [`stats::Warming`]). Then the point's own ramp
//! begins. What is cold to its users all the same, they wait for in their ramp: see [`crate::start::window_control`].
//!
//! Writes of these users would make the database of a fast stack larger than that of a slow one. So the audit holds them
//! to it, and then the data are restored while all servers but the store go on running. The store starts anew, with
//! the same files for everybody and, because all of them are read once, the same caches.
//!
//! If experiments that differ in their mix share a start, the clients of each mix warm the servers, one mix after the
//! other, and each until there is evidence for it. What the first mix has compiled, the next one finds warm. So each has its
//! own figures and its own knee, and the code of all of them is compiled before any of them is measured. Only then the data
//! are restored, once.

use crate::{
    error::LabError,
    events::Events,
    plan::Timing,
    start::{
        Experiment, RunContext,
        point_run::PointRun,
        server_faults::{has_server_fault, logs_of, remark},
        start_up::StartUpRecorder,
        system::{CpuMeter, System},
        warm_state::{WarmState, second},
    },
    workspace::Variant,
};
use engine::{Directive, Load, LoadKind, Outcome, Phase, Progress, WriteFates};
use results::{EventKind, Restore, WarmUp, WarmUpEnd};
use stack::TiersUse;
use stats::Warming;
use std::{
    collections::{BTreeMap, VecDeque},
    time::{Duration, Instant},
};
use testbed::LiftedLimits;
use workload::Length;

/// The longest warm-up of a smoke run.
const MOST_OF_A_SMOKE: Duration = Duration::from_secs(1);
/// Clients that keep one processor busy although each waits for its answers, and overload no pool.
const CLIENTS_PER_CORE: u32 = 8;
/// The last seconds, from which demands are computed.
const LAST: usize = 5;
/// The time of a page of a busy site, about. Sessions are shortened by it as think times are, so that users log
/// in as often among their requests as ever.
const PAGE: Duration = Duration::from_millis(20);

/// Warms the servers of a site that has been started fresh with the mix of each experiment that shares them, and restores the
/// data. With its quota alone, a JVM on a host of a testbed would take many minutes, and with all of its host's core it was
/// not warm after two and a half: of Tomcat, an interaction cost a quarter less CPU three minutes later.
pub(crate) fn warm(
    experiments: &[&Experiment<'_>],
    variant: &Variant,
    site: &mut System<'_>,
    seed: u64,
    events: &mut dyn Events,
) -> Result<WarmState, LabError> {
    let context = experiments[0].context;
    let configuration = variant.configuration.name.as_str();
    let lifted = context.hosts.lift_all(configuration)?;
    let mut start_up = StartUpRecorder::begin(context, variant, site);
    let (mut figures, mut start_ups, mut written, mut has_compilers) =
        (Vec::new(), Vec::new(), Vec::new(), false);
    for experiment in experiments {
        let step = match experiments.len() {
            1 => "warming up".to_owned(),
            _ => format!("warming up with the {} mix", experiment.mix.name),
        };
        let run = PointRun { experiment, variant, site };
        let limit = variant.longest_warm_up(experiment.timing.longest_warm_up);
        let (detector, mut outcome) = run_warmup(&run, &step, (seed, limit), &mut start_up, events)?;
        start_ups.push(start_up.record_of_mix());
        if has_server_fault(&outcome) {
            events.emit(remark(configuration, &run.site.logs(), &logs_of(configuration)));
        }
        let warm_up = WarmUp {
            seconds: outcome.window.as_secs_f64(),
            interactions: outcome.total().completed,
            cpu_ms_first: detector.warming.first(),
            cpu_ms_last: detector.warming.last(),
            ended: detector.ended(experiment.timing.is_smoke),
            at_most_s: Some(limit.as_secs_f64()),
            has_compilers: false,
            writes: 0,
            restore: None,
            knee_clients: knee(&run, &detector),
        };
        warn_of_cold(configuration, &warm_up, limit, events);
        figures.push(warm_up);
        has_compilers |= detector.warming.has_compilers();
        outcome.add_earlier_writes(written);
        written = outcome.writes;
    }
    lifted.map_or(Ok(()), LiftedLimits::restore)?;
    let (audit, restored) = context.hosts.unthrottled(configuration, || {
        let run = PointRun { experiment: experiments[0], variant, site };
        let audited = run.audit(&written, events)?;
        let restored = match count(&written) {
            0 => None,
            _ => restore_data(context, site, configuration, events)?,
        };
        Ok((audited.map(|audited| audited.audit), restored))
    })?;
    for figures in &mut figures {
        (figures.writes, figures.restore, figures.has_compilers) = (count(&written), restored, has_compilers);
    }
    Ok(WarmState { figures, start_ups, audit, in_doubt_writes: in_doubt_writes(&written), has_compilers })
}

/// Says at once that the points of this start will be INVALID, since the servers are not warm.
fn warn_of_cold(configuration: &str, warm_up: &WarmUp, limit: Duration, events: &mut dyn Events) {
    if warm_up.ended != WarmUpEnd::AtMost {
        return;
    }
    let longer = Length(limit * 2);
    let text = format!(
        "The servers were not warm after {:.0} s, so the points of this start will be INVALID. Stop and give them longer: \
         --warm-up {longer}.",
        warm_up.seconds
    );
    events.emit(EventKind::Remark { configuration: configuration.to_owned(), text });
}

/// Restores the data while all servers but the store go on running. Where nothing may have changed them, it would only cost
/// the servers their connections.
fn restore_data(
    context: &RunContext<'_>,
    site: &mut System<'_>,
    configuration: &str,
    events: &mut dyn Events,
) -> Result<Option<Restore>, LabError> {
    context.check_stop()?;
    events.step(configuration, "restoring the data; servers stay up");
    let start = Instant::now();
    let Some(rows) = site.restore_data() else { return Ok(None) };
    let rows = rows.map_err(|fault| context.service_error(configuration, fault))?;
    Ok(Some(Restore { seconds: start.elapsed().as_secs_f64(), rows }))
}

/// The clients at the knee, by the CPU time that an interaction took of each host in the end; none if nothing used any.
fn knee(run: &PointRun<'_, '_>, detector: &SteadyStateDetector) -> Option<f64> {
    let hosts = run.experiment.context.hosts.of(run.name());
    let mut demands: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (role, cpu_s) in detector.demands() {
        let (host, cores) = match hosts {
            Some(hosts) => hosts.share_of(role),
            None => ("", f64::from(run.site.cores())),
        };
        demands.entry(host).or_insert((0.0, cores)).0 += cpu_s;
    }
    let hosts: Vec<(f64, f64)> = demands.into_values().collect();
    stats::knee(&hosts, run.experiment.spec.loads.think_time_s())
}

/// Drives a full load until the servers are warm.
fn run_warmup(
    run: &PointRun<'_, '_>,
    step: &str,
    (seed, limit): (u64, Duration),
    start_up: &mut StartUpRecorder,
    events: &mut dyn Events,
) -> Result<(SteadyStateDetector, Outcome), LabError> {
    let PointRun { experiment, site, .. } = *run;
    let (context, configuration) = (experiment.context, run.name());
    events.step(configuration, step);
    let think_time_s = experiment.spec.loads.think_time_s();
    let seed = experiment.seed_of_clients(seed);
    let load = warming_load(&experiment.timing, limit, think_time_s, site.cores(), seed);
    start_up.begin_mix();
    let mut detector = SteadyStateDetector::begin(site);
    let mut on_progress = |progress: Progress| {
        if let Some((used, cpu_ms)) = detector.on_progress(&progress) {
            start_up.record(progress.elapsed, &used, cpu_ms);
        }
        let words = detector.words(&progress);
        events.emit(EventKind::progress(configuration, step, Some(&words)));
        if detector.is_warm || site.check_alive().is_err() { Directive::Enough } else { Directive::GoOn }
    };
    let _spinner = site.keep_awake(&context.executable);
    let driven = context.with_users(run.variant, &experiment.mix, &site.dataset(), |users| {
        site.drive(users, &load, &context.stop, &mut on_progress)
    });
    context.check_stop()?;
    let name = || configuration.to_owned();
    let clients = load.kind.clients();
    site.check_alive().map_err(|fault| LabError::Died { configuration: name(), clients, fault })?;
    let outcome = driven.map_err(|fault| LabError::Engine { configuration: name(), fault })?;
    Ok((detector, outcome))
}

fn warming_load(timing: &Timing, limit: Duration, think_time_s: f64, cores: u32, seed: u64) -> Load {
    let pages = timing.session_length.as_secs_f64() / think_time_s.max(PAGE.as_secs_f64());
    Load {
        session_length: PAGE.mul_f64(pages),
        window: if timing.is_smoke { MOST_OF_A_SMOKE } else { limit },
        // Other walks than those of the point.
        seed: !seed,
        ..Load::new(LoadKind::NoThink { clients: CLIENTS_PER_CORE * cores })
    }
}

/// The number of writes that were sent.
fn count(writes: &[WriteFates]) -> u64 {
    writes.iter().map(WriteFates::count).sum()
}

/// The writes that may still be made.
fn in_doubt_writes(writes: &[WriteFates]) -> Vec<WriteFates> {
    let doubt = |fates: &WriteFates| WriteFates { in_doubt: fates.in_doubt, ..WriteFates::default() };
    writes.iter().map(doubt).collect()
}

/// Watches servers become warm.
struct SteadyStateDetector {
    meter: Box<dyn CpuMeter>,
    warming: Warming,
    /// Interactions that had completed when the meter was read last.
    completed: u64,
    /// The use of the tiers in the last seconds, and the interactions that completed in each.
    last: VecDeque<(Vec<f64>, u64)>,
    is_warm: bool,
}

impl SteadyStateDetector {
    fn begin(site: &System<'_>) -> Self {
        Self {
            meter: site.meter(),
            warming: Warming::default(),
            completed: 0,
            last: VecDeque::new(),
            is_warm: false,
        }
    }

    /// CPU seconds of an interaction on each tier in the end, by its role.
    fn demands(&self) -> impl Iterator<Item = (&str, f64)> {
        let completed: u64 = self.last.iter().map(|(_, completed)| completed).sum();
        self.meter.roles().iter().enumerate().map(move |(tier, role)| {
            let cpu_s: f64 = self.last.iter().map(|(tiers_s, _)| tiers_s[tier]).sum();
            (role.as_str(), cpu_s / completed.max(1) as f64)
        })
    }

    /// Takes in each second, and returns its use and the cost of an interaction. One in which nothing completed counts for
    /// the next.
    fn on_progress(&mut self, progress: &Progress) -> Option<(TiersUse, f64)> {
        let completed = progress.completed - self.completed;
        if progress.phase != Phase::Measure || progress.elapsed.as_secs() == 0 || completed == 0 {
            return None;
        }
        self.completed = progress.completed;
        let used = self.meter.look();
        let second = second(&used, completed);
        self.warming.record(second);
        self.last.push_back((used.tiers_s.clone(), completed));
        if self.last.len() > LAST {
            self.last.pop_front();
        }
        self.is_warm = self.warming.is_warm();
        Some((used, second.cpu_ms))
    }

    fn words(&self, progress: &Progress) -> String {
        let cost =
            self.warming.last().map_or(String::new(), |ms| format!(", {ms:.2} ms CPU per interaction"));
        format!("{} s{cost}", progress.elapsed.as_secs())
    }

    fn ended(&self, is_smoke: bool) -> WarmUpEnd {
        match self.is_warm {
            true => WarmUpEnd::Evidence,
            false if is_smoke => WarmUpEnd::Smoke,
            false => WarmUpEnd::AtMost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(240);

    #[test]
    fn sessions_have_as_many_pages_as_those_of_the_point() {
        let [think_time, session_length] = [7, 900].map(Duration::from_secs);
        let timing = |scale: f64| Timing {
            session_length: session_length.mul_f64(scale),
            ramp: think_time,
            window: think_time,
            time_scale: scale,
            longest_warm_up: None,
            is_smoke: false,
        };
        for scale in [1.0, 0.05] {
            let load = warming_load(&timing(scale), LIMIT, 7.0 * scale, 3, 5);
            assert_eq!(load.session_length.as_millis(), 2571, "{load:?}");
            assert!(load.kind.clients() == 3 * CLIENTS_PER_CORE && load.window == LIMIT && load.seed != 5);
        }
        let smoke = Timing { is_smoke: true, ..timing(1.0) };
        assert_eq!(warming_load(&smoke, LIMIT, 0.0, 3, 5).session_length, session_length);
    }
}

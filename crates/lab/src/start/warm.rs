//! Warms the servers of a point: a load of its own, before the point's.
//!
//! Freshly started servers compile, fill caches and open connections; with the few requests of a light load, a JVM would
//! do so for minutes. So a full load comes first, by the same users with the same mix but without think times, until
//! there is evidence that an interaction costs what it will cost (see [`stats::Warming`]). Then the point's own ramp
//! begins. What is cold to its users all the same, they wait for in their ramp: see [`crate::start::window_control`].
//!
//! What these users wrote would make the database of a fast stack larger than that of a slow one. So the audit holds them
//! to it, and then the data are put back while all servers but the store go on running. The store starts anew, with
//! the same files for everybody and, because all of them are read once, the same caches.
//!
//! Where experiments that differ in their mix share a start, the clients of each mix warm the servers, one mix after the
//! other, and each until there is evidence for it. What the first mix has compiled, the next one finds warm. So each has its
//! own figures and its own knee, and the code of all of them is compiled before any of them is measured. Only then the data
//! are put back, once.

use crate::{
    LabError,
    events::{Event, StepKind, event_log::EventLog},
    plan::{Timing, timing::LONGEST_WARM_UP},
    start::{
        Experiment, RunContext,
        point_run::PointRun,
        system::{CpuMeter, System},
    },
    workspace::Variant,
};
use engine::{Directive, Load, LoadKind, Outcome, Phase, Progress, WriteFates};
use results::{Audit, Check, CheckId, PutBack, WarmUp, WarmUpEnd};
use stack::TiersUse;
use stats::{WarmSecond, Warming};
use std::{
    collections::{BTreeMap, VecDeque},
    time::{Duration, Instant},
};
use testbed::LiftedLimits;

/// How long servers are warmed at most where it is only tried whether everything runs.
const MOST_OF_A_SMOKE: Duration = Duration::from_secs(1);
/// So many clients keep one processor busy although each waits for its answers, and overload no pool.
const CLIENTS_PER_CORE: u32 = 8;
/// Demands are known from so many seconds, the last ones.
const LAST: usize = 5;
/// About so long takes a page of a site that is busy. Sessions are shortened by it as think times are, so that users log
/// in as often among their requests as ever.
const PAGE: Duration = Duration::from_millis(20);

/// Servers that were warmed.
pub(crate) struct WarmState {
    /// Of each mix that warmed them, in their order.
    pub figures: Vec<WarmUp>,
    /// What was found of the data before they were put back; none where there is no store.
    pub audit: Option<Audit>,
    /// Writes that were still in doubt then, and may be made yet.
    pub in_doubt_writes: Vec<WriteFates>,
    /// Whether there are compilers inside the servers.
    pub has_compilers: bool,
}

impl WarmState {
    /// Of one of the loads that followed, by the nth of these mixes.
    pub(crate) fn figures_of(&self, nth: usize, is_settling: bool) -> WarmUp {
        let figures = self.figures[nth];
        let ended = match figures.ended {
            WarmUpEnd::Evidence if is_settling => WarmUpEnd::AtMost,
            ended => ended,
        };
        WarmUp { ended, ..figures }
    }
}

/// Warms the servers of a site that has been started fresh with the mix of each experiment that shares them, and puts the data
/// back. With its quota alone, a JVM on a host of a testbed would take many minutes, and with all of its host's core it was
/// not warm after two and a half: of Tomcat, an interaction cost a quarter less CPU three minutes later.
pub(crate) fn warm(
    experiments: &[&Experiment<'_>],
    variant: &Variant,
    site: &mut System<'_>,
    seed: u64,
    events: &mut EventLog<'_>,
) -> Result<WarmState, LabError> {
    let context = experiments[0].context;
    let configuration = variant.configuration.name.as_str();
    let lifted = context.hosts.lift_all(configuration)?;
    let (mut figures, mut written, mut has_compilers) = (Vec::new(), Vec::new(), false);
    for experiment in experiments {
        let mix = (experiments.len() > 1).then(|| experiment.mix.name.clone());
        let run = experiment.run_of(variant, site);
        let (detector, mut outcome) = run.run_warmup(&StepKind::WarmingUp(mix), seed, events)?;
        figures.push(WarmUp {
            seconds: outcome.window.as_secs_f64(),
            interactions: outcome.total().completed,
            cpu_ms_first: detector.warming.first(),
            cpu_ms_last: detector.warming.last(),
            ended: detector.ended(experiment.timing.is_smoke),
            writes: None,
            put_back: None,
            knee_clients: run.knee(&detector),
        });
        has_compilers |= detector.warming.has_compilers();
        outcome.add_earlier_writes(written);
        written = outcome.writes;
    }
    lifted.map_or(Ok(()), LiftedLimits::restore)?;
    let (audit, put_back) = context.hosts.unthrottled(|| {
        let audited = experiments[0].run_of(variant, site).look_into(&written, events)?;
        let put_back = match count(&written) {
            0 => None,
            _ => put_data_back(context, site, configuration, events)?,
        };
        Ok((audited.map(|audited| audited.audit), put_back))
    })?;
    for figures in &mut figures {
        (figures.writes, figures.put_back) = (Some(count(&written)), put_back);
    }
    Ok(WarmState { figures, audit, in_doubt_writes: in_doubt_writes(&written), has_compilers })
}

/// Puts the data into their first state while all servers but the store go on running. Where nothing may have changed them, it
/// would only cost the servers their connections.
fn put_data_back(
    context: &RunContext<'_>,
    site: &mut System<'_>,
    configuration: &str,
    events: &mut EventLog<'_>,
) -> Result<Option<PutBack>, LabError> {
    context.check_stop()?;
    events.emit(Event::step(configuration, StepKind::RestoringData));
    let start = Instant::now();
    let Some(rows) = site.put_data_back() else { return Ok(None) };
    let rows = rows.map_err(|fault| context.service_error(configuration, fault))?;
    Ok(Some(PutBack { seconds: start.elapsed().as_secs_f64(), rows }))
}

impl PointRun<'_, '_> {
    /// How many clients its knee has, by what its tiers took of each host in the end.
    fn knee(&self, detector: &SteadyStateDetector) -> Option<f64> {
        let hosts = self.experiment.context.hosts.of(self.name());
        let mut demands: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (role, cpu_s) in detector.demands() {
            let (host, cores) = match hosts {
                Some(hosts) => hosts.share_of(role),
                None => ("", f64::from(self.site.cores())),
            };
            demands.entry(host).or_insert((0.0, cores)).0 += cpu_s;
        }
        let hosts: Vec<(f64, f64)> = demands.into_values().collect();
        stats::knee(&hosts, self.experiment.timing.think_time.as_secs_f64())
    }

    /// Puts a full load on until the servers are warm.
    fn run_warmup(
        &self,
        kind: &StepKind,
        seed: u64,
        events: &mut EventLog<'_>,
    ) -> Result<(SteadyStateDetector, Outcome), LabError> {
        let Self { experiment, site, .. } = *self;
        let (context, configuration) = (experiment.context, self.name());
        events.emit(Event::step(configuration, kind.clone()));
        let load = warming_load(&experiment.timing, site.cores(), experiment.seed_of_clients(seed));
        let mut detector = SteadyStateDetector::begin(site);
        let mut on_progress = |progress: Progress| {
            detector.on_progress(&progress);
            let words = detector.words(&progress);
            events.emit(Event::step_at(configuration, kind.clone(), Some(&words)));
            if detector.is_warm || site.check_alive().is_err() { Directive::Enough } else { Directive::GoOn }
        };
        let _spinner = site.keep_awake(&context.executable);
        let driven = context.with_users(&experiment.mix, &site.dataset(), |users| {
            site.drive(users, &load, &context.stop, &mut on_progress)
        });
        context.check_stop()?;
        let name = || configuration.to_owned();
        let clients = load.kind.clients();
        site.check_alive().map_err(|fault| LabError::Died { configuration: name(), clients, fault })?;
        let outcome = driven.map_err(|fault| LabError::Engine { configuration: name(), fault })?;
        Ok((detector, outcome))
    }
}

fn warming_load(timing: &Timing, cores: u32, seed: u64) -> Load {
    let pages = timing.session_length.as_secs_f64() / timing.think_time.max(PAGE).as_secs_f64();
    Load {
        session_length: PAGE.mul_f64(pages),
        window: if timing.is_smoke { MOST_OF_A_SMOKE } else { LONGEST_WARM_UP },
        // Other walks than those of the point.
        seed: !seed,
        ..Load::new(LoadKind::NoThink { clients: CLIENTS_PER_CORE * cores })
    }
}

/// How many writes were sent.
fn count(writes: &[WriteFates]) -> u64 {
    writes.iter().map(WriteFates::count).sum()
}

/// Those writes which may be made yet.
fn in_doubt_writes(writes: &[WriteFates]) -> Vec<WriteFates> {
    let doubt = |fates: &WriteFates| WriteFates { in_doubt: fates.in_doubt, ..WriteFates::default() };
    writes.iter().map(doubt).collect()
}

/// Watches servers become warm.
struct SteadyStateDetector {
    meter: Box<dyn CpuMeter>,
    warming: Warming,
    /// Interactions that were completed when the meter was read last.
    completed: u64,
    /// What the tiers used in the last seconds, and how many interactions were completed in each.
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

    /// Seconds of CPU that an interaction took of each tier in the end, by its role.
    fn demands(&self) -> impl Iterator<Item = (&str, f64)> {
        let completed: u64 = self.last.iter().map(|(_, completed)| completed).sum();
        self.meter.roles().iter().enumerate().map(move |(tier, role)| {
            let cpu_s: f64 = self.last.iter().map(|(tiers_s, _)| tiers_s[tier]).sum();
            (role.as_str(), cpu_s / completed.max(1) as f64)
        })
    }

    /// To be told of each second. One in which nothing was completed counts for the next.
    fn on_progress(&mut self, progress: &Progress) {
        let completed = progress.completed - self.completed;
        if progress.phase != Phase::Measure || progress.elapsed.as_secs() == 0 || completed == 0 {
            return;
        }
        self.completed = progress.completed;
        let used = self.meter.look();
        self.warming.record(second(&used, completed));
        self.last.push_back((used.tiers_s, completed));
        if self.last.len() > LAST {
            self.last.pop_front();
        }
        self.is_warm = self.warming.is_warm();
    }

    /// How it goes.
    fn words(&self, progress: &Progress) -> String {
        let cost =
            self.warming.last().map_or(String::new(), |ms| format!(", {ms:.2} ms CPU per interaction"));
        format!("{} s{cost}", progress.elapsed.as_secs())
    }

    /// Why it ended.
    fn ended(&self, is_smoke: bool) -> WarmUpEnd {
        match self.is_warm {
            true => WarmUpEnd::Evidence,
            false if is_smoke => WarmUpEnd::Smoke,
            false => WarmUpEnd::AtMost,
        }
    }
}

pub(crate) fn second(used: &TiersUse, completed: u64) -> WarmSecond {
    let cpu_s = used.cpu_s();
    let compilers = if cpu_s > 0.0 { used.compilers_s / cpu_s } else { 0.0 };
    WarmSecond { cpu_ms: cpu_s * 1e3 / completed as f64, compilers }
}

/// The check of a verdict: cold servers are slower than they will be.
pub(crate) fn check(warm_up: Option<&WarmUp>) -> Check {
    let threshold = format!("CPU per interaction has stopped falling within {} s", LONGEST_WARM_UP.as_secs());
    let Some(WarmUp { seconds, cpu_ms_first, cpu_ms_last, ended, writes, put_back, .. }) = warm_up else {
        return Check::not_judged(CheckId::WarmServers, "nothing was to be warmed".into(), threshold);
    };
    let from_to = cpu_ms_first.zip(*cpu_ms_last).map_or("nothing completed".to_owned(), |(first, last)| {
        format!("{first:.2} ms CPU per interaction in the first second, {last:.2} ms in the last")
    });
    let figure = match ended {
        WarmUpEnd::Evidence => format!("warm after {seconds:.0} s: {from_to}"),
        WarmUpEnd::AtMost => format!("still falling, or a compiler at work, after {seconds:.0} s: {from_to}"),
        WarmUpEnd::Smoke => {
            let why = format!("a smoke run warms servers for {seconds:.0} s only");
            return Check::not_judged(CheckId::WarmServers, why, threshold);
        }
    };
    let data = match put_back {
        Some(PutBack { rows, .. }) => format!("then the data were put back: {rows} rows, as loaded"),
        None if *writes == Some(0) => "nothing was written meanwhile".to_owned(),
        None => "what was written meanwhile stays, since there is no store to put back".to_owned(),
    };
    Check::new(CheckId::WarmServers, *ended != WarmUpEnd::AtMost, format!("{figure}; {data}"), threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warm_up(ended: WarmUpEnd) -> WarmUp {
        let (cpu_ms_first, cpu_ms_last) = (Some(2.345), Some(0.3));
        let put_back = Some(PutBack { seconds: 2.5, rows: 1234 });
        let writes = Some(150);
        WarmUp {
            seconds: 12.02,
            interactions: 1000,
            cpu_ms_first,
            cpu_ms_last,
            ended,
            writes,
            put_back,
            knee_clients: Some(350.0),
        }
    }

    #[test]
    fn only_servers_that_are_known_to_be_cold_fail() {
        let seen = |ended| {
            let check = check(Some(&warm_up(ended)));
            (check.passed, check.figure)
        };
        let from_to = "2.35 ms CPU per interaction in the first second, 0.30 ms in the last";
        let data = "then the data were put back: 1234 rows, as loaded";
        assert_eq!(seen(WarmUpEnd::Evidence), (true, format!("warm after 12 s: {from_to}; {data}")));
        let cold = format!("still falling, or a compiler at work, after 12 s: {from_to}; {data}");
        assert_eq!(seen(WarmUpEnd::AtMost), (false, cold));
        for open in [check(Some(&warm_up(WarmUpEnd::Smoke))), check(None)] {
            assert!(open.passed && open.judged == stats::Extent::Nothing, "{open:?}");
        }
        let mute = WarmUp { cpu_ms_first: None, cpu_ms_last: None, ..warm_up(WarmUpEnd::AtMost) };
        assert!(check(Some(&mute)).figure.contains("nothing completed; then"));
        let kept = WarmUp { put_back: None, ..warm_up(WarmUpEnd::Evidence) };
        assert!(check(Some(&kept)).figure.contains("what was written meanwhile stays"));
        assert!(
            check(Some(&WarmUp { writes: Some(0), ..kept }))
                .figure
                .ends_with("; nothing was written meanwhile")
        );
    }

    #[test]
    fn servers_whose_compilers_never_rest_are_not_warm() {
        use WarmUpEnd::{AtMost, Evidence, Smoke};
        let ends = |ended, is_settling| {
            let figures = warm_up(ended);
            let (of_all, in_doubt_writes) = (vec![warm_up(Smoke), figures], Vec::new());
            let warmed = WarmState { figures: of_all, audit: None, in_doubt_writes, has_compilers: true };
            let of_load = warmed.figures_of(1, is_settling);
            assert_eq!(WarmUp { ended, ..of_load }, figures);
            of_load.ended
        };
        assert_eq!([Evidence, AtMost, Smoke].map(|ended| ends(ended, false)), [Evidence, AtMost, Smoke]);
        assert_eq!([Evidence, AtMost, Smoke].map(|ended| ends(ended, true)), [AtMost, AtMost, Smoke]);
    }

    #[test]
    fn sessions_have_as_many_pages_as_those_of_the_point() {
        let [think_time, session_length] = [7, 900].map(Duration::from_secs);
        let timing = |scale: f64| Timing {
            think_time: think_time.mul_f64(scale),
            session_length: session_length.mul_f64(scale),
            ramp: think_time,
            window: think_time,
            time_scale: scale,
            is_smoke: false,
        };
        for scale in [1.0, 0.05] {
            let load = warming_load(&timing(scale), 3, 5);
            assert_eq!(load.session_length.as_millis(), 2571, "{load:?}");
            assert!(
                load.kind.clients() == 3 * CLIENTS_PER_CORE
                    && load.window == LONGEST_WARM_UP
                    && load.seed != 5
            );
        }
        let smoke = Timing { is_smoke: true, think_time: Duration::ZERO, ..timing(1.0) };
        assert_eq!(warming_load(&smoke, 3, 5).session_length, session_length);
    }
}

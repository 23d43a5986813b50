//! Run specifications of requests, and their limits.

use crate::{
    fault::{CommandError, Fault},
    limits::{
        LARGEST_SCALE, LONGEST, LONGEST_SCALED, MOST_POINTS, MOST_REPETITIONS, MOST_WORKERS, RATES,
        TIME_SCALES, is_length,
    },
    open_files, registry,
};
use application::{Dataset, Distribution};
use lab::{CapacitySearch, LoadModel, StoppingRule, Timeout, Timing, Workspace, WorkspaceError};
use results::{Condition, FactorChoice, LoadKind, Loads, Objective, Plan, RunSpec, Series, Verb};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use testbed::Testbed;
use workload::Catalogue;

/// The shortest window that says anything of a mix.
const SHORTEST_WINDOW: Duration = Duration::from_secs(10);
/// The default repetitions of listed loads.
const REPETITIONS: u32 = 5;
/// Think times after which clients no longer do what sessions begin with.
const RAMP_THINK_TIMES: u32 = 10;

/// The default ramp of a load without think times.
const NO_THINK_RAMP: Duration = Duration::from_secs(5);

/// The default limit of clients in a search, if this system allows as many.
const USUAL_MAX_CLIENTS: u32 = 4000;

/// The request of a `run` or `compare`, by options, by a paper, or by an earlier result. Times are not scaled yet.
#[derive(Debug, Clone)]
pub(crate) struct RunRequest {
    pub verb: Verb,
    pub application: String,
    pub configurations: Vec<String>,
    pub aa_test: bool,
    pub loads: LoadRequest,
    pub factors: Vec<FactorChoice>,
    pub timeouts: Vec<Timeout>,
    /// None for the application's or the load model's.
    pub mix: Option<String>,
    /// None for the application's or the load model's.
    pub think_time: Option<Duration>,
    pub time_scale: f64,
    pub scale: f64,
    pub seed: u64,
    pub distribution: Distribution,
    /// None for ten think times.
    pub ramp: Option<Duration>,
    pub window: Duration,
    /// None for what the services expect.
    pub warm_up: Option<Duration>,
    /// None for the usual number; comparisons of peaks then stop as soon as all pairs are decided.
    pub repetitions: Option<u32>,
    pub testbed: Option<PathBuf>,
    pub skip_verify: bool,
    pub smoke: bool,
    pub profile: bool,
    pub conditions: Vec<Condition>,
}

/// The loads that are asked for: a search for the peak where nothing else is named.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadRequest {
    pub clients: Vec<u32>,
    pub overload_cycle: Vec<u32>,
    /// Name of a load model.
    pub arrivals: Option<String>,
    pub objective: Option<Objective>,
    pub max_clients: Option<u32>,
    /// True if clients send the next request at once.
    pub no_think: bool,
}

impl LoadRequest {
    fn of(spec: &RunSpec) -> Self {
        let Loads { kinds, plan } = &spec.loads;
        let no_think = spec.loads.arrivals().is_none() && spec.loads.think_time_s() == 0.0;
        let (clients, max_clients) = (spec.loads.clients(), Some(spec.loads.max_clients()));
        let plain = Self { no_think, ..Self::default() };
        match plan {
            Plan::Capacity { objective } => Self { objective: Some(objective.clone()), max_clients, ..plain },
            Plan::Peak { .. } => Self { max_clients, ..plain },
            Plan::Listed => match kinds.first() {
                Some(LoadKind::OverloadStep { .. }) => Self { overload_cycle: clients, ..plain },
                Some(LoadKind::Arrivals(load)) => {
                    Self { arrivals: Some(load.model.clone()), clients, ..plain }
                }
                _ => Self { clients, ..plain },
            },
        }
    }

    /// These loads, with what is named instead.
    fn replaced_by(self, named: Self) -> Self {
        let no_think = self.no_think || named.no_think;
        let is_plan = named.objective.is_some()
            || named.max_clients.is_some()
            || named.arrivals.is_some()
            || !named.overload_cycle.is_empty();
        match (is_plan, named.clients.as_slice(), &self.arrivals) {
            (true, ..) => Self { no_think, ..named },
            (false, [], _) => Self { no_think, ..self },
            (false, _, Some(_)) => Self { clients: named.clients, ..self },
            (false, _, None) => Self { clients: named.clients, no_think, ..Self::default() },
        }
    }
}

impl RunRequest {
    /// The request of an earlier result, except for the options that are named.
    pub(crate) fn like(self, spec: &RunSpec, is_named: impl Fn(&str) -> bool) -> Result<Self, Fault> {
        if spec.verb != self.verb {
            let fault =
                format!("it can't be measured again by `{}`: `{}` has measured it", self.verb, spec.verb);
            return Err(CommandError::input(fault)
                .with_help(format!("call `tierbench {} --like`", spec.verb))
                .into());
        }
        expect_numbers(spec)?;
        let mut loads = LoadRequest::of(spec).replaced_by(self.loads);
        loads.no_think &= self.think_time.is_none();
        let think_time_s = spec.loads.think_time_s();
        let default_ramp_s = default_ramp(Duration::from_secs_f64(think_time_s)).as_secs_f64();
        let ramp = (spec.ramp_s != default_ramp_s).then(|| Duration::from_secs_f64(spec.ramp_s));
        let is_sequential = spec.loads.stopping_rule() == StoppingRule::Sequential;
        let timeouts = || spec.timeouts_s.iter().map(|timeout| Timeout(timeout.map(Duration::from_secs_f64)));
        let or = |name: &str, named, earlier| if is_named(name) { named } else { earlier };
        Ok(Self {
            configurations: match self.configurations.is_empty() {
                true => spec.configurations.clone(),
                false => self.configurations,
            },
            application: if self.application.is_empty() {
                spec.application.clone()
            } else {
                self.application
            },
            aa_test: self.aa_test || spec.aa_test,
            loads,
            factors: if self.factors.is_empty() { spec.factors.clone() } else { self.factors },
            timeouts: if is_named("timeout") { self.timeouts } else { timeouts().collect() },
            mix: self.mix.or(Some(spec.mix.clone())),
            think_time: self.think_time.or_else(|| unscaled(think_time_s, spec.time_scale)),
            time_scale: or("time_scale", self.time_scale, spec.time_scale),
            scale: or("scale", self.scale, spec.scale),
            seed: if is_named("seed") { self.seed } else { spec.seed },
            distribution: match is_named("distribution") {
                true => self.distribution,
                false => spec.distribution.parse().map_err(CommandError::input)?,
            },
            ramp: self.ramp.or(ramp),
            window: if is_named("window") { self.window } else { Duration::from_secs_f64(spec.window_s) },
            warm_up: self.warm_up.or_else(|| spec.warm_up_s.map(Duration::from_secs_f64)),
            repetitions: self.repetitions.or((!is_sequential).then_some(spec.repetitions)),
            testbed: self.testbed.or_else(|| spec.testbed.as_ref().map(PathBuf::from)),
            skip_verify: self.skip_verify || spec.skip_verify,
            smoke: self.smoke || spec.smoke,
            profile: self.profile || spec.profile,
            conditions: if self.conditions.is_empty() { spec.conditions.clone() } else { self.conditions },
            ..self
        })
    }

    /// The same with all defaults.
    pub(crate) fn spec(&self, workspace: &Workspace) -> Result<RunSpec, Fault> {
        let application = registry::find(&self.application)?;
        let catalogue = workspace.catalogue(application.name())?;
        let model = self.load_model(workspace, &catalogue)?;
        let chosen = workspace.choose(application.name(), &self.configurations)?;
        let name = |one: &lab::Variant| format!("{}/{}", one.stack.name, one.configuration.name);
        let (loads, times) = (self.loads(model.as_ref(), &catalogue), self.times(model.as_ref(), &catalogue));
        let timeouts = match &model {
            Some(model) => vec![Timeout(Some(model.timeout))],
            None => self.timeouts.clone(),
        };
        let session_length = catalogue.session_length.0.as_secs_f64() * self.time_scale;
        let mix = self.mix.clone().or(model.map(|model| model.mix));
        Ok(RunSpec {
            verb: self.verb,
            application: catalogue.name.clone(),
            configurations: chosen.iter().map(name).collect(),
            site: None,
            aa_test: self.aa_test,
            factors: self.factors.clone(),
            timeouts_s: timeouts.iter().map(|timeout| timeout.0.map(|length| length.as_secs_f64())).collect(),
            repetitions: self.repetitions.unwrap_or_else(|| usual_repetitions(&loads, self.smoke)),
            loads,
            mix: mix.unwrap_or_else(|| catalogue.mix.clone()),
            seed: self.seed,
            scale: self.scale,
            distribution: self.distribution.to_string(),
            time_scale: self.time_scale,
            session_length_s: session_length,
            ramp_s: times.ramp.as_secs_f64(),
            window_s: times.window.as_secs_f64(),
            warm_up_s: self.warm_up.map(|limit| limit.as_secs_f64()),
            testbed: self.testbed.as_ref().map(|file| file.display().to_string()),
            skip_verify: self.skip_verify,
            smoke: self.smoke,
            profile: self.profile,
            conditions: self.conditions.clone(),
        })
    }

    /// The load model that is named, with what is named instead of its own values.
    fn load_model(
        &self,
        workspace: &Workspace,
        catalogue: &Catalogue,
    ) -> Result<Option<LoadModel>, WorkspaceError> {
        let Some(name) = &self.loads.arrivals else { return Ok(None) };
        let mut model = workspace.load_model(catalogue, name)?;
        if !self.loads.clients.is_empty() {
            model.clients.clone_from(&self.loads.clients);
        }
        Ok(Some(match self.think_time {
            Some(longest) => model.thinking_up_to(longest),
            None => model,
        }))
    }

    fn loads(&self, model: Option<&LoadModel>, catalogue: &Catalogue) -> Loads {
        let LoadRequest { clients, overload_cycle, objective, max_clients, .. } = &self.loads;
        if let Some(model) = model {
            return Loads::listed(model.loads(self.time_scale, self.window));
        }
        let think_time = self.think_time(catalogue);
        let max_clients =
            max_clients.unwrap_or_else(|| USUAL_MAX_CLIENTS.min(open_files::clients_that_fit(catalogue)));
        match (objective, overload_cycle.as_slice(), clients.as_slice()) {
            (Some(objective), ..) => Loads::capacity(max_clients, think_time, objective.clone()),
            (None, [], []) => {
                let stopping = match self.repetitions {
                    None => StoppingRule::Sequential,
                    Some(_) => StoppingRule::Fixed,
                };
                Loads::peak(max_clients, think_time, stopping)
            }
            (None, [], clients) => Loads::closed(clients, think_time),
            (None, steps, _) => Loads::overload_cycle(steps, think_time),
        }
    }

    fn think_time(&self, catalogue: &Catalogue) -> Duration {
        match self.loads.no_think {
            true => Duration::ZERO,
            false => self.think_time.unwrap_or(catalogue.think_time.0).mul_f64(self.time_scale),
        }
    }

    /// The times, with all those that clients know scaled alike.
    fn times(&self, model: Option<&LoadModel>, catalogue: &Catalogue) -> Times {
        if let Some(model) = model {
            return Times { ramp: Duration::ZERO, window: model.window(self.window, self.time_scale) };
        }
        let ramp = self.ramp.unwrap_or_else(|| default_ramp(self.think_time(catalogue)));
        Times { ramp, window: self.window }
    }
}

/// Lengths of time that are asked for, after scaling.
struct Times {
    ramp: Duration,
    window: Duration,
}

/// A think time before it was scaled, to the nanosecond; none if nobody thinks.
fn unscaled(think_time_s: f64, time_scale: f64) -> Option<Duration> {
    (think_time_s > 0.0).then(|| Duration::from_nanos((think_time_s / time_scale * 1e9).round() as u64))
}

/// The default repetitions of each load or peak, at most.
fn usual_repetitions(loads: &Loads, is_smoke: bool) -> u32 {
    match loads.plan {
        Plan::Listed if is_smoke => 1,
        Plan::Peak { .. } => StoppingRule::most_starts(),
        Plan::Capacity { .. } => CapacitySearch::MOST_STARTS,
        Plan::Listed if loads.series() == Series::OverloadCycle => 1,
        Plan::Listed => REPETITIONS,
    }
}

/// The number of hosts that divide the clients.
pub(crate) fn generators(spec: &RunSpec) -> Result<u32, Fault> {
    let Some(file) = spec.testbed.as_ref().filter(|_| spec.loads.series() != Series::Arrivals) else {
        return Ok(1);
    };
    Ok(Testbed::read(Path::new(file))?.clients().count().max(1) as u32)
}

/// Refuses settings that give no valid figure.
pub(crate) fn check(spec: &RunSpec, timing: &Timing, catalogue: &Catalogue) -> Result<(), Fault> {
    expect_numbers(spec)?;
    if spec.loads.series() == Series::OverloadCycle {
        expect_return(&spec.loads.clients())?;
    }
    open_files::make_room_for(spec.loads.max_clients().div_ceil(generators(spec)?), catalogue)?;
    if spec.smoke || spec.loads.series() == Series::Arrivals {
        return Ok(());
    }
    let shown = |length: Duration| format!("{}s", length.as_secs_f64());
    if timing.window < SHORTEST_WINDOW {
        let remedy = format!("take --window {} or more, or --smoke", shown(SHORTEST_WINDOW));
        let fault = format!("a window of {} is too short for a verdict", shown(timing.window));
        return Err(CommandError::input(fault).with_help(remedy).into());
    }
    let least = Duration::from_secs_f64(spec.loads.think_time_s()) * RAMP_THINK_TIMES;
    if timing.ramp < least {
        let fault = format!(
            "a ramp of {} is too short: sessions need ten think times, {} here, to leave their beginning",
            shown(timing.ramp),
            shown(least)
        );
        let remedy = "leave --ramp out, shorten think times with --time-scale, or take --smoke";
        return Err(CommandError::input(fault).with_help(remedy).into());
    }
    Ok(())
}

/// Refuses numbers that no option gives: a manifest holds whatever somebody has written into it.
pub(crate) fn expect_numbers(spec: &RunSpec) -> Result<(), Fault> {
    let Some(what) = number_fault(spec) else { return Ok(()) };
    let fault = format!("the run's specification can't be measured: {what}");
    Err(CommandError::input(fault).with_help("measure it anew into another folder").into())
}

/// A number that no option gives, in words; none if all are possible.
fn number_fault(spec: &RunSpec) -> Option<String> {
    let RunSpec { scale, time_scale, session_length_s, ramp_s, window_s, repetitions, .. } = *spec;
    let longest_window = if spec.loads.arrivals().is_some() { LONGEST_SCALED } else { LONGEST };
    let is_scale = scale > 0.0 && scale <= LARGEST_SCALE;
    let is_wait = |seconds: f64| seconds > 0.0 && is_length(seconds, LONGEST);
    let mut numbers = vec![
        ("session_length_s", session_length_s, is_length(session_length_s, LONGEST_SCALED)),
        ("ramp_s", ramp_s, is_length(ramp_s, LONGEST)),
        ("window_s", window_s, is_length(window_s, longest_window)),
        ("scale", scale, is_scale),
        ("time_scale", time_scale, TIME_SCALES.contains(&time_scale)),
        ("repetitions", f64::from(repetitions), (1..=MOST_REPETITIONS).contains(&repetitions)),
    ];
    numbers.extend(spec.warm_up_s.map(|limit| ("warm_up_s", limit, is_length(limit, LONGEST))));
    numbers.extend(spec.timeouts_s.iter().flatten().map(|wait| ("timeouts_s", *wait, is_wait(*wait))));
    let workers = spec.site.as_ref().map(|site| site.workers);
    let are_workers = |count: u32| (1..=MOST_WORKERS).contains(&count);
    numbers.extend(workers.map(|count| ("workers", f64::from(count), are_workers(count))));
    if let Some((name, value, _)) = numbers.iter().find(|(_, _, is_possible)| !is_possible) {
        return Some(format!("`{name}` is {value}"));
    }
    let lists = [
        ("timeouts_s", spec.timeouts_s.is_empty()),
        ("configurations", spec.configurations.is_empty()),
        ("loads", spec.loads.kinds.is_empty()),
    ];
    if let Some((name, _)) = lists.iter().find(|(_, is_empty)| *is_empty) {
        return Some(format!("`{name}` is empty"));
    }
    let points = spec.loads.kinds.len() as u64 * u64::from(repetitions);
    if points > MOST_POINTS {
        return Some(format!("it has {points} points"));
    }
    spec.loads.kinds.iter().find_map(load_fault)
}

/// A figure of a load that no option gives, in words; none if all are possible.
fn load_fault(kind: &LoadKind) -> Option<String> {
    let (name, value) = match kind {
        _ if kind.fault().is_some() => return kind.fault(),
        _ if !is_length(kind.think_time_s(), LONGEST_SCALED) => ("think_time_s", kind.think_time_s()),
        LoadKind::Rate { per_s, .. } | LoadKind::Sessions { per_s, .. } if !RATES.contains(per_s) => {
            ("per_s", *per_s)
        }
        LoadKind::Arrivals(load) if !is_length(load.every_s * f64::from(load.users), LONGEST_SCALED) => {
            ("every_s", load.every_s)
        }
        _ => return None,
    };
    Some(format!("`{name}` of a load is {value}"))
}

/// The rows that a specification names, fresh now.
pub(crate) fn dataset(spec: &RunSpec) -> Result<Dataset, Fault> {
    let distribution = spec.distribution.parse::<Distribution>().map_err(CommandError::input)?;
    Ok(Dataset { distribution, ..Dataset::new(spec.seed, spec.scale, lab::now()) })
}

/// Refuses an overload cycle that compares nothing.
fn expect_return(steps: &[u32]) -> Result<(), Fault> {
    let highest = steps.iter().max().and_then(|most| steps.iter().position(|step| step == most)).unwrap_or(0);
    let (up, down) = steps.split_at(highest);
    if up.iter().any(|step| down.contains(step)) {
        return Ok(());
    }
    let fault = format!(
        "an overload cycle through {} compares nothing: no load below its highest one comes again after it",
        joined(steps)
    );
    let remedy = "go up and back down, as in --overload-cycle 400,800,1600,800,400";
    Err(CommandError::input(fault).with_help(remedy).into())
}

/// Ten think times, in whole seconds, so that the window's seconds are whole too. Where nobody thinks, connections are made
/// and sessions are under way after a few seconds.
pub(crate) fn default_ramp(think_time: Duration) -> Duration {
    if think_time.is_zero() {
        return NO_THINK_RAMP;
    }
    Duration::from_secs((think_time * RAMP_THINK_TIMES).as_secs_f64().ceil() as u64)
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arguments::{Arguments, Verb as Command};
    use clap::{Arg, CommandFactory, Parser};
    use results::{SiteAccess, Spacing};

    pub(crate) fn workspace() -> Workspace {
        Workspace::find(Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap()
    }

    /// The specification of a command line.
    fn asked(words: &[String]) -> Result<RunSpec, Fault> {
        let workspace = workspace();
        match Arguments::try_parse_from(words).unwrap_or_else(|fault| panic!("{words:?}: {fault}")).verb {
            Command::Run(options) => options.request().spec(&workspace),
            Command::Compare(options) => options.request().spec(&workspace),
            verb => panic!("{verb:?}"),
        }
    }

    pub(crate) fn spec(words: &str) -> RunSpec {
        let words: Vec<String> = words.split(' ').map(ToOwned::to_owned).collect();
        asked(&words).unwrap_or_else(|fault| panic!("{words:?}: {fault}"))
    }

    fn catalogue() -> &'static Catalogue {
        crate::registry::find("auction").unwrap().catalogue()
    }

    /// The specification of `--like` for a result of this one, with the options that are named.
    fn like(spec: &RunSpec, words: &str) -> RunSpec {
        let words = format!("tierbench {} --like results/x {words}", spec.verb);
        let request = match Arguments::read_from(words.split_whitespace()).unwrap().verb {
            Command::Run(options) => options.request().like(spec, |name| options.measure.given.has(name)),
            Command::Compare(options) => options.request().like(spec, |name| options.measure.given.has(name)),
            verb => panic!("{verb:?}"),
        };
        request.unwrap().spec(&workspace()).unwrap()
    }

    #[test]
    fn a_run_like_a_result_has_its_specification() {
        for words in [
            "tierbench run auction php/WsPhp-DB --clients 100,200",
            "tierbench compare auction php/WsPhp-DB reference/Model",
            "tierbench compare auction php/WsPhp-DB --max-clients 9 --repetitions 3 --seed 5 --scale 0.25 --distribution skewed",
            "tierbench compare auction php/WsPhp-DB --clients 5 --aa-test",
            "tierbench run auction php/WsPhp-DB --clients 5 --factor engine=InnoDB,MyISAM --factor protocol=text --skip-verify",
            "tierbench run auction php/WsPhp-DB --clients 5 --think-time 700ms --time-scale 0.3 --ramp 2.1s --window 10s --smoke",
            "tierbench run auction php/WsPhp-DB --clients 5 --fail-if p99>500ms --fail-if errors>0 --mix browsing --profile",
            "tierbench run auction php/WsPhp-DB --clients 5 --testbed testbeds/four-machines.toml",
            "tierbench run auction php/WsPhp-DB --clients 5 --timeout 250ms,10s,none",
            "tierbench run auction php/WsPhp-DB --overload-cycle 50,200,50 --repetitions 2",
            "tierbench run auction php/WsPhp-DB --objective p90<=1s,errors<=0.1% --max-clients 300",
            "tierbench compare auction php/WsPhp-DB --objective mean<=20ms --max-clients 9 --repetitions 3",
            "tierbench compare quotes php --clients 8,16 --no-think",
            "tierbench run comments php/WsPhp-DB --arrivals bench1 --clients 40 --think-time 5s",
            "tierbench compare comments php/WsPhp-DB --arrivals bench3 --clients 14,30 --window 20s",
        ] {
            let first = spec(words);
            assert_eq!(like(&first, ""), first, "{words}");
        }
    }

    #[test]
    fn options_override_what_a_result_was_asked_for() {
        let first =
            spec("tierbench run auction php/WsPhp-DB --clients 5,6 --think-time 700ms --window 20s --seed 3");
        let think_time = Duration::from_millis(700);
        for (words, expected) in [
            ("--clients 8", RunSpec { loads: Loads::closed(&[8], think_time), ..first.clone() }),
            ("--seed 4 --window 60s", RunSpec { seed: 4, window_s: 60.0, ..first.clone() }),
            (
                "--think-time 1s",
                RunSpec {
                    loads: Loads::closed(&[5, 6], Duration::from_secs(1)),
                    ramp_s: 10.0,
                    ..first.clone()
                },
            ),
            (
                "--overload-cycle 5,9,5",
                RunSpec { loads: Loads::overload_cycle(&[5, 9, 5], think_time), ..first.clone() },
            ),
        ] {
            assert_eq!(like(&first, words), expected, "{words}");
        }
        let compared = spec("tierbench compare auction php --clients 5");
        let run = Arguments::read_from("tierbench run --like results/x".split(' ')).unwrap();
        let Command::Run(options) = run.verb else { panic!("{run:?}") };
        let refused = options.request().like(&compared, |_| false).unwrap_err();
        let text = crate::fault::rendered(&refused, false);
        assert!(text.contains("tierbench compare --like"), "{text}");
    }

    #[test]
    fn a_stack_is_recorded_as_its_configurations() {
        let configurations = spec("tierbench compare auction php").configurations;
        assert!(configurations.contains(&"php/WsPhp-DB".to_owned()), "{configurations:?}");
        assert!(configurations.len() > 1 && configurations.iter().all(|name| name.starts_with("php/")));
    }

    #[test]
    fn loads_times_and_timeouts_are_read_as_they_were_asked_for() {
        let catalogue = catalogue();
        let spec = spec(
            "tierbench run auction php/WsPhp-DB --clients 5,6 --think-time 700ms --time-scale 0.3 --ramp 2.1s --timeout 250ms,none",
        );
        assert_eq!(spec.loads, Loads::closed(&[5, 6], Duration::from_millis(210)));
        let timing = Timing::of(&spec);
        assert_eq!([timing.ramp, timing.window].map(|length| length.as_millis()), [2100, 60_000]);
        assert_eq!(timing.session_length, catalogue.session_length.0.mul_f64(0.3));
        assert_eq!(Timeout::of(&spec), [Timeout(Some(Duration::from_millis(250))), Timeout(None)]);
    }

    #[test]
    fn the_specification_of_arrivals_has_loads_and_times_of_its_model() {
        let workspace = workspace();
        let catalogue = workspace.catalogue("comments").unwrap();
        for (words, model, clients, longest_thought) in [
            ("bench1 --think-time 5s --time-scale 0.1", "bench1", vec![4000], 0.5),
            ("bench3 --clients 14,30 --window 20s", "bench3", vec![14, 30], 0.0),
        ] {
            let spec = spec(&format!("tierbench run comments WsPhp-DB --arrivals {words}"));
            assert!(check(&spec, &Timing::of(&spec), &catalogue).is_ok() && spec.ramp_s == 0.0);
            assert_eq!((spec.loads.clients(), spec.mix.as_str()), (clients, "reading"));
            let load = spec.loads.arrivals().unwrap();
            assert_eq!((load.model.as_str(), load.think_s.1), (model, longest_thought));
            assert_eq!(
                spec.timeouts_s,
                [Some(workspace.load_model(&catalogue, model).unwrap().timeout.as_secs_f64())]
            );
        }
        let words = "tierbench run comments WsPhp-DB --arrivals bench5".split(' ').map(str::to_owned);
        let unknown = asked(&words.collect::<Vec<_>>()).unwrap_err();
        assert!(unknown.to_string().contains("no load model `bench5`"));
    }

    #[test]
    fn a_distribution_that_nobody_knows_is_refused() {
        let mut spec = spec("tierbench run auction php/WsPhp-DB --clients 5");
        assert!(dataset(&spec).is_ok());
        spec.distribution = "Uniform".into();
        assert!(dataset(&spec).unwrap_err().to_string().contains("`uniform` or `skewed`"));
    }

    #[test]
    fn numbers_that_no_option_gives_are_refused() {
        let usual = spec("tierbench run auction php/WsPhp-DB --clients 5");
        let fault = |spec: RunSpec| check(&spec, &Timing::of(&spec), catalogue()).unwrap_err().to_string();
        let with_loads = |kinds| RunSpec { loads: Loads::listed(kinds), repetitions: 1000, ..usual.clone() };
        let thoughtful = LoadKind::Closed { clients: 5, think_time_s: 1e19 };
        let fast = LoadKind::Rate { per_s: 1e300, spacing: Spacing::Even, connections: 5 };
        let many = vec![LoadKind::NoThink { clients: 5 }; 2000];
        let crowd = SiteAccess {
            at: None,
            secure_at: None,
            ca: String::new(),
            gzip: false,
            http2: false,
            workers: u32::MAX,
        };
        for (spec, text) in [
            (RunSpec { scale: -1.0, ..usual.clone() }, "`scale` is -1"),
            (RunSpec { time_scale: f64::NAN, ..usual.clone() }, "`time_scale` is NaN"),
            (
                RunSpec {
                    loads: Loads::listed(vec![LoadKind::Closed { clients: 5, think_time_s: -7.0 }]),
                    ..usual.clone()
                },
                "`think_time_s` of a load is -7",
            ),
            (RunSpec { loads: Loads::listed(Vec::new()), ..usual.clone() }, "`loads` is empty"),
            (RunSpec { session_length_s: -9.0, ..usual.clone() }, "`session_length_s` is -9"),
            (RunSpec { window_s: 1e30, ..usual.clone() }, "`window_s` is 1000"),
            (RunSpec { timeouts_s: vec![None, Some(0.0)], ..usual.clone() }, "`timeouts_s` is 0"),
            (RunSpec { timeouts_s: vec![Some(8e5)], ..usual.clone() }, "`timeouts_s` is 800000"),
            (RunSpec { timeouts_s: Vec::new(), ..usual.clone() }, "`timeouts_s` is empty"),
            (RunSpec { repetitions: 0, ..usual.clone() }, "`repetitions` is 0"),
            (RunSpec { configurations: Vec::new(), ..usual.clone() }, "`configurations` is empty"),
            (RunSpec { scale: 1e5, ..usual.clone() }, "`scale` is 100000"),
            (RunSpec { time_scale: 1e300, ..usual.clone() }, "`time_scale` is 1000"),
            (RunSpec { repetitions: u32::MAX, ..usual.clone() }, "`repetitions` is 4294967295"),
            (RunSpec { ramp_s: 1e19, ..usual.clone() }, "`ramp_s` is 1000"),
            (RunSpec { window_s: 1e19, ..usual.clone() }, "`window_s` is 1000"),
            (RunSpec { warm_up_s: Some(1e19), ..usual.clone() }, "`warm_up_s` is 1000"),
            (RunSpec { timeouts_s: vec![Some(1e19)], ..usual.clone() }, "`timeouts_s` is 1000"),
            (RunSpec { site: Some(crowd), ..usual.clone() }, "`workers` is 4294967295"),
            (with_loads(vec![thoughtful]), "`think_time_s` of a load is 1000"),
            (with_loads(vec![fast]), "`per_s` of a load is 1000"),
            (with_loads(many), "it has 2000000 points"),
        ] {
            assert!(fault(spec).contains(text), "{text}");
        }
        assert!(check(&usual, &Timing::of(&usual), catalogue()).is_ok());
    }

    #[test]
    fn short_windows_and_ramps_are_refused_unless_it_is_a_smoke_run() {
        let fault = |words: &str| {
            let spec = spec(&format!("tierbench run auction php/WsPhp-DB --clients 5 {words}"));
            check(&spec, &Timing::of(&spec), catalogue())
                .err()
                .map(|fault| crate::fault::rendered(&fault, false))
                .unwrap_or_default()
        };
        for (words, texts) in [
            ("--window 9s", ["a window of 9s", "--window 10s"]),
            ("--ramp 69s", ["a ramp of 69s", "70s"]),
            ("--time-scale 0.05 --ramp 3s", ["a ramp of 3s", "3.5s"]),
        ] {
            let fault = fault(words);
            assert!(texts.iter().all(|text| fault.contains(text)), "{words}: {fault}");
        }
        for words in ["--window 10s", "--ramp 70s", "--time-scale 0.05", "--smoke", "--ramp 500ms --smoke"] {
            assert_eq!(fault(words), "", "{words}");
        }
    }

    #[test]
    fn a_smoke_run_is_short_unless_other_options_say_more() {
        let spec = |words: &str| spec(&format!("tierbench run auction php/WsPhp-DB --clients 5 {words}"));
        let RunSpec { window_s, ramp_s, repetitions, .. } = spec("--smoke");
        assert_eq!((window_s, ramp_s, repetitions), (1.0, 1.0, 1));
        let RunSpec { window_s, ramp_s, repetitions, .. } =
            spec("--smoke --window 12s --ramp 3s --repetitions 2");
        assert_eq!((window_s, ramp_s, repetitions), (12.0, 3.0, 2));
    }

    #[test]
    fn resume_excludes_all_other_options() {
        let parse = |words: &str| Arguments::try_parse_from(words.split(' '));
        for verb in ["run", "compare", "drive"] {
            assert!(parse(&format!("tierbench {verb} --resume results/x")).is_ok());
            assert!(parse(&format!("tierbench --workspace h {verb} --resume results/x --cache c")).is_ok());
            let command = Arguments::command();
            let command = command.find_subcommand(verb).unwrap();
            let resume = command.get_arguments().find(|one| one.get_id() == "resume").unwrap();
            // These only show what is measured.
            let shows = |id: &str| ["resume", "metrics", "watch"].contains(&id);
            for other in command.get_arguments().filter(|one| !shows(one.get_id().as_str())) {
                let refuses = |one, other: &Arg| {
                    command.get_arg_conflicts_with(one).iter().any(|found| found.get_id() == other.get_id())
                };
                let id = other.get_id();
                assert!(refuses(resume, other) || refuses(other, resume), "--resume and {id} of {verb}");
            }
            let refused = parse(&format!("tierbench {verb} --resume results/x --window 10s")).unwrap_err();
            assert!(refused.to_string().contains("--resume"), "{refused}");
        }
        assert!(parse("tierbench compare auction").is_err());
        assert!(parse("tierbench run auction php").unwrap_err().to_string().contains("--clients"));
    }
}

//! From options to the run specification, what a specification may not ask for, and the command line that asks for the same.

use crate::{
    arguments::{CompareOptions, MeasureOptions, RunOptions},
    fault::{CommandError, Fault},
    open_files, registry,
};
use application::{Dataset, Distribution};
use lab::{CapacitySearch, LoadModel, Patience, StoppingRule, Timing, Workspace, WorkspaceError};
use results::{FactorChoice, LoadPlan, RunSpec};
use std::time::Duration;
use workload::Catalogue;

/// The shortest window that says anything of a mix.
const SHORTEST_WINDOW: Duration = Duration::from_secs(10);
/// How often listed loads are measured by default.
const REPETITIONS: u32 = 5;
/// After this many think times, clients no longer do what sessions begin with.
const RAMP_THINK_TIMES: u32 = 10;

/// The default ramp of a load without think times.
const STRESS_RAMP: Duration = Duration::from_secs(5);

/// The default limit of clients in a search, if this system allows as many.
const USUAL_MOST: u32 = 4000;

/// What `run` is asked for.
pub(crate) fn of_run(options: &RunOptions, workspace: &Workspace) -> Result<RunSpec, Fault> {
    let asked = Asked {
        verb: "run",
        application: options.application.as_deref().unwrap_or_default(),
        configurations: options.configuration.as_slice(),
        again: false,
        clients: &options.clients,
        overload_cycle: &options.overload_cycle,
        measure: &options.measure,
    };
    asked.spec(workspace)
}

/// What `compare` is asked for.
pub(crate) fn of_compare(options: &CompareOptions, workspace: &Workspace) -> Result<RunSpec, Fault> {
    let asked = Asked {
        verb: "compare",
        application: options.application.as_deref().unwrap_or_default(),
        configurations: &options.configurations,
        again: options.aa_test,
        clients: &options.clients,
        overload_cycle: &[],
        measure: &options.measure,
    };
    asked.spec(workspace)
}

/// What somebody has named, without the defaults.
struct Asked<'a> {
    verb: &'static str,
    application: &'a str,
    /// Stacks or configurations.
    configurations: &'a [String],
    again: bool,
    clients: &'a [u32],
    overload_cycle: &'a [u32],
    measure: &'a MeasureOptions,
}

impl Asked<'_> {
    /// The same with all defaults.
    fn spec(&self, workspace: &Workspace) -> Result<RunSpec, Fault> {
        let measure = self.measure;
        let application = registry::find(self.application)?;
        let catalogue = workspace.catalogue(application.name())?;
        let model = self.load_model(workspace, &catalogue)?;
        let chosen = workspace.choose(application.name(), self.configurations)?;
        let name = |one: &lab::Variant| format!("{}/{}", one.stack.name, one.configuration.name);
        let (loads, times) = (self.loads(model.as_ref(), &catalogue), self.times(model.as_ref(), &catalogue));
        let timeouts: &[Patience] = if model.is_some() { &[] } else { &measure.timeout };
        let mix = measure.mix.clone().or(model.map(|model| model.mix));
        Ok(RunSpec {
            verb: self.verb.to_owned(),
            application: catalogue.name.clone(),
            configurations: chosen.iter().map(name).collect(),
            again: self.again,
            factors: measure.factors.choices.clone(),
            timeouts_s: timeouts.iter().map(|timeout| timeout.0.map(|length| length.as_secs_f64())).collect(),
            repetitions: measure.repetitions.unwrap_or_else(|| usual_repetitions(&loads, measure.smoke)),
            loads,
            mix: mix.unwrap_or_else(|| catalogue.mix.clone()),
            seed: measure.data.seed,
            scale: measure.data.scale,
            distribution: measure.data.distribution.to_string(),
            time_scale: measure.time_scale,
            think_time_s: times.think_time.as_secs_f64(),
            ramp_s: times.ramp.as_secs_f64(),
            window_s: times.window.as_secs_f64(),
            testbed: measure.hosts.testbed.as_ref().map(|file| file.display().to_string()),
            skip_verify: measure.skip_verify,
            smoke: measure.smoke,
            profile: measure.profile,
            conditions: measure.fail_if.clone(),
        })
    }

    /// The load model that is named, with what is named instead of its own values.
    fn load_model(
        &self,
        workspace: &Workspace,
        catalogue: &Catalogue,
    ) -> Result<Option<LoadModel>, WorkspaceError> {
        let Some(name) = &self.measure.arrivals else { return Ok(None) };
        let mut model = workspace.load_model(catalogue, name)?;
        if !self.clients.is_empty() {
            model.clients = self.clients.to_vec();
        }
        Ok(Some(match self.measure.think_time {
            Some(longest) => model.thinking_up_to(longest.0),
            None => model,
        }))
    }

    fn loads(&self, model: Option<&LoadModel>, catalogue: &Catalogue) -> LoadPlan {
        let MeasureOptions { objective, max_clients, repetitions, .. } = self.measure;
        if let Some(LoadModel { name, title, clients, .. }) = model {
            return LoadPlan::Arrivals {
                model: name.clone(),
                title: title.clone(),
                clients: clients.clone(),
            };
        }
        let most = max_clients.unwrap_or_else(|| USUAL_MOST.min(open_files::clients_that_fit(catalogue)));
        match (objective, self.overload_cycle, self.clients) {
            (Some(objective), ..) => LoadPlan::Capacity { objective: objective.clone(), most },
            (None, [], []) => LoadPlan::Search { most, looks: repetitions.is_none() },
            (None, [], clients) => LoadPlan::Listed(clients.to_vec()),
            (None, steps, _) => LoadPlan::OverloadCycle(steps.to_vec()),
        }
    }

    /// The times, with all those that clients know scaled alike.
    fn times(&self, model: Option<&LoadModel>, catalogue: &Catalogue) -> Times {
        let MeasureOptions { time_scale, think_time, ramp, window, no_think, .. } = self.measure;
        if let Some(model) = model {
            return Times {
                think_time: model.think.1.mul_f64(*time_scale),
                ramp: Duration::ZERO,
                window: model.window(window.0, *time_scale),
            };
        }
        let think_time = match no_think {
            true => Duration::ZERO,
            false => think_time.unwrap_or(catalogue.think_time).0.mul_f64(*time_scale),
        };
        let ramp = ramp.map_or_else(|| default_ramp(think_time), |length| length.0);
        Times { think_time, ramp, window: window.0 }
    }
}

/// Lengths of time that are asked for, after scaling.
struct Times {
    think_time: Duration,
    ramp: Duration,
    window: Duration,
}

/// How often each load or peak is measured by default, at most.
fn usual_repetitions(loads: &LoadPlan, is_smoke: bool) -> u32 {
    match loads {
        LoadPlan::Listed(_) | LoadPlan::Arrivals { .. } if is_smoke => 1,
        LoadPlan::OverloadCycle(_) => 1,
        LoadPlan::Search { .. } => StoppingRule::most_starts(),
        LoadPlan::Capacity { .. } => CapacitySearch::MOST_STARTS,
        LoadPlan::Listed(_) | LoadPlan::Arrivals { .. } => REPETITIONS,
    }
}

/// Refuses settings that give no valid figure.
pub(crate) fn check(spec: &RunSpec, timing: &Timing, catalogue: &Catalogue) -> Result<(), Fault> {
    expect_numbers(spec)?;
    if let LoadPlan::OverloadCycle(steps) = &spec.loads {
        expect_return(steps)?;
    }
    open_files::make_room_for(spec.loads.most_clients(), catalogue)?;
    if spec.smoke || matches!(spec.loads, LoadPlan::Arrivals { .. }) {
        return Ok(());
    }
    let shown = |length: Duration| format!("{}s", length.as_secs_f64());
    if timing.window < SHORTEST_WINDOW {
        let remedy = format!("take --window {} or more, or --smoke", shown(SHORTEST_WINDOW));
        let fault = format!("a window of {} is too short for a verdict", shown(timing.window));
        return Err(CommandError::input(fault).with_help(remedy).into());
    }
    let least = timing.think_time * RAMP_THINK_TIMES;
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
fn expect_numbers(spec: &RunSpec) -> Result<(), Fault> {
    let RunSpec { scale, time_scale, think_time_s, ramp_s, window_s, .. } = *spec;
    let times = [("think_time_s", think_time_s), ("ramp_s", ramp_s), ("window_s", window_s)];
    let has_model = matches!(spec.loads, LoadPlan::Arrivals { .. });
    let wrong = times.into_iter().find(|(_, value)| Duration::try_from_secs_f64(*value).is_err());
    let factors = [("scale", scale), ("time_scale", time_scale)];
    let wrong = wrong.or(factors.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)));
    let timeouts = spec.timeouts_s.iter().flatten().map(|value| ("timeouts_s", *value));
    let is_wait = |value: f64| Duration::try_from_secs_f64(value).is_ok_and(|length| !length.is_zero());
    let wrong = wrong.or(timeouts.into_iter().find(|(_, value)| !is_wait(*value)));
    let what = match wrong {
        Some((name, value)) => format!("`{name}` is {value}"),
        None if spec.repetitions == 0 => "`repetitions` is 0".to_owned(),
        None if spec.timeouts_s.is_empty() && !has_model => "`timeouts_s` is empty".to_owned(),
        None if spec.configurations.is_empty() => "`configurations` is empty".to_owned(),
        None => return Ok(()),
    };
    let fault = format!("the run's specification can't be measured: {what}");
    Err(CommandError::input(fault).with_help("measure it anew into another folder").into())
}

/// The rows that a specification names, fresh now.
pub(crate) fn dataset(spec: &RunSpec) -> Result<Dataset, Fault> {
    let distribution = spec.distribution.parse::<Distribution>().map_err(CommandError::input)?;
    Ok(Dataset { distribution, ..Dataset::new(spec.seed, spec.scale, lab::now()) })
}

/// The command line that asks for the same, with every setting: for people, for nothing here reads it.
pub(crate) fn to_command_line(spec: &RunSpec) -> Vec<String> {
    let mut words = vec!["tierbench".to_owned(), spec.verb.clone(), spec.application.clone()];
    words.extend_from_slice(&spec.configurations);
    let mut name = |flag: &str, value: String| words.extend([format!("--{flag}"), value]);
    match &spec.loads {
        LoadPlan::Listed(clients) => name("clients", joined(clients)),
        LoadPlan::OverloadCycle(steps) => name("overload-cycle", joined(steps)),
        LoadPlan::Arrivals { model, clients, .. } => {
            name("arrivals", model.clone());
            name("clients", joined(clients));
        }
        LoadPlan::Search { most, .. } => name("max-clients", most.to_string()),
        LoadPlan::Capacity { objective, most } => {
            name("objective", objective.to_string());
            name("max-clients", most.to_string());
        }
    }
    spec.factors.iter().for_each(|choice| name("factor", choice_word(choice)));
    name("mix", spec.mix.clone());
    let is_stress = spec.think_time_s == 0.0;
    if !is_stress {
        let nanoseconds = spec.think_time_s / spec.time_scale * 1e9;
        name("think-time", seconds(nanoseconds.round() / 1e9));
    }
    name("time-scale", spec.time_scale.to_string());
    // A load model has its own.
    let has_model = matches!(spec.loads, LoadPlan::Arrivals { .. });
    if !has_model {
        name("timeout", joined(&Patience::of(spec)));
        name("ramp", seconds(spec.ramp_s));
    }
    name("window", seconds(spec.window_s));
    if !matches!(spec.loads, LoadPlan::Search { looks: true, .. }) {
        name("repetitions", spec.repetitions.to_string());
    }
    spec.conditions.iter().for_each(|condition| name("fail-if", condition.to_string()));
    name("scale", spec.scale.to_string());
    name("seed", spec.seed.to_string());
    name("distribution", spec.distribution.clone());
    spec.testbed.iter().for_each(|file| name("testbed", file.clone()));
    let flags = [
        (spec.again, "--aa-test"),
        (is_stress && !has_model, "--no-think"),
        (spec.skip_verify, "--skip-verify"),
        (spec.smoke, "--smoke"),
        (spec.profile, "--profile"),
    ];
    words.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| (*flag).to_owned()));
    words
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
        return STRESS_RAMP;
    }
    Duration::from_secs((think_time * RAMP_THINK_TIMES).as_secs_f64().ceil() as u64)
}

/// A length of time to the nanosecond, unlike the one that people read.
fn seconds(seconds: f64) -> String {
    format!("{seconds}s")
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn choice_word(FactorChoice { name, values }: &FactorChoice) -> String {
    format!("{name}={}", values.join(","))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arguments::{Arguments, Verb};
    use clap::{Arg, CommandFactory, Parser};
    use lab::Loads;
    use std::path::Path;

    pub(crate) fn workspace() -> Workspace {
        Workspace::find(Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap()
    }

    /// What a command line asks for.
    fn asked(words: &[String]) -> Result<RunSpec, Fault> {
        let workspace = workspace();
        match Arguments::try_parse_from(words).unwrap_or_else(|fault| panic!("{words:?}: {fault}")).verb {
            Verb::Run(options) => of_run(&options, &workspace),
            Verb::Compare(options) => of_compare(&options, &workspace),
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

    #[test]
    fn the_command_line_of_a_run_asks_for_the_same_run() {
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
            let written = to_command_line(&first);
            assert_eq!(asked(&written).unwrap(), first, "{written:?}");
            for word in words.split(' ').filter(|word| *word != "php") {
                let is_number = word.ends_with('s') && word.starts_with(|c: char| c.is_ascii_digit());
                assert!(is_number || written.contains(&word.to_owned()), "{word} is lost in {written:?}");
            }
        }
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
        let loads = Loads::of(&spec, &workspace(), catalogue).unwrap();
        assert!(matches!(loads, Loads::List(clients) if clients == [5, 6]));
        let timing = Timing::of(&spec, catalogue);
        let millis = [timing.think_time, timing.ramp, timing.window].map(|length| length.as_millis());
        assert_eq!(millis, [210, 2100, 60_000]);
        assert_eq!(timing.session_length, catalogue.session_length.0.mul_f64(0.3));
        assert_eq!(Patience::of(&spec), [Patience(Some(Duration::from_millis(250))), Patience(None)]);
    }

    #[test]
    fn the_specification_of_arrivals_names_loads_and_times_of_its_model() {
        let workspace = workspace();
        let catalogue = workspace.catalogue("comments").unwrap();
        for (words, load) in [
            (
                "bench1 --think-time 5s --time-scale 0.1",
                "--arrivals bench1 --clients 4000 --mix reading --think-time 5s",
            ),
            (
                "bench3 --clients 14,30 --window 20s",
                "--arrivals bench3 --clients 14,30 --mix reading --time-scale 1",
            ),
        ] {
            let spec = spec(&format!("tierbench run comments WsPhp-DB --arrivals {words}"));
            let timing = Timing::of(&spec, &catalogue);
            assert!(check(&spec, &timing, &catalogue).is_ok() && timing.ramp.is_zero());
            let written = to_command_line(&spec).join(" ");
            assert!(written.contains(load), "{written}");
            let Loads::Arrivals(model) = Loads::of(&spec, &workspace, &catalogue).unwrap() else {
                panic!("no load model of {words}")
            };
            let LoadPlan::Arrivals { clients, .. } = &spec.loads else { panic!("{:?}", spec.loads) };
            assert_eq!(
                (&model.clients, model.think.1.mul_f64(timing.time_scale)),
                (clients, timing.think_time)
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
        let fault = |spec: RunSpec| {
            check(&spec, &Timing::of(&spec, catalogue()), catalogue()).unwrap_err().to_string()
        };
        for (spec, text) in [
            (RunSpec { scale: -1.0, ..usual.clone() }, "`scale` is -1"),
            (RunSpec { time_scale: f64::NAN, ..usual.clone() }, "`time_scale` is NaN"),
            (RunSpec { think_time_s: -7.0, ..usual.clone() }, "`think_time_s` is -7"),
            (RunSpec { window_s: 1e30, ..usual.clone() }, "`window_s` is 1000"),
            (RunSpec { timeouts_s: vec![None, Some(0.0)], ..usual.clone() }, "`timeouts_s` is 0"),
            (RunSpec { timeouts_s: Vec::new(), ..usual.clone() }, "`timeouts_s` is empty"),
            (RunSpec { repetitions: 0, ..usual.clone() }, "`repetitions` is 0"),
            (RunSpec { configurations: Vec::new(), ..usual.clone() }, "`configurations` is empty"),
        ] {
            assert!(fault(spec).contains(text), "{text}");
        }
        assert!(check(&usual, &Timing::of(&usual, catalogue()), catalogue()).is_ok());
    }

    #[test]
    fn short_windows_and_ramps_are_refused_unless_it_is_a_smoke_run() {
        let fault = |words: &str| {
            let spec = spec(&format!("tierbench run auction php/WsPhp-DB --clients 5 {words}"));
            check(&spec, &Timing::of(&spec, catalogue()), catalogue())
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
        for verb in ["run", "compare"] {
            assert!(parse(&format!("tierbench {verb} --resume results/x")).is_ok());
            assert!(parse(&format!("tierbench --workspace h {verb} --resume results/x --cache c")).is_ok());
            let command = Arguments::command();
            let command = command.find_subcommand(verb).unwrap();
            let resume = command.get_arguments().find(|one| one.get_id() == "resume").unwrap();
            let others = command.get_arguments().filter(|one| one.get_id() != "resume");
            for other in others {
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

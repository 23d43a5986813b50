//! What `run` or `compare` shall measure, and the command line that measures the same again.

use crate::{
    arguments::{Arguments, CompareOptions, MeasureOptions, RunOptions, Verb},
    fault::Fault,
    limits, registry,
};
use clap::Parser;
use lab::{CapacitySearch, FactorChoice, Loads, StoppingRule, Timing, Values, Workspace, WorkspaceError};
use results::LoadPlan;
use std::time::Duration;
use workload::Catalogue;

/// What `run` or `compare` shall measure.
#[derive(Clone)]
pub(crate) struct RunSpec {
    pub verb: &'static str,
    pub application: String,
    /// Stacks or configurations.
    pub words: Vec<String>,
    pub loads: Loads,
    /// Whether the first configuration takes part twice.
    pub again: bool,
    pub measure: MeasureOptions,
}

/// The shortest window that says anything of a mix.
const SHORTEST_WINDOW: Duration = Duration::from_secs(10);
/// How often listed loads are measured by default.
const REPETITIONS: u32 = 5;
/// After this many think times, clients no longer do what sessions begin with.
const RAMP_THINK_TIMES: u32 = 10;

/// The default ramp of a load without think times.
const STRESS_RAMP: Duration = Duration::from_secs(5);

/// How many clients a search goes up to by default.
const USUAL_MOST: u32 = 4000;

/// The same, or as many as this system allows of an application.
fn usual_most(application: Option<&str>) -> u32 {
    let known = application.and_then(|name| registry::find(name).ok());
    known.map_or(USUAL_MOST, |known| USUAL_MOST.min(limits::clients_that_fit(known.catalogue())))
}

/// How many clients a search goes up to.
fn most(measure: &MeasureOptions, application: Option<&str>) -> u32 {
    measure.most.unwrap_or_else(|| usual_most(application))
}

/// The search for a capacity, if an objective asks for one.
fn capacity(measure: &MeasureOptions, application: Option<&str>) -> Option<Loads> {
    let objective = measure.objective.clone()?;
    Some(Loads::Capacity { objective, most: most(measure, application) })
}

impl RunSpec {
    pub(crate) fn of_run(options: &RunOptions) -> Self {
        Self {
            verb: "run",
            application: options.application.clone().unwrap_or_default(),
            words: options.configuration.iter().cloned().collect(),
            loads: match (
                capacity(&options.measure, options.application.as_deref()),
                options.overload_cycle.as_slice(),
            ) {
                (Some(capacity), _) => capacity,
                (None, []) => Loads::List(options.clients.clone()),
                (None, steps) => Loads::OverloadCycle(steps.to_vec()),
            },
            again: false,
            measure: options.measure.clone(),
        }
    }

    pub(crate) fn of_compare(options: &CompareOptions) -> Self {
        let application = options.application.as_deref();
        let loads = match (capacity(&options.measure, application), options.clients.as_slice()) {
            (Some(capacity), _) => capacity,
            (None, []) => {
                let looks =
                    options.measure.repetitions.map_or(StoppingRule::Sequential, |_| StoppingRule::Fixed);
                Loads::PeakSearch { most: most(&options.measure, application), looks }
            }
            (None, clients) => Loads::List(clients.to_vec()),
        };
        Self {
            verb: "compare",
            application: options.application.clone().unwrap_or_default(),
            words: options.configurations.clone(),
            loads,
            again: options.again,
            measure: options.measure.clone(),
        }
    }

    /// Reads a command line that [`RunSpec::to_command_line`] has written.
    pub(crate) fn read(words: &[String]) -> Option<Self> {
        match Arguments::try_parse_from(words).ok()?.verb {
            Verb::Run(options) => Some(Self::of_run(&options)),
            Verb::Compare(options) => Some(Self::of_compare(&options)),
            _ => None,
        }
    }

    /// The same with the load model that it names, if it names one.
    pub(crate) fn with_model(
        &self,
        workspace: &Workspace,
        catalogue: &Catalogue,
    ) -> Result<Self, WorkspaceError> {
        let mut spec = self.clone();
        let Some(name) = &self.measure.arrivals else { return Ok(spec) };
        let mut model = workspace.load_model(catalogue, name)?;
        if let Loads::List(clients) = &self.loads
            && !clients.is_empty()
        {
            model.clients.clone_from(clients);
        }
        if let Some(longest) = self.measure.think_time {
            model = model.thinking_up_to(longest.0);
        }
        spec.measure.mix.get_or_insert_with(|| model.mix.clone());
        spec.loads = Loads::Arrivals(model);
        Ok(spec)
    }

    /// Refuses settings that give no valid figure.
    pub(crate) fn check(&self, timing: &Timing, catalogue: &Catalogue) -> Result<(), Fault> {
        if let Loads::OverloadCycle(steps) = &self.loads {
            expect_return(steps)?;
        }
        limits::make_room_for(self.most_clients(), catalogue).map_err(Fault::Usage)?;
        if self.measure.smoke || matches!(self.loads, Loads::Arrivals(_)) {
            return Ok(());
        }
        let shown = |length: Duration| format!("{}s", length.as_secs_f64());
        if timing.window < SHORTEST_WINDOW {
            return Err(Fault::Usage(format!(
                "a window of {} is too short for a verdict; take --window {} or more, or --smoke to check only whether \
                 everything runs",
                shown(timing.window),
                shown(SHORTEST_WINDOW)
            )));
        }
        let least = timing.think_time * RAMP_THINK_TIMES;
        if timing.ramp < least {
            return Err(Fault::Usage(format!(
                "a ramp of {} is too short: sessions have only begun before ten think times, which are {} here, have \
                 passed; leave --ramp out, shorten think times with --time-scale, or take --smoke",
                shown(timing.ramp),
                shown(least)
            )));
        }
        Ok(())
    }

    /// How often each load or peak is measured, at most.
    pub(crate) fn repetitions(&self) -> u32 {
        self.measure.repetitions.unwrap_or(match self.loads {
            Loads::OverloadCycle(_) => 1,
            Loads::PeakSearch { .. } => StoppingRule::most_starts(),
            Loads::Capacity { .. } => CapacitySearch::MOST_STARTS,
            Loads::List(_) | Loads::Arrivals(_) => REPETITIONS,
        })
    }

    /// The highest load that may be measured.
    fn most_clients(&self) -> u32 {
        match &self.loads {
            Loads::List(list) | Loads::OverloadCycle(list) => list.iter().max().copied().unwrap_or_default(),
            Loads::Arrivals(model) => model.clients.iter().max().copied().unwrap_or_default(),
            Loads::PeakSearch { most, .. } | Loads::Capacity { most, .. } => *most,
        }
    }

    /// The times, with all those that clients know scaled alike.
    pub(crate) fn timing(&self, catalogue: &Catalogue) -> Timing {
        let MeasureOptions { time_scale, think_time, ramp, window, .. } = &self.measure;
        let scaled = |length: Duration| length.mul_f64(*time_scale);
        if let Loads::Arrivals(model) = &self.loads {
            return Timing {
                think_time: scaled(model.think.1),
                session_length: scaled(catalogue.session_length.0),
                ramp: Duration::ZERO,
                window: model.window(window.0, *time_scale),
                time_scale: *time_scale,
                is_smoke: self.measure.smoke,
            };
        }
        let think_time = match self.measure.stress {
            true => Duration::ZERO,
            false => scaled(think_time.unwrap_or(catalogue.think_time).0),
        };
        Timing {
            think_time,
            session_length: scaled(catalogue.session_length.0),
            ramp: ramp.map_or_else(|| default_ramp(think_time), |length| length.0),
            window: window.0,
            time_scale: *time_scale,
            is_smoke: self.measure.smoke,
        }
    }

    /// The loads as a result records them.
    pub(crate) fn load_plan(&self) -> LoadPlan {
        match &self.loads {
            Loads::List(list) => LoadPlan::Listed(list.clone()),
            Loads::OverloadCycle(steps) => LoadPlan::OverloadCycle(steps.clone()),
            Loads::Arrivals(model) => LoadPlan::Arrivals {
                model: model.name.clone(),
                title: model.title.clone(),
                clients: model.clients.clone(),
            },
            Loads::PeakSearch { most, looks } => {
                LoadPlan::Search { most: *most, looks: *looks == StoppingRule::Sequential }
            }
            Loads::Capacity { objective, most } => {
                LoadPlan::Capacity { objective: objective.to_string(), most: *most }
            }
        }
    }

    /// The name of the mix, if it is one of a known application.
    pub(crate) fn mix(&self) -> Option<String> {
        let usual = || Some(registry::find(&self.application).ok()?.catalogue().mix.clone());
        self.measure.mix.clone().or_else(usual)
    }

    /// A command line for the same run of these configurations, with every setting.
    pub(crate) fn to_command_line(&self, configurations: &[String], timing: &Timing) -> Vec<String> {
        let MeasureOptions { factors, timeout, time_scale, data, .. } = &self.measure;
        let mut words = vec!["tierbench".to_owned(), self.verb.to_owned(), self.application.clone()];
        words.extend_from_slice(configurations);
        let mut name = |flag: &str, value: String| words.extend([format!("--{flag}"), value]);
        match &self.loads {
            Loads::List(list) => {
                name("clients", joined(list));
            }
            Loads::OverloadCycle(steps) => name("overload-cycle", joined(steps)),
            Loads::Arrivals(model) => {
                name("arrivals", model.name.clone());
                name("clients", joined(&model.clients));
            }
            Loads::PeakSearch { most, .. } => name("most", most.to_string()),
            Loads::Capacity { objective, most } => {
                name("objective", objective.to_string());
                name("most", most.to_string());
            }
        }
        factors.choices.iter().for_each(|choice| name("factor", choice_word(choice)));
        self.mix().into_iter().for_each(|mix| name("mix", mix));
        if !timing.think_time.is_zero() {
            name("think-time", seconds(timing.think_time.div_f64(*time_scale)));
        }
        name("time-scale", time_scale.to_string());
        // A load model has its own.
        if !matches!(self.loads, Loads::Arrivals(_)) {
            name("timeout", joined(timeout));
            name("ramp", seconds(timing.ramp));
        }
        name("window", seconds(timing.window));
        if !matches!(self.loads, Loads::PeakSearch { looks: StoppingRule::Sequential, .. }) {
            name("repetitions", self.repetitions().to_string());
        }
        self.measure.fail_if.iter().for_each(|condition| name("fail-if", condition.to_string()));
        name("scale", data.scale.to_string());
        name("seed", data.seed.to_string());
        name("distribution", data.distribution.to_string());
        self.measure.hosts.testbed.iter().for_each(|file| name("testbed", file.display().to_string()));
        let flags = [
            (self.again, "--again"),
            (self.measure.stress, "--stress"),
            (self.measure.skip_verify, "--skip-verify"),
            (self.measure.smoke, "--smoke"),
            (self.measure.profile, "--profile"),
        ];
        words.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| (*flag).to_owned()));
        words
    }
}

/// Refuses an overload cycle that compares nothing.
fn expect_return(steps: &[u32]) -> Result<(), Fault> {
    let highest = steps.iter().max().and_then(|most| steps.iter().position(|step| step == most)).unwrap_or(0);
    let (up, down) = steps.split_at(highest);
    if up.iter().any(|step| down.contains(step)) {
        return Ok(());
    }
    Err(Fault::Usage(format!(
        "an overload cycle through {} compares nothing: no load below its highest one comes again after it; go up and \
         back down, as in --overload-cycle 400,800,1600,800,400",
        joined(steps)
    )))
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
fn seconds(length: Duration) -> String {
    format!("{}s", length.as_secs_f64())
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn choice_word(FactorChoice { name, values }: &FactorChoice) -> String {
    match values {
        Values::List(values) => format!("{name}={}", values.join(",")),
        Values::Every => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, CommandFactory};

    fn spec(words: &str) -> RunSpec {
        let words: Vec<String> = words.split(' ').map(ToOwned::to_owned).collect();
        RunSpec::read(&words).unwrap_or_else(|| panic!("{words:?}"))
    }

    fn catalogue() -> &'static Catalogue {
        crate::registry::find("auction").unwrap().catalogue()
    }

    fn again(spec: &RunSpec) -> Vec<String> {
        spec.to_command_line(&spec.words, &spec.timing(catalogue()))
    }

    #[test]
    fn the_command_line_of_a_run_parses_to_the_same_run() {
        for words in [
            "tierbench run auction WsPhp-DB --clients 100,200",
            "tierbench compare auction php/WsPhp-DB reference/Model",
            "tierbench compare auction php --most 9 --repetitions 3 --seed 5 --scale 0.25 --distribution skewed",
            "tierbench compare auction php --clients 5 --again",
            "tierbench run auction php --clients 5 --factor engine=InnoDB,MyISAM --factor protocol=text --skip-verify",
            "tierbench run auction php --clients 5 --think-time 700ms --time-scale 0.3 --ramp 2.1s --window 10s --smoke",
            "tierbench run auction php --clients 5 --fail-if p99>500ms --fail-if errors>0 --mix browsing --profile",
            "tierbench run auction php --clients 5 --testbed testbeds/four-machines.toml",
            "tierbench run auction php --clients 5 --timeout 250ms,10s,none",
            "tierbench run auction php --overload-cycle 50,200,50 --repetitions 2",
            "tierbench run auction php --objective p90<=1s,errors<=0.1% --most 300",
            "tierbench compare auction php --objective mean<=20ms --most 9 --repetitions 3",
            "tierbench compare quotes php --clients 8,16 --stress",
        ] {
            let first = spec(words);
            let written = again(&first);
            let second = RunSpec::read(&written).unwrap_or_else(|| panic!("{written:?}"));
            assert_eq!(again(&second), written);
            assert_eq!(second.load_plan(), first.load_plan());
            assert_eq!(second.measure.fail_if, first.measure.fail_if);
            assert_eq!(second.measure.factors.choices, first.measure.factors.choices);
            let timings = [&first, &second].map(|spec| spec.timing(catalogue()));
            let lengths = timings.map(|timing| (timing.think_time, timing.ramp, timing.window));
            assert_eq!(lengths[0], lengths[1], "{words}");
            for word in words.split(' ') {
                let is_number = word.ends_with('s') && word.starts_with(|c: char| c.is_ascii_digit());
                assert!(is_number || written.contains(&word.to_owned()), "{word} is lost in {written:?}");
            }
        }
    }

    #[test]
    fn the_command_line_of_arrivals_names_loads_and_times() {
        let workspace =
            Workspace::find(Some(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap();
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
            let first = spec(&format!("tierbench run comments WsPhp-DB --arrivals {words}"));
            let first = first.with_model(&workspace, &catalogue).unwrap();
            let timing = first.timing(&catalogue);
            assert!(first.check(&timing, &catalogue).is_ok() && timing.ramp.is_zero());
            let written = first.to_command_line(&first.words, &timing);
            assert!(written.join(" ").contains(load), "{written:?}");
            let second = RunSpec::read(&written).unwrap().with_model(&workspace, &catalogue).unwrap();
            assert_eq!(second.to_command_line(&second.words, &second.timing(&catalogue)), written);
            assert_eq!(second.load_plan(), first.load_plan());
        }
        let unknown =
            spec("tierbench run comments WsPhp-DB --arrivals bench5").with_model(&workspace, &catalogue);
        assert!(unknown.err().unwrap().to_string().contains("no load model `bench5`"));
    }

    #[test]
    fn short_windows_and_ramps_are_refused_unless_it_is_a_smoke_run() {
        let fault = |words: &str| {
            let spec = spec(&format!("tierbench run auction php --clients 5 {words}"));
            spec.check(&spec.timing(catalogue()), catalogue())
                .err()
                .map(|fault| fault.to_string())
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
        for words in ["--window 10s", "--ramp 70s", "--time-scale 0.05", "--window 1s --ramp 1s --smoke"] {
            assert_eq!(fault(words), "", "{words}");
        }
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

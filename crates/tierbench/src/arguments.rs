//! The words and options of the command. The first paragraph of an option's comment is what `-h` shows; `--help` shows all
//! of it, with an example.

use crate::help::{
    self, AFTER_HELP, AFTER_HELP_OF_DRIVE, AFTER_HELP_OF_NEW_STACK, AFTER_HELP_OF_REPRODUCE,
    AFTER_HELP_OF_TESTBED, AFTER_SHORT_HELP, DATA, ENVIRONMENT, LAST, LOAD, MEASUREMENT, OUTPUT, PROOFS,
    WORKLOAD,
};
use crate::{
    fault::end_parsing,
    limits::{LARGEST_SCALE, MOST_REPETITIONS, MOST_WORKERS, RATES, TIME_SCALES},
    load_options::LoadOptions,
    output::note,
    run_spec::{LoadRequest, RunRequest},
};
use application::{Dataset, Distribution};
use clap::{
    Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Id, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
    parser::ValueSource,
};
use lab::{Timeout, Workspace, WorkspaceError};
use report::Tolerance;
use results::{Condition, FactorChoice, Objective};
use std::{collections::BTreeSet, ffi::OsString, io, path::PathBuf, str::FromStr};
use workload::Length;

/// The laboratory's version, with the commit that it was built from where that is known.
pub(crate) const VERSION: &str = match option_env!("TIERBENCH_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Measure and compare server architectures with the same real web application, driven by emulated users
#[derive(Debug, Parser)]
#[command(
    version = VERSION, max_term_width = 110, subcommand_value_name = "VERB", disable_help_subcommand = true,
    disable_help_flag = true, arg = help::flag(), after_help = AFTER_SHORT_HELP, after_long_help = AFTER_HELP
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub places: Places,
    #[command(subcommand)]
    pub verb: Verb,
}

impl Arguments {
    /// Parses the command line of this process; ends it after an error or after help.
    pub(crate) fn of_process() -> Self {
        let matches = help::with_groups(Self::command()).try_get_matches();
        let arguments = matches.and_then(|matches| Self::of_matches(&matches));
        arguments.unwrap_or_else(|fault| end_parsing(&fault))
    }

    /// The same from other words, of which the first is the command's own name.
    #[cfg(test)]
    pub(crate) fn read_from<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Self, clap::Error> {
        Self::of_matches(&Self::command().try_get_matches_from(words)?)
    }

    fn of_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut arguments = Self::from_arg_matches(matches)?;
        let given = match &mut arguments.verb {
            Verb::Run(options) => &mut options.measure.given,
            Verb::Compare(options) => &mut options.measure.given,
            Verb::Gate(options) => &mut options.measure.given,
            Verb::Drive(options) => &mut options.given,
            _ => return Ok(arguments),
        };
        *given = matches.subcommand().map(|(_, matches)| Given::of(matches)).unwrap_or_default();
        Ok(arguments)
    }
}

/// Options that stand on the command line, unlike those that have their defaults.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given(BTreeSet<String>);

impl Given {
    fn of(matches: &ArgMatches) -> Self {
        let is_given = |id: &&Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Self(matches.ids().filter(is_given).map(ToString::to_string).collect())
    }

    /// True if an option stands there, by the name of its field.
    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.contains(option)
    }
}

impl RunOptions {
    pub(crate) fn request(&self) -> RunRequest {
        let loads = LoadRequest {
            clients: self.clients.clone(),
            overload_cycle: self.overload_cycle.clone(),
            ..self.measure.loads()
        };
        let configurations = self.configuration.iter().cloned().collect();
        self.measure.request(results::Verb::Run, self.application.as_ref(), configurations, loads)
    }
}

impl CompareOptions {
    pub(crate) fn request(&self) -> RunRequest {
        let loads = LoadRequest { clients: self.clients.clone(), ..self.measure.loads() };
        let request = self.measure.request(
            results::Verb::Compare,
            self.application.as_ref(),
            self.configurations.clone(),
            loads,
        );
        RunRequest { aa_test: self.aa_test, ..request }
    }
}

impl GateOptions {
    /// A comparison of these configurations.
    pub(crate) fn request(&self, application: &String, configurations: Vec<String>) -> RunRequest {
        let loads = LoadRequest { clients: self.clients.clone(), ..self.measure.loads() };
        self.measure.request(results::Verb::Compare, Some(application), configurations, loads)
    }
}

impl MeasureOptions {
    fn loads(&self) -> LoadRequest {
        LoadRequest {
            arrivals: self.arrivals.clone(),
            objective: self.objective.clone(),
            max_clients: self.max_clients,
            no_think: self.no_think,
            ..LoadRequest::default()
        }
    }

    fn request(
        &self,
        verb: results::Verb,
        application: Option<&String>,
        configurations: Vec<String>,
        loads: LoadRequest,
    ) -> RunRequest {
        RunRequest {
            verb,
            application: application.cloned().unwrap_or_default(),
            configurations,
            aa_test: false,
            loads,
            factors: self.factors.choices.clone(),
            timeouts: self.timeout.clone(),
            mix: self.mix.clone(),
            think_time: self.think_time.map(|length| length.0),
            time_scale: self.time_scale,
            scale: self.data.scale,
            seed: self.data.seed,
            distribution: self.data.distribution,
            ramp: self.ramp.map(|length| length.0),
            window: self.window.0,
            warm_up: self.warm_up.map(|length| length.0),
            repetitions: self.repetitions,
            testbed: self.hosts.testbed.clone(),
            skip_verify: self.skip_verify,
            smoke: self.smoke,
            profile: self.profile,
            conditions: self.fail_if.clone(),
        }
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Places {
    /// Use this workspace [default: the one around the current folder]
    ///
    /// A workspace is the folder with apps/, services/ and stacks/.
    ///
    /// Example: --workspace ../tierbench
    #[arg(long, global = true, value_name = "FOLDER", help_heading = ENVIRONMENT, display_order = LAST)]
    pub workspace: Option<PathBuf>,
    /// Keep loaded data here [default: tierbench in the user's cache]
    ///
    /// Later commands take the data from there instead of loading them again. The variable TIERBENCH_CACHE names it, too.
    ///
    /// Example: --cache /var/cache/tierbench
    #[arg(
        long, global = true, value_name = "FOLDER", env = "TIERBENCH_CACHE", hide_env = true,
        help_heading = ENVIRONMENT, display_order = LAST + 1
    )]
    pub cache: Option<PathBuf>,
}

impl Places {
    /// The workspace.
    pub(crate) fn workspace(&self) -> Result<Workspace, WorkspaceError> {
        Workspace::find(self.workspace.as_deref())
    }

    /// ` --workspace FOLDER` for a command line; empty if the option was not given.
    pub(crate) fn workspace_words(&self) -> String {
        self.workspace.as_ref().map_or(String::new(), |folder| format!(" --workspace {}", folder.display()))
    }

    /// The folder of the cache; none if no option names one and the user has none.
    pub(crate) fn cache(&self) -> io::Result<Option<PathBuf>> {
        self.cache.clone().or_else(cache::default_folder).map(std::path::absolute).transpose()
    }

    /// The same for a command that loads data, which says if they are not kept.
    pub(crate) fn cache_of_data(&self) -> io::Result<Option<PathBuf>> {
        let folder = self.cache()?;
        if folder.is_none() {
            note(
                "loaded data are not kept, because neither HOME nor XDG_CACHE_HOME names a folder; --cache names one",
            );
        }
        Ok(folder)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lay out a workspace in a new folder, and name the packages that are missing
    Init(InitOptions),
    /// Check this machine, or those of a testbed: what is installed, missing or too old
    Doctor(DoctorOptions),
    /// Check an application's files and stacks, and show what its mixes come to
    Check(CheckOptions),
    /// Bring up the hosts of a testbed, run commands on them, take them down
    Testbed(TestbedOptions),
    /// Start a configuration and keep it running for a browser
    Up(UpOptions),
    /// Verify that configurations do what the model does: same pages, same rows
    Verify(VerifyOptions),
    /// Verify what has changed, and record in proofs/ what was verified
    Prove(ProveOptions),
    /// Measure one configuration, or its variants, at given loads
    Run(RunOptions),
    /// Measure several configurations, interleaved, each up to its peak
    Compare(CompareOptions),
    /// Compare stacks with what they were at another commit: is a figure worse?
    Gate(GateOptions),
    /// Put load on a site that already runs: addresses, a site's file, or an application
    #[command(after_long_help = AFTER_HELP_OF_DRIVE)]
    Drive(DriveOptions),
    /// Repeat what a paper measured, and judge what it claims
    #[command(after_long_help = AFTER_HELP_OF_REPRODUCE)]
    Reproduce(ReproduceOptions),
    /// Show a result's table and write its report, or compare two results
    Report(ReportOptions),
    /// Write a site of several results, which needs no server and no script
    Gallery(GalleryOptions),
    /// Print what a stack must do for an application, as one page of Markdown
    Spec(SpecOptions),
    /// Create something of your own: a stack
    New(NewOptions),
    /// List or remove the loaded data that are kept for later commands
    Cache(CacheOptions),
    /// Serve an application's model over HTTP (the stack `reference` does this)
    #[command(hide = true)]
    Reference(ReferenceOptions),
    /// Serve the payment gateway of an application
    #[command(hide = true)]
    Gateway(GatewayOptions),
    /// Write the JSON Schemas of a result's files
    #[command(hide = true)]
    Schema(SchemaOptions),
}

/// Default scale of verbs that show a site.
pub(crate) const DATA_SCALE: f64 = 0.05;

/// Verbs that measure default to the papers' scale. With fewer data many lists are empty, and users go back more often than
/// the mix asks for.
fn papers_scale(scale: Arg) -> Arg {
    scale.default_value("1")
}

pub(crate) const SEED: u64 = 1;

#[derive(Debug, Clone, Args)]
pub(crate) struct DataOptions {
    /// Set the size of the data; 1 is the papers' database
    ///
    /// A smaller scale loads faster. With few rows many lists are empty, though: users then find no link, and press the back button.
    ///
    /// Example: --scale 0.25
    #[arg(long, default_value_t = DATA_SCALE, value_parser = some_scale, help_heading = DATA)]
    pub scale: f64,
    /// Set the seed of everything random
    ///
    /// The same seed gives the same rows, users and order.
    ///
    /// Example: --seed 7
    #[arg(long, default_value_t = SEED, help_heading = DATA)]
    pub seed: u64,
    /// Set how rows are spread: uniform or skewed
    ///
    /// uniform spreads everything evenly, as in the papers. skewed has popular items, busy sellers and late bids.
    ///
    /// Example: --distribution skewed
    #[arg(
        long, value_name = "NAME", default_value_t = Distribution::default(), value_parser = distributions(), hide_possible_values = true,
        help_heading = DATA
    )]
    pub distribution: Distribution,
}

impl DataOptions {
    /// The dataset, generated now.
    pub(crate) fn dataset(&self) -> Dataset {
        Dataset { distribution: self.distribution, ..Dataset::new(self.seed, self.scale, lab::now()) }
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct FactorOptions {
    /// Run with these values of a factor (repeatable)
    ///
    /// Several values, separated by commas, make a variant of each configuration, such as WsPhp-DB,engine=MyISAM.
    /// A configuration that is named with a value of it keeps that one. `tierbench check APPLICATION` lists the factors.
    ///
    /// Example: --factor engine=InnoDB,MyISAM
    #[arg(long = "factor", value_name = "NAME=VALUE", help_heading = ENVIRONMENT)]
    pub choices: Vec<FactorChoice>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct HostOptions {
    /// Run the tiers on this file's hosts [default: this machine]
    ///
    /// The file names hosts with their cores, CPU, memory and link, and which tiers run on them.
    ///
    /// Example: --testbed testbeds/four-machines.toml
    #[arg(long, value_name = "FILE", help_heading = ENVIRONMENT)]
    pub testbed: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct InitOptions {
    /// The workspace's folder, new or empty
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct UpOptions {
    /// The application, such as auction
    pub application: String,
    /// A configuration, such as WsPhp-DB, or a stack: its first one
    pub configuration: String,
    #[command(flatten)]
    pub data: DataOptions,
    /// Listen on this port [default: a free one]
    ///
    /// Example: --port 8080
    #[arg(long, help_heading = ENVIRONMENT)]
    pub port: Option<u16>,
    #[command(flatten)]
    pub factors: FactorOptions,
    #[command(flatten)]
    pub hosts: HostOptions,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    /// The application, such as auction
    pub application: String,
    /// Stacks or configurations
    #[arg(required = true, value_name = "CONFIGURATION")]
    pub configurations: Vec<String>,
    /// Send at least this many requests along the mix
    ///
    /// More are sent until each interaction of the mix was seen.
    ///
    /// Example: --requests 1000
    #[arg(
        long, value_name = "N", default_value_t = VERIFY_REQUESTS, conflicts_with = "smoke", help_heading = WORKLOAD
    )]
    pub requests: usize,
    /// Walk by this mix [default: the application's usual one]
    ///
    /// Example: --mix browsing
    #[arg(long, conflicts_with = "smoke", help_heading = WORKLOAD)]
    pub mix: Option<String>,
    /// Send this many randomly chosen requests
    ///
    /// The default is enough for each interaction to follow each other one.
    ///
    /// Example: --steps 5000
    #[arg(
        long, value_name = "N", default_value_t = VERIFY_STEPS, conflicts_with = "smoke", help_heading = WORKLOAD
    )]
    pub steps: usize,
    /// Check in little time whether everything runs
    ///
    /// All branches of the rules and some wrong values are sent.
    ///
    /// Example: --smoke
    #[arg(long, help_heading = WORKLOAD)]
    pub smoke: bool,
    /// Verify only these parts or interactions
    ///
    /// Parts are branches, values, walk, random, damaged, census, clients and protocol. All rows are compared after them.
    /// Interactions such as ViewItem are named as in `app.toml`.
    ///
    /// Example: --only branches,protocol
    #[arg(
        long, value_name = "NAME,…", value_delimiter = ',', help_heading = WORKLOAD,
        conflicts_with_all = ["smoke", "replay", "accept"]
    )]
    pub only: Vec<String>,
    /// Spend at most this long on shrinking a failing sequence
    ///
    /// Verify reduces a sequence of requests that shows a difference to a shorter one that also shows it.
    ///
    /// Example: --shrink-time 5m
    #[arg(long, value_name = "LENGTH", default_value_t = Length(lab::SHRINK_TIME), help_heading = WORKLOAD)]
    pub shrink_time: Length,
    /// Send only the requests in this file
    ///
    /// A failed verification leaves such a file behind.
    ///
    /// Example: --replay failure-WsPhp-DB.steps
    #[arg(
        long, value_name = "FILE", help_heading = WORKLOAD,
        conflicts_with_all = ["smoke", "requests", "mix", "steps", "accept", "seed", "scale"]
    )]
    pub replay: Option<PathBuf>,
    /// Set the size of the data; 1 is the papers' database
    ///
    /// Example: --scale 0.01
    #[arg(long, default_value_t = lab::VERIFICATION_SCALE, value_parser = some_scale, help_heading = DATA)]
    pub scale: f64,
    /// Set the seed of everything random
    ///
    /// Example: --seed 7
    #[arg(long, default_value_t = 1, help_heading = DATA)]
    pub seed: u64,
    /// Go on after a configuration that does not start
    ///
    /// A difference never ends the command. All failed configurations are named at the end.
    ///
    /// Example: --keep-going
    #[arg(long, conflicts_with = "accept", help_heading = OUTPUT)]
    pub keep_going: bool,
    /// Record the observed statements as the reference
    ///
    /// The first configuration of each storage engine is recorded. Review the files as a diff.
    ///
    /// Example: --accept
    #[arg(long, conflicts_with = "smoke", help_heading = OUTPUT)]
    pub accept: bool,
    /// Show what each interaction sends to the store
    ///
    /// Example: --statements
    #[arg(long, help_heading = OUTPUT)]
    pub statements: bool,
    #[command(flatten)]
    pub factors: FactorOptions,
    #[command(flatten)]
    pub hosts: HostOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ProveOptions {
    /// The application, such as auction [default: all of them]
    pub application: Option<String>,
    /// Stacks or configurations [default: all of them]
    #[arg(value_name = "CONFIGURATION")]
    pub configurations: Vec<String>,
    /// Write nothing into proofs/; exit with code 3 on a difference
    ///
    /// The same variants are verified. What was verified is remembered in the user's cache folder.
    ///
    /// Example: --check
    #[arg(long, help_heading = PROOFS)]
    pub check: bool,
    /// Verify all of them, also those with a valid proof
    ///
    /// Example: --all
    #[arg(long, help_heading = PROOFS)]
    pub all: bool,
    /// Verify one of several parts
    ///
    /// Example: --all --part 2/4
    #[arg(long, value_name = "I/N", requires = "all", help_heading = PROOFS)]
    pub part: Option<Part>,
    /// Verify the oldest proofs again, for this long
    ///
    /// Variants without a proof come first, however long they take.
    ///
    /// Example: --budget 10m
    #[arg(long, value_name = "LENGTH", conflicts_with = "all", help_heading = PROOFS)]
    pub budget: Option<Length>,
}

/// One of several equal parts of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    number: usize,
    of: usize,
}

impl Default for Part {
    /// All of it.
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

impl Part {
    /// True if this part has the item at this place of the list.
    pub(crate) fn holds(self, place: usize) -> bool {
        place % self.of == self.number - 1
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 0 < number && number <= of => Ok(Self { number, of }),
            _ => Err("it must be like 2/4, the second of four parts".to_owned()),
        }
    }
}

/// Requests along the mix: each interaction occurs many times, within seconds.
pub(crate) const VERIFY_REQUESTS: usize = 400;

/// Random requests: each pair of interactions occurs, within half a minute.
pub(crate) const VERIFY_STEPS: usize = 1500;

/// The defaults of `run`, which measures no peaks but overload cycles.
fn repetitions_of_run(repetitions: Arg) -> Arg {
    repetitions.help("Measure each load on this many starts [default: 5; cycles: 1]").long_help(
        "Measure each load on this many starts of the servers [default: 5; of an overload cycle: 1]\n\n\
         Example: --repetitions 3",
    )
}

/// The last value of a repeated option counts, so that a recorded command can be varied by adding to it.
#[derive(Debug, Clone, Args)]
#[command(
    args_override_self = true,
    mut_arg("scale", papers_scale),
    mut_arg("repetitions", repetitions_of_run),
    override_usage = "tierbench run [OPTIONS] --clients <CLIENTS> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run [OPTIONS] --objective <LIMITS> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run [OPTIONS] --overload-cycle <CLIENTS> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run [OPTIONS] --arrivals <MODEL> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run --resume <FOLDER>\n       \
                      tierbench run [OPTIONS] --like <FOLDER>"
)]
pub(crate) struct RunOptions {
    /// The application, such as auction
    #[arg(required_unless_present_any = ["resume", "like"], conflicts_with = "resume")]
    pub application: Option<String>,
    /// A stack or configuration, such as php or WsPhp-DB
    #[arg(required_unless_present_any = ["resume", "like"], conflicts_with = "resume")]
    pub configuration: Option<String>,
    /// Measure at these numbers of clients
    ///
    /// A client thinks, sends a request, waits for the answer, and thinks again. Each number is a load of its own.
    ///
    /// Example: --clients 100,200,400
    #[arg(
        long, value_delimiter = ',', conflicts_with = "resume", overrides_with = "clients", help_heading = LOAD,
        required_unless_present_any = ["resume", "like", "overload_cycle", "arrivals", "objective"],
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub clients: Vec<u32>,
    /// Go up and down these loads without a restart: does it recover?
    ///
    /// Step through these numbers of clients without restarting the servers, past the peak and back down: does the site
    /// recover from overload? Each cycle is one fresh start; an interrupted cycle begins again.
    ///
    /// Example: --overload-cycle 400,1600,400
    #[arg(
        long, value_name = "CLIENTS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["clients", "resume", "fail_if", "profile", "arrivals", "objective", "max_clients"],
        overrides_with = "overload_cycle",
        help_heading = LOAD
    )]
    pub overload_cycle: Vec<u32>,
    #[command(flatten)]
    pub measure: MeasureOptions,
}

#[derive(Debug, Clone, Args)]
#[command(
    args_override_self = true,
    mut_arg("scale", papers_scale),
    override_usage = "tierbench compare [OPTIONS] <APPLICATION> <CONFIGURATION>…\n       \
                      tierbench compare --resume <FOLDER>\n       \
                      tierbench compare [OPTIONS] --like <FOLDER>"
)]
pub(crate) struct CompareOptions {
    /// The application, such as auction
    #[arg(required_unless_present_any = ["resume", "like"], conflicts_with = "resume")]
    pub application: Option<String>,
    /// Stacks or configurations, such as php or WsPhp-DB
    #[arg(required_unless_present_any = ["resume", "like"], conflicts_with = "resume", value_name = "CONFIGURATION")]
    pub configurations: Vec<String>,
    /// Measure at these numbers of clients [default: search for each peak]
    ///
    /// A client thinks, sends a request, waits for the answer, and thinks again. Each number is a load of its own. Without
    /// it, loads around the knee are tried until the best one is known.
    ///
    /// Example: --clients 100,200,400
    #[arg(
        long, value_delimiter = ',', conflicts_with = "resume", overrides_with = "clients",
        value_parser = clap::value_parser!(u32).range(1..), help_heading = LOAD
    )]
    pub clients: Vec<u32>,
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// Compare the first configuration with itself, too (A/A test)
    ///
    /// It takes part twice. The ratio of the two must be 1 within its interval; the report shows it first.
    ///
    /// Example: --aa-test
    #[arg(long, conflicts_with_all = ["resume", "arrivals"], help_heading = MEASUREMENT)]
    pub aa_test: bool,
}

/// Options of `run` and `compare`.
#[derive(Debug, Clone, Args)]
pub(crate) struct MeasureOptions {
    /// Let clients arrive by a load model of the application
    ///
    /// A load model (apps/*/loads) says how clients arrive, think and leave (an open workload). It has loads of its own,
    /// unless --clients names others. --think-time sets its longest think time.
    ///
    /// Example: --arrivals bench1
    #[arg(
        long, value_name = "MODEL", conflicts_with_all = ["timeout", "ramp", "fail_if", "profile"], help_heading = LOAD
    )]
    pub arrivals: Option<String>,
    /// Search for the most clients with which this objective is met
    ///
    /// This is the capacity. It is found when its 95 % interval is within 5 % of it; otherwise the answer is inconclusive.
    /// All limits must be kept.
    /// Figures: p50, p90, p99, mean, max, session mean, errors, cpu_ms. Errors may be 0.1 % where no limit is set.
    ///
    /// Example: --objective 'p90 <= 1s, errors <= 0.1%'
    #[arg(
        long, value_name = "LIMITS", conflicts_with_all = ["clients", "arrivals", "fail_if"], help_heading = LOAD
    )]
    pub objective: Option<Objective>,
    /// Search up to this number of clients [default: 4000 or fewer]
    ///
    /// The default is 4000, or as many as this system has open files and ports for.
    ///
    /// Example: --max-clients 1600
    #[arg(
        long, value_name = "CLIENTS", conflicts_with_all = ["clients", "arrivals"],
        value_parser = clap::value_parser!(u32).range(1..), help_heading = LOAD
    )]
    pub max_clients: Option<u32>,
    /// Let each client send the next request without thinking
    ///
    /// Each client is a connection that sends the next request when the last answer arrives.
    ///
    /// Example: --clients 8 --no-think
    #[arg(long, conflicts_with_all = ["think_time", "arrivals"], help_heading = LOAD)]
    pub no_think: bool,
    /// Choose what clients do [default: the application's usual mix]
    ///
    /// A mix holds the probabilities of each next interaction. `tierbench check APPLICATION` lists the mixes.
    ///
    /// Example: --mix browsing
    #[arg(long, help_heading = WORKLOAD)]
    pub mix: Option<String>,
    /// Set the mean think time [default: the application's]
    ///
    /// Example: --think-time 7s
    #[arg(long, value_name = "LENGTH", value_parser = some_time, help_heading = WORKLOAD)]
    pub think_time: Option<Length>,
    /// Scale think times, sessions and keep-alive times
    ///
    /// 1 is the real thing; with 0.1, all three are a tenth as long. --timeout is never scaled.
    ///
    /// Example: --time-scale 0.1
    #[arg(
        long, value_name = "FACTOR", default_value_t = 1.0, value_parser = some_time_scale, help_heading = WORKLOAD
    )]
    pub time_scale: f64,
    /// Give up on an answer after this long, or never: none
    ///
    /// Several values make a variant of each configuration, such as WsPhp-DB,timeout=30s.
    ///
    /// Example: --timeout 10s,30s,none
    #[arg(
        long, value_name = "LENGTH", value_delimiter = ',', default_value = "10s", overrides_with = "timeout",
        help_heading = WORKLOAD
    )]
    pub timeout: Vec<Timeout>,
    #[command(flatten)]
    pub data: DataOptions,
    /// Wait at least this long before counting [default: ten think times]
    ///
    /// With --no-think the default is 5s. A ramp below ten think times is refused: clients still do what sessions begin with.
    ///
    /// Example: --ramp 70s
    #[arg(
        long, value_name = "LENGTH", default_value_if("smoke", "true", "1s"), value_parser = up_to_a_week,
        help_heading = MEASUREMENT
    )]
    pub ramp: Option<Length>,
    /// Count for this long, at least 10s
    ///
    /// Example: --window 2m
    #[arg(
        long, value_name = "LENGTH", default_value = "60s", default_value_if("smoke", "true", "1s"),
        value_parser = some_time, help_heading = MEASUREMENT
    )]
    pub window: Length,
    /// Warm servers up for at most this long [default: 240s or more]
    ///
    /// A warm-up ends by evidence. Points of servers that are not warm by then are INVALID. The default is four times what the
    /// slowest service expects, but 240s at least.
    ///
    /// Example: --warm-up 10m
    #[arg(long, value_name = "LENGTH", value_parser = some_time, help_heading = MEASUREMENT)]
    pub warm_up: Option<Length>,
    /// Measure on this many starts [default: 5; peaks: 4, 6 or 9]
    ///
    /// Each listed load, or each peak, is measured on this many starts of the servers. Without it, peaks are measured on 4,
    /// 6 or 9 starts: until each two configurations differ, or are the same within 5 %. A capacity is confirmed on 3 to 12
    /// starts, or to this many.
    ///
    /// Example: --repetitions 3
    #[arg(
        long, value_name = "N", help_heading = MEASUREMENT,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_REPETITIONS))
    )]
    pub repetitions: Option<u32>,
    /// Measure without verifying; the figures are marked
    ///
    /// Example: --skip-verify
    #[arg(long, help_heading = MEASUREMENT)]
    pub skip_verify: bool,
    /// Check in little time whether everything runs
    ///
    /// Windows and ramps take 1s, each listed load is measured once, and servers are hardly warmed up, unless other options say
    /// more. The figures are marked.
    ///
    /// Example: --smoke
    #[arg(long, help_heading = MEASUREMENT)]
    pub smoke: bool,
    /// Profile each configuration at its peak, in a run of its own
    ///
    /// At the end, each configuration runs once more at its peak, or at its best load, under perf, and under async-profiler
    /// inside a JVM. The report shows where its CPU goes. Its other figures are not used.
    ///
    /// Example: --profile
    #[arg(long, help_heading = MEASUREMENT)]
    pub profile: bool,
    /// Exit with code 8 if the condition holds (repeatable)
    ///
    /// It is checked for each peak, or for each listed load. Figures: p50, p90, p99, mean, max, session mean, throughput,
    /// errors, cpu_ms; comparisons: > >= < <=.
    ///
    /// Example: --fail-if 'p99 > 500ms'
    #[arg(long, value_name = "CONDITION", help_heading = OUTPUT)]
    pub fail_if: Vec<Condition>,
    /// Write the result to this folder [default: results/ and the time]
    ///
    /// Example: --out results/before
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    /// Serve the page of the running result on this machine
    ///
    /// The page is drawn anew after each point, never inside a window. A browser that shows it follows by itself. The first lines
    /// name its address, which others on this machine can read, too.
    ///
    /// Example: --watch
    #[arg(long, help_heading = OUTPUT)]
    pub watch: bool,
    /// Continue the interrupted run in this folder
    ///
    /// Its settings are read from FOLDER/manifest.json, so none but --watch may be given.
    ///
    /// Example: --resume results/before
    #[arg(
        long, value_name = "FOLDER", help_heading = OUTPUT,
        conflicts_with_all = ["arrivals", "objective", "max_clients", "mix", "think_time", "no_think", "timeout", "time_scale", "ramp",
                              "window", "warm_up", "repetitions", "fail_if", "out", "skip_verify", "smoke", "profile", "testbed",
                              "FactorOptions",
                              "DataOptions", "like"]
    )]
    pub resume: Option<PathBuf>,
    /// Measure again what the result in this folder has measured
    ///
    /// Its specification is read from FOLDER/manifest.json. Other options override it.
    ///
    /// Example: --like results/before
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub like: Option<PathBuf>,
    #[arg(skip)]
    pub given: Given,
    #[command(flatten)]
    pub factors: FactorOptions,
    #[command(flatten)]
    pub hosts: HostOptions,
}

#[derive(Debug, Args)]
pub(crate) struct GateOptions {
    /// The commit to compare with, such as main, of the repository that holds the stack's folder
    pub revision: String,
    /// A configuration, such as WsPhp-DB, or a stack: all of its configurations
    pub configuration: String,
    /// Measure with this application [default: the only one that the stack implements]
    ///
    /// Example: --application comments
    #[arg(long, value_name = "NAME", help_heading = WORKLOAD)]
    pub application: Option<String>,
    /// Measure at these numbers of clients [default: search for each peak]
    ///
    /// Example: --clients 100,200
    #[arg(
        long, value_delimiter = ',', conflicts_with = "resume", overrides_with = "clients",
        value_parser = clap::value_parser!(u32).range(1..), help_heading = LOAD
    )]
    pub clients: Vec<u32>,
    #[command(flatten)]
    pub measure: MeasureOptions,
    #[command(flatten)]
    pub judgement: JudgementOptions,
}

#[derive(Debug, Clone, Args)]
#[command(override_usage = "tierbench drive [OPTIONS] --clients <N> <WHAT>…\n       \
                      tierbench drive [OPTIONS] --rate <RATE> <WHAT>…\n       \
                      tierbench drive [OPTIONS] --sessions <RATE> <WHAT>…\n       \
                      tierbench drive --resume <FOLDER>\n       \
                      tierbench drive [OPTIONS] --like <FOLDER>")]
pub(crate) struct DriveOptions {
    /// Addresses, a file of addresses, a site's file (.toml), or an application
    #[arg(required_unless_present_any = ["resume", "like"], conflicts_with = "resume")]
    pub what: Vec<String>,
    #[command(flatten)]
    pub loads: LoadOptions,
    /// Divide the clients among this many processes
    ///
    /// One process has one thread, and this system limits its open files: take more for more clients than that. The same
    /// seed gives the same users, however many processes there are.
    ///
    /// Example: --clients 40000 --workers 4
    #[arg(
        long, value_name = "N", default_value_t = 1, help_heading = LOAD,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_WORKERS))
    )]
    pub workers: u32,
    /// Divide the clients among this file's machines that have the role `client`
    ///
    /// This machine is one of them. The same seed gives the same users, however many machines there are.
    ///
    /// Example: --testbed testbeds/two-machines.toml
    #[arg(long, value_name = "FILE", conflicts_with = "workers", help_heading = LOAD)]
    pub testbed: Option<PathBuf>,
    /// Walk by this mix of an application [default: its usual one]
    ///
    /// Example: --mix browsing
    #[arg(long, help_heading = WORKLOAD)]
    pub mix: Option<String>,
    /// Think this long on average [default: the site's, else 7s]
    ///
    /// Example: --think-time 1s
    #[arg(long, value_name = "LENGTH", value_parser = some_time, help_heading = WORKLOAD)]
    pub think_time: Option<Length>,
    /// Stay this long on average [default: the site's, else 15m]
    ///
    /// Another user begins the next session, with an empty browser.
    ///
    /// Example: --session-length 2m
    #[arg(long, value_name = "LENGTH", value_parser = some_time, help_heading = WORKLOAD)]
    pub session_length: Option<Length>,
    /// Ask for compressed answers, as browsers do
    ///
    /// Pages are decompressed before users read them.
    ///
    /// Example: --gzip
    #[arg(long, help_heading = WORKLOAD)]
    pub gzip: bool,
    /// Speak HTTP/2 over TLS, as browsers do
    ///
    /// Each user has one connection, which carries all of its requests over TLS. A site that does not speak HTTP/2 is
    /// refused.
    ///
    /// Example: --http2
    #[arg(long, help_heading = WORKLOAD)]
    pub http2: bool,
    /// Give up on an answer after this long, or never: none
    ///
    /// Example: --timeout 3s
    #[arg(long, value_name = "LENGTH", default_value = "10s", help_heading = WORKLOAD)]
    pub timeout: Timeout,
    /// Log in with the accounts of this scale
    ///
    /// It must be the --scale with which the application was started.
    ///
    /// Example: --scale 1
    #[arg(long, default_value_t = DATA_SCALE, value_parser = some_scale, help_heading = DATA)]
    pub scale: f64,
    /// Set the seed of everything random
    ///
    /// Example: --seed 7
    #[arg(long, default_value_t = 1, help_heading = DATA)]
    pub seed: u64,
    /// Wait at least this long before counting [default: see --help]
    ///
    /// The default is ten think times, 5s where nobody thinks, or three session lengths of --sessions.
    ///
    /// Example: --ramp 20s
    #[arg(long, value_name = "LENGTH", value_parser = up_to_a_week, help_heading = MEASUREMENT)]
    pub ramp: Option<Length>,
    /// Count for this long
    ///
    /// Example: --window 2m
    #[arg(
        long, value_name = "LENGTH", default_value = "30s", value_parser = some_time, help_heading = MEASUREMENT
    )]
    pub window: Length,
    /// Measure each load this often
    ///
    /// Example: --repetitions 5
    #[arg(
        long, value_name = "N", default_value_t = 1, help_heading = MEASUREMENT,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_REPETITIONS))
    )]
    pub repetitions: u32,
    /// Exit with code 8 if the condition holds (repeatable)
    ///
    /// It is checked for each load. Figures: p50, p90, p99, mean, max, throughput, errors; comparisons: > >= < <=.
    ///
    /// Example: --fail-if 'p99 > 200ms'
    #[arg(long, value_name = "CONDITION", help_heading = OUTPUT)]
    pub fail_if: Vec<Condition>,
    /// Write the result to this folder [default: results/ and the time]
    ///
    /// Example: --out results/mine
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    /// Continue the interrupted run in this folder
    ///
    /// Its settings are read from FOLDER/manifest.json, so that none but --metrics may be given.
    ///
    /// Example: --resume results/mine
    #[arg(
        long, value_name = "FOLDER", help_heading = OUTPUT,
        conflicts_with_all = ["LoadOptions", "workers", "testbed", "mix", "think_time", "session_length", "gzip", "http2", "timeout", "scale", "seed",
                              "ramp", "window", "repetitions", "fail_if", "out", "at", "secure_at", "ca", "like"]
    )]
    pub resume: Option<PathBuf>,
    /// Measure again what the result in this folder has measured
    ///
    /// Its specification is read from FOLDER/manifest.json. Other options override it.
    ///
    /// Example: --like results/before
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub like: Option<PathBuf>,
    #[arg(skip)]
    pub given: Given,
    /// Serve live metrics at this address (OpenMetrics)
    ///
    /// Prometheus and its like read them from /metrics.
    ///
    /// Example: --metrics 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS", help_heading = OUTPUT)]
    pub metrics: Option<std::net::SocketAddr>,
    /// Find a file's site or an application at this address
    ///
    /// Example: --at http://127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS", help_heading = ENVIRONMENT)]
    pub at: Option<String>,
    /// Find an application's pages over TLS at this address
    ///
    /// Example: --secure-at https://127.0.0.1:8443
    #[arg(long, value_name = "ADDRESS", help_heading = ENVIRONMENT)]
    pub secure_at: Option<String>,
    /// Trust the authorities in this file (PEM) over TLS
    ///
    /// The default is the system's, /etc/ssl/certs/ca-certificates.crt.
    ///
    /// Example: --ca company.pem
    #[arg(
        long, value_name = "FILE", default_value = "/etc/ssl/certs/ca-certificates.crt", help_heading = ENVIRONMENT,
        hide_default_value = true
    )]
    pub ca: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ReproduceOptions {
    /// The paper: its folder in papers/, such as middleware-2003 or apache-2002
    pub paper: String,
    /// Its figures, such as fig11 or bench2 [default: all of them]
    #[arg(value_name = "FIGURE")]
    pub figures: Vec<String>,
    /// Measure in hours instead of days
    ///
    /// It takes less data, shorter think times and short windows, as the paper's folder says. Without it, all is as in the
    /// paper.
    ///
    /// Example: --quick
    #[arg(long, help_heading = MEASUREMENT)]
    pub quick: bool,
    /// Measure only this block of a quick reproduction
    ///
    /// A block is a result that stands alone. Claims are judged by all blocks that are there, so that a later one adds to it.
    /// --plan shows the blocks.
    ///
    /// Example: --quick --block 2
    #[arg(long, value_name = "N", requires = "quick", help_heading = MEASUREMENT)]
    pub block: Option<usize>,
    /// Check in little time whether everything runs
    ///
    /// It takes next to no data and two loads, and decides nothing. The figures are marked.
    ///
    /// Example: --smoke
    #[arg(long, conflicts_with = "quick", help_heading = MEASUREMENT)]
    pub smoke: bool,
    /// Print what would be run and how long it takes, and stop
    ///
    /// Example: --quick --plan
    #[arg(long, help_heading = MEASUREMENT)]
    pub plan: bool,
    /// Write the results to this folder [default: below results/]
    ///
    /// The default is results/reproduce-PAPER, followed by -quick or -smoke. The same folder lets an interrupted command
    /// continue.
    ///
    /// Example: --out results/mine
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    /// Run the tiers on this file's hosts [default: the paper's]
    ///
    /// The default is the file in the workspace's testbeds/ that the paper's folder names.
    ///
    /// Example: --testbed testbeds/one-machine.toml
    #[arg(long, value_name = "FILE", help_heading = ENVIRONMENT)]
    pub testbed: Option<PathBuf>,
}

impl ReproduceOptions {
    /// The command that continues it.
    pub(crate) fn resume_command(&self, places: &Places) -> String {
        let mut words = format!("tierbench{} reproduce {}", places.workspace_words(), self.paper);
        self.figures.iter().for_each(|figure| words.extend([" ", figure]));
        for (_, flag) in
            [(self.quick, " --quick"), (self.smoke, " --smoke")].iter().filter(|(is_set, _)| *is_set)
        {
            words.push_str(flag);
        }
        words.extend(self.block.iter().map(|block| format!(" --block {block}")));
        for (flag, path) in [("--testbed", &self.testbed), ("--out", &self.out)] {
            words.extend(path.iter().map(|path| format!(" {flag} {}", path.display())));
        }
        words
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// Folders of results: one to show, or two to compare; --csv, --json and --out take any number
    #[arg(required = true, value_name = "RESULT")]
    pub results: Vec<PathBuf>,
    /// Print the points as CSV instead of the table
    ///
    /// All points of all results make one table. Its first columns name the result, what was measured and on which machine.
    ///
    /// Example: --csv
    #[arg(long, conflicts_with_all = ["json", "fail_if_worse"], help_heading = OUTPUT)]
    pub csv: bool,
    /// Print the points as JSON instead of the table
    ///
    /// It is an array of objects with the names of the columns of --csv.
    ///
    /// Example: --json
    #[arg(long, conflicts_with = "fail_if_worse", help_heading = OUTPUT)]
    pub json: bool,
    /// Write the page to this file; of several results, one page of all
    ///
    /// A page of several results begins with what differs between their machines.
    ///
    /// Example: --out page.html
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "fail_if_worse"], help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub judgement: JudgementOptions,
    /// Write the charts of the last result into this folder, as SVG
    ///
    /// The files have their style inside, for papers and slides.
    ///
    /// Example: --svg figures
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Write the figures of the last result for Bencher
    ///
    /// The file is in Bencher Metric Format, with 95 % intervals as lower and upper values.
    ///
    /// Example: --bencher bencher.json
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub bencher: Option<PathBuf>,
    /// Write the figures of the last result for github-action-benchmark
    ///
    /// The file is for its tool customSmallerIsBetter, so the throughput is the time between two interactions.
    ///
    /// Example: --action-benchmark benchmark.json
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub action_benchmark: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GalleryOptions {
    /// Folders of results
    #[arg(required = true, value_name = "RESULT")]
    pub results: Vec<PathBuf>,
    /// Write the site into this folder
    ///
    /// It has index.html with a card for each result, and a folder for each: its report, its points as CSV and a badge of each
    /// configuration. Files of these names are replaced; others stay.
    ///
    /// Example: --out site
    #[arg(long, value_name = "FOLDER", required = true, help_heading = OUTPUT)]
    pub out: PathBuf,
}

/// Judgement of a second result against a first.
#[derive(Debug, Clone, Args)]
pub(crate) struct JudgementOptions {
    /// Exit with code 8 if the second is worse by more than this
    ///
    /// Throughput, p99, CPU per interaction and memory are judged at each load of both, by the 95 % interval of their ratio. A
    /// figure is worse only if the whole interval lies beyond. If that cannot be told, the exit code is 10.
    ///
    /// Example: --fail-if-worse 3%
    #[arg(long, value_name = "SHARE", help_heading = OUTPUT)]
    pub fail_if_worse: Option<Tolerance>,
    /// Write the judgement to this file, as Markdown for a pull request
    ///
    /// Example: --fail-if-worse 3% --markdown summary.md
    #[arg(long, value_name = "FILE", requires = "fail_if_worse", help_heading = OUTPUT)]
    pub markdown: Option<PathBuf>,
    /// Write the judgement to this file, as XML of JUnit
    ///
    /// Example: --fail-if-worse 3% --junit tierbench.xml
    #[arg(long, value_name = "FILE", requires = "fail_if_worse", help_heading = OUTPUT)]
    pub junit: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SpecOptions {
    /// The application, such as auction
    pub application: String,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// The application, such as auction
    pub application: String,
    /// Generate the data without a server, and check their distribution
    ///
    /// Rows are generated, their sizes and distributions are shown, and both are checked against what the application
    /// declares. NAME is uniform (the default) or skewed.
    ///
    /// Example: --data skewed
    #[arg(
        long, value_name = "NAME", num_args = 0..=1, default_missing_value = Distribution::Uniform.name(),
        value_parser = distributions(), hide_possible_values = true, help_heading = DATA
    )]
    pub data: Option<Distribution>,
    /// Set the size of the data [default: 0.05]
    ///
    /// 1 is the papers' database.
    ///
    /// Example: --data --scale 1
    #[arg(long, value_parser = some_scale, requires = "data", help_heading = DATA)]
    pub scale: Option<f64>,
    /// Set the seed of everything random [default: 1]
    ///
    /// Example: --data --seed 7
    #[arg(long, requires = "data", help_heading = DATA)]
    pub seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct NewOptions {
    #[command(subcommand)]
    pub verb: NewVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NewVerb {
    /// Create a folder in stacks/ with the least code that starts and answers one page
    #[command(after_help = AFTER_HELP_OF_NEW_STACK)]
    Stack(NewStackOptions),
}

#[derive(Debug, Args)]
pub(crate) struct NewStackOptions {
    /// The name of the stack and of its folder in stacks/
    #[arg(value_parser = stack_name)]
    pub name: String,
    /// Copy this skeleton: process, jvm, node, go, python, rust, php, servlet or cgi
    ///
    /// Example: --kind php
    #[arg(long, default_value = "process")]
    pub kind: String,
    /// Implement this application
    ///
    /// Example: --application auction
    #[arg(long, default_value = "comments")]
    pub application: String,
}

#[derive(Debug, Args)]
pub(crate) struct CacheOptions {
    /// Remove everything that no command is using
    ///
    /// Example: --empty
    #[arg(long)]
    pub empty: bool,
    /// Remove only what was not used for this long
    ///
    /// Example: --empty --older-than 7d
    #[arg(long, value_name = "LENGTH", requires = "empty")]
    pub older_than: Option<Length>,
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP_OF_TESTBED)]
pub(crate) struct TestbedOptions {
    #[command(subcommand)]
    pub verb: TestbedVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TestbedVerb {
    /// Bring up the hosts of a testbed, until Ctrl-C
    Up(TestbedUpOptions),
    /// Run a command on a host of a testbed that is up; its exit code is the command's
    Exec(ExecOptions),
    /// Take down what `up` has brought up, and end all that runs there
    Down(DownOptions),
    /// Print a batch script for Slurm that runs a command on the hosts of a testbed
    Script(ScriptOptions),
    /// Print a Pod for each host of a testbed that Kubernetes has
    Manifests(ManifestsOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ScriptOptions {
    /// The testbed's file, such as testbeds/slurm.toml
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ManifestsOptions {
    /// The testbed's file, such as testbeds/kubernetes.toml
    pub file: PathBuf,
    /// Take this image for the Pods: this system, with the packages of the services
    ///
    /// Example: --image registry.example/tierbench:1
    #[arg(long)]
    pub image: String,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorOptions {
    /// Look for missing packages on the hosts of this testbed, which are machines of their own
    ///
    /// Example: --testbed testbeds/two-machines.toml
    #[arg(long, value_name = "FILE")]
    pub testbed: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TestbedUpOptions {
    /// The testbed's file, such as testbeds/four-machines.toml
    pub file: PathBuf,
    /// Leave the hosts up until `tierbench testbed down`
    ///
    /// Example: --detach
    #[arg(long, short)]
    pub detach: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExecOptions {
    /// The testbed's file
    pub file: PathBuf,
    /// The host
    pub host: String,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct DownOptions {
    /// The testbed's file
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ReferenceOptions {
    pub application: String,
    /// Address at which to serve it [default: list the faults it can be served with]
    #[arg(long)]
    pub listen: Option<std::net::SocketAddr>,
    /// Address at which to serve it over TLS
    #[arg(long, requires = "certificate", requires = "key")]
    pub secure: Option<std::net::SocketAddr>,
    /// The server's certificate (PEM)
    #[arg(long)]
    pub certificate: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long)]
    pub key: Option<PathBuf>,
    #[command(flatten)]
    pub data: DataOptions,
    /// The second since 1970 at which the rows are fresh
    #[arg(long, default_value_t = 0)]
    pub epoch: i64,
    /// The second since 1970 at which the rows were generated
    #[arg(long, default_value_t = 0)]
    pub history: i64,
    /// The fault of the served model
    #[arg(long, default_value = "none")]
    pub fault: String,
}

#[derive(Debug, Args)]
pub(crate) struct GatewayOptions {
    pub application: String,
    /// Address at which it listens, for TLS
    #[arg(long)]
    pub listen: std::net::SocketAddr,
    /// The server's certificate (PEM)
    #[arg(long)]
    pub certificate: PathBuf,
    /// Its key (PEM)
    #[arg(long)]
    pub key: PathBuf,
    /// Milliseconds that each answer takes
    #[arg(long, default_value_t = 0)]
    pub delay: u64,
    /// Percentage of payments that it declines
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub declines: u8,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaOptions {
    /// Folder for them
    pub folder: PathBuf,
}

/// Reads a distribution of data, and lists all in the help.
fn distributions() -> impl TypedValueParser<Value = Distribution> {
    PossibleValuesParser::new(Distribution::ALL.map(Distribution::name))
        .try_map(|name| name.parse::<Distribution>())
}

/// Accepts names that are valid for a folder, a program and a shell.
fn stack_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_plain) && text.len() <= 30 {
        return Ok(text.to_owned());
    }
    Err("use at most 30 small letters, digits and -, with a letter first".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number above 0".to_owned()),
    }
}

fn some_scale(text: &str) -> Result<f64, String> {
    match positive(text)? {
        scale if scale <= LARGEST_SCALE => Ok(scale),
        _ => Err(format!(
            "the largest scale is {LARGEST_SCALE}, whose data take about 15 TB; 1 is the papers' database"
        )),
    }
}

pub(crate) fn some_rate(text: &str) -> Result<f64, String> {
    match positive(text)? {
        rate if RATES.contains(&rate) => Ok(rate),
        _ => Err(format!("it must lie between {} and {} a second", RATES.start(), RATES.end())),
    }
}

fn some_time_scale(text: &str) -> Result<f64, String> {
    match positive(text)? {
        scale if TIME_SCALES.contains(&scale) => Ok(scale),
        _ => Err(format!(
            "it must lie between {} and {}; 1 is the real thing",
            TIME_SCALES.start(),
            TIME_SCALES.end()
        )),
    }
}

fn up_to_a_week(text: &str) -> Result<Length, String> {
    let length: Length = text.parse()?;
    match length > Length::LONGEST {
        true => Err("it can be 7d at most; a point takes minutes, and --repetitions says how many there are"
            .to_owned()),
        false => Ok(length),
    }
}

fn some_time(text: &str) -> Result<Length, String> {
    let length = up_to_a_week(text)?;
    if length.0.is_zero() { Err("it must be above 0".to_owned()) } else { Ok(length) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;

    #[test]
    fn a_value_beyond_any_disk_or_lifetime_is_refused_with_the_limit() {
        for (words, texts) in [
            ("--scale 1e9", ["the largest scale is 10000", "15 TB"]),
            ("--window 10000d", ["it can be 7d at most", "--repetitions"]),
            ("--ramp 8d", ["it can be 7d at most", "a point takes minutes"]),
            ("--timeout 18446744073709549568s", ["it can be 7d at most", "none is for no limit"]),
            ("--time-scale 1e300", ["between 0.001 and 1000", "1 is the real thing"]),
            ("--repetitions 4000000000", ["1..=1000", "4000000000"]),
            ("--clients 99999999999", ["99999999999", "4294967295"]),
        ] {
            let all = format!("tierbench run auction php --clients 5 {words}");
            let fault = Arguments::try_parse_from(all.split(' ')).unwrap_err().to_string();
            assert!(texts.iter().all(|text| fault.contains(text)), "{words}: {fault}");
        }
        assert!(Arguments::try_parse_from("tierbench up auction php --scale 10000".split(' ')).is_ok());
    }

    #[test]
    fn each_place_of_a_list_is_in_exactly_one_part() {
        let parts: Vec<Part> = ["1/3", "2/3", "3/3"].map(|part| part.parse().unwrap()).into();
        for place in 0..10 {
            assert_eq!(parts.iter().filter(|part| part.holds(place)).count(), 1, "{place}");
            assert!(Part::default().holds(place));
        }
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_commands_and_options_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_last_value_of_a_repeated_option_counts_also_of_lists() {
        let measured = |words: &str| match Arguments::try_parse_from(words.split(' ')).unwrap().verb {
            Verb::Run(run) => (run.clients, run.overload_cycle, run.measure),
            Verb::Compare(compare) => (compare.clients, Vec::new(), compare.measure),
            _ => unreachable!(),
        };
        for verb in ["run", "compare"] {
            let (clients, _, measure) = measured(&format!(
                "tierbench {verb} auction php --clients 5,6 --timeout 1s --window 20s --clients 7 --timeout 2s,none --window 30s"
            ));
            assert_eq!((clients, measure.timeout.len()), (vec![7], 2));
            assert_eq!(measure.window.0.as_secs(), 30);
        }
        assert_eq!(
            measured("tierbench run auction php --overload-cycle 5,6,5 --overload-cycle 1,2,1").1,
            [1, 2, 1]
        );
    }

    #[test]
    fn run_and_compare_default_to_scale_1_and_up_to_a_small_one() {
        let scale = |words: &str| match Arguments::try_parse_from(words.split(' ')).unwrap().verb {
            Verb::Up(options) => options.data.scale,
            Verb::Run(options) => options.measure.data.scale,
            Verb::Compare(options) => options.measure.data.scale,
            _ => unreachable!("other verbs are not asked for"),
        };
        assert_eq!(scale("tierbench up auction php"), DATA_SCALE);
        assert_eq!(scale("tierbench run auction php --clients 5"), 1.0);
        assert_eq!(scale("tierbench compare auction php"), 1.0);
        assert_eq!(scale("tierbench compare auction php --scale 0.25"), 0.25);
    }

    #[test]
    fn arrivals_refuse_the_options_of_a_search() {
        for search in ["--max-clients 9", "--aa-test"] {
            let words = format!("tierbench compare comments php --arrivals bench1 {search}");
            let refused = Arguments::try_parse_from(words.split(' ')).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::ArgumentConflict, "{search}");
        }
    }
}

//! The words and flags of the command.

use application::{Scenario, Shape};
use clap::{
    Arg, Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use lab::{FactorChoice, Patience, Workspace, WorkspaceError};
use results::Condition;
use std::{ffi::OsString, io, ops::RangeInclusive, path::PathBuf, str::FromStr, time::Duration};
use workload::Length;

/// The laboratory's version, with the commit that it was built from where that is known.
pub(crate) const VERSION: &str = match option_env!("TIERBENCH_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// A laboratory for dynamic web sites: the same application on many server architectures, driven by emulated users.
#[derive(Debug, Parser)]
#[command(version = VERSION, max_term_width = 110, after_help = AFTER_HELP, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub places: Places,
    #[command(subcommand)]
    pub verb: Verb,
}

/// Where things are found and kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct Places {
    /// The workspace: the folder with apps/, services/ and stacks/ [default: the one around the current folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub home: Option<PathBuf>,
    /// Where loaded data are kept for later commands [default: tierbench in the user's folder for caches]
    #[arg(long, global = true, value_name = "FOLDER", env = "TIERBENCH_CACHE", hide_env_values = true)]
    pub cache: Option<PathBuf>,
}

impl Places {
    /// The workspace.
    pub(crate) fn workspace(&self) -> Result<Workspace, WorkspaceError> {
        Workspace::find(self.home.as_deref())
    }

    /// The workspace as the words of a command name it, with a blank before them; nothing if nobody has named it.
    pub(crate) fn home_words(&self) -> String {
        self.home.as_ref().map_or(String::new(), |home| format!(" --workspace {}", home.display()))
    }

    /// The folder of the cache; none if nobody names one and the user has no folder for caches.
    pub(crate) fn cache(&self) -> io::Result<Option<PathBuf>> {
        self.cache.clone().or_else(cache::default_folder).map(std::path::absolute).transpose()
    }
}

const AFTER_HELP: &str = "\
A CONFIGURATION is named as in the literature (WsPhp-DB), with its stack (php/WsPhp-DB), or by its stack alone, which \
stands for all of the stack's configurations.

Examples:
  tierbench doctor                                   what is installed, what is missing
  tierbench up auction php                           start the site and use it in a browser
  tierbench verify auction php                       is it the application?
  tierbench verify auction php --prove               the same, written down as proven for its content
  tierbench verify --proofs                          all that wasn't proven yet, then the oldest proofs again
  tierbench run auction WsPhp-DB --clients 100       five runs at one load
  tierbench compare quotes php c --stress --clients 8
                                                     eight connections that don't think
  tierbench run auction php --overload-cycle 400,1600,400     does it recover from too many clients?
  tierbench compare comments php --arrivals bench1 --scale 1.47
                                                     clients are added until one waits in vain
  tierbench compare auction php                      both configurations, each up to its peak
  tierbench compare auction php --factor engine=InnoDB,MyISAM
                                                     how much the storage engine matters
  tierbench compare auction php --profile            and where the CPU goes at each peak
  tierbench compare --resume results/2026-11-21T…    go on after Ctrl-C
  tierbench run auction php --clients 100 --fail-if 'p99 > 500ms'
                                                     exit code 8 where it is slower
  tierbench drive http://127.0.0.1:8080/ --stress 64 how many requests does a site of mine answer?
  tierbench reproduce middleware-2003 fig11 --quick  does what a paper claims still hold?
  tierbench check auction --data --scale 1           what the data are like
  tierbench report results/2026-11-21T…              table and report of a result
  tierbench report results/before results/after      what differs, and what cannot be told apart
  tierbench cache --empty --older-than 7d            remove loaded data that nobody used for a week
  tierbench new stack mine --kind php                begin a stack of your own

Exit codes:
  0    done
  1    unexpected fault
  2    wrong flag, word or file, or a stack that can't be built
  3    not verified
  4    a service or a testbed's hosts did not start, or ended
  5    a program is missing or too old
  6    the result or temporary files can't be written or read
  7    no VALID point or peak
  8    a condition of --fail-if is met
  9    a result was damaged, or changed after it was written
  130  interrupted";

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Start a configuration and keep it running for a person with a browser
    Up(UpOptions),
    /// Prove that configurations do what the model does: same pages, same rows
    Verify(VerifyOptions),
    /// Measure a configuration, or variants of it, at given numbers of clients, or up past the peak and back down
    Run(RunOptions),
    /// Measure several configurations, interleaved, each up to its peak
    Compare(CompareOptions),
    /// Put loads on a site that runs somewhere: a list of addresses, a site of your own, or one of our applications
    #[command(after_help = AFTER_HELP_OF_DRIVE)]
    Drive(DriveOptions),
    /// Measure again what a paper measured, and judge what it claims
    #[command(after_help = AFTER_HELP_OF_REPRODUCE)]
    Reproduce(ReproduceOptions),
    /// Show the table of a result and write its report again, or hold two results against each other
    Report(ReportOptions),
    /// Read all files of an application and its stacks, say what is wrong in them, and what its mixes come to
    Check(CheckOptions),
    /// Begin something of one's own: a stack
    New(NewOptions),
    /// List the loaded data that are kept for later commands, or remove them
    Cache(CacheOptions),
    /// Bring up the hosts of a testbed, run commands on them, take them down
    Testbed(TestbedOptions),
    /// Say what is present, missing or too old on this machine
    Doctor,
    /// Serve an application's model over HTTP (the stack `reference` does this)
    #[command(hide = true)]
    Reference(ReferenceOptions),
    /// Be the bank of an application that takes cards
    #[command(hide = true)]
    Gateway(GatewayOptions),
    /// Write the JSON Schemas of a result's files
    #[command(hide = true)]
    Schema(SchemaOptions),
}

/// The size of the data that people mean when they name none and want to see a site: enough for trying.
pub(crate) const DATA_SCALE: f64 = 0.05;

/// Whoever measures means the papers' size. With few data many regions have nothing for sale: users who find empty
/// lists go back, which isn't what the mix asks for.
fn papers_scale(scale: Arg) -> Arg {
    scale.default_value("1")
}

/// Which rows the data consist of.
#[derive(Debug, Clone, Args)]
pub(crate) struct DataOptions {
    /// Size of the data, as a multiple of the papers' database
    #[arg(long, default_value_t = DATA_SCALE, value_parser = some_scale)]
    pub scale: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How things are spread: evenly as in the papers, or with popular items, busy sellers and late bids
    #[arg(long = "data", value_name = "SHAPE", default_value_t = Shape::Uniform, value_parser = shapes())]
    pub shape: Shape,
}

impl DataOptions {
    /// These rows, fresh now.
    pub(crate) fn scenario(&self) -> Scenario {
        Scenario { shape: self.shape, ..Scenario::new(self.seed, self.scale, lab::now()) }
    }
}

/// With which factors configurations are run.
#[derive(Debug, Clone, Args)]
pub(crate) struct FactorOptions {
    /// Run with other values of a factor; `tierbench check` lists the factors. Each of several values makes a variant
    /// of each configuration, such as WsPhp-DB,engine=MyISAM
    #[arg(long = "factor", value_name = "NAME=VALUE[,VALUE…]")]
    pub choices: Vec<FactorChoice>,
}

#[derive(Debug, Args)]
pub(crate) struct UpOptions {
    /// The application, such as auction
    pub application: String,
    /// The configuration; of a stack, its first one
    pub configuration: String,
    /// The port to listen on [default: a free one]
    #[arg(long)]
    pub port: Option<u16>,
    /// The hosts on which tiers run, such as testbeds/four-machines.toml [default: this machine as it is]
    #[arg(long, value_name = "FILE")]
    pub testbed: Option<PathBuf>,
    #[command(flatten)]
    pub factors: FactorOptions,
    #[command(flatten)]
    pub data: DataOptions,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    /// The application, such as auction
    #[arg(required_unless_present = "proofs")]
    pub application: Option<String>,
    /// Stacks or configurations
    #[arg(required_unless_present = "proofs")]
    pub configurations: Vec<String>,
    /// Everything in the workspace, but only what wasn't verified with this content before; see docs/verification.md
    #[arg(long, conflicts_with_all = ["application", "configurations", "smoke", "requests", "mix", "steps", "replay", "accept", "statements", "testbed", "scale", "seed", "choices"])]
    pub proofs: bool,
    /// Write down in proofs/, for a commit, what was verified
    #[arg(long, conflicts_with_all = ["smoke", "requests", "mix", "steps", "replay", "accept", "testbed", "scale", "seed"])]
    pub prove: bool,
    /// With --proofs: as long as so many seconds aren't over yet, the oldest proofs are renewed
    #[arg(long, value_name = "N", default_value_t = RENEWING_S, requires = "proofs")]
    pub seconds: u64,
    /// With --proofs: verify everything, whatever was proven before
    #[arg(long, visible_alias = "all", requires = "proofs", conflicts_with = "seconds")]
    pub exhaustive: bool,
    /// With --exhaustive: only one of several parts, such as 2/4
    #[arg(long, value_name = "I/N", requires = "exhaustive")]
    pub part: Option<Part>,
    /// Only what takes few seconds: some hostile requests and all branches of the rules
    #[arg(long)]
    pub smoke: bool,
    /// How many requests the users make at least
    #[arg(long, value_name = "N", default_value_t = VERIFY_REQUESTS, conflicts_with = "smoke")]
    pub requests: usize,
    /// The mix that the users walk by [default: the application's usual one]
    #[arg(long, conflicts_with = "smoke")]
    pub mix: Option<String>,
    /// How many requests the random sequence has
    #[arg(long, value_name = "N", default_value_t = VERIFY_STEPS, conflicts_with = "smoke")]
    pub steps: usize,
    /// How long a shorter sequence of requests is looked for when one shows a difference
    #[arg(long, value_name = "LENGTH", default_value_t = Length(lab::SHRINK_TIME))]
    pub shrink_time: Length,
    /// Send only the requests in this file, which a verification that failed has left behind
    #[arg(long, value_name = "FILE", conflicts_with_all = ["smoke", "requests", "mix", "steps", "accept", "seed", "scale"])]
    pub replay: Option<PathBuf>,
    /// Record the statements that are sent as those that must be sent; of each storage engine, the first configuration
    /// counts
    #[arg(long, conflicts_with = "smoke")]
    pub accept: bool,
    /// Show what each interaction sends to the store
    #[arg(long)]
    pub statements: bool,
    /// The hosts on which tiers run, such as testbeds/four-machines.toml [default: this machine as it is]
    #[arg(long, value_name = "FILE")]
    pub testbed: Option<PathBuf>,
    /// Size of the data, as a multiple of the papers' database
    #[arg(long, default_value_t = lab::VERIFICATION_SCALE, value_parser = some_scale)]
    pub scale: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub factors: FactorOptions,
}

/// So long oldest proofs are renewed, unless somebody says otherwise: two to four of them.
const RENEWING_S: u64 = 80;

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
    /// Whether what is in this place of the list is in this part.
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

/// A walk that meets each interaction of a mix many times and still takes only seconds.
pub(crate) const VERIFY_REQUESTS: usize = 400;

/// So many that each pair of interactions meets, and few enough for half a minute.
const VERIFY_STEPS: usize = 1500;

/// `run` looks for no peak, and has overload cycles, of which one is enough.
fn repetitions_of_run(repetitions: Arg) -> Arg {
    repetitions.help("How often each load is measured [default: 5; of an overload cycle, 1]")
}

/// Of a setting that is given twice, the last one counts, so that a recorded command can be varied by adding to it.
#[derive(Debug, Clone, Args)]
#[command(
    args_override_self = true,
    mut_arg("scale", papers_scale),
    mut_arg("repetitions", repetitions_of_run),
    override_usage = "tierbench run [OPTIONS] --clients <CLIENTS> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run [OPTIONS] --overload-cycle <CLIENTS> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run [OPTIONS] --arrivals <LOAD> <APPLICATION> <CONFIGURATION>\n       \
                      tierbench run --resume <FOLDER>"
)]
pub(crate) struct RunOptions {
    /// The application, such as auction
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub application: Option<String>,
    /// A stack or configuration
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub configuration: Option<String>,
    /// Numbers of clients, each a load that is measured
    #[arg(
        long, value_delimiter = ',', required_unless_present_any = ["resume", "overload_cycle", "load"], conflicts_with = "resume",
        overrides_with = "clients",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub clients: Vec<u32>,
    /// Numbers of clients that follow each other on the same running servers, past the peak and back down: does the site
    /// recover from too many? Each overload cycle is one fresh start; one that is interrupted begins again
    #[arg(
        long, value_name = "CLIENTS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["clients", "resume", "fail_if", "profile", "load"], overrides_with = "overload_cycle"
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
                      tierbench compare --resume <FOLDER>"
)]
pub(crate) struct CompareOptions {
    /// The application, such as auction
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub application: Option<String>,
    /// Stacks or configurations
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub configurations: Vec<String>,
    /// Numbers of clients, each a load that is measured [default: loads around the knee until the best is known]
    #[arg(
        long, value_delimiter = ',', conflicts_with = "resume", overrides_with = "clients",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub clients: Vec<u32>,
    /// The number of clients that the search never exceeds [default: 4000, or as many as this system allows]
    #[arg(
        long, conflicts_with_all = ["clients", "resume", "load"],
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub most: Option<u32>,
    /// Let the first configuration take part twice: the ratio of the two must be 1, and the report says first what it is (an
    /// A/A test)
    #[arg(long, conflicts_with_all = ["resume", "load"])]
    pub again: bool,
    #[command(flatten)]
    pub measure: MeasureOptions,
}

/// How points are measured.
#[derive(Debug, Clone, Args)]
pub(crate) struct MeasureOptions {
    /// Go on with the result in this folder, which was interrupted; what is measured stands there
    #[arg(
        long, value_name = "FOLDER",
        conflicts_with_all = ["load", "mix", "think_time", "stress", "timeout", "time_scale", "ramp", "window", "repetitions", "fail_if",
                              "objective", "out", "skip_verify", "smoke", "profile", "testbed", "FactorOptions",
                              "DataOptions"]
    )]
    pub resume: Option<PathBuf>,
    /// Let clients arrive one after the other by a load model of the application (apps/*/loads), such as bench1 to bench4
    /// of comments; its loads are those that it lists, unless --clients says otherwise, and --think-time is its longest
    /// think time
    #[arg(long, value_name = "LOAD", conflicts_with_all = ["timeout", "ramp", "fail_if", "profile", "objective"])]
    pub load: Option<String>,
    #[command(flatten)]
    pub factors: FactorOptions,
    /// What the clients do [default: the application's usual mix]
    #[arg(long)]
    pub mix: Option<String>,
    /// Mean think time [default: the application's]
    #[arg(long, value_name = "LENGTH", value_parser = some_time)]
    pub think_time: Option<Length>,
    /// Let clients not think: each is a connection on which the next request goes out as soon as the last answer is there
    #[arg(long, conflicts_with_all = ["think_time", "load"])]
    pub stress: bool,
    /// How long clients wait for an answer before they give up, or none; never scaled. Each of several makes a variant of
    /// each configuration, such as WsPhp-DB,timeout=30s
    #[arg(
        long,
        value_name = "LENGTH",
        value_delimiter = ',',
        default_value = "10s",
        overrides_with = "timeout"
    )]
    pub timeout: Vec<Patience>,
    /// Factor on think times, session lengths and keep-alive times alike; 1 is the real thing
    #[arg(long, default_value_t = 1.0, value_parser = some_time_scale)]
    pub time_scale: f64,
    /// How long each point runs at least before it counts: ten think times or more [default: ten think times; with --stress, 5s]
    #[arg(long, value_name = "LENGTH", value_parser = up_to_a_week)]
    pub ramp: Option<Length>,
    /// How long each point counts: 10s or more
    #[arg(long, value_name = "LENGTH", default_value = "60s", value_parser = some_time)]
    pub window: Length,
    /// On how many starts each listed load, or else each peak, is measured [default: 5; of peaks 4, 6 or 9, as soon as all
    /// are told apart or the same within 5 %]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MOST_REPETITIONS))]
    pub repetitions: Option<u32>,
    /// Fail where the peak, or a listed load, is like this: p50, p90, p99, mean, throughput, errors or cpu_ms, then one
    /// of > >= < <=, a number and a unit; can be given several times
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
    /// Reserved for the highest load at which a condition still holds
    #[arg(long, value_name = "CONDITION", hide = true)]
    pub objective: Option<String>,
    /// Where the result goes [default: results/ and the time]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Measure without verifying; the figures are marked
    #[arg(long)]
    pub skip_verify: bool,
    /// Only try whether everything runs: shorter windows and ramps are taken, and the figures are marked
    #[arg(long)]
    pub smoke: bool,
    /// The hosts on which tiers run, such as testbeds/four-machines.toml [default: this machine as it is]
    #[arg(long, value_name = "FILE")]
    pub testbed: Option<PathBuf>,
    /// In the end, run each configuration once more at its peak, or else its best load, under profilers (perf, and
    /// async-profiler inside a JVM), to see where its CPU goes; that run counts for nothing else
    #[arg(long)]
    pub profile: bool,
    #[command(flatten)]
    pub data: DataOptions,
}

const AFTER_HELP_OF_DRIVE: &str = "\
WHAT is one or several addresses of one site, a file of addresses (one a line), a site's file that ends with .toml, or the \
name of one of our applications. Only hosts that are named are asked for anything; whoever drives a site that is not \
theirs asks its owner first.

A site's file has the format of an application's app.toml and mix in one. Users follow the links and forms of pages:
  at = \"http://127.0.0.1:8080\"             where it is, unless --at says so
  think_time = \"2s\"                        mean, negative exponential
  [[interaction]]
  name = \"Home\"
  path = \"/\"
  [[interaction]]
  name = \"Search\"
  path = \"/search\"
  parameters = [{ name = \"q\", fill = { text = \"shoes\" } }]
  [transitions.Home]
  Search = 1.0
  [transitions.Search]
  Search = 0.6
  Home = 0.4
With follow = \"mix\", requests need no links: interactions may then have query, weight, headers and body.

Examples:
  tierbench drive http://127.0.0.1:8080/ --clients 50
                                     50 people, who think for 7 s on average
  tierbench drive http://127.0.0.1:8080/a http://127.0.0.1:8080/b --clients 50 --think-time 1s
                                     two addresses, at random
  tierbench drive urls.txt --stress 64
                                     64 connections that don't think
  tierbench drive http://127.0.0.1:8080/ --rate 500
                                     500 requests a second, whether or not the server keeps up
  tierbench drive http://127.0.0.1:8080/ --rate 500 --spacing even --connections 1000
                                     the same, evenly spaced, of which 1000 can be on their way
  tierbench drive http://127.0.0.1:8080/ --rate 100,200,400
                                     steps, one after the other
  tierbench drive shop.toml --clients 100 --ramp 20s --window 2m
                                     a site of your own, counted for two minutes
  tierbench drive auction --at http://127.0.0.1:8080 --mix browsing --clients 100
                                     an application of ours, as `tierbench up auction php` starts it
  tierbench drive bookstore --at http://127.0.0.1:8080 --secure-at https://127.0.0.1:8443 --ca ca.pem --clients 10
                                     one with pages over TLS
  tierbench drive https://shop.example/ --clients 5 --timeout 3s --ca company.pem
                                     over TLS, signed by an authority of one's own
  tierbench drive http://127.0.0.1:8080/ --stress 8 --repetitions 5 --seed 7 --out results/mine
                                     five times, into a folder
  tierbench drive http://127.0.0.1:8080/ --rate 500 --fail-if 'p99 > 200ms' --fail-if 'errors > 0.1%'
                                     exit code 8 where it is slower, or fails
  tierbench drive http://127.0.0.1:8080/ --stress 8 --metrics 127.0.0.1:9464
                                     beside it, `curl http://127.0.0.1:9464/metrics`";

#[derive(Debug, Clone, Args)]
#[command(
    group = clap::ArgGroup::new("load_kind").required(true).args(["clients", "stress", "rate"]),
    override_usage = "tierbench drive [OPTIONS] --clients <N> <WHAT>…\n       \
                      tierbench drive [OPTIONS] --stress <N> <WHAT>…\n       \
                      tierbench drive [OPTIONS] --rate <RATE> <WHAT>…"
)]
pub(crate) struct DriveOptions {
    /// Addresses, a file of addresses, a site's file (.toml), or an application of ours
    #[arg(required = true)]
    pub what: Vec<String>,
    /// Where it is, for a file or an application, such as http://127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    pub at: Option<String>,
    /// Where an application's pages over TLS are, such as https://127.0.0.1:8443
    #[arg(long, value_name = "ADDRESS")]
    pub secure_at: Option<String>,
    /// Who may have signed the certificates of sites over TLS (PEM)
    #[arg(long, value_name = "FILE", default_value = "/etc/ssl/certs/ca-certificates.crt")]
    pub ca: PathBuf,
    /// Drive so many clients, each of whom thinks, asks, and waits for the answer; several numbers are steps
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub clients: Vec<u32>,
    /// Drive so many connections that don't think; several numbers are steps
    #[arg(
        long, value_name = "N", value_delimiter = ',', conflicts_with = "think_time",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub stress: Vec<u32>,
    /// Make so many requests a second, whether or not the server keeps up; response times count from the instant at which a
    /// request was to be made; several numbers are steps
    #[arg(long, value_delimiter = ',', conflicts_with = "think_time", value_parser = some_rate)]
    pub rate: Vec<f64>,
    /// Space the requests of a rate like those of many people who don't know of each other (poisson), or evenly (even)
    #[arg(long, value_name = "HOW", default_value = "poisson", value_parser = ["poisson", "even"])]
    pub spacing: String,
    /// Let so many requests of a rate be on their way at once; others wait, which counts as response time
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: u32,
    /// Walk by this mix of an application [default: its usual one]
    #[arg(long)]
    pub mix: Option<String>,
    /// Act as the accounts of an application's data of this size: that with which the site was started
    #[arg(long, default_value_t = DATA_SCALE, value_parser = some_scale)]
    pub scale: f64,
    /// Think so long on average [default: the site's file or application says, else 7s]
    #[arg(long, value_name = "LENGTH", value_parser = some_time)]
    pub think_time: Option<Length>,
    /// Wait so long for an answer before giving up, or none
    #[arg(long, value_name = "LENGTH", default_value = "10s")]
    pub timeout: Patience,
    /// Drive so long at least before anything counts [default: ten think times; else 5s]
    #[arg(long, value_name = "LENGTH", value_parser = up_to_a_week)]
    pub ramp: Option<Length>,
    /// Count so long
    #[arg(long, value_name = "LENGTH", default_value = "30s", value_parser = some_time)]
    pub window: Length,
    /// Measure each load so often
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_REPETITIONS))]
    pub repetitions: u32,
    /// Draw everything random from this seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Fail where a load is like this: p50, p90, p99, mean, throughput or errors, then one of > >= < <=, a number and a unit;
    /// can be given several times
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
    /// Put the result there [default: results/ and the time]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Tell how it goes, in the format of OpenMetrics, to whoever asks there, such as 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<std::net::SocketAddr>,
}

const AFTER_HELP_OF_REPRODUCE: &str = "\
What is run, with the time that it takes, is said first; --plan says it and ends. Figures that show the same mix come \
from the same runs. Each mix is an ordinary result in a folder of its own, which `tierbench report` reads. After \
Ctrl-C, the same command goes on; with other figures, it takes up what is there already.

In the end there are a table of the paper's claims, and a page with curves, the CPU of each machine and the reason for \
each verdict: holds, no longer holds, cannot be told. Ratios and orders are compared, never numbers of clients or \
interactions a minute.

Examples:
  tierbench reproduce middleware-2003 fig11 fig12 fig13 fig14 --quick
                                              the auction, in about two hours
  tierbench reproduce middleware-2003 --plan  all that can be run, and how long it takes
  tierbench reproduce middleware-2003 fig11 --smoke --testbed testbeds/one-machine.toml
                                              whether everything runs, in minutes, without root";

#[derive(Debug, Args)]
pub(crate) struct ReproduceOptions {
    /// The paper, by its folder in papers/, such as middleware-2003 or apache-2002
    pub paper: String,
    /// Its figures, such as fig11 or bench2 [default: all of them]
    #[arg(value_name = "FIGURE")]
    pub figures: Vec<String>,
    /// Measure with less data, hurried users and short windows, as the paper's folder says [default: as in the paper,
    /// which takes days]
    #[arg(long)]
    pub quick: bool,
    /// Only try whether everything runs, with next to no data and two loads; the figures are marked and decide nothing
    #[arg(long, conflicts_with = "quick")]
    pub smoke: bool,
    /// Only say what would be run, and how long it takes
    #[arg(long)]
    pub plan: bool,
    /// The hosts on which tiers run [default: those of the workspace's testbeds/ that the paper's folder names]
    #[arg(long, value_name = "FILE")]
    pub testbed: Option<PathBuf>,
    /// Where the results go [default: results/reproduce-PAPER, with -quick or -smoke]
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
}

impl ReproduceOptions {
    /// The command that goes on with it.
    pub(crate) fn again(&self, places: &Places) -> String {
        let mut words = format!("tierbench{} reproduce {}", places.home_words(), self.paper);
        self.figures.iter().for_each(|figure| words.extend([" ", figure]));
        for (_, flag) in
            [(self.quick, " --quick"), (self.smoke, " --smoke")].iter().filter(|(is_set, _)| *is_set)
        {
            words.push_str(flag);
        }
        for (flag, path) in [("--testbed", &self.testbed), ("--results", &self.results)] {
            words.extend(path.iter().map(|path| format!(" {flag} {}", path.display())));
        }
        words
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// A result's folder
    pub result: PathBuf,
    /// Another one, which it is held against
    pub other: Option<PathBuf>,
    /// Print one row a point as CSV instead of the table
    #[arg(long, conflicts_with = "other")]
    pub csv: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// The application, such as auction
    pub application: String,
    /// Read a transition table of the original RUBiS instead, and name its defects
    #[arg(long, value_name = "FILE")]
    pub rubis: Option<PathBuf>,
    /// Make the data instead, without any server, show what they are like, and hold them to what is declared
    #[arg(
        long, value_name = "SHAPE", num_args = 0..=1, default_missing_value = Shape::Uniform.name(),
        value_parser = shapes(), conflicts_with = "rubis"
    )]
    pub data: Option<Shape>,
    /// Size of the data, as a multiple of the papers' database [default: 0.05]
    #[arg(long, value_parser = some_scale, requires = "data")]
    pub scale: Option<f64>,
    /// Seed of everything random [default: 1]
    #[arg(long, requires = "data")]
    pub seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct NewOptions {
    #[command(subcommand)]
    pub verb: NewVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NewVerb {
    /// Make a folder in stacks/ with the least code that starts and answers one page, and say what comes next
    #[command(after_help = AFTER_HELP_OF_NEW_STACK)]
    Stack(NewStackOptions),
}

const AFTER_HELP_OF_NEW_STACK: &str = "\
A KIND is a folder of skeletons/, whose files are copied:
  process   a program that speaks HTTP with clients itself
  php       PHP in a process pool, behind Apache
  servlet   a servlet in Tomcat
  cgi       a program that Apache starts for each request

`tierbench verify` then names what the stack does otherwise than the application, one difference after the other; \
docs/add-a-stack.md goes through it step by step.";

#[derive(Debug, Args)]
pub(crate) struct NewStackOptions {
    /// What it is called: its folder in stacks/
    #[arg(value_parser = stack_name)]
    pub name: String,
    /// What it begins as: process, php, servlet or cgi
    #[arg(long, default_value = "process")]
    pub kind: String,
    /// The application that it is to be
    #[arg(long, default_value = "comments")]
    pub application: String,
}

#[derive(Debug, Args)]
pub(crate) struct CacheOptions {
    /// Remove everything that no command is using
    #[arg(long)]
    pub empty: bool,
    /// Only what was not used for so long, such as 7d
    #[arg(long, value_name = "LENGTH", requires = "empty")]
    pub older_than: Option<Length>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A testbed's file names hosts with their cores, CPU, memory and link (see testbeds/). Those that are network namespaces \
need root.

Examples:
  tierbench testbed up testbeds/four-machines.toml            until Ctrl-C
                                                              (also `up --detach`, until `down`)
  tierbench testbed exec testbeds/four-machines.toml web top  a command on one of its hosts
  tierbench testbed down testbeds/four-machines.toml          end it, and all that runs on it")]
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
}

#[derive(Debug, Args)]
pub(crate) struct TestbedUpOptions {
    /// The testbed's file, such as testbeds/four-machines.toml
    pub file: PathBuf,
    /// Leave it up until `tierbench testbed down`
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
    /// Where to serve it [default: list the faults it can be served with]
    #[arg(long)]
    pub listen: Option<std::net::SocketAddr>,
    /// Where to serve it over TLS
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
    /// What it does wrong
    #[arg(long, default_value = "none")]
    pub fault: String,
}

#[derive(Debug, Args)]
pub(crate) struct GatewayOptions {
    pub application: String,
    /// Where it listens, for TLS
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
    /// How many of a hundred payments it declines
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub declines: u8,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaOptions {
    /// Where they go
    pub folder: PathBuf,
}

/// Reads a shape of data, and lists all in the help.
fn shapes() -> impl TypedValueParser<Value = Shape> {
    PossibleValuesParser::new(Shape::ALL.map(Shape::name)).try_map(|name| name.parse::<Shape>())
}

/// Names that are good for a folder, a program and a line of a shell alike.
fn stack_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_plain) && text.len() <= 30 {
        return Ok(text.to_owned());
    }
    Err("make it of at most 30 small letters, digits and -, a letter first".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number above 0".to_owned()),
    }
}

/// No disk holds the data of a larger scale: those of scale 1 take 1.5 GB.
const LARGEST_SCALE: f64 = 10_000.0;

fn some_scale(text: &str) -> Result<f64, String> {
    match positive(text)? {
        scale if scale <= LARGEST_SCALE => Ok(scale),
        _ => Err(format!(
            "the largest scale is {LARGEST_SCALE}, whose data take about 15 TB; 1 is that of the papers"
        )),
    }
}

/// No generator of one thread makes more.
const HIGHEST_RATE: f64 = 1e6;

fn some_rate(text: &str) -> Result<f64, String> {
    match positive(text)? {
        rate if rate <= HIGHEST_RATE => Ok(rate),
        _ => Err(format!("{HIGHEST_RATE} a second are the most")),
    }
}

/// Users a thousand times as slow as people, or as fast.
const TIME_SCALES: RangeInclusive<f64> = 0.001..=1000.0;

fn some_time_scale(text: &str) -> Result<f64, String> {
    match positive(text)? {
        scale if TIME_SCALES.contains(&scale) => Ok(scale),
        _ => Err("it must lie between 0.001 and 1000; 1 is the real thing".to_owned()),
    }
}

/// Nobody waits longer for one point.
const LONGEST: Duration = Duration::from_secs(7 * 86400);

fn up_to_a_week(text: &str) -> Result<Length, String> {
    let length: Length = text.parse()?;
    match length.0 > LONGEST {
        true => Err("it can be 7d at most; a point takes minutes, and --repetitions says how many there are"
            .to_owned()),
        false => Ok(length),
    }
}

fn some_time(text: &str) -> Result<Length, String> {
    let length = up_to_a_week(text)?;
    if length.0.is_zero() { Err("it must be longer than nothing".to_owned()) } else { Ok(length) }
}

/// As many repetitions as anybody has timeout for.
const MOST_REPETITIONS: i64 = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, error::ErrorKind};

    #[test]
    fn wishes_beyond_any_disk_or_lifetime_are_refused_with_the_limit() {
        for (words, texts) in [
            ("--scale 1e9", ["the largest scale is 10000", "15 TB"]),
            ("--window 10000d", ["it can be 7d at most", "--repetitions"]),
            ("--ramp 8d", ["it can be 7d at most", "a point takes minutes"]),
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
    fn parts_share_a_list_among_them() {
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
    fn the_words_and_flags_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn of_a_setting_that_is_given_twice_the_last_one_counts_of_lists_too() {
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
    fn who_measures_means_the_size_of_the_papers_and_who_looks_a_small_one() {
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
    fn where_clients_arrive_no_peak_is_searched_for() {
        for search in ["--most 9", "--again"] {
            let words = format!("tierbench compare comments php --arrivals bench1 {search}");
            let refused = Arguments::try_parse_from(words.split(' ')).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::ArgumentConflict, "{search}");
        }
    }
}

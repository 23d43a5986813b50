//! `drive`: loads on a site that already runs, whoever has started it.

use crate::{
    address::Address,
    arguments::{Arguments, DriveOptions, Places, VERSION, Verb},
    fault::{CommandError, Fault},
    interrupt,
    metrics::{LoadProgress, Metrics},
    open_files,
    outcome::{default_folder, judge, show},
    output::note,
    record, registry,
    run_spec::default_ramp,
    terminal::Terminal,
};
use application::{Dataset, Distribution, Timestamp};
use clap::Parser as _;
use engine::{Outcome, Target};
use fs_err as fs;
use lab::{Drive, DriveStep, Event, NO_STACK, Timing, Worker, WorkerTask, Workers, WorkspaceError};
use results::{
    ConfigurationRecord, Ending, Folder, LeftRecord, LoadPlan, Manifest, Names, RunSpec, Statements,
    Verification,
};
use serde::{Deserialize, Serialize};
use settings::{Document, read_text};
use std::{collections::BTreeMap, net::SocketAddr, path::Path, sync::atomic::AtomicBool, time::Duration};
use workload::{Catalogue, ExternalSite, LoadKind, Spacing, Users};

/// What its results name as their verb. Nothing resumes them.
pub(crate) const VERB: &str = "drive";

pub(crate) fn run(places: &Places, options: &DriveOptions) -> Result<(), Fault> {
    let what = What::read(options)?;
    let target = what.target(options)?;
    let now = lab::now();
    what.with_users(places, options, now, |users| drive(options, &what, &target, users, now))
}

/// What the command tells its workers, so that their users are the same.
#[derive(Serialize, Deserialize)]
struct DrivenSite {
    /// The words of the command.
    words: Vec<String>,
    /// When it began, in seconds: rows and accounts depend on it.
    now: i64,
    /// Where it found the site: a name may have several addresses.
    plain: SocketAddr,
    secure: Option<SocketAddr>,
}

impl DrivenSite {
    fn new(target: &Target, now: Timestamp) -> Self {
        let secure = target.secure.as_ref().map(|secure| secure.endpoint.address);
        Self { words: std::env::args().collect(), now: now.0, plain: target.plain.address, secure }
    }

    /// The same site, at the same addresses.
    fn target(&self, what: &What, options: &DriveOptions) -> Result<Target, Fault> {
        let mut target = what.target(options)?;
        target.plain.address = self.plain;
        if let Some((secure, at)) = target.secure.as_mut().zip(self.secure) {
            secure.endpoint.address = at;
        }
        Ok(target)
    }
}

/// Is a worker of this verb; see [`lab::Workers`].
pub(crate) fn work() -> i32 {
    lab::work(|task, worker| drive_part(task, worker).map_err(|fault| fault.to_string()))
}

fn drive_part(task: &WorkerTask, worker: &mut Worker) -> Result<Outcome, Fault> {
    let unknown = |fault: &dyn std::fmt::Display| {
        CommandError::input(format!("a worker does not understand its task: {fault}"))
    };
    let site: DrivenSite = serde_json::from_str(&task.site).map_err(|fault| unknown(&fault))?;
    let arguments = Arguments::try_parse_from(&site.words).map_err(|fault| unknown(&fault))?;
    let Verb::Drive(options) = &arguments.verb else { return Err(unknown(&"it is not to drive").into()) };
    let what = What::read(options)?;
    let target = site.target(&what, options)?;
    what.with_users(&arguments.places, options, Timestamp(site.now), |users| {
        let (timing, steps) = plan(options, &what, users.catalogue);
        let stop = AtomicBool::new(false);
        let drive = Drive {
            target: &target,
            users,
            timing,
            timeout: options.timeout,
            steps: &steps,
            seed: options.seed,
            stop: &stop,
            workers: None,
        };
        let outcome = drive.shard(task, worker);
        outcome.map_err(|fault| CommandError::input(fault.to_string()).into())
    })
}

/// All loads, and how long they take.
fn plan(options: &DriveOptions, what: &What, catalogue: &Catalogue) -> (Timing, Vec<DriveStep>) {
    let timing = timing(options, catalogue);
    let steps = steps(options, &what.at.authority, &timing);
    (timing, steps)
}

/// What is driven, and where it is.
struct What {
    kind: Kind,
    at: Address,
}

enum Kind {
    Site(Box<ExternalSite>),
    Application(String),
}

impl What {
    /// Calls `act` with the users of the site. The data of an application began `now`.
    fn with_users<T>(
        &self,
        places: &Places,
        options: &DriveOptions,
        now: Timestamp,
        act: impl FnOnce(&Users<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        match &self.kind {
            Kind::Site(site) => site.with_users(act),
            Kind::Application(name) => {
                let workspace = places.workspace()?;
                let application = registry::find(name)?;
                let catalogue = workspace.catalogue_of(application)?;
                let mix = workspace.mix(&catalogue, options.mix.as_deref().unwrap_or(&catalogue.mix))?;
                let dataset = Dataset::new(options.seed, options.scale, now);
                let habits = application.habits(&dataset);
                let accounts = application.accounts(&dataset);
                let account = |number| application.account(number);
                let (catalogue, mix) = (&catalogue, &mix);
                act(&Users { catalogue, mix, accounts, account: &account, habits: habits.as_ref() })
            }
        }
    }

    fn read(options: &DriveOptions) -> Result<Self, Fault> {
        let words = options.what.as_slice();
        let [word] = words else { return Self::of_addresses(words, options) };
        if word.contains("://") {
            return Self::of_addresses(words, options);
        }
        let path = Path::new(word);
        if path.extension().is_some_and(|extension| extension == "toml") {
            return Self::of_file(path, options);
        }
        if path.is_file() {
            let text = read_text(path)?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let lines: Vec<String> = lines.map(str::to_owned).collect();
            return Self::of_addresses(&lines, options);
        }
        // This is an address without its scheme, not the name of an application.
        if word.contains([':', '/', '.']) {
            Address::read(word)?;
        }
        let name = registry::find(word)?.name().to_owned();
        let at = options.at.as_deref().ok_or_else(|| {
            CommandError::input(format!("{name} has no address")).with_help(format!(
                "name it with --at http://HOST:PORT; `tierbench up {name} STACK` starts it"
            ))
        })?;
        Ok(Self { kind: Kind::Application(name), at: place(at)? })
    }

    fn of_addresses(words: &[String], options: &DriveOptions) -> Result<Self, Fault> {
        let all = words.iter().map(|word| Address::read(word)).collect::<Result<Vec<_>, _>>()?;
        let first = all.first().ok_or_else(|| CommandError::input("no address is named"))?;
        if let Some(other) = all.iter().find(|other| other.site() != first.site()) {
            let fault = format!(
                "all addresses must be of one site, but {} and {} are two",
                first.site(),
                other.site()
            );
            return Err(CommandError::input(fault).with_help("drive one after the other").into());
        }
        expect_none("--at", options.at.is_some(), "addresses say where they are")?;
        expect_none("--mix", options.mix.is_some(), "addresses have none")?;
        let paths: Vec<String> = all.iter().map(|address| address.path.clone()).collect();
        let site = ExternalSite::of_paths(&first.authority, &paths, first.is_secure);
        let site = site.map_err(|fault| CommandError::input(fault.to_string()))?;
        Ok(Self { kind: Kind::Site(Box::new(site)), at: first.clone() })
    }

    fn of_file(path: &Path, options: &DriveOptions) -> Result<Self, Fault> {
        let document = Document::read(path).map_err(WorkspaceError::from)?;
        expect_none("--mix", options.mix.is_some(), "a site's file has its own")?;
        let wanted = options.at.as_deref().map(place).transpose()?;
        let parse =
            |is_secure| ExternalSite::parse(&document, is_secure).map(Box::new).map_err(WorkspaceError::from);
        let site = parse(wanted.as_ref().is_some_and(|at| at.is_secure))?;
        let at = match (wanted, &site.at) {
            (Some(at), _) => at,
            (None, Some(at)) => {
                let at = place(at)?;
                // The file is read again, now for TLS, which it names itself.
                if at.is_secure {
                    return Ok(Self { kind: Kind::Site(parse(true)?), at });
                }
                at
            }
            (None, None) => {
                let remedy = "add `at = \"http://HOST:PORT\"`, or name it with --at".to_owned();
                let fault = document.error(None, "it has no address of the site", Some(remedy));
                return Err(WorkspaceError::from(fault).into());
            }
        };
        Ok(Self { kind: Kind::Site(site), at })
    }

    /// Where requests go.
    fn target(&self, options: &DriveOptions) -> Result<Target, Fault> {
        let at = self.at.resolve()?;
        let target = Target::plain(at, self.at.authority.clone());
        let target = if options.gzip { target.with_gzip() } else { target };
        let secure = match &options.secure_at {
            Some(secure) => Some(place(secure)?),
            None => self.at.is_secure.then(|| self.at.clone()),
        };
        let Some(secure) = secure else { return Ok(target) };
        let authorities = fs::read(&options.ca).map_err(|fault| {
            CommandError::input(fault.to_string()).with_help("name a file of trusted authorities with --ca")
        })?;
        let target =
            target.over_tls(secure.resolve()?, secure.authority.clone(), secure.name(), &authorities);
        target.map_err(|fault| {
            let fault = format!("TLS with {} is impossible: {fault}", secure.site());
            CommandError::input(fault)
                .with_help("name the authority that signed its certificate with --ca")
                .into()
        })
    }
}

/// An address without a path.
fn place(text: &str) -> Result<Address, Fault> {
    let address = Address::read(text)?;
    match address.path.as_str() {
        "/" => Ok(address),
        path => Err(CommandError::input(format!("`{text}` has the path {path}"))
            .with_help(format!("write only {}", address.site()))
            .into()),
    }
}

fn expect_none(flag: &str, is_set: bool, why: &str) -> Result<(), Fault> {
    if is_set { Err(CommandError::input(format!("{flag} does not apply: {why}")).into()) } else { Ok(()) }
}

fn drive(
    options: &DriveOptions,
    what: &What,
    target: &Target,
    users: &Users<'_>,
    now: Timestamp,
) -> Result<(), Fault> {
    let catalogue = users.catalogue;
    if catalogue.is_secure() && target.secure.is_none() {
        return Err(CommandError::input(format!("{} has pages over TLS", catalogue.name))
            .with_help("name their address with --secure-at https://HOST:PORT")
            .into());
    }
    if let Some(condition) =
        options.fail_if.iter().find(|condition| condition.to_string().starts_with("cpu_ms"))
    {
        return Err(CommandError::input(format!(
            "`{condition}` can't be checked: the CPU of a site that runs elsewhere is not measured"
        ))
        .into());
    }
    let (timing, steps) = plan(options, what, catalogue);
    let most = steps.iter().map(|step| step.kind.clients()).max().unwrap_or_default();
    open_files::make_room_for_workers(most, options.workers, catalogue)?;
    let workers = workers(options, target, now)?;
    let metrics = options.metrics.map(listen).transpose()?;
    let stop = interrupt::flag()?;
    let path = options.out.clone().unwrap_or_else(|| default_folder(VERB, &plain(&catalogue.name)));
    let mut folder = Folder::create(&path, manifest(options, users, &timing, &steps))?;
    let terminal = Terminal::new(Names::default());
    terminal.expect(LeftRecord::new(steps.len() as u32, expected(&timing, &steps)));
    let drive = Drive {
        target,
        users,
        timing,
        timeout: options.timeout,
        steps: &steps,
        seed: options.seed,
        stop: &stop,
        workers: workers.as_ref(),
    };
    let outcome = drive.run(&mut folder, &mut |event| {
        if let (Event::Driving { configuration, clients, progress, .. }, Some(metrics)) = (&event, &metrics) {
            let site = (*configuration).to_owned();
            metrics.set(LoadProgress { site, clients: *clients, progress: (*progress).clone() });
        }
        terminal.show_live(&event);
    });
    terminal.clear();
    let reason = outcome.as_ref().err().map(ToString::to_string);
    let ended = folder.end(Ending { at: lab::rfc3339(), complete: reason.is_none(), reason });
    let shown = show(&folder);
    outcome?;
    ended?;
    judge(&options.fail_if, &shown?)
}

/// The workers that are asked for; none if this process drives all clients.
fn workers(options: &DriveOptions, target: &Target, now: Timestamp) -> Result<Option<Workers>, Fault> {
    if options.workers == 1 {
        return Ok(None);
    }
    let site = serde_json::to_string(&DrivenSite::new(target, now)).map_err(std::io::Error::from)?;
    Ok(Some(Workers { count: options.workers, executable: std::env::current_exe()?, site }))
}

fn listen(at: SocketAddr) -> Result<Metrics, Fault> {
    let (metrics, at) = Metrics::listen(at).map_err(|fault| {
        CommandError::input(format!("--metrics can't listen at {at}: {fault}")).with_help("name another port")
    })?;
    note(format_args!("metrics: http://{at}/metrics"));
    Ok(metrics)
}

/// All loads, as often as they are repeated.
fn steps(options: &DriveOptions, site: &str, timing: &Timing) -> Vec<DriveStep> {
    let loads = loads(options, timing);
    let has_rates = loads.iter().filter(|kind| kind.label().is_some()).count() > 1;
    let name = |kind: &LoadKind| match kind.label().filter(|_| has_rates) {
        Some(label) => format!("{site},{label}"),
        None => site.to_owned(),
    };
    let step =
        |repetition| move |kind: &LoadKind| DriveStep { name: name(kind), kind: kind.clone(), repetition };
    (1..=options.repetitions).flat_map(|repetition| loads.iter().map(step(repetition))).collect()
}

fn loads(options: &DriveOptions, timing: &Timing) -> Vec<LoadKind> {
    let DriveOptions { clients, rate, sessions, connections, .. } = options;
    let spacing = spacing(options);
    let closed = clients.iter().map(|clients| LoadKind::closed(*clients, timing.think_time));
    let connections_or = |default| connections.unwrap_or(default);
    let rates = rate.iter().map(|per_s| LoadKind::Rate {
        per_s: *per_s,
        spacing,
        connections: connections_or(REQUESTS_AT_ONCE),
    });
    let sessions = sessions.iter().map(|per_s| LoadKind::Sessions {
        per_s: *per_s,
        spacing,
        at_once: connections_or(users_at_once(per_s * timing.session_length.as_secs_f64())),
        think_time_s: timing.think_time.as_secs_f64(),
    });
    closed.chain(rates).chain(sessions).collect()
}

fn spacing(options: &DriveOptions) -> Spacing {
    if options.spacing == "even" { Spacing::Even } else { Spacing::Poisson }
}

/// Requests of a rate that are under way at once, at most, unless the command says otherwise.
const REQUESTS_AT_ONCE: u32 = 100;

/// More users than are ever there at once, where so many are there on average: their number has a Poisson distribution
/// (M/G/∞), and ten of its standard deviations are not exceeded.
fn users_at_once(mean: f64) -> u32 {
    (mean + 10.0 * mean.sqrt() + 10.0).ceil() as u32
}

fn timing(options: &DriveOptions, catalogue: &Catalogue) -> Timing {
    let thinks = !options.no_think && options.rate.is_empty();
    let think_time = options.think_time.unwrap_or(catalogue.think_time).0;
    let think_time = if thinks { think_time } else { Duration::ZERO };
    let session_length = options.session_length.unwrap_or(catalogue.session_length).0;
    // After three session lengths, 95 % of the users are there.
    let arriving = if options.sessions.is_empty() { Duration::ZERO } else { session_length * 3 };
    Timing {
        think_time,
        session_length,
        ramp: options.ramp.map_or_else(|| default_ramp(think_time).max(arriving), |ramp| ramp.0),
        window: options.window.0,
        time_scale: 1.0,
        is_smoke: false,
    }
}

/// How long all loads take.
fn expected(timing: &Timing, steps: &[DriveStep]) -> Duration {
    (timing.ramp + timing.window) * steps.len() as u32
}

/// What a result records of it.
fn manifest(options: &DriveOptions, users: &Users<'_>, timing: &Timing, steps: &[DriveStep]) -> Manifest {
    let words: Vec<String> = std::env::args().collect();
    let once = steps.iter().filter(|step| step.repetition == 1);
    let mut names: Vec<&str> = once.map(|step| step.name.as_str()).collect();
    names.dedup();
    Manifest {
        schema_version: results::SCHEMA_VERSION,
        tierbench: VERSION.to_owned(),
        command: words.clone(),
        rerun: words,
        spec: spec(options, users, timing, steps),
        application_title: users.catalogue.title.clone(),
        started: lab::rfc3339(),
        session_length_s: timing.session_length.as_secs_f64(),
        expected_s: expected(timing, steps).as_secs_f64(),
        resumed: Vec::new(),
        demonstration: Vec::new(),
        configurations: names.iter().map(|name| configuration(name, options)).collect(),
        host: record::host(),
        testbed: None,
        planted_loss: None,
        ending: None,
    }
}

/// What is asked for, as far as other results have that too. Rates are in the command alone, as nothing resumes it.
fn spec(options: &DriveOptions, users: &Users<'_>, timing: &Timing, steps: &[DriveStep]) -> RunSpec {
    let mut clients: Vec<u32> = steps.iter().map(|step| step.kind.clients()).collect();
    clients.sort_unstable();
    clients.dedup();
    RunSpec {
        verb: VERB.to_owned(),
        application: users.catalogue.name.clone(),
        configurations: options.what.clone(),
        again: false,
        factors: Vec::new(),
        timeouts_s: vec![options.timeout.0.map(|length| length.as_secs_f64())],
        loads: LoadPlan::Listed(clients),
        repetitions: options.repetitions,
        mix: users.mix.name.clone(),
        seed: options.seed,
        scale: options.scale,
        distribution: Distribution::Uniform.to_string(),
        time_scale: timing.time_scale,
        think_time_s: timing.think_time.as_secs_f64(),
        ramp_s: timing.ramp.as_secs_f64(),
        window_s: timing.window.as_secs_f64(),
        testbed: None,
        skip_verify: true,
        smoke: timing.is_smoke,
        profile: false,
        conditions: options.fail_if.clone(),
    }
}

fn configuration(name: &str, options: &DriveOptions) -> ConfigurationRecord {
    ConfigurationRecord {
        name: name.to_owned(),
        stack: NO_STACK.to_owned(),
        summary: "A site that somebody else runs".to_owned(),
        content: String::new(),
        code: Vec::new(),
        statements: Statements::Own,
        verified: Verification::NotOurs,
        traffic: None,
        factors: factors(options),
        services: Vec::new(),
    }
}

fn factors(options: &DriveOptions) -> BTreeMap<String, String> {
    let factor = |name: &str, value: String| (format!("clients.{name}"), value);
    let timeout = factor("timeout", options.timeout.to_string());
    let workers = (options.workers > 1).then(|| factor("workers", options.workers.to_string()));
    let gzip = options.gzip.then(|| factor("gzip", "yes".to_owned()));
    [timeout].into_iter().chain(workers).chain(gzip).collect()
}

/// A name that is good for a folder.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
}

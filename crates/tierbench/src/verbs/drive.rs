//! `drive`: loads on a site that already runs, whoever has started it.

use crate::{
    address::{Address, ResolvedHost},
    arguments::{DriveOptions, Places, VERSION},
    fault::{CommandError, Fault},
    interrupt,
    metrics::{LoadProgress, Metrics},
    open_files,
    outcome::{default_folder, judge, show},
    output::note,
    record, registry,
    run_spec::{self, default_ramp},
    terminal::Terminal,
    verbs::measure::{Destination, interrupted, with_resume_command},
};
use application::{Dataset, Distribution, Timestamp};
use engine::{Outcome, Shard, Target};
use lab::{
    Drive, DriveStep, Event, NO_STACK, SiteLoad, Timeout, Timing, Worker, WorkerLoad, WorkerTask, Workers,
    WorkspaceError,
};
use results::{
    Condition, ConfigurationRecord, Ending, LeftRecord, Loads, Manifest, Names, ResultReader, RunSpec,
    SiteAccess, Statements, Verb, Verification,
};
use serde::{Deserialize, Serialize};
use settings::{Document, LONGEST_FILE, read_bytes, read_text};
use std::{collections::BTreeMap, net::SocketAddr, path::Path, sync::atomic::AtomicBool, time::Duration};
use testbed::{HostUp, Hosts, Separation, Testbed};
use workload::{Catalogue, ExternalSite, LoadKind, Mix, Users, WorkloadModel};

pub(crate) fn run(places: &Places, options: &DriveOptions) -> Result<(), Fault> {
    let now = lab::now();
    if let Some(folder) = options.resume.as_deref() {
        let spec = interrupted(folder, &[Verb::Drive])?;
        let (what, access) = What::of(&spec)?;
        let found = what.find(access)?;
        let target = what.target(access, &found)?;
        let destination = Destination::Begun(folder);
        return what.with_users(places, &spec, now, None, |users| {
            drive(places, &spec, (&what, &found, &target), users, now, &destination, options.metrics)
        });
    }
    let earlier = options.like.as_deref().map(earlier).transpose()?;
    let words = match &earlier {
        Some(earlier) if options.what.is_empty() => &earlier.configurations,
        _ => &options.what,
    };
    let access = access(options, earlier.as_ref().and_then(|earlier| earlier.site.as_ref()));
    let what = What::read(words, text_of(words)?, &access, options.mix.is_some())?;
    let found = what.find(&access)?;
    let target = what.target(&access, &found)?;
    let spec = what.with_catalogue(places, |catalogue, mix| {
        spec(options, earlier.as_ref(), (words, access.clone()), catalogue, mix)
    })?;
    what.with_users(places, &spec, now, None, |users| {
        let site = plain(&users.catalogue.name);
        let folder = options.out.clone().unwrap_or_else(|| default_folder(Verb::Drive, &site));
        let destination = Destination::New(&folder);
        drive(places, &spec, (&what, &found, &target), users, now, &destination, options.metrics)
    })
}

/// The specification of an earlier result of this verb.
fn earlier(folder: &Path) -> Result<RunSpec, Fault> {
    let spec = ResultReader::open_whole(folder)?.manifest.spec;
    if spec.verb == Verb::Drive {
        run_spec::expect_numbers(&spec)?;
        return Ok(spec);
    }
    let fault = format!("it can't be measured again by `drive`: `{}` has measured it", spec.verb);
    Err(CommandError::input(fault).with_help(format!("call `tierbench {} --like`", spec.verb)).into())
}

/// The way to the site: by options, or else as before.
fn access(options: &DriveOptions, earlier: Option<&SiteAccess>) -> SiteAccess {
    let is_new = |name: &str| earlier.is_none() || options.given.has(name);
    let earlier = earlier.cloned().unwrap_or_else(|| SiteAccess {
        at: None,
        secure_at: None,
        ca: String::new(),
        gzip: false,
        http2: false,
        workers: 1,
    });
    SiteAccess {
        at: options.at.clone().or(earlier.at),
        secure_at: options.secure_at.clone().or(earlier.secure_at),
        ca: if is_new("ca") { options.ca.display().to_string() } else { earlier.ca },
        gzip: options.gzip || earlier.gzip,
        http2: options.http2 || earlier.http2,
        workers: if is_new("workers") { options.workers } else { earlier.workers },
    }
}

/// The command's message to its workers, so that their users are the same. It holds what the command has read from files, which
/// another machine lacks.
#[derive(Serialize, Deserialize)]
struct DrivenSite {
    spec: RunSpec,
    /// The file that the specification names.
    text: Option<String>,
    mix: Mix,
    /// Trusted authorities, where a part of the site has TLS.
    authorities: Option<Vec<u8>>,
    /// Start of the drive in Unix seconds: rows and accounts depend on it.
    now: i64,
    found: Found,
}

/// The addresses at which the command found a site: a name may have several.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Found {
    plain: ResolvedHost,
    secure: Option<ResolvedHost>,
}

/// Is a worker of this verb; see [`lab::Workers`].
pub(crate) fn work() -> i32 {
    lab::work(|WorkerTask { what, shard }, worker| {
        let outcome = match what {
            WorkerLoad::External { site, sequence } => drive_part(site, *sequence, *shard, worker),
            WorkerLoad::Site(load) => drive_site(load, *shard, worker),
        };
        outcome.map_err(|fault| fault.to_string())
    })
}

/// Drives a part of a load on a site of the laboratory, of which nothing but its address is at hand.
fn drive_site(load: &SiteLoad, shard: Shard, worker: &mut Worker) -> Result<Outcome, Fault> {
    let outcome = load.drive(registry::find(&load.application)?, shard, worker);
    outcome.map_err(|fault| CommandError::input(fault.to_string()).into())
}

fn drive_part(site: &str, sequence: u32, shard: Shard, worker: &mut Worker) -> Result<Outcome, Fault> {
    let site: DrivenSite = serde_json::from_str(site)
        .map_err(|fault| CommandError::input(format!("a worker does not understand its task: {fault}")))?;
    let access = access_of(&site.spec)?;
    let what = What::read(&site.spec.configurations, site.text, access, false)?;
    let target = what.target_with(access, &site.found, || Ok(site.authorities.unwrap_or_default()))?;
    let places = Places { workspace: None, cache: None };
    what.with_users(&places, &site.spec, Timestamp(site.now), Some(&site.mix), |users| {
        let stop = AtomicBool::new(false);
        let drive = Drive {
            target: &target,
            users,
            began: site.now,
            timing: Timing::of(&site.spec),
            timeout: timeout(&site.spec),
            steps: &steps(&site.spec, &what.at.authority),
            seed: site.spec.seed,
            stop: &stop,
            workers: None,
        };
        let outcome = drive.shard(sequence, shard, worker);
        outcome.map_err(|fault| CommandError::input(fault.to_string()).into())
    })
}

fn timeout(spec: &RunSpec) -> Timeout {
    Timeout::of(spec).first().copied().unwrap_or_default()
}

/// The site that is driven, with its address.
struct What {
    kind: Kind,
    at: Address,
}

enum Kind {
    Site(Box<ExternalSite>),
    Application(String),
}

/// The way to the site of a specification.
fn access_of(spec: &RunSpec) -> Result<&SiteAccess, Fault> {
    let fault = || CommandError::input("the run's specification names no site").with_help("drive it anew");
    Ok(spec.site.as_ref().ok_or_else(fault)?)
}

/// The text of the file that these words name; none if they name none.
fn text_of(words: &[String]) -> Result<Option<String>, Fault> {
    let [word] = words else { return Ok(None) };
    let path = Path::new(word);
    let is_file = !word.contains("://") && (has_site(path) || path.is_file());
    let read = || read_text(path).map_err(WorkspaceError::from);
    Ok(is_file.then(read).transpose()?)
}

/// True if a file's name is that of a site's file.
fn has_site(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

impl What {
    /// The site that a specification names, and the way to it.
    fn of(spec: &RunSpec) -> Result<(Self, &SiteAccess), Fault> {
        let (access, words) = (access_of(spec)?, &spec.configurations);
        Ok((Self::read(words, text_of(words)?, access, false)?, access))
    }

    /// Calls `act` with the catalogue of the site, and its mix unless the site is an application's.
    fn with_catalogue<T>(
        &self,
        places: &Places,
        act: impl FnOnce(&Catalogue, Option<&str>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        match &self.kind {
            Kind::Site(site) => site.with_users(|users| act(users.catalogue, Some(&users.mix.name))),
            Kind::Application(name) => act(&places.workspace()?.catalogue_of(registry::find(name)?)?, None),
        }
    }

    /// Calls `act` with the users of the site. The data of an application began `now`; its mix is read from the workspace
    /// unless it is given.
    fn with_users<T>(
        &self,
        places: &Places,
        spec: &RunSpec,
        now: Timestamp,
        mix: Option<&Mix>,
        act: impl FnOnce(&Users<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        match &self.kind {
            Kind::Site(site) => site.with_users(act),
            Kind::Application(name) => {
                let application = registry::find(name)?;
                let catalogue = application.catalogue();
                let mix = match mix {
                    Some(mix) => mix.clone(),
                    None => {
                        let workspace = places.workspace()?;
                        workspace.mix(&workspace.catalogue_of(application)?, &spec.mix)?
                    }
                };
                let dataset = Dataset::new(spec.seed, spec.scale, now);
                let habits = application.habits(&dataset);
                let accounts = application.accounts(&dataset);
                let account = |number| application.account(number);
                let mix = &mix;
                act(&Users { catalogue, mix, accounts, account: &account, habits: habits.as_ref() })
            }
        }
    }

    /// Reads what words name, and the text of the file among them.
    fn read(
        words: &[String],
        text: Option<String>,
        access: &SiteAccess,
        has_mix: bool,
    ) -> Result<Self, Fault> {
        let [word] = words else { return Self::of_addresses(words, access, has_mix) };
        match text {
            Some(text) if has_site(Path::new(word)) => {
                return Self::of_file(&Document::new(word, text), access, has_mix);
            }
            Some(text) => return Self::of_addresses(&listed(&text), access, has_mix),
            None if word.contains("://") => return Self::of_addresses(words, access, has_mix),
            None => {}
        }
        // This is an address without its scheme, not the name of an application.
        if word.contains([':', '/', '.']) {
            Address::read(word)?;
        }
        let name = registry::find(word)?.name().to_owned();
        let at = access.at.as_deref().ok_or_else(|| {
            CommandError::input(format!("{name} has no address")).with_help(format!(
                "name it with --at http://HOST:PORT; `tierbench up {name} STACK` starts it"
            ))
        })?;
        Ok(Self { kind: Kind::Application(name), at: place(at)? })
    }

    fn of_addresses(words: &[String], access: &SiteAccess, has_mix: bool) -> Result<Self, Fault> {
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
        expect_none("--at", access.at.is_some(), "addresses say where they are")?;
        expect_none("--mix", has_mix, "addresses have none")?;
        let paths: Vec<String> = all.iter().map(|address| address.path.clone()).collect();
        let site = ExternalSite::of_paths(&first.authority, &paths, first.is_secure);
        let site = site.map_err(|fault| CommandError::input(fault.to_string()))?;
        Ok(Self { kind: Kind::Site(Box::new(site)), at: first.clone() })
    }

    fn of_file(document: &Document, access: &SiteAccess, has_mix: bool) -> Result<Self, Fault> {
        expect_none("--mix", has_mix, "a site's file has its own")?;
        let wanted = access.at.as_deref().map(place).transpose()?;
        let parse =
            |is_secure| ExternalSite::parse(document, is_secure).map(Box::new).map_err(WorkspaceError::from);
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

    /// The address that takes requests over TLS, if there is one.
    fn secure(&self, access: &SiteAccess) -> Result<Option<Address>, Fault> {
        match &access.secure_at {
            Some(secure) => Ok(Some(place(secure)?)),
            None => Ok(self.at.is_secure.then(|| self.at.clone())),
        }
    }

    /// Looks its hosts up.
    fn find(&self, access: &SiteAccess) -> Result<Found, Fault> {
        let plain = self.at.resolve()?;
        let find = |secure: Address| if secure == self.at { Ok(plain) } else { secure.resolve() };
        let secure = self.secure(access)?.map(find).transpose()?;
        for ResolvedHost { at, .. } in
            [Some(plain), secure].into_iter().flatten().filter(|found| found.is_chosen)
        {
            note(format_args!("of its addresses, {at} is the first that accepts a connection"));
        }
        Ok(Found { plain, secure })
    }

    /// The target of requests.
    fn target(&self, access: &SiteAccess, found: &Found) -> Result<Target, Fault> {
        self.target_with(access, found, || authorities(access))
    }

    /// The same with the trusted authorities, where it needs them.
    fn target_with(
        &self,
        access: &SiteAccess,
        found: &Found,
        authorities: impl FnOnce() -> Result<Vec<u8>, Fault>,
    ) -> Result<Target, Fault> {
        let target = Target::plain(found.plain.at, self.at.authority.clone());
        let target = if access.gzip { target.with_gzip() } else { target };
        let Some((secure, ResolvedHost { at, .. })) = self.secure(access)?.zip(found.secure) else {
            return if access.http2 { Err(http2_without_tls()) } else { Ok(target) };
        };
        let target = target.over_tls(at, secure.authority.clone(), secure.name(), &authorities()?);
        let target = target.map(|target| if access.http2 { target.with_http2() } else { target });
        target.map_err(|fault| {
            let fault = format!("TLS with {} is impossible: {fault}", secure.site());
            CommandError::input(fault)
                .with_help("name the authority that signed its certificate with --ca")
                .into()
        })
    }
}

fn http2_without_tls() -> Fault {
    CommandError::input("HTTP/2 is spoken over TLS, and the site has no address over TLS")
        .with_help("name its address with https://, or that of its secure pages with --secure-at")
        .into()
}

fn authorities(access: &SiteAccess) -> Result<Vec<u8>, Fault> {
    Ok(read_bytes(Path::new(&access.ca), LONGEST_FILE).map_err(|fault| {
        CommandError::input(fault.to_string()).with_help("name a file of trusted authorities with --ca")
    })?)
}

/// The addresses of a list: one a line, whichever way lines end.
fn listed(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
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
    places: &Places,
    spec: &RunSpec,
    (what, found, target): (&What, &Found, &Target),
    users: &Users<'_>,
    now: Timestamp,
    destination: &Destination<'_>,
    metrics: Option<SocketAddr>,
) -> Result<(), Fault> {
    expect_possible(spec, users.catalogue, target)?;
    let steps = steps(spec, &what.at.authority);
    let hosts = spec.testbed.as_deref().map(|file| machines(Path::new(file))).transpose()?;
    let workers = workers(spec, users.mix, found, now, hosts.as_ref())?;
    let metrics = metrics.map(listen).transpose()?;
    let stop = interrupt::flag()?;
    let timing = Timing::of(spec);
    let mut folder = destination.open(manifest(spec, users, &steps, found, hosts.as_ref()))?;
    let terminal = Terminal::new(Names::default());
    let left = &steps[folder.points().len().min(steps.len())..];
    terminal.expect(LeftRecord::new(left.len() as u32, expected(spec, left)));
    let drive = Drive {
        target,
        users,
        began: now.0,
        timing,
        timeout: timeout(spec),
        steps: &steps,
        seed: spec.seed,
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
    let resume_command =
        format!("tierbench{} drive --resume {}", places.workspace_words(), folder.path().display());
    outcome.map_err(|error| with_resume_command(error, &resume_command))?;
    ended?;
    judge(&spec.conditions, &shown?)
}

/// Refuses a specification that this site, or this machine, does not allow.
fn expect_possible(spec: &RunSpec, catalogue: &Catalogue, target: &Target) -> Result<(), Fault> {
    run_spec::expect_numbers(spec)?;
    if catalogue.is_secure() && target.secure.is_none() {
        return Err(CommandError::input(format!("{} has pages over TLS", catalogue.name))
            .with_help("name their address with --secure-at https://HOST:PORT")
            .into());
    }
    let is_of_cpu = |condition: &&Condition| condition.to_string().starts_with("cpu_ms");
    if let Some(condition) = spec.conditions.iter().find(is_of_cpu) {
        return Err(CommandError::input(format!(
            "`{condition}` can't be checked: the CPU of a site that runs elsewhere is not measured"
        ))
        .into());
    }
    let workers = spec.site.as_ref().map_or(1, |site| site.workers).max(run_spec::generators(spec)?);
    Ok(open_files::make_room_for_workers(spec.loads.max_clients(), workers, catalogue)?)
}

fn machines(file: &Path) -> Result<Hosts, Fault> {
    let testbed = Testbed::read(file)?;
    if testbed.separation != Separation::Machines {
        let fault = format!("the hosts of {} are shares of this machine", file.display());
        return Err(CommandError::input(fault).with_help("divide the clients with --workers").into());
    }
    Ok(Hosts::bring_up(testbed, &std::env::current_exe()?, &Verb::Drive.to_string())?)
}

/// The workers that are asked for, also on other machines; none if this process drives all clients.
fn workers(
    spec: &RunSpec,
    mix: &Mix,
    found: &Found,
    now: Timestamp,
    hosts: Option<&Hosts>,
) -> Result<Option<Workers>, Fault> {
    let hosts: Vec<HostUp> = hosts.iter().flat_map(|hosts| hosts.clients()).cloned().collect();
    let access = access_of(spec)?;
    let count = access.workers.max(hosts.len() as u32);
    if count == 1 {
        return Ok(None);
    }
    let site = DrivenSite {
        spec: spec.clone(),
        text: text_of(&spec.configurations)?,
        mix: mix.clone(),
        authorities: found.secure.map(|_| authorities(access)).transpose()?,
        now: now.0,
        found: *found,
    };
    let site = serde_json::to_string(&site).map_err(std::io::Error::from)?;
    Ok(Some(Workers { count, hosts, executable: std::env::current_exe()?, site }))
}

fn listen(at: SocketAddr) -> Result<Metrics, Fault> {
    let (metrics, at) = Metrics::listen(at).map_err(|fault| {
        CommandError::input(format!("--metrics can't listen at {at}: {fault}")).with_help("name another port")
    })?;
    note(format_args!("metrics: http://{at}/metrics"));
    Ok(metrics)
}

/// All loads, as often as they are repeated.
fn steps(spec: &RunSpec, site: &str) -> Vec<DriveStep> {
    let loads = &spec.loads.kinds;
    let has_rates = loads.iter().filter(|kind| kind.label().is_some()).count() > 1;
    let name = |kind: &LoadKind| match kind.label().filter(|_| has_rates) {
        Some(label) => format!("{site},{label}"),
        None => site.to_owned(),
    };
    let step =
        |repetition| move |kind: &LoadKind| DriveStep { name: name(kind), kind: kind.clone(), repetition };
    (1..=spec.repetitions).flat_map(|repetition| loads.iter().map(step(repetition))).collect()
}

/// The expected length of these loads.
fn expected(spec: &RunSpec, steps: &[DriveStep]) -> Duration {
    let Timing { ramp, window, .. } = Timing::of(spec);
    steps.iter().map(|step| ramp + step.kind.expected_window(window)).sum()
}

/// The specification by options, and otherwise as in an earlier result, or by default.
fn spec(
    options: &DriveOptions,
    earlier: Option<&RunSpec>,
    (words, access): (&[String], SiteAccess),
    catalogue: &Catalogue,
    mix: Option<&str>,
) -> Result<RunSpec, Fault> {
    let is_new = |name: &str| earlier.is_none() || options.given.has(name);
    let session_length = match (options.session_length, earlier) {
        (Some(length), _) => length.0,
        (None, Some(earlier)) => Timing::of(earlier).session_length,
        (None, None) => catalogue.session_length.0,
    };
    let think_time = options.think_time.unwrap_or(catalogue.think_time).0;
    let kinds = match earlier {
        Some(earlier) if !options.loads.is_named() => match options.think_time {
            Some(length) => earlier.loads.kinds.iter().map(|kind| kind.with_think_time(length.0)).collect(),
            None => earlier.loads.kinds.clone(),
        },
        _ => options.loads.kinds(think_time, session_length),
    };
    let loads = Loads::listed(kinds);
    let usual_ramp = usual_ramp(&loads, session_length);
    let ramp = match (options.ramp, earlier) {
        (Some(length), _) => length.0,
        (None, Some(earlier)) if earlier.loads == loads => Timing::of(earlier).ramp,
        (None, _) => usual_ramp,
    };
    let timeouts_s = vec![options.timeout.0.map(|length| length.as_secs_f64())];
    let mix = options.mix.as_deref().or(mix).map(ToOwned::to_owned);
    let mix = mix.or_else(|| Some(earlier?.mix.clone())).unwrap_or_else(|| catalogue.mix.clone());
    let base = RunSpec {
        verb: Verb::Drive,
        application: catalogue.name.clone(),
        configurations: words.to_vec(),
        site: Some(access),
        aa_test: false,
        factors: Vec::new(),
        timeouts_s,
        loads,
        repetitions: options.repetitions,
        mix,
        seed: options.seed,
        scale: options.scale,
        distribution: Distribution::Uniform.to_string(),
        time_scale: 1.0,
        session_length_s: session_length.as_secs_f64(),
        ramp_s: ramp.as_secs_f64(),
        window_s: options.window.0.as_secs_f64(),
        warm_up_s: None,
        testbed: options.testbed.as_ref().map(|file| file.display().to_string()),
        skip_verify: true,
        smoke: false,
        profile: false,
        conditions: options.fail_if.clone(),
    };
    let Some(earlier) = earlier.cloned() else { return Ok(base) };
    Ok(RunSpec {
        timeouts_s: if is_new("timeout") { base.timeouts_s } else { earlier.timeouts_s },
        repetitions: if is_new("repetitions") { base.repetitions } else { earlier.repetitions },
        seed: if is_new("seed") { base.seed } else { earlier.seed },
        scale: if is_new("scale") { base.scale } else { earlier.scale },
        window_s: if is_new("window") { base.window_s } else { earlier.window_s },
        testbed: base.testbed.or(earlier.testbed),
        conditions: if is_new("fail_if") { base.conditions } else { earlier.conditions },
        ..base
    })
}

/// Ten think times; where sessions begin at a rate three session lengths, after which 95 % of their users are there.
fn usual_ramp(loads: &Loads, session_length: Duration) -> Duration {
    let has_sessions = loads.kinds.iter().any(|kind| kind.workload_model() == WorkloadModel::PartlyOpen);
    let arriving = if has_sessions { session_length * 3 } else { Duration::ZERO };
    default_ramp(Duration::from_secs_f64(loads.think_time_s())).max(arriving)
}

fn manifest(
    spec: &RunSpec,
    users: &Users<'_>,
    steps: &[DriveStep],
    found: &Found,
    hosts: Option<&Hosts>,
) -> Manifest {
    let once = steps.iter().filter(|step| step.repetition == 1);
    let mut names: Vec<&str> = once.map(|step| step.name.as_str()).collect();
    names.dedup();
    Manifest {
        schema_version: results::SCHEMA_VERSION,
        tierbench: VERSION.to_owned(),
        command: record::words(),
        spec: spec.clone(),
        application_title: users.catalogue.title.clone(),
        started: lab::rfc3339(),
        load_model: None,
        expected_s: expected(spec, steps).as_secs_f64(),
        resumed: Vec::new(),
        demonstration: Vec::new(),
        configurations: names.iter().map(|name| configuration(name, spec, found)).collect(),
        host: record::host(),
        testbed: hosts.map(record::testbed),
        planted_loss: None,
        ending: None,
    }
}

fn configuration(name: &str, spec: &RunSpec, found: &Found) -> ConfigurationRecord {
    ConfigurationRecord {
        name: name.to_owned(),
        stack: NO_STACK.to_owned(),
        partial: None,
        summary: "A site that somebody else runs".to_owned(),
        content: String::new(),
        code: Vec::new(),
        statements: Statements::Own,
        verified: Verification::External,
        unproven: Vec::new(),
        traffic: None,
        factors: factors(spec, found),
        services: Vec::new(),
    }
}

fn factors(spec: &RunSpec, found: &Found) -> BTreeMap<String, String> {
    let factor = |name: &str, value: String| (format!("clients.{name}"), value);
    let timeout = factor("timeout", timeout(spec).to_string());
    let site = spec.site.iter();
    let workers = site.clone().filter(|site| site.workers > 1);
    let workers = workers.map(|site| factor("workers", site.workers.to_string()));
    let is_asked =
        [("gzip", site.clone().any(|site| site.gzip)), ("http2", site.clone().any(|site| site.http2))];
    let asked = is_asked.into_iter().filter(|(_, is_asked)| *is_asked);
    let asked = asked.map(|(name, _)| factor(name, "yes".to_owned()));
    let chosen = |place: ResolvedHost| place.is_chosen.then(|| place.at.to_string());
    let plain = chosen(found.plain).map(|at| factor("address", at));
    let secure = found.secure.filter(|secure| *secure != found.plain);
    let secure = secure.and_then(chosen).map(|at| factor("secure-address", at));
    [timeout].into_iter().chain(workers).chain(asked).chain(plain).chain(secure).collect()
}

/// A name that is good for a folder.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Verb as Command};
    use workload::Spacing;

    /// The specification of a command, after that of an earlier result if there is one.
    fn spec_of(words: &str, earlier: Option<&RunSpec>) -> RunSpec {
        let words = format!("tierbench drive {words}");
        let Command::Drive(options) = Arguments::read_from(words.split_whitespace()).unwrap().verb else {
            panic!("{words}")
        };
        let sites = if options.what.is_empty() { &earlier.unwrap().configurations } else { &options.what };
        let access = access(&options, earlier.and_then(|earlier| earlier.site.as_ref()));
        let text = text_of(sites).unwrap();
        let what = What::read(sites, text, &access, options.mix.is_some()).unwrap();
        let places = Places { workspace: None, cache: None };
        what.with_catalogue(&places, |catalogue, mix| {
            spec(&options, earlier, (sites, access.clone()), catalogue, mix)
        })
        .unwrap()
    }

    #[test]
    fn a_list_has_an_address_a_line_whichever_way_lines_end() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["# two pages", "http://a/", "", " http://a/b "].join(end);
            assert_eq!(listed(&text), ["http://a/", "http://a/b"], "{end:?}");
        }
    }

    const SITE: &str = "http://127.0.0.1:8080/";

    #[test]
    fn a_specification_names_each_load_with_its_rate_or_its_clients() {
        let kinds = |words: &str| spec_of(&format!("{SITE} {words}"), None).loads.kinds;
        let rate = |per_s| LoadKind::Rate { per_s, spacing: Spacing::Even, connections: 100 };
        assert_eq!(kinds("--rate 500,1000 --spacing even"), [rate(500.0), rate(1000.0)]);
        assert_eq!(kinds("--clients 8 --no-think"), [LoadKind::NoThink { clients: 8 }]);
        assert_eq!(
            kinds("--clients 8 --think-time 2s"),
            [LoadKind::Closed { clients: 8, think_time_s: 2.0 }]
        );
        let sessions =
            LoadKind::Sessions { per_s: 2.0, spacing: Spacing::Poisson, at_once: 40, think_time_s: 7.0 };
        assert_eq!(kinds("--sessions 2 --connections 40"), [sessions]);
    }

    #[test]
    fn an_endless_file_of_authorities_is_refused() {
        let access = SiteAccess {
            at: None,
            secure_at: None,
            ca: "/dev/zero".into(),
            gzip: false,
            http2: false,
            workers: 1,
        };
        let refused = authorities(&access).unwrap_err().to_string();
        assert!(refused.contains("/dev/zero: is no file"), "{refused}");
    }

    #[test]
    fn a_drive_like_a_result_has_its_specification() {
        for words in [
            "--rate 500,1000 --spacing even --connections 30 --window 5s --seed 9",
            "--clients 8,16 --no-think --repetitions 3 --timeout none --gzip --workers 2",
            "--clients 8 --think-time 2s --ramp 33s --fail-if p99>500ms",
            "--sessions 2 --session-length 2m",
        ] {
            let first = spec_of(&format!("{SITE} {words}"), None);
            assert_eq!(spec_of("--like results/x", Some(&first)), first, "{words}");
        }
    }

    #[test]
    fn options_override_what_a_result_was_asked_for() {
        let first = spec_of(&format!("{SITE} --clients 8 --think-time 2s --window 5s"), None);
        let kinds = vec![LoadKind::Closed { clients: 8, think_time_s: 1.0 }];
        let expected = RunSpec { loads: Loads::listed(kinds), ramp_s: 10.0, seed: 7, ..first.clone() };
        assert_eq!(spec_of("--like results/x --think-time 1s --seed 7", Some(&first)), expected);
        let other = spec_of("--like results/x --rate 50", Some(&first));
        assert!(matches!(other.loads.kinds[..], [LoadKind::Rate { per_s: 50.0, .. }]), "{:?}", other.loads);
    }
}

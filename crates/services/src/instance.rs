//! A private instance of a service: its folder, ports and life cycle.

use crate::{
    MissingProgram, NotAvailable, Service,
    manifest::{AfterStart, StopSignal},
    page_probe::{ANSWER, answers},
    program,
    sampler::SamplerEntry,
    store,
    template::{self, message},
};
use application::Dataset;
use fs_err as fs;
use minijinja::{Value, context, value::Serde};
use profile::ProfiledTier;
use settings::{Blame, PathFault, RelativePath, read_text};
use std::{
    collections::BTreeMap,
    fs::Permissions,
    io,
    net::{SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use testbed::{
    HostHandle, Listener, ReservedPort, SocketRelay, Stop, Supervisor, SupervisorError, SupervisorSpec,
    TierUser, User, supervisor,
};
use thiserror::Error;
use toml::Spanned;
use workload::Length;

#[derive(Debug, Clone)]
pub struct RunPaths {
    pub executable: PathBuf,
    pub folder: PathBuf,
    /// The lock file shared by supervisors.
    pub lock: PathBuf,
    pub site: PathBuf,
    pub application: String,
    pub dataset: Dataset,
    /// Factor on think times, session lengths and keep-alives.
    pub time_scale: f64,
    pub environment: BTreeMap<String, String>,
    /// The servers' certificate; none where the application has nothing secure.
    pub tls: Option<TlsFiles>,
    /// Full paths of the interactions over TLS.
    pub secure_paths: Vec<String>,
}

impl RunPaths {
    /// The folder of the run.
    fn scratch(&self) -> &Path {
        self.lock.parent().unwrap_or(&self.folder)
    }

    /// The paths on a host. The environment names some of them.
    fn on_host(&self, place: &HostHandle) -> Self {
        let Some((executable, lock)) = place.own_paths() else { return self.clone() };
        let scratch = self.scratch();
        let of = |path: &Path| place.path_of(path, scratch);
        let (here, there) = (scratch.display().to_string(), of(scratch).display().to_string());
        let environment = self.environment.iter();
        Self {
            executable: executable.to_owned(),
            folder: of(&self.folder),
            lock: lock.to_owned(),
            site: of(&self.site),
            environment: environment
                .map(|(name, value)| (name.clone(), value.replace(&here, &there)))
                .collect(),
            tls: self.tls.as_ref().map(|tls| TlsFiles {
                certificate: of(&tls.certificate),
                key: of(&tls.key),
                authority: of(&tls.authority),
            }),
            ..self.clone()
        }
    }

    /// The folders that all tiers of a site share, here and on a host.
    fn shared_with<'a>(&'a self, there: &'a Self) -> Vec<(&'a Path, &'a Path)> {
        let folder = |tls: &'a Option<TlsFiles>| tls.as_ref()?.certificate.parent();
        let tls = folder(&self.tls).zip(folder(&there.tls));
        let all = [Some((self.site.as_path(), there.site.as_path())), tls];
        // A rehearsal may have no site.
        all.into_iter().flatten().filter(|(here, _)| here.exists()).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
    pub authority: PathBuf,
}

#[derive(Debug, Clone)]
pub struct TierSettings {
    pub role: String,
    /// The name by which later tiers refer to it.
    pub name: String,
    pub factors: BTreeMap<String, String>,
    /// Templates of the stack, rendered into the instance's `stack/` folder.
    pub stack_templates: Vec<PathBuf>,
    /// A port chosen by the user for the first named port.
    pub fixed_port: Option<u16>,
    pub ready: ReadySettings,
    pub place: HostHandle,
    /// True if its preparing commands run. A store with copied data needs no empty ones.
    pub is_prepared: bool,
    /// True if it runs once before its first start, to be trained.
    pub is_trained: bool,
}

/// Settings of a stack for the readiness of its tier.
#[derive(Debug, Clone, Default)]
pub struct ReadySettings {
    /// The time limit, in place of the service's.
    pub within: Option<Length>,
    /// A page of the application, a template, that must answer without a fault of the server.
    pub page: Option<String>,
}

/// Properties of a tier for the templates of later ones.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Peer {
    pub name: String,
    pub service: String,
    pub address: String,
    pub port: BTreeMap<String, u16>,
    /// Its folder, for Unix sockets.
    pub folder: PathBuf,
}

#[derive(Debug, Error)]
pub enum ServiceError {
    #[error(transparent)]
    Missing(#[from] MissingProgram),
    /// A template can't be rendered.
    #[error("{place}: {fault}")]
    Template {
        /// The template and its line, or `service.toml` and its key.
        place: String,
        fault: String,
    },
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
    /// It ended, a preparing command failed, or it never answered.
    #[error("{service} {what}{}\n{log}", cause.as_ref().map_or(String::new(), |cause| format!(": {cause}")))]
    Down {
        service: String,
        what: String,
        /// The likely cause and the remedy, if its log shows a known one.
        cause: Option<String>,
        /// The path of its log, and its last lines.
        log: String,
    },
    /// Another program answers in its place.
    #[error(
        "{service} can't be reached: {owner} listens on {address}; end that program, or run again for another port"
    )]
    Stranger { service: String, address: SocketAddr, owner: Listener },
    #[error(transparent)]
    NotAvailable(NotAvailable),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{service}: {fault}")]
    Store { service: String, fault: String },
}

impl ServiceError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::Missing(_) => Blame::Missing,
            Self::NotAvailable(fault) => fault.blame(),
            Self::Template { .. } => Blame::Input,
            Self::Supervisor(_) | Self::Down { .. } | Self::Stranger { .. } | Self::Store { .. } => {
                Blame::Service
            }
            Self::Io(error) => Blame::io(error),
        }
    }
}

impl From<NotAvailable> for ServiceError {
    fn from(fault: NotAvailable) -> Self {
        match fault {
            NotAvailable::Missing(missing) => Self::Missing(missing),
            fault => Self::NotAvailable(fault),
        }
    }
}

/// A private instance of a service. Dropping it stops the service.
#[derive(Debug)]
pub struct Instance {
    service: Service,
    role: String,
    name: String,
    place: HostHandle,
    /// Its folder on its host.
    folder: PathBuf,
    /// Its folder here: the same, or one with the rendered templates and with sockets that lead to the host's.
    own_folder: PathBuf,
    relays: Vec<SocketRelay>,
    log: PathBuf,
    /// Absolute; the first word of `command`.
    program: PathBuf,
    ports: BTreeMap<String, u16>,
    /// Its ports stay its own from their choice to its last start.
    _reserved: Vec<ReservedPort>,
    ready: ReadySettings,
    is_untrained: bool,
    factors: BTreeMap<String, String>,
    values: Value,
    environment: BTreeMap<String, String>,
    /// The password of its administrator, if it is a database.
    administrator: String,
    executable: PathBuf,
    lock: PathBuf,
    /// None if it runs as the caller.
    user: Option<User>,
    supervisor: Option<Supervisor>,
    /// The reservation of its user, unless that is the one of all stores; released once it has ended.
    own_user: Option<TierUser>,
    /// The time of its last start, until it was ready and all steps after that were done.
    ready_after: Duration,
    /// Length of each log at the last start.
    logged: BTreeMap<String, usize>,
}

const READY_POLL: Duration = Duration::from_millis(5);
const STEP_POLL: Duration = Duration::from_millis(100);
const LOG_LINES: usize = 12;
const TOOL_SAYS: usize = 500;
const OUTPUT_LOG: &str = "output.log";
/// The variable that tells a program that this start is for training.
const TRAINING: &str = "TIERBENCH_TRAINING";
const MORE_MEMORY: &str = "the kernel has ended a process because the memory that it may use is used up; raise the tier's \
    limit (factor `memory`, or the host's), or give the program less to use";

impl Service {
    /// True if it listens on a port; if not, it is reachable from its own host only.
    pub fn listens(&self) -> bool {
        !self.file.ports.is_empty()
    }

    /// True of a database, which the laboratory administers over a socket. Stores of records are not administered while
    /// they run.
    fn is_database(&self) -> bool {
        self.store().is_some_and(|kind| kind.keeper().is_none())
    }
}

impl Instance {
    /// Makes the instance's folder: renders the templates and runs the preparing commands. Nothing runs yet.
    pub fn prepare(
        service: &Service,
        settings: &TierSettings,
        peers: &[Peer],
        run: &RunPaths,
    ) -> Result<Self, ServiceError> {
        let (place, here) = (&settings.place, run);
        let run = &here.on_host(place);
        let program = program::find(service, Some(&run.executable), place)?;
        let name = format!("{}-{}", settings.role, settings.name);
        let (folder, own_folder) = (run.folder.join(&name), here.folder.join(&name));
        fs::create_dir_all(&own_folder)?;
        fs::set_permissions(&own_folder, Permissions::from_mode(0o700))?;
        for path in &service.file.folders {
            fs::create_dir_all(below(service, path, &own_folder)?)?;
        }
        // A file that is not there yet is looked at here.
        let log = service.file.log.as_ref().map(|path| below(service, path, &own_folder)).transpose()?;
        let log = log.as_deref().and_then(|log| log.strip_prefix(&own_folder).ok());
        let log = folder.join(log.unwrap_or(Path::new(OUTPUT_LOG)));
        let reserved = place.reserve_ports(service.file.ports.len())?;
        let mut ports: Vec<u16> = reserved.iter().map(ReservedPort::number).collect();
        if let (Some(fixed), Some(first)) = (settings.fixed_port, ports.first_mut()) {
            *first = fixed;
        }
        let ports: BTreeMap<String, u16> = service.file.ports.iter().cloned().zip(ports).collect();
        let Dataset { seed, scale, epoch, history, distribution } = run.dataset;
        let tier: BTreeMap<&str, &Peer> = peers.iter().map(|peer| (peer.name.as_str(), peer)).collect();
        let values = context! {
            folder => Serde(&folder), program => Serde(&program), address => settings.place.address.to_string(),
            port => ports.clone(), factor => service.factors.rendered(&settings.factors, run.time_scale),
            site => Serde(&run.site), application => run.application.as_str(),
            tierbench => Serde(&run.executable), tier => Serde(&tier),
            secret => format!("{:032x}", rand::random::<u128>()),
            environment => run.environment.keys().cloned().collect::<Vec<_>>(),
            tls => Serde(&run.tls), secure_paths => run.secure_paths.clone(),
            dataset => context! {
                seed => seed, scale => scale, epoch => epoch.0, history => history.0, distribution => distribution.name(),
            },
        };
        let own_user = if service.store().is_none() { place.reserve_user()? } else { None };
        let user = own_user.as_ref().map_or_else(|| place.store_user(), |own| Some(own.user()));
        let mut instance = Self {
            service: service.clone(),
            role: settings.role.clone(),
            name: settings.name.clone(),
            place: settings.place.clone(),
            folder,
            own_folder,
            relays: Vec::new(),
            log,
            program,
            ports,
            _reserved: reserved,
            ready: settings.ready.clone(),
            is_untrained: settings.is_trained,
            factors: settings.factors.clone(),
            values,
            environment: BTreeMap::new(),
            administrator: format!("{:032x}", rand::random::<u128>()),
            executable: run.executable.clone(),
            lock: run.lock.clone(),
            user,
            supervisor: None,
            own_user,
            ready_after: Duration::ZERO,
            logged: BTreeMap::new(),
        };
        instance.environment = instance.environment_of(run)?;
        instance.render_templates()?;
        if let Some(kind) = service.store() {
            store::guard(kind, &instance.own_folder, &instance.administrator)?;
        }
        for template in &settings.stack_templates {
            let name = template.file_name().unwrap_or_default();
            instance.render_file(template, &instance.own_folder.join("stack").join(name))?;
        }
        for (here, there) in here.shared_with(run) {
            instance.place.bring_once(here, there)?;
            if instance.place.elsewhere().is_some() {
                instance.place.share(there)?;
            }
        }
        instance.place.bring(&instance.own_folder, &instance.folder)?;
        if let Some(user) = user {
            // Databases let their administrator in by a socket, which is the laboratory's alone.
            let lets_group_pass = instance.own_user.is_some();
            instance.place.give_folder(&instance.folder, user, lets_group_pass)?;
        }
        instance.relay_sockets()?;
        if settings.is_prepared {
            instance.run_preparing_commands()?;
            store::let_in(&instance)?;
        }
        Ok(instance)
    }

    /// Renders everything that the start renders, so that errors show before anything runs.
    pub fn rehearse(&self) -> Result<(), ServiceError> {
        let file = &self.service.file;
        self.render_all("command", &file.command)?;
        file.prepare.iter().try_for_each(|words| self.render_all("prepare", words.get_ref()).map(drop))?;
        let steps = file.after_start.iter().map(|step| step.run.get_ref());
        steps.into_iter().try_for_each(|words| self.render_all("after_start", words).map(drop))?;
        let keys = [("ready.socket", &file.ready.get_ref().socket), ("profile.agent", &file.profile.agent)];
        let texts = keys.iter().filter_map(|(key, text)| Some((*key, text.as_ref()?.get_ref())));
        let texts = texts.chain(file.ready.get_ref().http.iter().map(|path| ("ready.http", path)));
        let texts = texts.chain(self.ready.page.iter().map(|page| ("ready_page", page)));
        let sampled = file.sampler.iter().flat_map(SamplerEntry::texts);
        texts.chain(sampled).try_for_each(|(key, text)| self.render_key(key, text).map(drop))
    }

    /// Starts the program, waits until it answers, and runs the steps after the start.
    pub fn start(&mut self) -> Result<(), ServiceError> {
        let order = self.order_to_start()?;
        self.start_by(&order)
    }

    /// The same with other certificates than the run's.
    pub fn start_with_tls(&mut self, tls: &TlsFiles) -> Result<(), ServiceError> {
        let values = context! { tls => Serde(&Some(tls)), ..self.values.clone() };
        let own = std::mem::replace(&mut self.values, values);
        let started = self.start();
        self.values = own;
        started
    }

    /// True if a training run is still to come.
    pub fn is_untrained(&self) -> bool {
        self.is_untrained
    }

    /// Starts the program for training, waits until it answers, and lets it end by itself. What it has learnt stays in
    /// its folder.
    pub fn train(&mut self) -> Result<(), ServiceError> {
        let mut order = self.order_to_start()?;
        order.environment.insert(TRAINING.to_owned(), "1".to_owned());
        order.stop.within = order.stop.within.max(self.ready_within().0);
        self.start_by(&order)?;
        self.stop();
        self.is_untrained = false;
        Ok(())
    }

    fn order_to_start(&self) -> Result<SupervisorSpec, ServiceError> {
        let argv = self.render_all("command", &self.service.file.command)?;
        let memory_bytes = self.service.factors.memory_limit(&self.factors);
        Ok(SupervisorSpec { memory_bytes, ..self.order(self.program.clone(), argv[1..].to_vec()) })
    }

    fn start_by(&mut self, order: &SupervisorSpec) -> Result<(), ServiceError> {
        self.logged = self.logs().into_iter().map(|(name, text)| (name, text.len())).collect();
        let begun = Instant::now();
        self.supervisor = Some(Supervisor::start_on(&self.place, &self.executable, order)?);
        self.wait_until_ready()?;
        let steps = &self.service.file.after_start;
        steps.iter().try_for_each(|step| self.run_after_start(step))?;
        self.ready_after = begun.elapsed();
        if steps.is_empty() { Ok(()) } else { self.check_started() }
    }

    /// Stops the program and waits until all its processes have ended.
    pub fn stop(&mut self) {
        self.supervisor = None;
    }

    /// Kills the program at once, and waits until all its processes have ended.
    pub fn kill(&mut self) {
        if let Some(supervisor) = self.supervisor.take() {
            supervisor.kill();
        }
    }

    /// Its own secret, the password of its administrator, and what its environment names a password, a secret or a key.
    pub fn secrets(&self) -> Vec<String> {
        let is_secret =
            |name: &str| ["_PASSWORD", "_SECRET", "_KEY"].into_iter().any(|end| name.ends_with(end));
        let named =
            self.environment.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.clone());
        let own = self.values.get_attr("secret").ok().and_then(|secret| secret.as_str().map(str::to_owned));
        named.chain(own).chain(self.service.is_database().then(|| self.administrator.clone())).collect()
    }

    pub fn peer(&self) -> Peer {
        Peer {
            name: self.name.clone(),
            service: self.service.name.clone(),
            address: self.place.address.to_string(),
            port: self.ports.clone(),
            folder: self.folder.clone(),
        }
    }

    pub fn service(&self) -> &Service {
        &self.service
    }

    pub fn role(&self) -> &str {
        &self.role
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn place(&self) -> &HostHandle {
        &self.place
    }

    pub fn factor(&self, name: &str) -> Option<&str> {
        self.factors.get(name).map(String::as_str)
    }

    /// Its folder on its host.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its folder here, with the sockets by which the laboratory reaches it.
    pub(crate) fn own_folder(&self) -> &Path {
        &self.own_folder
    }

    /// The path here of a socket in its folder.
    pub(crate) fn own_path(&self, path: &str) -> PathBuf {
        let path = Path::new(path);
        path.strip_prefix(&self.folder).map_or_else(|_| path.to_owned(), |below| self.own_folder.join(below))
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// The password of its administrator, if it is a database: nothing but the laboratory has it.
    pub(crate) fn administrator(&self) -> &str {
        &self.administrator
    }

    pub fn user(&self) -> Option<User> {
        self.user
    }

    pub fn address(&self, port: &str) -> Option<SocketAddr> {
        self.ports.get(port).map(|port| SocketAddr::from((self.place.address, *port)))
    }

    /// The variables through which later tiers find it.
    ///
    /// # Errors `offers` of its `service.toml` can't be rendered.
    pub fn offered(&self) -> Result<BTreeMap<String, String>, ServiceError> {
        let offered = self.service.file.offers.iter();
        offered.map(|(name, value)| Ok((name.clone(), self.render_key("offers", value)?))).collect()
    }

    /// The time of its last start, until it was ready.
    pub fn ready_after(&self) -> Duration {
        self.ready_after
    }

    /// The address of the first named port, for clients.
    pub fn entry(&self) -> Option<SocketAddr> {
        self.service.file.ports.first().and_then(|name| self.address(name))
    }

    /// The process id of its supervisor, the parent of all its processes; none while it is stopped.
    pub fn supervisor(&self) -> Option<u32> {
        self.supervisor.as_ref().map(Supervisor::id)
    }

    /// Parameters of its profiler; none while it is stopped.
    pub fn subject(&self) -> Option<Result<ProfiledTier, ServiceError>> {
        let supervisor = self.supervisor()?;
        let agent = self.service.file.profile.agent.as_ref();
        let agent = agent.map(|agent| self.render_key("profile.agent", agent.get_ref())).transpose();
        Some(agent.map(|agent| ProfiledTier {
            service: self.service.name.clone(),
            supervisor,
            folder: self.folder.clone(),
            agent: agent.map(PathBuf::from),
        }))
    }

    pub fn check_alive(&self) -> Result<(), ServiceError> {
        self.check("ended by itself while it was needed")
    }

    pub fn logs(&self) -> Vec<(String, Vec<u8>)> {
        let own = self.service.file.log.as_ref().map(|name| (name.get_ref().to_string(), self.log.clone()));
        let output = (OUTPUT_LOG.to_owned(), self.folder.join(OUTPUT_LOG));
        let read = |(name, path): (String, PathBuf)| Some((name, self.place.read(&path).ok()?));
        [output].into_iter().chain(own).filter_map(read).filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Its standard output and error from this byte on.
    pub fn output_from(&self, from: u64) -> io::Result<Vec<u8>> {
        self.place.read_from(&self.folder.join(OUTPUT_LOG), from)
    }

    /// The log named in service.toml, or else its standard output and error.
    pub(crate) fn log_path(&self) -> PathBuf {
        self.log.clone()
    }

    fn wait_until_ready(&self) -> Result<(), ServiceError> {
        let signs = self.signs_of_readiness()?;
        let within = self.ready_within();
        let deadline = Instant::now() + within.0;
        loop {
            // A program that finds its port taken ends; so its owner is looked for first.
            self.check("ended while it started")
                .map_err(|fault| self.expect_own_ports().err().unwrap_or(fault))?;
            let Err(probe) = self.probe(&signs) else {
                self.expect_own_ports()?;
                self.open_socket(&signs)?;
                return self.check_started();
            };
            if Instant::now() > deadline {
                return Err(self.down(format!("did not answer within {within}; the last probe: {probe}")));
            }
            std::thread::sleep(READY_POLL);
        }
    }

    fn ready_within(&self) -> Length {
        self.ready.within.unwrap_or(self.service.file.ready.get_ref().within)
    }

    fn signs_of_readiness(&self) -> Result<Signs<'_>, ServiceError> {
        let ready = self.service.file.ready.get_ref();
        let rendered =
            |key: &str, text: Option<&String>| text.map(|text| self.render_key(key, text)).transpose();
        let address = ready.port.as_ref().and_then(|port| self.address(port.get_ref()));
        Ok(Signs {
            socket: rendered("ready.socket", ready.socket.as_ref().map(Spanned::get_ref))?,
            address,
            http: address.zip(rendered("ready.http", ready.http.as_ref())?),
            page: self.entry().zip(rendered("ready_page", self.ready.page.as_ref())?),
            says: ready.says.as_deref(),
        })
    }

    /// Looks for all configured signs of readiness.
    ///
    /// # Errors What was asked, and what came instead.
    fn probe(&self, signs: &Signs<'_>) -> Result<(), String> {
        match (&signs.socket, signs.address) {
            (Some(socket), _) => {
                let connected = self.place.connect_socket(Path::new(socket));
                connected.map_err(|fault| format!("connect to {socket}: {fault}"))?;
            }
            (None, Some(address)) => {
                TcpStream::connect_timeout(&address, ANSWER)
                    .map_err(|fault| format!("connect to {address}: {fault}"))?;
            }
            (None, None) => {}
        }
        if let Some((address, path)) = &signs.http {
            answers(*address, path, |code| (200..300).contains(&code))?;
        }
        if let Some((address, path)) = &signs.page {
            answers(*address, path, |code| (100..500).contains(&code))?;
        }
        match signs.says {
            Some(text) if !self.log().contains(text) => Err(format!("its log does not contain `{text}`")),
            _ => Ok(()),
        }
    }

    /// Lets other tiers connect to its socket, though they run as other users.
    fn open_socket(&self, signs: &Signs<'_>) -> Result<(), ServiceError> {
        let (Some(socket), Some(_)) = (&signs.socket, &self.own_user) else { return Ok(()) };
        Ok(self.place.open_socket_to_group(Path::new(socket))?)
    }

    /// An error if another program listens on one of its ports: it would be measured in its place.
    fn expect_own_ports(&self) -> Result<(), ServiceError> {
        let Some(root) = self.supervisor() else { return Ok(()) };
        let addresses = self.ports.values().map(|port| SocketAddr::from((self.place.address, *port)));
        for address in addresses {
            if let Some(owner) = self.place.stranger(root, address)? {
                return Err(ServiceError::Stranger { service: self.service.name.clone(), address, owner });
            }
        }
        Ok(())
    }

    fn check_started(&self) -> Result<(), ServiceError> {
        // The answer might come from another program if ours has just died.
        self.check("ended while it started")?;
        match &self.service.file.ready.get_ref().unless {
            Some(text) if self.log().contains(text) => {
                Err(self.down("accepts connections, but the application in it failed to start".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, what: &str) -> Result<(), ServiceError> {
        self.place.expect_there()?;
        let ended = self.supervisor.as_ref().and_then(Supervisor::ended);
        let Some(status) = ended else { return Ok(()) };
        let mut fault = self.down(format!("{what} ({status})"));
        if let ServiceError::Down { cause, .. } = &mut fault
            && status.contains(supervisor::OUT_OF_MEMORY)
        {
            *cause = Some(MORE_MEMORY.to_owned());
        }
        Err(fault)
    }

    fn run_preparing_commands(&self) -> Result<(), ServiceError> {
        for command in &self.service.file.prepare {
            let argv = self.render_all("prepare", command.get_ref())?;
            let program = program::find_named(&self.service, &argv[0], command.span(), &self.place)?;
            let status = Supervisor::start_on(
                &self.place,
                &self.executable,
                &self.order(program, argv[1..].to_vec()),
            )?
            .wait();
            if status != supervisor::SUCCESS {
                self.place.expect_there()?;
                return Err(self.down(format!("could not be prepared: {} ended with {status}", argv[0])));
            }
        }
        Ok(())
    }

    /// Runs a step while the program runs, and waits for its success.
    fn run_after_start(&self, step: &AfterStart) -> Result<(), ServiceError> {
        let argv = self.render_all("after_start", step.run.get_ref())?;
        let program = program::find_named(&self.service, &argv[0], step.run.span(), &self.place)?;
        let supervisor =
            Supervisor::start_on(&self.place, &self.executable, &self.order(program, argv[1..].to_vec()))?;
        let deadline = Instant::now() + step.within.0;
        loop {
            self.check("ended before it was made ready")?;
            match supervisor.ended_within(STEP_POLL) {
                Some(supervisor::SUCCESS) => return Ok(()),
                Some(status) => {
                    return Err(
                        self.down(format!("could not be made ready: {} ended with {status}", argv[0]))
                    );
                }
                None if Instant::now() > deadline => {
                    return Err(self.down(format!("was not made ready within {}", step.within)));
                }
                None => {}
            }
        }
    }

    /// Runs one of the service's tools, as its user on its host, and returns the output.
    pub(crate) fn run_tool(&self, name: &str, arguments: &[&str]) -> Result<Vec<u8>, ServiceError> {
        let span = self.service.file.program.span();
        let program = program::find_named(&self.service, name, span, &self.place)?;
        let words = arguments.iter().map(|word| (*word).to_owned()).collect();
        let log = self.folder.join(format!("{name}.log"));
        self.place.remove(&log)?;
        let order = SupervisorSpec { log: log.clone(), ..self.order(program, words) };
        let status = Supervisor::start_on(&self.place, &self.executable, &order)?.wait();
        let printed = self.place.read(&log)?;
        if status == supervisor::SUCCESS {
            return Ok(printed);
        }
        let said = String::from_utf8_lossy(&printed[..printed.len().min(TOOL_SAYS)]).into_owned();
        let fault = format!("{name} ended with {status}: {said}");
        Err(ServiceError::Store { service: self.service.name.clone(), fault })
    }

    /// The supervisor's order to run a program in this instance's folder.
    fn order(&self, program: PathBuf, arguments: Vec<String>) -> SupervisorSpec {
        let stop = self.service.file.stop;
        let signal = match stop.signal {
            StopSignal::Term => rustix::process::Signal::TERM,
            StopSignal::Int => rustix::process::Signal::INT,
            StopSignal::Quit => rustix::process::Signal::QUIT,
        };
        SupervisorSpec {
            program,
            arguments,
            environment: self.environment_of_user(),
            folder: self.folder.clone(),
            log: self.folder.join(OUTPUT_LOG),
            stop: Stop { signal: signal.as_raw(), within: stop.within.0 },
            user: self.user,
            lock: self.lock.clone(),
            memory_bytes: None,
        }
    }

    /// Its environment, with what programs would look up of their user, whom the machine doesn't know by name.
    fn environment_of_user(&self) -> BTreeMap<String, String> {
        let mut all = self.environment.clone();
        if self.own_user.is_some() {
            let home = ("HOME", self.folder.display().to_string());
            let names = ["USER", "LOGNAME"].map(|name| (name, self.name.clone()));
            for (name, value) in names.into_iter().chain([home]) {
                all.entry(name.to_owned()).or_insert(value);
            }
        }
        all
    }

    fn environment_of(&self, run: &RunPaths) -> Result<BTreeMap<String, String>, ServiceError> {
        let mut all = run.environment.clone();
        for (name, value) in &self.service.file.environment {
            all.insert(name.clone(), self.render_key("environment", value)?);
        }
        Ok(all)
    }

    /// Renders all files in the service's `templates` into the folder. Links that lead out of the service are
    /// refused.
    fn render_templates(&self) -> Result<(), ServiceError> {
        let home = self.service.home.join("templates");
        if !home.is_dir() {
            return Ok(());
        }
        let refused = |place: &Path, PathFault { fault, remedy }: PathFault| ServiceError::Template {
            place: place.display().to_string(),
            fault: format!("{fault}; {remedy}"),
        };
        let mut folders = vec![home.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(&home).unwrap_or(&path).to_string_lossy();
                let name = RelativePath::parse(&name).map_err(|fault| refused(&path, fault))?;
                let from = name.below(&home).map_err(|fault| refused(&path, fault))?;
                let target = name.below(&self.own_folder).map_err(|fault| refused(&path, fault))?;
                if path.is_dir() && !path.is_symlink() {
                    fs::create_dir_all(target)?;
                    folders.push(path);
                } else {
                    self.render_file(&from, &target)?;
                }
            }
        }
        Ok(())
    }

    fn render_file(&self, template: &Path, target: &Path) -> Result<(), ServiceError> {
        let text = read_text(template)?;
        let rendered = self.render(&text).map_err(|fault| ServiceError::Template {
            place: format!("{}:{}", template.display(), fault.line().unwrap_or(1)),
            fault: message(&fault),
        })?;
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(fs::write(target, rendered + "\n")?)
    }

    /// Renders a command. Words that render to nothing are dropped, so that they may depend on conditions.
    fn render_all(&self, key: &str, texts: &[String]) -> Result<Vec<String>, ServiceError> {
        let mut words = Vec::new();
        for text in texts {
            let word = self.render_key(key, text)?;
            if !word.is_empty() || text.is_empty() {
                words.push(word);
            }
        }
        Ok(words)
    }

    pub(crate) fn render_key(&self, key: &str, text: &str) -> Result<String, ServiceError> {
        self.render(text).map_err(|fault| ServiceError::Template {
            place: format!("{}, `{key}`", self.service.home.join("service.toml").display()),
            fault: message(&fault),
        })
    }

    fn render(&self, text: &str) -> Result<String, minijinja::Error> {
        template::render(text, &self.values)
    }

    /// Makes the sockets here that lead to those on its host.
    fn relay_sockets(&mut self) -> Result<(), ServiceError> {
        let file = &self.service.file;
        let sampled = file.sampler.as_ref().and_then(|sampler| sampler.socket.as_ref());
        let sockets = [("ready.socket", file.ready.get_ref().socket.as_ref()), ("sampler.socket", sampled)];
        for (key, socket) in sockets {
            let Some(socket) = socket else { continue };
            let there = self.render_key(key, socket.get_ref())?;
            self.relays.extend(self.place.relay_socket(&self.own_path(&there), Path::new(&there))?);
        }
        Ok(())
    }

    fn log(&self) -> String {
        let new = self.logs().into_iter().map(|(name, text)| {
            let known = self.logged.get(&name).copied().unwrap_or_default();
            String::from_utf8_lossy(text.get(known..).unwrap_or(&text)).into_owned()
        });
        new.collect::<Vec<_>>().join("\n")
    }

    fn down(&self, what: String) -> ServiceError {
        let all = self.log();
        let cause = self.service.file.known_cause(&all);
        let mut tail: Vec<&str> = all.lines().rev().filter(|line| tells(line)).take(LOG_LINES).collect();
        tail.reverse();
        let log = match tail.is_empty() {
            true => "  it wrote nothing into its log".to_owned(),
            false => format!("  its last words:\n    {}", tail.join("\n    ")),
        };
        ServiceError::Down { service: self.title(), what, cause, log }
    }

    /// The service, and the tier's own name if the stack gives it one: `process (app2)`.
    fn title(&self) -> String {
        let service = &self.service.name;
        if self.name == *service { service.clone() } else { format!("{service} ({})", self.name) }
    }
}

/// The signs of a service's readiness, rendered.
struct Signs<'a> {
    socket: Option<String>,
    address: Option<SocketAddr>,
    /// A path that succeeds.
    http: Option<(SocketAddr, String)>,
    /// A page of the application.
    page: Option<(SocketAddr, String)>,
    says: Option<&'a str>,
}

/// A path of the manifest, resolved in an instance's folder.
fn below(service: &Service, path: &Spanned<RelativePath>, folder: &Path) -> Result<PathBuf, ServiceError> {
    path.get_ref().below(folder).map_err(|PathFault { fault, remedy }| ServiceError::Template {
        place: service.document.place(path.span()),
        fault: format!("{fault}; {remedy}"),
    })
}

/// True if a line of a log says what happened; stack frames of a JVM don't.
fn tells(line: &str) -> bool {
    let text = line.trim_start();
    let is_frame = text.len() < line.len() && (text.starts_with("at ") || text.starts_with("... "));
    !text.is_empty() && !is_frame
}

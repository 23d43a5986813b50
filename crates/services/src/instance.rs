//! A private instance of a service: its folder, ports and life cycle.

use crate::{
    MissingProgram, NotAvailable, Service,
    manifest::{AfterStart, Ready, StopSignal},
    program,
    sampler::SamplerEntry,
};
use application::Dataset;
use fs_err as fs;
use minijinja::{Environment, UndefinedBehavior, Value, context, value::Serde};
use profile::ProfiledTier;
use settings::{Blame, PathFault, RelativePath, read_text};
use std::{
    collections::BTreeMap,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use testbed::{
    HostHandle, Stop, Supervisor, SupervisorError, SupervisorSpec, User, free_ports, give_tree, service_user,
    supervisor,
};
use thiserror::Error;
use toml::Spanned;

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
    pub place: HostHandle,
    /// Whether its preparing commands run. A store with copied data needs no empty ones.
    pub is_prepared: bool,
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
            Self::Missing(_) | Self::NotAvailable(_) => Blame::Missing,
            Self::Template { .. } => Blame::Input,
            Self::Supervisor(_) | Self::Down { .. } | Self::Store { .. } => Blame::Service,
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
    folder: PathBuf,
    log: PathBuf,
    /// Absolute; the first word of `command`.
    program: PathBuf,
    ports: BTreeMap<String, u16>,
    factors: BTreeMap<String, String>,
    values: Value,
    environment: BTreeMap<String, String>,
    executable: PathBuf,
    lock: PathBuf,
    user: Option<User>,
    supervisor: Option<Supervisor>,
    /// Length of each log at the last start.
    logged: BTreeMap<String, usize>,
}

const READY_POLL: Duration = Duration::from_millis(5);
const STEP_POLL: Duration = Duration::from_millis(100);
const ANSWER: Duration = Duration::from_secs(5);
const LOG_LINES: usize = 12;
const STATUS_LINE: u64 = 4096;
const TOOL_SAYS: usize = 500;
const PROBE_SHOWS: usize = 120;
const OUTPUT_LOG: &str = "output.log";

impl Service {
    /// Whether it listens on a port; if not, it is reachable from its own host only.
    pub fn listens(&self) -> bool {
        !self.file.ports.is_empty()
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
        let program = program::find(service, Some(&run.executable))?;
        let folder = run.folder.join(format!("{}-{}", settings.role, settings.name));
        fs::create_dir_all(&folder)?;
        let inside = |path: &Spanned<RelativePath>| below(service, path, &folder);
        for path in &service.file.folders {
            fs::create_dir_all(inside(path)?)?;
        }
        let log = service.file.log.as_ref().map(inside).transpose()?;
        let log = log.unwrap_or_else(|| folder.join(OUTPUT_LOG));
        let mut ports = free_ports(service.file.ports.len())?;
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
        let mut instance = Self {
            service: service.clone(),
            role: settings.role.clone(),
            name: settings.name.clone(),
            place: settings.place.clone(),
            folder,
            log,
            program,
            ports,
            factors: settings.factors.clone(),
            values,
            environment: BTreeMap::new(),
            executable: run.executable.clone(),
            lock: run.lock.clone(),
            user: service_user(),
            supervisor: None,
            logged: BTreeMap::new(),
        };
        instance.environment = instance.environment_of(run)?;
        instance.render_templates()?;
        for template in &settings.stack_templates {
            let name = template.file_name().unwrap_or_default();
            instance.render_file(template, &instance.folder.join("stack").join(name))?;
        }
        instance.give_to_user()?;
        if settings.is_prepared {
            instance.run_preparing_commands()?;
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
        let sampled = file.sampler.iter().flat_map(SamplerEntry::texts);
        texts.chain(sampled).try_for_each(|(key, text)| self.render_key(key, text).map(drop))
    }

    /// Starts the program, waits until it answers, and runs the steps after the start.
    pub fn start(&mut self) -> Result<(), ServiceError> {
        let argv = self.render_all("command", &self.service.file.command)?;
        let order = self.order(self.program.clone(), argv[1..].to_vec());
        self.logged = self.logs().into_iter().map(|(name, text)| (name, text.len())).collect();
        self.supervisor = Some(Supervisor::start_on(&self.place, &self.executable, &order)?);
        self.wait_until_ready()?;
        let steps = &self.service.file.after_start;
        steps.iter().try_for_each(|step| self.run_after_start(step))?;
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

    pub fn folder(&self) -> &Path {
        &self.folder
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
        let read = |(name, path): (String, PathBuf)| Some((name, fs::read(path).ok()?));
        [output].into_iter().chain(own).filter_map(read).filter(|(_, text)| !text.is_empty()).collect()
    }

    /// The log named in service.toml, or else its standard output and error.
    pub(crate) fn log_path(&self) -> PathBuf {
        self.log.clone()
    }

    fn wait_until_ready(&self) -> Result<(), ServiceError> {
        let ready = self.service.file.ready.get_ref();
        let socket = ready.socket.as_ref().map(|socket| self.render_key("ready.socket", socket.get_ref()));
        let socket = socket.transpose()?;
        let page = ready.http.as_ref().map(|path| self.render_key("ready.http", path)).transpose()?;
        let deadline = Instant::now() + ready.within.0;
        loop {
            self.check("ended while it started")?;
            let Err(probe) = self.probe(ready, socket.as_deref(), page.as_deref()) else {
                return self.check_started();
            };
            if Instant::now() > deadline {
                let what = format!("did not answer within {}; the last probe: {probe}", ready.within);
                return Err(self.down(what));
            }
            std::thread::sleep(READY_POLL);
        }
    }

    /// Looks for all configured signs of readiness.
    ///
    /// # Errors What was asked, and what came instead.
    fn probe(&self, ready: &Ready, socket: Option<&str>, page: Option<&str>) -> Result<(), String> {
        let address = ready.port.as_ref().and_then(|port| self.address(port.get_ref()));
        match (socket, address) {
            (Some(socket), _) => {
                UnixStream::connect(socket).map_err(|fault| format!("connect to {socket}: {fault}"))?;
            }
            (None, Some(address)) => {
                TcpStream::connect(address).map_err(|fault| format!("connect to {address}: {fault}"))?;
            }
            (None, None) => {}
        }
        if let Some((address, path)) = address.zip(page) {
            serves(address, path)?;
        }
        match &ready.says {
            Some(text) if !self.log().contains(text) => Err(format!("its log does not contain `{text}`")),
            _ => Ok(()),
        }
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
        let ended = self.supervisor.as_ref().and_then(Supervisor::ended);
        ended.map_or(Ok(()), |status| Err(self.down(format!("{what} ({status})"))))
    }

    fn run_preparing_commands(&self) -> Result<(), ServiceError> {
        for command in &self.service.file.prepare {
            let argv = self.render_all("prepare", command.get_ref())?;
            let program = program::find_named(&self.service, &argv[0])
                .ok_or_else(|| program::missing(&self.service, &argv[0], command.span()))?;
            let status = Supervisor::start_on(
                &self.place,
                &self.executable,
                &self.order(program, argv[1..].to_vec()),
            )?
            .wait();
            if status != supervisor::SUCCESS {
                return Err(self.down(format!("could not be prepared: {} ended with {status}", argv[0])));
            }
        }
        Ok(())
    }

    /// Runs a step while the program runs, and waits for its success.
    fn run_after_start(&self, step: &AfterStart) -> Result<(), ServiceError> {
        let argv = self.render_all("after_start", step.run.get_ref())?;
        let program = program::find_named(&self.service, &argv[0])
            .ok_or_else(|| program::missing(&self.service, &argv[0], step.run.span()))?;
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
        let program = program::find_named(&self.service, name)
            .ok_or_else(|| program::missing(&self.service, name, self.service.file.program.span()))?;
        let words = arguments.iter().map(|word| (*word).to_owned()).collect();
        let log = self.folder.join(format!("{name}.log"));
        if log.exists() {
            fs::remove_file(&log)?;
        }
        let order = SupervisorSpec { log: log.clone(), ..self.order(program, words) };
        let status = Supervisor::start_on(&self.place, &self.executable, &order)?.wait();
        let printed = fs::read(&log)?;
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
            environment: self.environment.clone(),
            folder: self.folder.clone(),
            log: self.folder.join(OUTPUT_LOG),
            stop: Stop { signal: signal.as_raw(), within: stop.within.0 },
            user: self.user,
            lock: self.lock.clone(),
        }
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
                let target = name.below(&self.folder).map_err(|fault| refused(&path, fault))?;
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
        render(text, &self.values)
    }

    fn give_to_user(&self) -> io::Result<()> {
        self.user.map_or(Ok(()), |user| give_tree(&self.folder, user))
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
        ServiceError::Down { service: self.service.name.clone(), what, cause, log }
    }
}

/// Asks a server for a path. Starting servers may answer anything.
///
/// # Errors What was asked, and what came instead of success.
fn serves(address: SocketAddr, path: &str) -> Result<(), String> {
    let ask = || -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect_timeout(&address, ANSWER)?;
        stream.set_read_timeout(Some(ANSWER))?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").as_bytes())?;
        let mut status = Vec::new();
        BufReader::new(stream).take(STATUS_LINE).read_until(b'\n', &mut status)?;
        Ok(status)
    };
    let asked = format!("GET {path} from {address}");
    let status = ask().map_err(|fault| format!("{asked}: {fault}"))?;
    let status = String::from_utf8_lossy(&status);
    match status.split(' ').nth(1) {
        Some(code) if code.starts_with('2') => Ok(()),
        _ if status.is_empty() => Err(format!("{asked}: closed without an answer")),
        _ => Err(format!("{asked}: {:?}", status.trim_end().chars().take(PROBE_SHOWS).collect::<String>())),
    }
}

/// A path of the manifest, resolved in an instance's folder.
fn below(service: &Service, path: &Spanned<RelativePath>, folder: &Path) -> Result<PathBuf, ServiceError> {
    path.get_ref().below(folder).map_err(|PathFault { fault, remedy }| ServiceError::Template {
        place: service.document.place(path.span()),
        fault: format!("{fault}; {remedy}"),
    })
}

/// Whether a line of a log says what happened; stack frames of a JVM don't.
fn tells(line: &str) -> bool {
    let text = line.trim_start();
    let is_frame = text.len() < line.len() && (text.starts_with("at ") || text.starts_with("... "));
    !text.is_empty() && !is_frame
}

pub(crate) fn render(text: &str, values: &Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.render_str(text, values)
}

/// A template error without its place: `undefined value: `factor.bufer` is undefined`.
fn message(fault: &minijinja::Error) -> String {
    let kind = fault.kind();
    fault.detail().map_or(kind.to_string(), |detail| format!("{kind}: {detail}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{net::TcpListener, thread};

    /// The outcome of a probe of a server with this answer to its first request.
    fn probed(answer: &'static [u8]) -> Result<(), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // All of it, or closing would break off the answer.
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
            let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            assert_eq!(request[0], "GET /ready HTTP/1.0");
            stream.write_all(answer).unwrap();
        });
        let answers = serves(address, "/ready");
        server.join().unwrap();
        answers
    }

    #[test]
    fn a_service_is_ready_only_when_it_answers_with_success() {
        assert_eq!(probed(b"HTTP/1.1 200 OK\r\n\r\n"), Ok(()));
        assert_eq!(probed(b"HTTP/1.1 204\r\n\r\n"), Ok(()));
        let others: [(&[u8], &str); 5] = [
            (b"HTTP/1.1 503 Not yet\r\n\r\n", "\"HTTP/1.1 503 Not yet\""),
            (b"HTTP/1.1 302 Found\r\n\r\n", "\"HTTP/1.1 302 Found\""),
            (b"", "closed without an answer"),
            (b"200 OK", "\"200 OK\""),
            (b"\xff\x00\n", "\"\u{fffd}\\0\""),
        ];
        for (answer, shown) in others {
            let fault = probed(answer).unwrap_err();
            assert!(fault.starts_with("GET /ready from 127.0.0.1:") && fault.ends_with(shown), "{fault}");
        }
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert!(serves(closed, "/ready").unwrap_err().contains("Connection refused"));
    }
}

//! A system under test in virtual time: one queue, on a machine whose speed changes while it works.

use super::QUIET;
use crate::{
    error::LabError,
    plan::is_quick,
    start::{
        RunContext,
        seams::{CpuMeter, News, Profiling, Sampler, SystemUnderTest, WatchedLoad, Watchers},
    },
    workspace::Variant,
};
use application::{Dataset, Effects, Landing, Parameters, Row, Table, TokenKey, Value};
use engine::{Directive, EngineError, Load, Outcome, Phase, Progress};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use results::{HostFigures, HostSample, HostUsageFigures, Sample, TierFigures};
use services::{Audit, Holding, LoadedContents, ServiceError};
use simulation::{QueueServer, Reply, VirtualServer, simulate_until};
use stack::{Sampled, SiteError, StretchUse, TierStart, TiersUse};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};
use testbed::IdleSpinner;
use workload::{Catalogue, InteractionId, Series, Users, exponential};

/// The variation of the machine and its servers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noise {
    /// Standard deviation of the logarithm of slowness.
    pub speed: f64,
    /// Its correlation time in seconds.
    pub correlation_s: f64,
    /// Standard deviation of the logarithm of a server's slowness between its starts.
    pub start: f64,
}

/// A machine's clock, and its speed as that advances.
struct Speed {
    noise: Noise,
    /// The logarithm of slowness at present, in standard deviations.
    state: f64,
    now: Duration,
    random: ChaCha8Rng,
}

impl Speed {
    fn begin(noise: Noise, now: Duration, seed: u64) -> Self {
        Self { noise, state: 0.0, now, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// By what factor everything takes longer after so much more time: an Ornstein-Uhlenbeck process.
    fn slowness_after(&mut self, passed: Duration) -> f64 {
        let kept = (-passed.as_secs_f64() / self.noise.correlation_s).exp();
        self.state = kept * self.state + (1.0 - kept * kept).sqrt() * normal(&mut self.random);
        self.now += passed;
        (self.noise.speed * self.state).exp()
    }
}

/// A machine that all systems share. Its clock runs while one of them works.
pub(super) struct Machine {
    speed: Speed,
    pub others: Others,
}

/// The work of other programs on the machine.
#[derive(Debug, Clone, Copy)]
pub(super) enum Others {
    Idle,
    /// A number of cores, all the time.
    Always(f64),
    /// A core for so long, once in each period.
    Bursts {
        length: Duration,
        period: Duration,
    },
}

impl Others {
    /// The cores that they use between two instants.
    fn cores(self, from: Duration, until: Duration) -> f64 {
        let before = |at: Duration, length: Duration, period: Duration| {
            let whole = (at.as_secs_f64() / period.as_secs_f64()).floor();
            let within = at.as_secs_f64() - whole * period.as_secs_f64();
            whole * length.as_secs_f64() + within.min(length.as_secs_f64())
        };
        QUIET.other_processes_cores
            + match self {
                Self::Idle => 0.0,
                Self::Always(cores) => cores,
                Self::Bursts { length, period } => {
                    let used = before(until, length, period) - before(from, length, period);
                    used / (until - from).as_secs_f64()
                }
            }
    }
}

impl Machine {
    pub fn new(noise: Noise, seed: u64) -> Arc<Mutex<Self>> {
        let speed = Speed::begin(noise, Duration::ZERO, seed);
        Arc::new(Mutex::new(Self { speed, others: Others::Idle }))
    }

    /// The time for which it has worked.
    pub fn now(&self) -> Duration {
        self.speed.now
    }

    fn slowness_after(&mut self, passed: Duration) -> f64 {
        self.speed.slowness_after(passed)
    }
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    pub pauses: Pauses,
    /// Mean CPU time of an interaction.
    pub demand: Duration,
    /// One of so many acknowledged rows is never written.
    pub loses_one_in: Option<u64>,
    /// One of so many rows is written with another value than was sent.
    pub alters_one_in: Option<u64>,
    /// Each write changes a loaded row that no interaction may change.
    pub changes_loaded: bool,
    /// After so many requests, pages are not the model's any more.
    pub wrong_after: Option<u64>,
    /// Writes that come late, each after the data were restored once more.
    pub late_writes: u32,
    /// Pages are not the model's, because each read adds a row.
    pub reads_write: bool,
}

/// The rows that were written, by table and id.
type Rows = BTreeMap<&'static str, BTreeMap<u64, Row>>;

#[derive(Default)]
struct Data {
    rows: Rows,
    /// Loaded rows that were changed.
    changed: u64,
}

/// The servers of a variant.
pub(super) struct VirtualSystem {
    design: Design,
    catalogue: Catalogue,
    dataset: Dataset,
    machine: Arc<Mutex<Machine>>,
    random: ChaCha8Rng,
    writers: Vec<Writer>,
    data: Arc<Mutex<Data>>,
    key: TokenKey,
    /// CPU time in nanoseconds since the first start.
    used: Arc<AtomicU64>,
    server: Mutex<Option<Server>>,
    /// Late writes that have come.
    late: AtomicU32,
    /// Instant at which its servers stopped last, on the machine's clock.
    stopped: Duration,
    warms_beside_others: bool,
}

impl VirtualSystem {
    pub fn new(
        design: Design,
        context: &RunContext<'_>,
        variant: &Variant,
        machine: Arc<Mutex<Machine>>,
        seed: u64,
    ) -> Self {
        Self {
            warms_beside_others: is_quick(variant.warm_up()),
            design,
            catalogue: context.catalogue.clone(),
            dataset: context.dataset,
            machine,
            random: ChaCha8Rng::seed_from_u64(seed),
            writers: writers(context),
            data: Arc::default(),
            key: context.key.clone(),
            used: Arc::default(),
            server: Mutex::new(None),
            late: AtomicU32::new(0),
            stopped: Duration::ZERO,
        }
    }

    /// Lets the time of such work pass. While it warms, it has a clock of its own: it may do so beside others, with which the
    /// machine is not shared here.
    fn pass(&self, time: Duration) {
        let mut server = lock(&self.server);
        match server.as_mut().and_then(|server| server.warming.as_mut()) {
            Some(own) => {
                own.slowness_after(time);
                self.reach(own.now);
            }
            None => drop(lock(&self.machine).slowness_after(time)),
        }
    }

    /// The machine's clock goes on after the last of those that warm at the same time.
    fn reach(&self, now: Duration) {
        let mut machine = lock(&self.machine);
        machine.speed.now = machine.speed.now.max(now);
    }

    fn drive_on(
        &self,
        users: &Users<'_>,
        load: &Load,
        progress: &mut dyn FnMut(Progress) -> Directive,
    ) -> Outcome {
        let mut server = lock(&self.server);
        let server = server.as_mut().expect("it was started");
        let has_drained = Arc::clone(&server.has_drained);
        let outcome = simulate_until(server, users, load, &mut |news| {
            let is_paused = news.phase == Phase::Paused;
            let directive = progress(news);
            has_drained.fetch_or(is_paused, Ordering::Relaxed);
            directive
        });
        server.end_load(load.kind.series() == Series::OverloadCycle);
        server.warming.iter().for_each(|own| self.reach(own.now));
        outcome
    }

    /// Adds a row that no client knows of.
    fn add_row(&self) {
        let table = self.writers[0].table;
        let row = vec![Value::Null; table.columns.len()];
        lock(&self.data).rows.entry(table.name).or_default().insert(u64::MAX >> 1, row);
    }

    /// Time in which the servers work off what clients have left behind. Returns whether they have written.
    fn work_off(&self) -> bool {
        let is_late = self.late.load(Ordering::Relaxed) < self.design.late_writes;
        if is_late {
            self.late.fetch_add(1, Ordering::Relaxed);
            self.add_row();
        }
        is_late
    }
}

/// Locks a mutex. A thread that panicked with it fails the test anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The times of a site's work beside its loads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pauses {
    /// A start of the servers, with the restoring before it.
    pub start: Duration,
    pub restore: Duration,
    pub audit: Duration,
}

impl SystemUnderTest for VirtualSystem {
    fn start_fresh(&mut self) -> Result<(), SiteError> {
        *lock(&self.data) = Data::default();
        *self.late.get_mut() = 0;
        let noise = lock(&self.machine).speed.noise;
        let start = (noise.start * normal(&mut self.random)).exp();
        let since = if self.warms_beside_others { self.stopped } else { lock(&self.machine).now() };
        let now = since + self.design.pauses.start;
        let server = Server {
            warming: Some(Speed::begin(noise, now, self.random.random())),
            pages: QueueServer::new(&self.catalogue, 1, Duration::ZERO, self.random.random()),
            service: self.design.demand.mul_f64(start),
            design: self.design,
            machine: Arc::clone(&self.machine),
            random: ChaCha8Rng::seed_from_u64(self.random.random()),
            writers: self.writers.clone(),
            data: Arc::clone(&self.data),
            key: self.key.clone(),
            used: Arc::clone(&self.used),
            acknowledged: 0,
            requests: 0,
            began: Duration::ZERO,
            seen: Duration::ZERO,
            free_at: Duration::ZERO,
            has_drained: Arc::default(),
        };
        *lock(&self.server) = Some(server);
        Ok(())
    }

    fn restore_data(&mut self) -> Option<Result<u64, ServiceError>> {
        *lock(&self.data) = Data::default();
        self.pass(self.design.pauses.restore);
        Some(Ok(0))
    }

    fn stop(&mut self) {
        self.stopped = lock(&self.machine).now();
        *lock(&self.server) = None;
    }

    fn check_alive(&self) -> Result<(), ServiceError> {
        Ok(())
    }

    fn audit(&self) -> Option<Result<Audit, ServiceError>> {
        self.pass(self.design.pauses.audit);
        let data = lock(&self.data);
        let holding = |writer: &Writer| {
            let table = writer.table.name;
            let new = data.rows.get(table).map_or(Vec::new(), |rows| rows.keys().copied().collect());
            (table, Holding { table, loaded: 0, largest: 0, kept: 0, new, derived: Vec::new() })
        };
        let holdings: BTreeMap<&str, Holding> = self.writers.iter().map(holding).collect();
        let contents =
            LoadedContents { checked: 1000, changed: data.changed, ..LoadedContents::new("users") };
        let holdings = holdings.into_values().collect();
        Some(Ok(Audit { holdings, contents: vec![contents], ..Audit::default() }))
    }

    fn leave_alone(&self, time: Duration) {
        self.pass(time);
        self.work_off();
    }

    fn compare_pages(
        &self,
        _context: &RunContext<'_>,
        _variant: &Variant,
        most: Duration,
    ) -> Result<(usize, Option<String>), LabError> {
        self.pass(most);
        let server = lock(&self.server);
        let requests = server.as_ref().expect("it was started").requests;
        if self.design.reads_write {
            self.add_row();
        }
        let is_late = self.work_off();
        let is_wrong =
            is_late || self.design.reads_write || self.design.wrong_after.is_some_and(|many| requests > many);
        Ok((100, is_wrong.then(|| format!("GET /auction/ViewItem itemId=1\n  after {requests} requests"))))
    }

    fn rows_by_id(&self, table: &str, ids: &[u64]) -> Option<Result<Vec<Row>, ServiceError>> {
        let data = lock(&self.data);
        let rows = data.rows.get(table);
        Some(Ok(ids.iter().filter_map(|id| rows?.get(id).cloned()).collect()))
    }

    fn lose_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>> {
        let mut data = lock(&self.data);
        Some(Ok(data.rows.get_mut(table).and_then(|rows| rows.remove(&id)).is_some()))
    }

    /// No row was loaded.
    fn change_row(&self, _table: &str, _id: u64) -> Option<Result<bool, ServiceError>> {
        None
    }

    fn tiers_started(&self) -> Vec<TierStart> {
        let (role, service) = ("web".to_owned(), "virtual".to_owned());
        vec![TierStart { role, service, is_measured: true, ready: self.design.pauses.start }]
    }

    fn first_page(&self, _path: &str) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn logs(&self) -> Vec<(PathBuf, Vec<u8>)> {
        Vec::new()
    }

    fn cores(&self) -> u32 {
        1
    }

    fn dataset(&self) -> Dataset {
        self.dataset
    }

    fn keep_awake(&self, _executable: &Path) -> Option<IdleSpinner> {
        None
    }

    fn drive(
        &self,
        users: &Users<'_>,
        load: &Load,
        _stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress) -> Directive,
    ) -> Result<Outcome, EngineError> {
        Ok(self.drive_on(users, load, progress))
    }

    /// Watches on the same thread, whose time is virtual.
    fn drive_watched(
        &self,
        users: &Users<'_>,
        load: &Load,
        watchers: Watchers<'_>,
        on_progress: &mut dyn FnMut(&Progress) -> Directive,
    ) -> Result<WatchedLoad, EngineError> {
        let Watchers { mut monitor, profiling, .. } = watchers;
        lock(&self.server).as_mut().expect("it was started").warming = None;
        let outcome = self.drive_on(users, load, &mut |progress| {
            monitor.on_progress(&(&progress).into());
            let directive = on_progress(&progress);
            if directive == Directive::Repeat {
                monitor.on_progress(&News::Repeat);
            }
            directive
        });
        Ok(WatchedLoad { outcome: Ok(outcome), log: monitor.end(), profiling: Ok(profiling) })
    }

    fn meter(&self) -> Box<dyn CpuMeter> {
        Box::new(VirtualMeter { roles: vec!["web".to_owned()], used: Used::of(&self.used) })
    }

    fn sampler(&self) -> Box<dyn Sampler> {
        Box::new(VirtualSampler {
            machine: Arc::clone(&self.machine),
            used: Used::of(&self.used),
            at: Duration::ZERO,
            open: None,
            stretches: Vec::new(),
        })
    }

    fn attach_profilers(
        &self,
        _context: &RunContext<'_>,
        _variant: &Variant,
        _window: Duration,
    ) -> Result<Profiling, LabError> {
        unreachable!("no virtual experiment asks for profiles")
    }
}

#[derive(Clone)]
struct Writer {
    /// The beginning of its requests.
    begin: String,
    /// The table of the row that its page acknowledges.
    table: &'static Table,
    /// The parameters that it puts into columns.
    landings: Vec<Landing>,
}

impl Writer {
    fn row(&self, id: u64, request: &[u8], key: &TokenKey) -> Row {
        let body =
            request.windows(4).position(|end| end == b"\r\n\r\n").map_or(&[][..], |at| &request[at + 4..]);
        let parameters = Parameters::decode(body);
        let mut row = vec![Value::Null; self.table.columns.len()];
        row[0] = Value::Integer(id as i64);
        for landing in self.landings.iter().filter(|landing| landing.table == self.table.name) {
            row[landing.column] = landing.value(&parameters, key).unwrap_or(Value::Null);
        }
        row
    }
}

fn writers(context: &RunContext<'_>) -> Vec<Writer> {
    let (all, effects) = (context.application.tables(), Effects::of(context.application));
    let of = |id: InteractionId| {
        let interaction = context.catalogue.get(id);
        let table = all.iter().find(|table| interaction.writes.as_deref() == Some(table.name))?;
        let begin = format!("{} {} ", interaction.method, interaction.path);
        Some(Writer { begin, table, landings: effects.landings(id).to_vec() })
    };
    context.catalogue.ids().filter_map(of).collect()
}

/// Servers that are up: one queue.
struct Server {
    /// Makes the pages, and takes no time.
    pages: QueueServer,
    /// Mean service time on a machine of usual speed.
    service: Duration,
    design: Design,
    machine: Arc<Mutex<Machine>>,
    random: ChaCha8Rng,
    writers: Vec<Writer>,
    data: Arc<Mutex<Data>>,
    key: TokenKey,
    used: Arc<AtomicU64>,
    /// Its speed while it warms.
    warming: Option<Speed>,
    /// The rows that its pages have acknowledged: the id of the last one.
    acknowledged: u64,
    requests: u64,
    /// Instants since its start: when this load began, of the last request, and when the queue is empty.
    began: Duration,
    seen: Duration,
    free_at: Duration,
    /// Clients stood still until the queue was empty, while the load's clock did.
    has_drained: Arc<AtomicBool>,
}

impl Server {
    fn write(&mut self, request: &[u8]) {
        let writer = self.writers.iter().find(|writer| request.starts_with(writer.begin.as_bytes()));
        let Some(writer) = writer else { return };
        self.acknowledged += 1;
        let id = self.acknowledged;
        let is_hit = |one_in: Option<u64>| one_in.is_some_and(|many| id.is_multiple_of(many));
        let mut data = lock(&self.data);
        data.changed += u64::from(self.design.changes_loaded);
        if is_hit(self.design.loses_one_in) {
            return;
        }
        let mut row = writer.row(id, request, &self.key);
        if is_hit(self.design.alters_one_in) {
            row[1..].fill(Value::Null);
        }
        data.rows.entry(writer.table.name).or_default().insert(id, row);
    }

    fn slowness_after(&mut self, passed: Duration) -> f64 {
        match &mut self.warming {
            Some(own) => own.slowness_after(passed),
            None => lock(&self.machine).slowness_after(passed),
        }
    }

    /// The next load's clock begins anew: at once if this one was a step of a cycle, or else when the queue is empty.
    fn end_load(&mut self, is_step: bool) {
        if !is_step {
            self.seen = self.seen.max(self.free_at);
        }
        self.began = self.seen;
    }
}

impl VirtualServer for Server {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let now = self.began + now;
        if self.has_drained.swap(false, Ordering::Relaxed) {
            let drained = self.free_at.saturating_sub(now);
            self.slowness_after(drained);
            self.free_at = self.free_at.min(now);
        }
        let slowness = self.slowness_after(now.saturating_sub(self.seen));
        self.seen = now;
        let service = self.service.mul_f64(slowness * exponential(&mut self.random));
        self.used.fetch_add(service.as_nanos() as u64, Ordering::Relaxed);
        self.free_at = self.free_at.max(now) + service;
        self.requests += 1;
        self.write(request);
        Reply { at: self.free_at - self.began, ..self.pages.answer(request, now) }
    }
}

/// CPU time since the last look.
struct Used {
    all: Arc<AtomicU64>,
    last: u64,
}

impl Used {
    fn of(all: &Arc<AtomicU64>) -> Self {
        Self { all: Arc::clone(all), last: all.load(Ordering::Relaxed) }
    }

    fn look_s(&mut self) -> f64 {
        let now = self.all.load(Ordering::Relaxed);
        (now - std::mem::replace(&mut self.last, now)) as f64 / 1e9
    }
}

struct VirtualMeter {
    roles: Vec<String>,
    used: Used,
}

impl CpuMeter for VirtualMeter {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn look(&mut self) -> TiersUse {
        let used_s = self.used.look_s();
        let since_start_s = vec![self.used.last as f64 / 1e9];
        TiersUse {
            tiers_s: vec![used_s],
            since_start_s,
            resident_bytes: vec![1 << 20],
            ..TiersUse::default()
        }
    }
}

struct VirtualSampler {
    machine: Arc<Mutex<Machine>>,
    used: Used,
    at: Duration,
    /// Begin of the open stretch: on the load's clock, and on the machine's.
    open: Option<[Duration; 2]>,
    stretches: Vec<VirtualStretch>,
}

#[derive(Clone, Copy)]
struct VirtualStretch {
    length_s: f64,
    cpu_s: f64,
    others_cores: f64,
}

impl VirtualSampler {
    fn sample(&mut self, at: Duration) -> (Sample, f64) {
        let used_s = self.used.look_s();
        let length_s = at.saturating_sub(std::mem::replace(&mut self.at, at)).as_secs_f64();
        let (hosts, tiers) = (Vec::new(), Vec::new());
        (Sample { at_s: at.as_secs_f64(), length_s, host: QUIET, hosts, tiers }, used_s)
    }
}

impl Sampler for VirtualSampler {
    fn tick(&mut self, at: Duration) -> Sample {
        self.sample(at).0
    }

    fn skip(&mut self) {
        self.used.look_s();
    }

    fn open_window(&mut self, at: Duration) -> Sample {
        self.open = Some([at, lock(&self.machine).now()]);
        self.sample(at).0
    }

    fn close_window(&mut self, at: Duration) -> Sample {
        let (sample, cpu_s) = self.sample(at);
        if let Some([begun, then]) = self.open.take() {
            let others_cores = {
                let machine = lock(&self.machine);
                machine.others.cores(then, machine.now())
            };
            self.stretches.push(VirtualStretch { length_s: (at - begun).as_secs_f64(), cpu_s, others_cores });
        }
        sample
    }

    fn last_stretch(&self) -> Option<(HostFigures, Vec<HostUsageFigures>)> {
        let other_processes_cores = self.stretches.last()?.others_cores;
        Some((HostFigures { cores: 1, mean: HostSample { other_processes_cores, ..QUIET } }, Vec::new()))
    }

    fn forget_stretch(&mut self) {
        self.stretches.pop();
    }

    fn store_connections(&self) -> f64 {
        0.0
    }

    fn finish(self: Box<Self>, completed: u64) -> Option<Sampled> {
        let sum = |of: fn(&VirtualStretch) -> f64| self.stretches.iter().map(of).sum::<f64>();
        let (length_s, cpu_s) = (sum(|one| one.length_s), sum(|one| one.cpu_s));
        let other_processes_cores = sum(|one| one.length_s * one.others_cores) / length_s;
        let of_stretch = |one: &VirtualStretch| StretchUse {
            cpu_s: vec![one.cpu_s],
            steal_cores: 0.0,
            other_processes_cores: one.others_cores,
        };
        let mean = HostSample { busy_cores: cpu_s / length_s, other_processes_cores, ..QUIET };
        (length_s > 0.0).then(|| Sampled {
            tiers: vec![tier(cpu_s, length_s, completed)],
            host: HostFigures { cores: 1, mean },
            hosts: Vec::new(),
            sampler_cpu: 0.0,
            stretches: self.stretches.iter().map(of_stretch).collect(),
        })
    }
}

fn tier(cpu_s: f64, length_s: f64, completed: u64) -> TierFigures {
    TierFigures {
        role: "web".to_owned(),
        service: "virtual".to_owned(),
        cpu_user_s: cpu_s,
        cpu_ms_per_interaction: 1e3 * cpu_s / completed.max(1) as f64,
        cores: cpu_s / length_s,
        processes: 1,
        threads: 1,
        ..TierFigures::default()
    }
}

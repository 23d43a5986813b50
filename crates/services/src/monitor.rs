//! What services say of themselves while they run: busy workers, statements, lock waits.
//!
//! Each watched service has a thread that asks it, because an answer may take long when the service is busy, which is
//! when it matters most, and nobody else should wait for it meanwhile.

mod apache;
mod fpm;
mod lighttpd;
mod mariadb;
mod page;
mod postgresql;
mod prometheus;
mod rising;

use crate::{Instance, ServiceError, StoreKind, manifest::ServiceFile, store::AdminEndpoint};
use serde::Deserialize;
use settings::{Document, SettingsError, did_you_mean};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use toml::Spanned;

/// What a `service.toml` says in `[sampler]`: how the service is asked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SamplerEntry {
    kind: Spanned<SamplerKind>,
    /// The named port that answers.
    port: Option<Spanned<String>>,
    /// The Unix socket that answers.
    pub(crate) socket: Option<Spanned<String>>,
    /// What is asked for there.
    path: Option<Spanned<String>>,
    /// What is read from the answer, where the service doesn't decide that.
    #[serde(default)]
    gauge: BTreeMap<Spanned<String>, prometheus::Metric>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SamplerKind {
    /// The page of Apache's mod_status, on a port of its own.
    ApacheStatus,
    /// The page of PHP-FPM's pm.status_path, on a socket of its own.
    FpmStatus,
    /// The page of lighttpd's mod_status, on a port of its own.
    LighttpdStatus,
    /// The status variables and the process list of a store.
    Mariadb,
    /// The views of a store's activity and statistics.
    Postgresql,
    /// A page in Prometheus' text format, on a port of its own.
    Prometheus,
}

impl SamplerKind {
    /// The kind of store that alone can be asked this way.
    fn store(self) -> Option<StoreKind> {
        match self {
            Self::Mariadb => Some(StoreKind::Mariadb),
            Self::Postgresql => Some(StoreKind::Postgresql),
            _ => None,
        }
    }

    /// Its name in the file, and which of the keys `port`, `socket` and `path` it needs.
    fn needs(self) -> (&'static str, [bool; 3]) {
        match self {
            Self::ApacheStatus => ("apache-status", [true, false, false]),
            Self::FpmStatus => ("fpm-status", [false, true, true]),
            Self::LighttpdStatus => ("lighttpd-status", [true, false, false]),
            Self::Mariadb => ("mariadb", [false, false, false]),
            Self::Postgresql => ("postgresql", [false, false, false]),
            Self::Prometheus => ("prometheus", [true, false, true]),
        }
    }
}

impl SamplerEntry {
    /// What is rendered of it, with its keys.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let keys = [("sampler.socket", &self.socket), ("sampler.path", &self.path)];
        keys.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?.get_ref())))
    }

    /// An error if a service can't be asked this way.
    pub(crate) fn check(&self, document: &Document, file: &ServiceFile) -> Result<(), Box<SettingsError>> {
        let (name, needs) = self.kind.get_ref().needs();
        let keys = [("port", &self.port), ("socket", &self.socket), ("path", &self.path)];
        for ((key, given), needed) in keys.into_iter().zip(needs) {
            match given {
                None if needed => {
                    let fault = format!("a sampler of the kind `{name}` needs a `{key}`");
                    let remedy = format!("say in `{key}` where the service answers, away from its clients");
                    return Err(document.error(Some(self.kind.span()), fault, Some(remedy)));
                }
                Some(given) if !needed => {
                    let fault = format!("a sampler of the kind `{name}` has no `{key}`");
                    return Err(document.error(Some(given.span()), fault, Some("leave it out".to_owned())));
                }
                _ => {}
            }
        }
        self.check_gauges(document, name)?;
        if let Some(store) = self.kind.get_ref().store().filter(|store| file.store != Some(*store)) {
            let fault = format!("only a store of the kind `{}` can be asked this way", store.name());
            let remedy = format!("add `store = \"{}\"`, or leave the sampler out", store.name());
            return Err(document.error(Some(self.kind.span()), fault, Some(remedy)));
        }
        self.port.as_ref().map_or(Ok(()), |port| check_port(port, document, file))
    }

    fn check_gauges(&self, document: &Document, name: &str) -> Result<(), Box<SettingsError>> {
        let chooses = *self.kind.get_ref() == SamplerKind::Prometheus;
        if chooses && self.gauge.is_empty() {
            let fault = format!("a sampler of the kind `{name}` needs a `gauge`");
            let remedy = "say in [sampler.gauge.\"NAME\"] which `metric` it is".to_owned();
            return Err(document.error(Some(self.kind.span()), fault, Some(remedy)));
        }
        match self.gauge.first_key_value() {
            Some((gauge, _)) if !chooses => {
                let fault = format!("a sampler of the kind `{name}` has no `gauge`");
                Err(document.error(Some(gauge.span()), fault, Some("leave it out".to_owned())))
            }
            _ => Ok(()),
        }
    }
}

fn check_port(
    port: &Spanned<String>,
    document: &Document,
    file: &ServiceFile,
) -> Result<(), Box<SettingsError>> {
    let own = file.ports.get(1..).unwrap_or_default();
    if file.ports.first() == Some(port.get_ref()) {
        let fault = format!(
            "`{port}` is the clients' port; put the status page on a port of its own",
            port = port.get_ref()
        );
        let remedy = "add another name to `ports`, let the service answer there, and name it here".to_owned();
        return Err(document.error(Some(port.span()), fault, Some(remedy)));
    }
    if !own.contains(port.get_ref()) {
        let fault = format!("there is no port `{}`", port.get_ref());
        let remedy = match own.is_empty() {
            true => "add it to `ports`, after the one at which clients knock".to_owned(),
            false => did_you_mean(port.get_ref(), own.iter().map(String::as_str)),
        };
        return Err(document.error(Some(port.span()), fault, Some(remedy)));
    }
    Ok(())
}

/// What a service said of one thing since somebody looked last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tally {
    /// How often it was asked.
    pub count: u32,
    /// The sum of what it said.
    pub sum: f64,
    /// The most that it said.
    pub max: f64,
    /// Above what it can't go.
    pub limit: Option<f64>,
}

impl Tally {
    /// The mean of what it said.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }

    /// Both together.
    pub fn and(self, later: Self) -> Self {
        Self {
            count: self.count + later.count,
            sum: self.sum + later.sum,
            max: self.max.max(later.max),
            limit: later.limit.or(self.limit),
        }
    }
}

/// What a service said since somebody looked last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    /// By name.
    pub gauges: BTreeMap<Arc<str>, Tally>,
    /// How often it answered.
    pub answers: u32,
    /// Why it did not answer, the last time that it did not.
    pub fault: Option<String>,
}

impl Readings {
    /// Both together.
    pub fn and(mut self, later: Self) -> Self {
        for (name, tally) in later.gauges {
            let so_far = self.gauges.get(&name).copied();
            self.gauges.insert(name, so_far.map_or(tally, |earlier| earlier.and(tally)));
        }
        Self { answers: self.answers + later.answers, fault: later.fault.or(self.fault), ..self }
    }
}

/// One thing that a service said of itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub name: Arc<str>,
    pub value: f64,
    pub limit: Option<f64>,
}

/// How a service is asked.
pub(crate) trait Collect: Send {
    /// How long after one question the next one is due.
    fn pace(&self) -> Duration;

    /// Asks once. An error says in a sentence why there is no answer.
    fn collect(&mut self) -> Result<Vec<Reading>, String>;
}

/// A service that is being watched. Dropping it ends that, as soon as a question that is open is answered or given up.
#[derive(Debug)]
pub struct Monitor {
    shared: Arc<Shared>,
    pace: Duration,
}

#[derive(Debug, Default)]
struct Shared {
    said: Mutex<Readings>,
    is_over: Mutex<bool>,
    end: Condvar,
    cpu_ns: AtomicU64,
}

impl Monitor {
    pub(crate) fn begin(mut collector: Box<dyn Collect>) -> Self {
        let shared = Arc::new(Shared::default());
        let (of_thread, pace) = (Arc::clone(&shared), collector.pace());
        thread::spawn(move || of_thread.watch(collector.as_mut()));
        Self { shared, pace }
    }

    /// What was said since the last call.
    pub fn take(&self) -> Readings {
        std::mem::take(&mut self.shared.said())
    }

    /// How long after one question the next one is due.
    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// CPU time that asking has cost the laboratory, in seconds.
    pub fn cpu_s(&self) -> f64 {
        self.shared.cpu_ns.load(Ordering::Relaxed) as f64 / 1e9
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        *lock(&self.shared.is_over) = true;
        self.shared.end.notify_all();
    }
}

impl Shared {
    fn watch(&self, collector: &mut dyn Collect) {
        let mut due = Instant::now();
        loop {
            let answer = collector.collect();
            self.note(answer);
            self.cpu_ns.store((testbed::thread_cpu_s() * 1e9) as u64, Ordering::Relaxed);
            // What was missed while the service did not answer is not made up for.
            due = (due + collector.pace()).max(Instant::now());
            if self.is_over_before(due) {
                return;
            }
        }
    }

    fn note(&self, answer: Result<Vec<Reading>, String>) {
        let tally =
            |Reading { name, value, limit }| (name, Tally { count: 1, sum: value, max: value, limit });
        let new = match answer {
            Ok(readings) => {
                Readings { gauges: readings.into_iter().map(tally).collect(), answers: 1, fault: None }
            }
            Err(fault) => Readings { fault: Some(fault), ..Readings::default() },
        };
        let mut said = self.said();
        *said = std::mem::take(&mut *said).and(new);
    }

    fn is_over_before(&self, instant: Instant) -> bool {
        let left = instant.saturating_duration_since(Instant::now());
        let waited = self.end.wait_timeout_while(lock(&self.is_over), left, |is_over| !*is_over);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn said(&self) -> MutexGuard<'_, Readings> {
        lock(&self.said)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Instance {
    /// Begins to watch the service, if its `service.toml` says how it is asked. It must run.
    pub fn watch(&self) -> Result<Option<Monitor>, ServiceError> {
        let Some(sampler) = self.service().sampler() else { return Ok(None) };
        let render = |key: &str, text: &Option<Spanned<String>>| {
            self.render_key(key, text.as_ref().map_or("", |text| text.get_ref()))
        };
        let address = || {
            let port = sampler.port.as_ref().and_then(|port| self.address(port.get_ref()));
            port.expect("the manifest is refused without that port")
        };
        let collector: Box<dyn Collect> = match sampler.kind.get_ref() {
            SamplerKind::ApacheStatus => Box::new(apache::Collector::new(address())),
            SamplerKind::FpmStatus => Box::new(fpm::Collector {
                socket: render("sampler.socket", &sampler.socket)?.into(),
                path: render("sampler.path", &sampler.path)?,
            }),
            SamplerKind::LighttpdStatus => Box::new(lighttpd::Collector::new(address())),
            SamplerKind::Mariadb => Box::new(mariadb::Collector::new(self.folder())),
            SamplerKind::Postgresql => Box::new(postgresql::Collector::new(AdminEndpoint::of(self)?)),
            SamplerKind::Prometheus => {
                let path = render("sampler.path", &sampler.path)?;
                let gauges = sampler.gauge.iter().map(|(name, metric)| (name.get_ref(), metric));
                Box::new(prometheus::Collector::new(address(), &path, gauges))
            }
        };
        Ok(Some(Monitor::begin(collector)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Service;
    use std::sync::mpsc;

    /// Says what it is told to say, and tells when it was asked.
    struct Canned(Vec<Result<Vec<Reading>, String>>, mpsc::Sender<()>);

    impl Collect for Canned {
        fn pace(&self) -> Duration {
            Duration::from_millis(1)
        }

        fn collect(&mut self) -> Result<Vec<Reading>, String> {
            if self.0.len() == 1 {
                // Nobody may listen any more.
                let _ = self.1.send(());
                return self.0[0].clone();
            }
            self.0.remove(0)
        }
    }

    #[test]
    fn answers_and_what_they_said_are_counted_and_the_last_fault_is_known() {
        let busy = |value| Ok(vec![Reading { name: "busy workers".into(), value, limit: Some(9.0) }]);
        let (asked, is_asked) = mpsc::channel();
        let watch = Monitor::begin(Box::new(Canned(
            vec![busy(4.0), Err("away".into()), busy(6.0), busy(2.0), Err("gone".into())],
            asked,
        )));
        is_asked.recv().unwrap();
        is_asked.recv().unwrap();
        let said = watch.take();
        assert_eq!((said.answers, said.fault.as_deref()), (3, Some("gone")));
        let tally = said.gauges["busy workers"];
        assert_eq!((tally.mean(), tally.max, tally.limit, tally.count), (4.0, 6.0, Some(9.0), 3));
        is_asked.recv().unwrap();
        let said = watch.take();
        assert_eq!((said.answers, said.gauges.len()), (0, 0));
        assert_eq!(watch.pace(), Duration::from_millis(1));
        drop(watch);
        // The thread ends, and with it what it holds.
        while is_asked.recv().is_ok() {}
    }

    /// What reading a service with this entry says.
    fn fault_of(sampler: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = format!(
            "title = 'a'\nprogram = 'a'\nports = ['http', 'status']\ncommand = ['a']\n\
             ready = {{ port = 'http', within = '1s' }}\nstop = {{ signal = 'TERM', within = '1s' }}\n[sampler]\n{sampler}\n"
        );
        std::fs::write(folder.path().join("service.toml"), file).unwrap();
        let fault = Service::read(folder.path()).map(drop).map_err(miette::Report::new);
        fault.map_or_else(|fault| format!("{fault:?}"), |()| "none".to_owned())
    }

    #[test]
    fn a_sampler_that_cannot_work_is_refused_with_its_line() {
        let apache = "kind = 'apache-status'";
        let metrics = "kind = 'prometheus'\npath = '/metrics'";
        assert_eq!(fault_of(&format!("{metrics}\nport = 'status'\ngauge.a.metric = 'b'")), "none");
        assert_eq!(fault_of(&format!("{apache}\nport = 'status'")), "none");
        let wrong = [
            ("kind = 'apache'", "unknown variant `apache`"),
            (apache, "a sampler of the kind `apache-status` needs a `port`"),
            (&format!("{apache}\nport = 'http'"), "`http` is the clients' port"),
            (&format!("{apache}\nport = 'statsu'"), "did you mean `status`?"),
            (&format!("{apache}\nport = 'status'\npath = '/'"), "has no `path`"),
            ("kind = 'fpm-status'\nsocket = 'a'", "a sampler of the kind `fpm-status` needs a `path`"),
            (&format!("{apache}\nport = 'status'\ngauge.a.metric = 'b'"), "has no `gauge`"),
            (&format!("{metrics}\nport = 'http'\ngauge.a.metric = 'b'"), "`http` is the clients' port"),
            (&format!("{metrics}\nport = 'status'"), "needs a `gauge`"),
            (&format!("{metrics}\nport = 'status'\ngauge.a.metrics = 'b'"), "did you mean `metric`?"),
            ("kind = 'mariadb'", "only a store of the kind `mariadb` can be asked this way"),
            ("kind = 'mariadb'\npth = ''", "did you mean `path`?"),
        ];
        for (entry, text) in wrong {
            let fault = fault_of(entry);
            assert!(fault.contains(text) && fault.contains("service.toml:"), "{entry}: {fault}");
        }
    }
}

//! Gauges of running services: busy workers, statements, lock waits.
//!
//! Each monitored service has a thread of its own, because a busy service may take long to answer, which is when it
//! matters most.

mod apache;
mod fpm;
mod lighttpd;
mod mariadb_status;
mod page;
mod postgresql_views;
mod prometheus;
mod rising;

use crate::{Instance, ServiceError, sampler::SamplerKind, store::AdminEndpoint};
use results::GaugeRole;
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

#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    pub role: GaugeRole,
    pub count: u32,
    pub sum: f64,
    pub max: f64,
    pub limit: Option<f64>,
}

impl Tally {
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }

    pub fn and(self, later: Self) -> Self {
        Self {
            count: self.count + later.count,
            sum: self.sum + later.sum,
            max: self.max.max(later.max),
            limit: later.limit.or(self.limit),
            role: later.role,
        }
    }
}

/// Readings of a service since the last look.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    pub gauges: BTreeMap<Arc<str>, Tally>,
    pub answers: u32,
    /// The reason for the last missing answer.
    pub fault: Option<String>,
}

impl Readings {
    pub fn and(mut self, later: Self) -> Self {
        for (name, tally) in later.gauges {
            let both = match self.gauges.remove(&name) {
                Some(earlier) => earlier.and(tally),
                None => tally,
            };
            self.gauges.insert(name, both);
        }
        Self { answers: self.answers + later.answers, fault: later.fault.or(self.fault), ..self }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub name: Arc<str>,
    pub role: GaugeRole,
    pub value: f64,
    pub limit: Option<f64>,
}

impl Reading {
    fn new(name: &str, role: GaugeRole, value: f64) -> Self {
        Self { name: name.into(), role, value, limit: None }
    }

    fn within(self, limit: Option<f64>) -> Self {
        Self { limit, ..self }
    }
}

pub(crate) trait Collect: Send {
    fn pace(&self) -> Duration;

    /// Samples once. An error says in a sentence why there is no answer.
    fn collect(&mut self) -> Result<Vec<Reading>, String>;
}

/// A monitored service. Dropping it ends the monitoring, once an open request is answered or given up.
#[derive(Debug)]
pub struct Monitor {
    shared: Arc<Shared>,
    pace: Duration,
}

#[derive(Debug, Default)]
struct Shared {
    readings: Mutex<Readings>,
    is_over: Mutex<bool>,
    end: Condvar,
    cpu_ns: AtomicU64,
}

impl Monitor {
    pub(crate) fn begin(mut collector: Box<dyn Collect>) -> Self {
        let shared = Arc::new(Shared::default());
        let (of_thread, pace) = (Arc::clone(&shared), collector.pace());
        // A limit of processes is a fault to tell, and no reason to panic.
        if let Err(fault) = thread::Builder::new().spawn(move || of_thread.watch(collector.as_mut())) {
            shared.note(Err(format!("no thread can be started that asks it ({fault})")));
        }
        Self { shared, pace }
    }

    pub fn take(&self) -> Readings {
        std::mem::take(&mut self.shared.readings())
    }

    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// CPU time of the sampling thread, in seconds.
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
            // Samples missed while the service did not answer are not made up for.
            due = (due + collector.pace()).max(Instant::now());
            if self.is_over_before(due) {
                return;
            }
        }
    }

    fn note(&self, answer: Result<Vec<Reading>, String>) {
        let tally = |Reading { name, role, value, limit }| {
            (name, Tally { role, count: 1, sum: value, max: value, limit })
        };
        let new = match answer {
            Ok(readings) => {
                Readings { gauges: readings.into_iter().map(tally).collect(), answers: 1, fault: None }
            }
            Err(fault) => Readings { fault: Some(fault), ..Readings::default() },
        };
        let mut readings = self.readings();
        *readings = std::mem::take(&mut *readings).and(new);
    }

    fn is_over_before(&self, instant: Instant) -> bool {
        let left = instant.saturating_duration_since(Instant::now());
        let waited = self.end.wait_timeout_while(lock(&self.is_over), left, |is_over| !*is_over);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn readings(&self) -> MutexGuard<'_, Readings> {
        lock(&self.readings)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Instance {
    /// Begins to monitor the running service, if its `service.toml` has a sampler.
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
                socket: self.own_path(&render("sampler.socket", &sampler.socket)?),
                path: render("sampler.path", &sampler.path)?,
            }),
            SamplerKind::LighttpdStatus => Box::new(lighttpd::Collector::new(address())),
            SamplerKind::Mariadb => Box::new(mariadb_status::Collector::new(AdminEndpoint::of(self)?)),
            SamplerKind::Postgresql => Box::new(postgresql_views::Collector::new(AdminEndpoint::of(self)?)),
            SamplerKind::Prometheus => {
                let path = render("sampler.path", &sampler.path)?;
                Box::new(prometheus::Collector::new(address(), &path, sampler.gauges()))
            }
        };
        Ok(Some(Monitor::begin(collector)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    struct Canned(Vec<Result<Vec<Reading>, String>>, mpsc::Sender<()>);

    impl Collect for Canned {
        fn pace(&self) -> Duration {
            Duration::from_millis(1)
        }

        fn collect(&mut self) -> Result<Vec<Reading>, String> {
            if self.0.len() == 1 {
                // The receiver may be gone.
                let _ = self.1.send(());
                return self.0[0].clone();
            }
            self.0.remove(0)
        }
    }

    #[test]
    fn answers_and_their_readings_are_counted_and_the_last_fault_is_kept() {
        let pool = || GaugeRole::Pool("workers".into());
        let busy = |value| Ok(vec![Reading::new("busy workers", pool(), value).within(Some(9.0))]);
        let (asked, is_asked) = mpsc::channel();
        let watch = Monitor::begin(Box::new(Canned(
            vec![busy(4.0), Err("away".into()), busy(6.0), busy(2.0), Err("gone".into())],
            asked,
        )));
        is_asked.recv().unwrap();
        is_asked.recv().unwrap();
        let readings = watch.take();
        assert_eq!((readings.answers, readings.fault.as_deref()), (3, Some("gone")));
        let tally = &readings.gauges["busy workers"];
        assert_eq!(tally.role, pool());
        assert_eq!((tally.mean(), tally.max, tally.limit, tally.count), (4.0, 6.0, Some(9.0), 3));
        is_asked.recv().unwrap();
        let readings = watch.take();
        assert_eq!((readings.answers, readings.gauges.len()), (0, 0));
        assert_eq!(watch.pace(), Duration::from_millis(1));
        drop(watch);
        // The thread ends, and with it all that it holds.
        while is_asked.recv().is_ok() {}
    }
}

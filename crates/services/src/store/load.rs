//! Bulk loading of generated rows, while they are made.
//!
//! Each table is one statement: LOAD DATA INFILE, which reads a named pipe, or COPY FROM STDIN. Rows are made while
//! the server reads, so memory use does not grow with scale. Making rows is several times faster than storing them:
//! one thread per table keeps the server busy.
//!
//! Measured with MariaDB 10.11, these pay: as many tables at once as there are processors, and InnoDB's secondary
//! indexes built from sorted entries after loading. These don't: `unique_checks = 0`, with which InnoDB sorts all
//! rows once more; a larger redo log, which costs as much when it is shrunk again; larger buffers for MyISAM, which
//! sorts for the indexes of an empty table anyway.

use super::{
    Access, AdminEndpoint, DbError, Sink, StoreAdmin, TableLoad, Unfilled, statements, text::write_row,
};
use crate::{Instance, ServiceError};
use application::{Application, Dataset, Generator, Table};
use std::{
    fmt, io,
    ops::Range,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};
use testbed::HostHandle;

#[derive(Clone, Copy)]
pub struct LoadOrder<'a> {
    pub application: &'a dyn Application,
    pub dataset: &'a Dataset,
    /// The application's SQL, with `{{ engine }}` for the storage engine.
    pub schema: &'a str,
    pub stop: &'a AtomicBool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loading {
    pub rows: u64,
    /// Approximate total of rows.
    pub of: u64,
    /// Rows per second so far.
    pub rate: f64,
    /// Remaining time at the rate of bytes so far; none while unknown.
    pub left: Option<Duration>,
}

/// `1.20 of 2.40 million rows, 210000 rows/s, 6 s left`. After the last row, indexes may still be built.
impl fmt::Display for Loading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let million = |rows: u64| rows as f64 / 1e6;
        write!(
            f,
            "{:.2} of {:.2} million rows, {:.0} rows/s",
            million(self.rows),
            million(self.of),
            self.rate
        )?;
        match self.left {
            _ if self.rows >= self.of => f.write_str(", finishing"),
            Some(left) => write!(f, ", {:.0} s left", left.as_secs_f64().ceil()),
            None => Ok(()),
        }
    }
}

const LOOK: Duration = Duration::from_millis(50);
const NEWS: Duration = Duration::from_secs(1);
/// Bytes that a thread makes before it sends them.
const PART_BYTES: f64 = 256e3;
/// Sample size for estimating a table's bytes.
const SAMPLE_UNITS: u64 = 64;

/// Makes the schema and loads the generated rows; calls `progress` once a second. Returns the number of loaded rows.
/// On an error, or soon after `stop` is set, the instance is killed: a partial load is of no use, and a killed server
/// can't be taken for a loaded one.
pub fn load(
    instance: &mut Instance,
    access: &Access,
    order: LoadOrder<'_>,
    progress: &mut dyn FnMut(Loading),
) -> Result<u64, ServiceError> {
    let loader = Loader::new(instance, AdminEndpoint::of(instance)?, access, order);
    let loaded = thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        let work = scope.spawn(|| {
            let _tells_its_end = end;
            loader.run()
        });
        let mut told = Instant::now();
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if loader.is_over() {
                instance.kill();
            }
            if told.elapsed() >= NEWS {
                told = Instant::now();
                progress(loader.loading());
            }
        }
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    loaded.map_err(|fault| {
        instance.kill();
        match order.stop.load(Relaxed) {
            true => io::Error::from(io::ErrorKind::Interrupted).into(),
            false => fault.of(instance),
        }
    })
}

enum Fault {
    Refused(DbError),
    Io(io::Error),
    Rows {
        table: &'static str,
        sent: u64,
        stored: u64,
    },
    /// Another thread has the reason.
    Over,
}

impl Fault {
    fn of(self, instance: &Instance) -> ServiceError {
        let fault = match self {
            Self::Io(fault) => return fault.into(),
            Self::Refused(error) => error.0,
            Self::Rows { table, sent, stored } => {
                format!("of {sent} rows that were sent to {table} it has stored {stored}")
            }
            Self::Over => "loading was given up".to_owned(),
        };
        ServiceError::Store { service: instance.service().name.clone(), fault }
    }
}

impl From<DbError> for Fault {
    fn from(error: DbError) -> Self {
        Self::Refused(error)
    }
}

impl From<Unfilled> for Fault {
    fn from(unfilled: Unfilled) -> Self {
        match unfilled {
            Unfilled::Refused(error) => Self::Refused(error),
            Unfilled::Io(fault) => Self::Io(fault),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(fault: io::Error) -> Self {
        Self::Io(fault)
    }
}

/// A running load. It has the endpoint instead of the instance, which may be killed meanwhile.
struct Loader<'a> {
    endpoint: AdminEndpoint,
    folder: PathBuf,
    place: HostHandle,
    access: &'a Access,
    order: LoadOrder<'a>,
    generator: Box<dyn Generator>,
    /// The largest first, so that no long one begins late.
    jobs: Vec<Job>,
    next_job: AtomicUsize,
    has_failed: AtomicBool,
    start: Instant,
}

impl<'a> Loader<'a> {
    fn new(instance: &Instance, endpoint: AdminEndpoint, access: &'a Access, order: LoadOrder<'a>) -> Self {
        let generator = order.application.generator(order.dataset);
        let tables = order.application.tables().iter();
        let mut jobs: Vec<Job> = tables.map(|table| Job::new(table, generator.as_ref())).collect();
        jobs.sort_by(|one, other| other.bytes().total_cmp(&one.bytes()));
        Self {
            folder: instance.folder().join("load"),
            endpoint,
            place: instance.place().clone(),
            access,
            order,
            generator,
            jobs,
            next_job: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
            start: Instant::now(),
        }
    }

    fn is_over(&self) -> bool {
        self.has_failed.load(Relaxed) || self.order.stop.load(Relaxed)
    }

    fn run(&self) -> Result<u64, Fault> {
        self.make_schema()?;
        self.place.make_folder(&self.folder)?;
        self.load_tables()?;
        Ok(self.jobs.iter().map(|job| job.rows.load(Relaxed)).sum())
    }

    fn make_schema(&self) -> Result<(), Fault> {
        let Access { database, engine, .. } = self.access;
        self.endpoint.open(None)?.create_database(database)?;
        let mut session = self.endpoint.open(Some(database))?;
        let schema = self.order.schema.replace("{{ engine }}", engine.as_deref().unwrap_or_default());
        for statement in statements(&schema) {
            session.run(&statement)?;
        }
        Ok(())
    }

    /// MyISAM builds the indexes of an empty table from sorted entries by itself.
    fn postpones_indexes(&self) -> bool {
        self.access.engine.as_ref().is_none_or(|engine| engine.eq_ignore_ascii_case("InnoDB"))
    }

    fn load_tables(&self) -> Result<(), Fault> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let first = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..processors.min(self.jobs.len()) {
                scope.spawn(|| {
                    let Err(fault) = self.load_some_tables() else { return };
                    // Faults that follow from the first one explain nothing.
                    first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
                    self.has_failed.store(true, Relaxed);
                });
            }
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn load_some_tables(&self) -> Result<(), Fault> {
        let mut session = self.endpoint.open(Some(&self.access.database))?;
        while let Some(job) = self.jobs.get(self.next_job.fetch_add(1, Relaxed)) {
            if self.is_over() {
                return Err(Fault::Over);
            }
            let later = match self.postpones_indexes() {
                true => session.postpone_indexes(job.table.name)?,
                false => Vec::new(),
            };
            self.load_table(session.as_mut(), job)?;
            for statement in later {
                session.run(&statement)?;
            }
            session.settle(job.table)?;
        }
        Ok(())
    }

    fn load_table(&self, session: &mut dyn StoreAdmin, job: &Job) -> Result<(), Fault> {
        let stored = session.fill(&TableLoad {
            table: job.table,
            folder: &self.folder,
            place: &self.place,
            send: &|sink| self.send(job, sink),
            is_over: &|| self.is_over(),
        })?;
        let sent = job.rows.load(Relaxed);
        match sent == stored {
            true => Ok(()),
            false => Err(Fault::Rows { table: job.table.name, sent, stored }),
        }
    }

    fn send(&self, job: &Job, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut text = Vec::with_capacity(2 * PART_BYTES as usize);
        for part in job.parts() {
            text.clear();
            let mut rows = 0;
            self.generator.rows(job.table, part.clone(), &mut |row| {
                write_row(&mut text, row);
                rows += 1;
            });
            sink(&text)?;
            job.rows.fetch_add(rows, Relaxed);
            job.units_sent.store(part.end, Relaxed);
        }
        Ok(())
    }

    fn loading(&self) -> Loading {
        let elapsed = self.start.elapsed().as_secs_f64();
        let rows = self.jobs.iter().map(|job| job.rows.load(Relaxed)).sum();
        let bytes: f64 = self.jobs.iter().map(|job| job.bytes() - job.bytes_left()).sum();
        let bytes_left: f64 = self.jobs.iter().map(Job::bytes_left).sum();
        Loading {
            rows,
            of: rows + self.jobs.iter().map(Job::rows_left).sum::<f64>().round() as u64,
            rate: rows as f64 / elapsed,
            left: (bytes > 0.0).then(|| Duration::from_secs_f64(bytes_left / bytes * elapsed)),
        }
    }
}

struct Job {
    table: &'static Table,
    units: u64,
    /// Sample mean.
    bytes_per_unit: f64,
    rows_per_unit: f64,
    units_sent: AtomicU64,
    rows: AtomicU64,
}

impl Job {
    fn new(table: &'static Table, generator: &dyn Generator) -> Self {
        let units = generator.units(table);
        let begin = units.saturating_sub(SAMPLE_UNITS) / 2;
        let sample = begin..units.min(begin + SAMPLE_UNITS);
        let (mut text, mut rows) = (Vec::new(), 0);
        generator.rows(table, sample.clone(), &mut |row| {
            write_row(&mut text, row);
            rows += 1;
        });
        let per_unit = |number: usize| number as f64 / (sample.end - sample.start).max(1) as f64;
        Self {
            table,
            units,
            bytes_per_unit: per_unit(text.len()),
            rows_per_unit: per_unit(rows),
            units_sent: AtomicU64::new(0),
            rows: AtomicU64::new(0),
        }
    }

    fn bytes(&self) -> f64 {
        self.bytes_per_unit * self.units as f64
    }

    fn units_left(&self) -> f64 {
        (self.units - self.units_sent.load(Relaxed)) as f64
    }

    fn bytes_left(&self) -> f64 {
        self.bytes_per_unit * self.units_left()
    }

    fn rows_left(&self) -> f64 {
        self.rows_per_unit * self.units_left()
    }

    fn parts(&self) -> impl Iterator<Item = Range<u64>> {
        let units = self.units;
        let step = (PART_BYTES / self.bytes_per_unit.max(1.0)).ceil() as u64;
        (0..units).step_by(step as usize).map(move |begin| begin..units.min(begin + step))
    }
}

//! Statements of a stack, traced by the server itself.
//!
//! The server's statement log is switched on and off while it runs and goes to a file in the instance's folder. Only
//! the stack's user is traced, not the laboratory. MariaDB's log lacks pings, and statements that can't be prepared.

mod general_log;
mod postgresql_log;
mod session;
mod sql;
mod tables;
mod transactions;

use crate::{Instance, ServiceError, StoreKind, store::AdminEndpoint};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::PathBuf,
};
use testbed::HostHandle;
use {sql::Dialect, transactions::Transactions};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The statements in order, with `?` for each literal, the same whether sent as text or executed as prepared.
    /// [`BEGIN`], [`COMMIT`] and [`ROLLBACK`] stand around those that take effect together, however the driver says it.
    pub statements: Vec<String>,
    /// Tables that they read, write or lock, as far as they name them.
    pub tables: BTreeSet<String>,
    /// Counts of what a driver sends beside the stack's statements: `prepare`, `close`, `connect`, `change user`, `set`,
    /// `begin`, `commit`. Those without an answer (`close`, `quit`) may appear one trace late.
    pub housekeeping: BTreeMap<String, u32>,
    /// Waits of the stack for the database, including housekeeping; an estimate where
    /// [`StoreKind::tells_round_trips`] says no.
    pub round_trips: u32,
}

pub use {
    tables::reads_only,
    transactions::{BEGIN, COMMIT, ROLLBACK},
};

impl Trace {
    /// Statements that the stack sent, without the boundaries of transactions.
    pub fn sent(&self) -> usize {
        self.statements
            .iter()
            .filter(|statement| ![BEGIN, COMMIT, ROLLBACK].contains(&statement.as_str()))
            .count()
    }

    fn note(&mut self, housekeeping: &str) {
        *self.housekeeping.entry(housekeeping.to_owned()).or_default() += 1;
    }
}

/// A statement in a log.
#[derive(Debug)]
struct Sent {
    connection: u64,
    /// Text as sent, with its literals.
    statement: String,
}

#[derive(Debug)]
pub struct Tracer {
    place: HostHandle,
    log: PathBuf,
    /// Bytes of the log that were read.
    read: u64,
    reader: Reader,
    rest: Vec<u8>,
    transactions: Transactions,
}

#[derive(Debug)]
enum Reader {
    Mariadb {
        /// The threads that serve the stack.
        threads: BTreeSet<u64>,
    },
    Postgresql,
}

fn no_sql(instance: &Instance) -> ServiceError {
    let fault = "it speaks no SQL, so that there are no statements to trace".to_owned();
    ServiceError::Store { service: instance.service().name.clone(), fault }
}

impl Tracer {
    pub fn start(instance: &Instance) -> Result<Self, ServiceError> {
        let place = instance.place();
        let (log, read, reader) = match AdminEndpoint::of(instance)?.kind() {
            StoreKind::Mariadb => {
                let threads = general_log::begin(instance)?;
                (general_log::log_of(instance), 0, Reader::Mariadb { threads })
            }
            StoreKind::Postgresql => {
                let log = instance.log_path();
                let read = place.read(&log)?.len() as u64;
                postgresql_log::switch(instance, true)?;
                (log, read, Reader::Postgresql)
            }
            StoreKind::Dovecot | StoreKind::Openldap => return Err(no_sql(instance)),
        };
        let place = place.clone();
        Ok(Self { place, log, read, reader, rest: Vec::new(), transactions: Transactions::default() })
    }

    pub fn stop(instance: &Instance) -> Result<(), ServiceError> {
        match AdminEndpoint::of(instance)?.kind() {
            StoreKind::Mariadb => general_log::end(instance),
            StoreKind::Postgresql => postgresql_log::switch(instance, false),
            StoreKind::Dovecot | StoreKind::Openldap => Err(no_sql(instance)),
        }
    }

    /// The stack's requests since the last call, including all that were answered.
    pub fn take(&mut self) -> io::Result<Trace> {
        let new = match self.place.read_from(&self.log, self.read) {
            // The end of tracing has removed it.
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Vec::new(),
            new => new?,
        };
        self.read += new.len() as u64;
        self.rest.extend(new);
        let complete = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.rest.drain(..complete).collect();
        let mut trace = Trace::default();
        let lines = String::from_utf8_lossy(&lines);
        let (sent, dialect) = match &mut self.reader {
            Reader::Mariadb { threads } => (general_log::add(&mut trace, &lines, threads), Dialect::Mariadb),
            Reader::Postgresql => (postgresql_log::add(&mut trace, &lines), Dialect::Postgresql),
        };
        self.transactions.add(&mut trace, sent, dialect);
        Ok(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fs_err as fs;

    #[test]
    fn only_the_stacks_threads_count_also_those_that_were_there_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("general.log");
        let said = |text: &str| fs::write(&path, text).unwrap();
        said(concat!(
            "261122  0:01:17\t     4 Query\tSELECT 'of the laboratory'\n",
            "\t\t    18 Change user\tbench@127.0.0.1 on auction using TCP/IP\n",
            "\t\t    18 Query\tSTART TRANSACTION\n",
            "\t\t    18 Prepare\tUPDATE items SET max_bid = ? WHERE id = ?\n",
            "\t\t     5 Connect\troot@localhost on  using Socket\n",
            "\t\t     5 Query\tSELECT 1\n",
            "\t\t    18 Execute\tUPDATE items SET max_bid = '900000.00' WHERE id = 30\n",
            "\t\t    18 Close stmt\t\n",
            "\t\t    18 Query\tCOMMIT\n",
            "\t\t    19 Connect\tbench@127.0.0.1 on auction using TCP/IP\n",
            "\t\t    19 Reset connection\t\n",
            "\t\t    19 Quit\t\n",
            "\t\t    18 Quer",
        ));
        let mut tracer = Tracer {
            place: HostHandle::default(),
            log: path.clone(),
            read: 0,
            reader: Reader::Mariadb { threads: [18].into() },
            rest: Vec::new(),
            transactions: Transactions::default(),
        };
        let trace = tracer.take().unwrap();
        assert_eq!(trace.statements, ["UPDATE items SET max_bid = ? WHERE id = ?"]);
        assert_eq!(trace.tables, ["items".to_owned()].into());
        let housekeeping =
            ["begin", "change user", "close", "commit", "connect", "prepare", "quit", "reset connection"];
        assert_eq!(trace.housekeeping, housekeeping.map(|name| (name.to_owned(), 1)).into());
        assert_eq!(trace.round_trips, 2 + 1 + 1 + 1 + 1 + 2 + 1);
        assert_eq!(tracer.take().unwrap(), Trace::default(), "what has no end yet waits");
        let before = fs::read_to_string(&path).unwrap();
        said(&format!("{before}y\tDELETE FROM items\n"));
        assert_eq!(tracer.take().unwrap().statements, ["DELETE FROM items"]);
    }
}

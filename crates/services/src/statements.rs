//! The statements that a stack sends, traced by the server itself.
//!
//! MariaDB's general log is switched on and off while it runs and goes to a file in the instance's folder. Only what
//! the stack's user does is taken from it, not what the laboratory does as root. Two things never reach the log: a
//! ping, and a statement that can't even be prepared.

mod log;
mod sql;

use crate::{Instance, ServiceError, mariadb};
use fs_err as fs;
use log::Entry;
use mysql::prelude::Queryable;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Read},
    path::PathBuf,
};

/// What a stack has asked its database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The statements in order, with `?` for each literal, the same whether sent as text or executed as prepared.
    pub statements: Vec<String>,
    /// How often the driver did what is no statement: `prepare`, `close`, `connect`, `change user`. What needs no answer
    /// (`close`, `quit`) may be seen one trace too late.
    pub housekeeping: BTreeMap<String, u32>,
    /// How often the stack waited for the database, with the housekeeping.
    pub round_trips: u32,
}

/// A running trace.
#[derive(Debug)]
pub struct Tracer {
    log: fs::File,
    /// The threads that serve the stack.
    threads: BTreeSet<u64>,
    /// The begin of a line whose end has not been written yet.
    rest: Vec<u8>,
}

impl Tracer {
    /// Begins a trace with an empty log. It lasts until the instance stops.
    pub fn start(instance: &Instance) -> Result<Self, ServiceError> {
        Self::stop(instance)?;
        let ask = |error: mysql::Error| mariadb::store_error(instance, &error);
        let mut connection = mariadb::connect(instance, None)?;
        connection.query_drop("SET GLOBAL general_log = ON").map_err(ask)?;
        // Asked only now, so that whoever connects meanwhile is either here or in the log.
        let threads = "SELECT id FROM information_schema.processlist WHERE user = ?";
        let threads = connection.exec(threads, (mariadb::STACK_USER,)).map_err(ask)?;
        Ok(Self {
            log: fs::File::open(log_of(instance))?,
            threads: threads.into_iter().collect(),
            rest: Vec::new(),
        })
    }

    /// Ends the trace, if one runs, and removes its log.
    pub fn stop(instance: &Instance) -> Result<(), ServiceError> {
        let mut connection = mariadb::connect(instance, None)?;
        let off = connection.query_drop("SET GLOBAL general_log = OFF");
        off.map_err(|error| mariadb::store_error(instance, &error))?;
        match fs::remove_file(log_of(instance)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// What the stack has asked since the last call. All of it that has been answered is there.
    pub fn take(&mut self) -> io::Result<Trace> {
        self.log.read_to_end(&mut self.rest)?;
        let complete = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.rest.drain(..complete).collect();
        let mut trace = Trace::default();
        for entry in log::entries(&String::from_utf8_lossy(&lines)) {
            if self.is_of_stack(&entry) {
                trace.add(&entry);
            }
        }
        Ok(trace)
    }

    /// Whether the stack's user asked this; notes who has just become that user, and who is no longer.
    fn is_of_stack(&mut self, entry: &Entry<'_>) -> bool {
        if matches!(entry.command, "Connect" | "Change user") {
            let user = entry.argument.split('@').next();
            match user == Some(mariadb::STACK_USER) {
                true => self.threads.insert(entry.thread),
                false => self.threads.remove(&entry.thread),
            };
        }
        self.threads.contains(&entry.thread)
    }
}

impl Trace {
    fn add(&mut self, entry: &Entry<'_>) {
        self.round_trips += round_trips(entry.command);
        match entry.command {
            "Query" | "Execute" => self.statements.push(sql::normalise(entry.argument)),
            other => {
                let name = other.trim_end_matches(" stmt").to_lowercase();
                *self.housekeeping.entry(name).or_default() += 1;
            }
        }
    }
}

/// How often a command waits for an answer.
fn round_trips(command: &str) -> u32 {
    match command {
        // The server speaks first and then answers; after that, whoever changes the user is asked once more who he is.
        "Connect" | "Change user" => 2,
        "Close stmt" | "Long Data" | "Quit" => 0,
        _ => 1,
    }
}

fn log_of(instance: &Instance) -> PathBuf {
    instance.folder().join("general.log")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut tracer =
            Tracer { log: fs::File::open(&path).unwrap(), threads: [18].into(), rest: Vec::new() };
        let trace = tracer.take().unwrap();
        let statements = ["START TRANSACTION", "UPDATE items SET max_bid = ? WHERE id = ?", "COMMIT"];
        assert_eq!(trace.statements, statements);
        let housekeeping = [("change user", 1), ("close", 1), ("connect", 1), ("prepare", 1), ("quit", 1)];
        let housekeeping = housekeeping.iter().chain(&[("reset connection", 1)]);
        assert_eq!(
            trace.housekeeping,
            housekeeping.map(|(name, count)| ((*name).to_owned(), *count)).collect()
        );
        assert_eq!(trace.round_trips, 2 + 1 + 1 + 1 + 1 + 2 + 1);
        assert_eq!(tracer.take().unwrap(), Trace::default(), "what has no end yet waits");
        let before = fs::read_to_string(&path).unwrap();
        said(&format!("{before}y\tROLLBACK\n"));
        assert_eq!(tracer.take().unwrap().statements, ["ROLLBACK"]);
    }
}

//! Connections of tests to a database of either kind, for tests of other crates (feature `fixture`).

use mysql::{Conn, OptsBuilder, Row, prelude::Queryable};
use postgres::{Client, Config, NoTls, SimpleQueryMessage};
use std::{collections::BTreeMap, fs, path::Path};

/// A connection. PostgreSQL's is boxed because it is large.
pub enum Connection {
    Mariadb(Conn),
    Postgresql(Box<Client>),
}

impl Connection {
    pub fn with_all_rights(folder: &Path, database: &str) -> Self {
        let socket = folder.join("sql.sock");
        if socket.exists() {
            let socket = socket.display().to_string();
            let options = OptsBuilder::new().socket(Some(socket)).prefer_socket(true).user(Some("root"));
            return Self::Mariadb(Conn::new(options.db_name(Some(database))).unwrap());
        }
        let mut config = Config::new();
        config.host_path(folder).port(port_of_socket(folder)).user("postgres").dbname(database);
        Self::Postgresql(Box::new(config.connect(NoTls).unwrap()))
    }

    /// With the stack's rights, over the network, by the variables of its environment.
    pub fn of_stack(variables: &BTreeMap<String, String>) -> Self {
        let text = |name: &str| variables[&format!("TIERBENCH_DB_{name}")].clone();
        let port = text("PORT").parse().unwrap();
        match variables["TIERBENCH_DB_SERVICE"].as_str() {
            "mariadb" => {
                let options = OptsBuilder::new()
                    .ip_or_hostname(Some(text("HOST")))
                    .tcp_port(port)
                    .user(Some(text("USER")))
                    .pass(Some(text("PASSWORD")))
                    .db_name(Some(text("NAME")));
                Self::Mariadb(Conn::new(options.prefer_socket(false)).unwrap())
            }
            "postgresql" => {
                let mut config = Config::new();
                config.host(&text("HOST")).port(port).user(&text("USER")).password(text("PASSWORD"));
                config.dbname(&text("NAME"));
                Self::Postgresql(Box::new(config.connect(NoTls).unwrap()))
            }
            other => panic!("no database is called {other}"),
        }
    }

    /// Sends a statement as text; the error is the database's code for it.
    pub fn try_run(&mut self, statement: &str) -> Result<(), String> {
        match self {
            Self::Mariadb(connection) => connection.query_drop(statement).map_err(|fault| match fault {
                mysql::Error::MySqlError(fault) => fault.code.to_string(),
                other => panic!("{other}"),
            }),
            Self::Postgresql(client) => client
                .batch_execute(statement)
                .map_err(|fault| fault.code().unwrap_or_else(|| panic!("{fault}")).code().to_owned()),
        }
    }

    pub fn run(&mut self, statement: &str) {
        self.try_run(statement).unwrap_or_else(|code| panic!("error {code}: {statement}"));
    }

    /// The rows of a query as text; none for NULL.
    pub fn rows(&mut self, query: &str) -> Vec<Vec<String>> {
        match self {
            Self::Mariadb(connection) => {
                let rows: Vec<Row> = connection.query(query).unwrap();
                let text = |value| mysql::from_value_opt(value).unwrap_or_default();
                rows.into_iter().map(|row| row.unwrap().into_iter().map(text).collect()).collect()
            }
            Self::Postgresql(client) => {
                let answers = client.simple_query(query).unwrap();
                let row = |answer| match answer {
                    SimpleQueryMessage::Row(row) => {
                        Some((0..row.len()).map(|at| row.get(at).unwrap_or_default().to_owned()).collect())
                    }
                    _ => None,
                };
                answers.into_iter().filter_map(row).collect()
            }
        }
    }
}

fn port_of_socket(folder: &Path) -> u16 {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut ports = names.filter_map(|name| name.to_str()?.strip_prefix(".s.PGSQL.")?.parse().ok());
    ports.next().expect("a database has a socket in its folder")
}

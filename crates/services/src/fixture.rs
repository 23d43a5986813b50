//! Connections of tests to a database of either kind, for tests of other crates (feature `fixture`).

use crate::{
    Instance, StoreKind,
    store::{AdminEndpoint, connect_to_mariadb, connect_to_postgresql},
};
use mysql::{Conn, OptsBuilder, Row, prelude::Queryable};
use postgres::{Client, Config, NoTls, SimpleQueryMessage};
use std::collections::BTreeMap;

/// The user with all rights on a server, which may be in use elsewhere.
pub struct Administrator(AdminEndpoint);

impl Administrator {
    pub fn of(instance: &Instance) -> Self {
        Self(AdminEndpoint::of(instance).unwrap())
    }

    /// The server's refusal of a guessed password; none if it is accepted.
    pub fn refusal(&self, password: &str) -> Option<String> {
        self.0.guessing(password).open(None).err().map(|fault| fault.0)
    }

    pub fn connect(&self, database: &str) -> Connection {
        match self.0.kind() {
            StoreKind::Mariadb => Connection::Mariadb(connect_to_mariadb(&self.0, Some(database)).unwrap()),
            _ => Connection::Postgresql(Box::new(connect_to_postgresql(&self.0, Some(database)).unwrap())),
        }
    }
}

/// A connection. PostgreSQL's is boxed because it is large.
pub enum Connection {
    Mariadb(Conn),
    Postgresql(Box<Client>),
}

impl Connection {
    pub fn with_all_rights(instance: &Instance, database: &str) -> Self {
        Administrator::of(instance).connect(database)
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

//! The kinds of data stores that the laboratory knows.

use application::Keeper;
use serde::Deserialize;

/// Data stores that the laboratory can load, snapshot and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoreKind {
    /// MariaDB and what speaks its protocol.
    Mariadb,
    /// PostgreSQL.
    Postgresql,
    /// Mailboxes, read over IMAP and filled over LMTP.
    Dovecot,
    /// A directory, asked over LDAP.
    Openldap,
}

impl StoreKind {
    /// As stacks are told it in `TIERBENCH_DB_SERVICE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mariadb => "mariadb",
            Self::Postgresql => "postgresql",
            Self::Dovecot => "dovecot",
            Self::Openldap => "openldap",
        }
    }

    /// What it keeps as records; none if it keeps rows and speaks SQL.
    pub fn keeper(self) -> Option<Keeper> {
        match self {
            Self::Mariadb | Self::Postgresql => None,
            Self::Dovecot => Some(Keeper::Mailboxes),
            Self::Openldap => Some(Keeper::Directory),
        }
    }

    /// Whether its log tells how often a client waits for an answer. PostgreSQL's clients may send several messages at
    /// once, and the log doesn't say that they did.
    pub fn tells_round_trips(self) -> bool {
        self == Self::Mariadb
    }
}

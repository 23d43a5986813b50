use application::Keeper;
use serde::Deserialize;

/// Data stores that the laboratory can load, snapshot and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoreKind {
    Mariadb,
    Postgresql,
    /// Mailboxes, read over IMAP and filled over LMTP.
    Dovecot,
    /// A directory, read over LDAP.
    Openldap,
}

impl StoreKind {
    /// The value of `TIERBENCH_DB_SERVICE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mariadb => "mariadb",
            Self::Postgresql => "postgresql",
            Self::Dovecot => "dovecot",
            Self::Openldap => "openldap",
        }
    }

    /// The kind of records; none for a store with SQL.
    pub fn keeper(self) -> Option<Keeper> {
        match self {
            Self::Mariadb | Self::Postgresql => None,
            Self::Dovecot => Some(Keeper::Mailboxes),
            Self::Openldap => Some(Keeper::Directory),
        }
    }

    /// True if its log shows each round trip. PostgreSQL's clients may pipeline messages, which the log doesn't show.
    pub fn tells_round_trips(self) -> bool {
        self == Self::Mariadb
    }
}

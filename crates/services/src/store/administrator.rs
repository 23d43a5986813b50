//! The password of a database's administrator, which the laboratory alone knows.
//!
//! Each instance has a new one, in the laboratory's memory only. The server gets what it checks the password by, from which
//! nobody can tell it, before it takes the first connection: there is no moment in which a stack could log in without it.

use super::{mariadb, postgresql};
use crate::{Instance, ServiceError, StoreKind};
use fs_err as fs;
use postgres_protocol::password::scram_sha_256;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use std::{io, path::Path};

/// The statements that MariaDB runs at each start, before it takes connections.
const INIT: &str = "init.sql";
/// The file in which PostgreSQL looks for who may connect; its first line that fits decides.
const WHO_MAY_CONNECT: &str = "pg_hba.conf";

/// Runs a statement while no server runs: the folder and the statement follow the program.
const ALONE: &str =
    r#"printf '%s\n' "$2" | "$0" --single -D "$1/data" -c config_file="$1/postgresql.conf" postgres"#;

/// Adds to a service's rendered files that its administrator needs this password.
pub(crate) fn guard(kind: StoreKind, folder: &Path, password: &str) -> io::Result<()> {
    let (file, change): (_, fn(&str, &str) -> String) = match kind {
        StoreKind::Mariadb => (INIT, with_password),
        StoreKind::Postgresql => (WHO_MAY_CONNECT, with_question),
        StoreKind::Dovecot | StoreKind::Openldap => return Ok(()),
    };
    let path = folder.join(file);
    let rendered = fs::read_to_string(&path)?;
    fs::write(path, change(&rendered, password))
}

/// Gives the administrator of a stopped server its password, where only its data can hold it.
pub(crate) fn let_in(instance: &Instance) -> Result<(), ServiceError> {
    if instance.service().store() != Some(StoreKind::Postgresql) {
        return Ok(());
    }
    let verifier = scram_sha_256(instance.administrator().as_bytes());
    let statement = format!("ALTER ROLE {} PASSWORD '{verifier}'", postgresql::ADMINISTRATOR);
    let (program, folder) =
        (instance.program().display().to_string(), instance.folder().display().to_string());
    instance.run_tool("sh", &["-c", ALONE, &program, &folder, &statement]).map(drop)
}

fn with_password(statements: &str, password: &str) -> String {
    let account = format!("{}@localhost", mariadb::ADMINISTRATOR);
    let hash = native_hash(password);
    format!("{statements}ALTER USER {account} IDENTIFIED VIA mysql_native_password USING '{hash}';\n")
}

fn with_question(lines: &str, _password: &str) -> String {
    format!("local all {} scram-sha-256\n{lines}", postgresql::ADMINISTRATOR)
}

/// The hash by which MariaDB's native protocol checks a password. Who has it can't log in: that takes the hash's origin.
fn native_hash(password: &str) -> String {
    let once = digest(&SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes());
    let twice = digest(&SHA1_FOR_LEGACY_USE_ONLY, once.as_ref());
    twice.as_ref().iter().fold("*".to_owned(), |text, byte| format!("{text}{byte:02X}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server's own function PASSWORD says the same.
    #[test]
    fn a_password_is_hashed_as_mariadb_does() {
        assert_eq!(native_hash("password"), "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19");
    }

    #[test]
    fn a_service_asks_its_administrator_first_and_holds_no_password() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        for name in [INIT, WHO_MAY_CONNECT] {
            std::fs::write(folder.path().join(name), "first;\nlocal all postgres trust\n").unwrap();
        }
        for kind in [StoreKind::Mariadb, StoreKind::Postgresql, StoreKind::Openldap] {
            guard(kind, folder.path(), "secret").unwrap();
        }
        assert!(
            file(WHO_MAY_CONNECT).starts_with("local all postgres scram-sha-256\n"),
            "{}",
            file(WHO_MAY_CONNECT)
        );
        let last = file(INIT).lines().last().unwrap().to_owned();
        assert!(
            last.starts_with("ALTER USER root@localhost IDENTIFIED VIA mysql_native_password USING '*"),
            "{last}"
        );
        assert!([INIT, WHO_MAY_CONNECT].iter().all(|name| !file(name).contains("secret")));
    }
}

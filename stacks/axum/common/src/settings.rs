use anyhow::{Context, bail};
use std::env;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The way in which statements come about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Access {
    /// Statements of our own, through SQLx.
    Sql,
    /// Statements of the object-relational mapper, SeaORM.
    Orm,
}

impl FromStr for Access {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> anyhow::Result<Self> {
        match name {
            "sql" => Ok(Self::Sql),
            "orm" => Ok(Self::Orm),
            _ => bail!("{name:?} is neither sql nor orm"),
        }
    }
}

/// All that the environment says.
pub struct Settings {
    pub listen: SocketAddr,
    /// The folder of the application's files. It mirrors URLs.
    pub files: PathBuf,
    /// The time for which an idle connection is held.
    pub keep_alive: Duration,
    pub service: String,
    pub host: String,
    pub port: u16,
    pub database: String,
    pub user: String,
    pub password: String,
    pub pool: u32,
    pub access: Access,
}

impl Settings {
    pub fn from_environment() -> anyhow::Result<Self> {
        Ok(Self {
            listen: variable("LISTEN")?,
            files: variable("FILES")?,
            keep_alive: Duration::from_millis(variable("KEEP_ALIVE_MS")?),
            service: variable("TIERBENCH_DB_SERVICE")?,
            host: variable("TIERBENCH_DB_HOST")?,
            port: variable("TIERBENCH_DB_PORT")?,
            database: variable("TIERBENCH_DB_NAME")?,
            user: variable("TIERBENCH_DB_USER")?,
            password: variable("TIERBENCH_DB_PASSWORD")?,
            pool: variable("TIERBENCH_FACTOR_POOL")?,
            access: variable("TIERBENCH_FACTOR_ACCESS")?,
        })
    }
}

/// Reads an environment variable, and names it if it is missing or wrong.
pub(crate) fn variable<T: FromStr>(name: &str) -> anyhow::Result<T>
where
    T::Err: Into<anyhow::Error>,
{
    let text = env::var(name).with_context(|| format!("the environment variable {name} cannot be read"))?;
    text.parse().map_err(Into::into).with_context(|| format!("the environment variable {name} is {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_variable_is_named() {
        let fault = variable::<u16>("NO_SUCH_VARIABLE").expect_err("nobody sets it");
        assert!(fault.to_string().contains("NO_SUCH_VARIABLE"), "{fault}");
    }
}

use crate::Settings;
use anyhow::bail;
use rust_decimal::Decimal;
use sea_orm::{DatabaseConnection, SqlxMySqlConnector, SqlxPostgresConnector};
use sqlx::mysql::{MySqlArguments, MySqlConnectOptions, MySqlRow};
use sqlx::pool::{PoolConnection, PoolOptions};
use sqlx::postgres::{PgArguments, PgConnectOptions, PgRow, PgSslMode};
use sqlx::{
    Arguments, AssertSqlSafe, Connection, FromRow, MySql, MySqlPool, PgPool, Postgres, SqlSafeStr, SqlStr,
    Transaction,
};
use std::sync::OnceLock;
use std::time::Duration;

/// Connections that have been idle for longer are tested before they are used.
const TESTED_AFTER: Duration = Duration::from_millis(500);

/// A pool of connections.
#[derive(Clone)]
pub enum Database {
    MariaDb(MySqlPool),
    PostgreSql(PgPool),
}

impl Database {
    pub async fn connect(settings: &Settings) -> anyhow::Result<Self> {
        match settings.service.as_str() {
            "mariadb" => {
                let options = MySqlConnectOptions::new()
                    .host(&settings.host)
                    .port(settings.port)
                    .database(&settings.database)
                    .username(&settings.user)
                    .password(&settings.password);
                Ok(Self::MariaDb(pool(settings).connect_with(options).await?))
            }
            "postgresql" => {
                let options = PgConnectOptions::new_without_pgpass()
                    .host(&settings.host)
                    .port(settings.port)
                    .database(&settings.database)
                    .username(&settings.user)
                    .password(&settings.password)
                    .ssl_mode(PgSslMode::Disable);
                Ok(Self::PostgreSql(pool(settings).connect_with(options).await?))
            }
            other => bail!("TIERBENCH_DB_SERVICE is {other:?}, which is neither mariadb nor postgresql"),
        }
    }

    /// The same pool for SeaORM.
    pub fn orm(self) -> DatabaseConnection {
        match self {
            Self::MariaDb(pool) => SqlxMySqlConnector::from_sqlx_mysql_pool(pool),
            Self::PostgreSql(pool) => SqlxPostgresConnector::from_sqlx_postgres_pool(pool),
        }
    }

    /// Takes a connection, which goes back into the pool when the session is dropped.
    pub async fn session(&self) -> sqlx::Result<Session> {
        Ok(match self {
            Self::MariaDb(pool) => Session::MariaDb(Lease::Plain(pool.acquire().await?)),
            Self::PostgreSql(pool) => Session::PostgreSql(Lease::Plain(pool.acquire().await?)),
        })
    }

    /// Begins a transaction, which is rolled back if the session is dropped.
    pub async fn begin(&self) -> sqlx::Result<Session> {
        Ok(match self {
            Self::MariaDb(pool) => Session::MariaDb(Lease::Atomic(pool.begin().await?)),
            Self::PostgreSql(pool) => Session::PostgreSql(Lease::Atomic(pool.begin().await?)),
        })
    }
}

/// The pool's settings. As SQLx's documents show, not each use of a connection costs a test.
fn pool<DB: sqlx::Database>(settings: &Settings) -> PoolOptions<DB> {
    PoolOptions::new().max_connections(settings.pool).test_before_acquire(false).before_acquire(
        |connection: &mut DB::Connection, metadata| {
            Box::pin(async move {
                if metadata.idle_for > TESTED_AFTER {
                    connection.ping().await?;
                }
                Ok(true)
            })
        },
    )
}

/// A statement, with `$1` for the first of its values, `{second}` for the present second, and `RETURNING id` in an INSERT.
pub struct Query {
    text: &'static str,
    spelled: OnceLock<SqlStr>,
}

impl Query {
    pub const fn new(text: &'static str) -> Self {
        Self { text, spelled: OnceLock::new() }
    }

    /// Spells it for the one database that this program talks to.
    fn spelled(&self, spell: fn(&str) -> String) -> SqlStr {
        self.spelled.get_or_init(|| AssertSqlSafe(spell(self.text)).into_sql_str()).clone()
    }
}

fn for_mariadb(text: &str) -> String {
    let mut parts = text.split('$');
    let first = parts.next().unwrap_or_default().to_owned();
    let spelled = parts
        .fold(first, |spelled, part| spelled + "?" + part.trim_start_matches(|c: char| c.is_ascii_digit()));
    spelled.replace("{second}", "NOW()").replace(" RETURNING id", "")
}

/// Says the second in which the statement began: `NOW()` is when the transaction began, with a fraction.
fn for_postgresql(text: &str) -> String {
    text.replace("{second}", "DATE_TRUNC('second', STATEMENT_TIMESTAMP())")
}

/// A value of a statement.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Integer(i32),
    Money(Decimal),
    Text(&'a str),
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Self::Integer(number)
    }
}

impl From<Decimal> for Value<'_> {
    fn from(amount: Decimal) -> Self {
        Self::Money(amount)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

/// A row that can be read from both databases.
pub trait Row: Send + Unpin + for<'r> FromRow<'r, MySqlRow> + for<'r> FromRow<'r, PgRow> {}

impl<T: Send + Unpin + for<'r> FromRow<'r, MySqlRow> + for<'r> FromRow<'r, PgRow>> Row for T {}

pub enum Lease<DB: sqlx::Database> {
    Plain(PoolConnection<DB>),
    Atomic(Transaction<'static, DB>),
}

impl<DB: sqlx::Database> Lease<DB> {
    fn connection(&mut self) -> &mut DB::Connection {
        match self {
            Self::Plain(connection) => connection,
            Self::Atomic(transaction) => transaction,
        }
    }

    async fn commit(self) -> sqlx::Result<()> {
        match self {
            Self::Plain(_) => Ok(()),
            Self::Atomic(transaction) => transaction.commit().await,
        }
    }
}

/// A connection on which prepared statements are sent.
pub enum Session {
    MariaDb(Lease<MySql>),
    PostgreSql(Lease<Postgres>),
}

impl Session {
    /// Reads all rows.
    pub async fn all<T: Row>(&mut self, query: &Query, values: &[Value<'_>]) -> sqlx::Result<Vec<T>> {
        match self {
            Self::MariaDb(lease) => {
                let text = query.spelled(for_mariadb);
                sqlx::query_as_with(text, mariadb_values(values)?).fetch_all(lease.connection()).await
            }
            Self::PostgreSql(lease) => {
                let text = query.spelled(for_postgresql);
                sqlx::query_as_with(text, postgresql_values(values)?).fetch_all(lease.connection()).await
            }
        }
    }

    /// Reads the row, if there is one.
    pub async fn optional<T: Row>(&mut self, query: &Query, values: &[Value<'_>]) -> sqlx::Result<Option<T>> {
        Ok(self.all(query, values).await?.pop())
    }

    /// Reads the row that must be there.
    pub async fn one<T: Row>(&mut self, query: &Query, values: &[Value<'_>]) -> sqlx::Result<T> {
        self.optional(query, values).await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Changes rows.
    pub async fn execute(&mut self, query: &Query, values: &[Value<'_>]) -> sqlx::Result<()> {
        match self {
            Self::MariaDb(lease) => {
                let text = query.spelled(for_mariadb);
                sqlx::query_with(text, mariadb_values(values)?).execute(lease.connection()).await?;
            }
            Self::PostgreSql(lease) => {
                let text = query.spelled(for_postgresql);
                sqlx::query_with(text, postgresql_values(values)?).execute(lease.connection()).await?;
            }
        }
        Ok(())
    }

    /// Inserts a row, and returns the id that the database gave it.
    pub async fn insert(&mut self, query: &Query, values: &[Value<'_>]) -> sqlx::Result<i32> {
        match self {
            Self::MariaDb(lease) => {
                let text = query.spelled(for_mariadb);
                let done =
                    sqlx::query_with(text, mariadb_values(values)?).execute(lease.connection()).await?;
                i32::try_from(done.last_insert_id()).map_err(|error| sqlx::Error::Decode(error.into()))
            }
            Self::PostgreSql(_) => Ok(self.one::<(i32,)>(query, values).await?.0),
        }
    }

    pub async fn commit(self) -> sqlx::Result<()> {
        match self {
            Self::MariaDb(lease) => lease.commit().await,
            Self::PostgreSql(lease) => lease.commit().await,
        }
    }
}

/// Implements a function that binds values.
macro_rules! bind {
    ($name:ident, $arguments:ty) => {
        fn $name(values: &[Value<'_>]) -> sqlx::Result<$arguments> {
            let mut arguments = <$arguments>::default();
            for value in values {
                match *value {
                    Value::Integer(number) => arguments.add(number),
                    Value::Money(amount) => arguments.add(amount),
                    Value::Text(text) => arguments.add(text),
                }
                .map_err(sqlx::Error::Encode)?;
            }
            Ok(arguments)
        }
    };
}

bind!(mariadb_values, MySqlArguments);
bind!(postgresql_values, PgArguments);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_database_gets_its_own_spelling() {
        let text = "INSERT INTO t (a, b, c) VALUES ($1, {second}, $12) RETURNING id";
        assert_eq!(for_mariadb(text), "INSERT INTO t (a, b, c) VALUES (?, NOW(), ?)");
        assert_eq!(
            for_postgresql(text),
            "INSERT INTO t (a, b, c) VALUES ($1, DATE_TRUNC('second', STATEMENT_TIMESTAMP()), $12) RETURNING id"
        );
    }
}

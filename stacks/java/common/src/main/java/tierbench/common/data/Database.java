package tierbench.common.data;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tierbench.common.Environment;

/**
 * The database, through a pool of connections that are all opened at the start and kept. Each keeps
 * the statements that the server has prepared for it.
 */
public final class Database implements AutoCloseable {
  private final HikariDataSource pool;
  private final Isolation isolation;
  private final Optional<EntityLocks> locks;

  private Database(HikariDataSource pool, Isolation isolation, Optional<EntityLocks> locks) {
    this.pool = pool;
    this.isolation = isolation;
    this.locks = locks;
  }

  /** Opens the database that the environment names. */
  public static Database open(Environment environment) throws SQLException {
    Lockers lockers = Lockers.of(environment.get("TIERBENCH_FACTOR_LOCKS"));
    HikariDataSource pool = new HikariDataSource(configuration(environment));
    fill(pool);
    return new Database(
        pool,
        Isolation.of(environment.get("TIERBENCH_DB_ENGINE"), lockers),
        lockers == Lockers.SERVLETS ? Optional.of(new EntityLocks()) : Optional.empty());
  }

  private static HikariConfig configuration(Environment environment) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("database");
    config.setJdbcUrl(
        "jdbc:mariadb://%s:%s/%s"
            .formatted(
                environment.get("TIERBENCH_DB_HOST"),
                environment.get("TIERBENCH_DB_PORT"),
                environment.get("TIERBENCH_DB_NAME")));
    config.setUsername(environment.get("TIERBENCH_DB_USER"));
    config.setPassword(environment.get("TIERBENCH_DB_PASSWORD"));
    config.setMaximumPoolSize(Integer.parseInt(environment.get("TIERBENCH_FACTOR_POOL")));
    // Whoever runs it sees who waits for a connection.
    config.setRegisterMbeans(true);
    // A connection that is replaced would come back without its prepared statements.
    config.setMaxLifetime(0);
    boolean isPrepared = "prepared".equals(environment.get("TIERBENCH_FACTOR_PROTOCOL"));
    config.addDataSourceProperty("useServerPrepStmts", isPrepared);
    config.addDataSourceProperty("cachePrepStmts", isPrepared);
    return config;
  }

  /** Opens all connections now, where the pool would do so beside the first requests. */
  private static void fill(HikariDataSource pool) throws SQLException {
    List<Connection> all = new ArrayList<>();
    try {
      while (all.size() < pool.getMaximumPoolSize()) {
        all.add(pool.getConnection());
      }
    } finally {
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  /** What one request does with the database. */
  public Session session() {
    return new Session(this);
  }

  @Override
  public void close() {
    pool.close();
  }

  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  /** Closes a connection of the pool for good. */
  void evict(Connection connection) {
    pool.evictConnection(connection);
  }

  Isolation isolation() {
    return isolation;
  }

  Optional<EntityLocks> locks() {
    return locks;
  }
}

package tierbench.common.data;

import java.sql.SQLException;
import java.util.Optional;
import tierbench.common.Environment;

/** The database, and how work in it is kept apart. */
public final class Database implements AutoCloseable {
  private final Connections connections;
  private final Isolation isolation;
  private final Optional<EntityLocks> locks;

  private Database(Connections connections, Isolation isolation, Optional<EntityLocks> locks) {
    this.connections = connections;
    this.isolation = isolation;
    this.locks = locks;
  }

  /** Opens the database that the environment names. */
  public static Database open(Environment environment) throws SQLException {
    Lockers lockers = Lockers.of(environment.get("TIERBENCH_FACTOR_LOCKS"));
    Isolation isolation = Isolation.of(environment, lockers);
    return new Database(
        Connections.open(environment),
        isolation,
        lockers == Lockers.SERVLETS ? Optional.of(new EntityLocks()) : Optional.empty());
  }

  /** What one request does with the database. */
  public Session session() {
    return new Session(this);
  }

  @Override
  public void close() {
    connections.close();
  }

  Connections connections() {
    return connections;
  }

  Isolation isolation() {
    return isolation;
  }

  Optional<EntityLocks> locks() {
    return locks;
  }
}

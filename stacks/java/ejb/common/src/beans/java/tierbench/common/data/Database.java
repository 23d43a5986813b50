package tierbench.common.data;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import tierbench.common.Environment;

/**
 * The database behind a container's data source. The container's transactions make work atomic, so
 * no statement begins or ends one; on MyISAM, which knows none, work locks its tables.
 */
public final class Database {
  private static final String MYISAM = "MyISAM";

  private final Connections connections;
  private final Isolation isolation;

  private Database(Connections connections, Isolation isolation) {
    this.connections = connections;
    this.isolation = isolation;
  }

  public static Database behind(DataSource source, Environment environment) {
    boolean hasTransactions = !MYISAM.equals(environment.variables().get("TIERBENCH_DB_ENGINE"));
    Isolation isolation =
        hasTransactions
            ? new Isolation(Optional.of(""), "", "", " FOR UPDATE", "NOW()")
            : Isolation.of(environment, Lockers.DATABASE);
    return new Database(new OfContainer(source), isolation);
  }

  /** The statements of one call. */
  public Session session() {
    return new Session(this);
  }

  Connections connections() {
    return connections;
  }

  Isolation isolation() {
    return isolation;
  }

  /** Only the database locks rows. */
  Optional<EntityLocks> locks() {
    return Optional.empty();
  }

  /** The container's connections, which know the transaction that they are asked for in. */
  private record OfContainer(DataSource source) implements Connections {
    @Override
    public Connection take() throws SQLException {
      return source.getConnection();
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
      connection.close();
    }

    /** One that can't be rolled back fails its transaction, and with that goes out of the pool. */
    @Override
    public void end(Connection connection) {}

    @Override
    public void close() {}
  }
}

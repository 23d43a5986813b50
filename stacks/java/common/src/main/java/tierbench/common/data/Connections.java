package tierbench.common.data;

import java.sql.Connection;
import java.sql.SQLException;
import tierbench.common.Environment;

/** The connections to the database that there are, each lent to one request at a time. */
interface Connections extends AutoCloseable {
  /** Opens them, as many as the environment says. */
  static Connections open(Environment environment) throws SQLException {
    Access access = Access.of(environment);
    String factor = environment.get("TIERBENCH_FACTOR_CONNECTION");
    return switch (factor) {
      case "pool" -> new Pool(access, Integer.parseInt(environment.get("TIERBENCH_FACTOR_POOL")));
      case "shared" -> new SharedConnection(access);
      default -> throw new IllegalArgumentException("a connection can't be %s".formatted(factor));
    };
  }

  /** Waits for a connection that works. */
  Connection take() throws SQLException;

  void giveBack(Connection connection) throws SQLException;

  /** Closes for good what was taken. It is given back nevertheless. */
  void end(Connection connection);

  @Override
  void close();
}

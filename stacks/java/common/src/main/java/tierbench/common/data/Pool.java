package tierbench.common.data;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool of connections that are all opened at the start and kept. Each keeps the statements that
 * the server has prepared for it.
 */
final class Pool implements Connections {
  private final HikariDataSource source;

  Pool(Access access, int size) throws SQLException {
    source = new HikariDataSource(configuration(access, size));
    fill();
  }

  private static HikariConfig configuration(Access access, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("database");
    config.setJdbcUrl(access.url());
    config.setDataSourceProperties(access.properties());
    config.setMaximumPoolSize(size);
    // Whoever runs it sees who waits for a connection.
    config.setRegisterMbeans(true);
    // A connection that is replaced would come back without its prepared statements.
    config.setMaxLifetime(0);
    return config;
  }

  /** Opens all connections now, where the pool would do so beside the first requests. */
  private void fill() throws SQLException {
    List<Connection> all = new ArrayList<>();
    try {
      while (all.size() < source.getMaximumPoolSize()) {
        all.add(take());
      }
    } finally {
      for (Connection connection : all) {
        giveBack(connection);
      }
    }
  }

  @Override
  public Connection take() throws SQLException {
    return source.getConnection();
  }

  @Override
  public void giveBack(Connection connection) throws SQLException {
    connection.close();
  }

  @Override
  public void end(Connection connection) {
    source.evictConnection(connection);
  }

  @Override
  public void close() {
    source.close();
  }
}

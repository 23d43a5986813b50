package tierbench.common;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.stereotype.Component;

/**
 * Opens the pool before the server listens, as Hibernate does anyhow. HikariCP would wait for the
 * first visitor.
 */
@Component
class FilledPool {
  FilledPool(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.getMetaData();
    }
  }
}

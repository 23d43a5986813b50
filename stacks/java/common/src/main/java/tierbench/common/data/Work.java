package tierbench.common.data;

import java.sql.SQLException;

/** Some statements that belong together. */
@FunctionalInterface
public interface Work<T> {
  T run() throws SQLException;
}

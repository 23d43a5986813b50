package tierbench.common.data;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the row that a result stands at. */
@FunctionalInterface
public interface Mapper<T> {
  T map(ResultSet row) throws SQLException;
}

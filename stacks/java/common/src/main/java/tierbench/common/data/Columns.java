package tierbench.common.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import tierbench.common.Money;

/** Columns as our values. */
public final class Columns {
  private Columns() {}

  public static Money money(ResultSet row, String column) throws SQLException {
    return Money.of(row.getBigDecimal(column));
  }

  public static LocalDateTime instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, LocalDateTime.class);
  }
}

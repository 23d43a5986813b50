package tierbench.auction.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.common.Money;

/** Columns as the auction's values. */
final class Columns {
  private Columns() {}

  static Money money(ResultSet row, String column) throws SQLException {
    return Money.of(row.getBigDecimal(column));
  }

  /** The highest bid so far, if there is one. */
  static Optional<Money> highestBid(ResultSet row) throws SQLException {
    return Optional.ofNullable(row.getBigDecimal("max_bid")).map(Money::of);
  }

  static LocalDateTime instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, LocalDateTime.class);
  }
}

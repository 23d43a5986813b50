package tierbench.auction.facade;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import tierbench.auction.entities.Queries;
import tierbench.common.data.Session;

/** Queries over a connection. */
record JdbcQueries(Session session) implements Queries {
  @Override
  public LocalDateTime now() throws SQLException {
    return session
        .row("SELECT NOW() AS now", row -> row.getObject("now", LocalDateTime.class))
        .orElseThrow();
  }

  @Override
  public List<Integer> ofCategory(int category, int before, int size) throws SQLException {
    return session.rows(
        "SELECT id FROM items WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ?, ?",
        row -> row.getInt("id"),
        category,
        before,
        size);
  }

  @Override
  public List<Integer> ofRegion(int category, int region, int before, int size)
      throws SQLException {
    return session.rows(
        """
        SELECT i.id FROM items i JOIN users u ON u.id = i.seller
        WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW() ORDER BY i.end_date, i.id LIMIT ?, ?""",
        row -> row.getInt("id"),
        category,
        region,
        before,
        size);
  }

  @Override
  public Optional<Integer> leading(int item) throws SQLException {
    return session.row(
        "SELECT id FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1",
        row -> row.getInt("id"),
        item);
  }

  /** The id of a table's next row. The caller must hold the row of ids. */
  int next(String table) throws SQLException {
    return session
        .row("SELECT MAX(id) AS last FROM " + table, row -> row.getInt("last") + 1)
        .orElseThrow();
  }
}

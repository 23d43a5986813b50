package tierbench.auction.data;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.auction.rules.Named;
import tierbench.common.Fault;
import tierbench.common.data.Session;

/** The two lists of names by which one looks for items. */
public enum Listing {
  CATEGORIES("categories", "category"),
  REGIONS("regions", "region");

  private final String table;
  private final String one;

  Listing(String table, String one) {
    this.table = table;
    this.one = one;
  }

  public List<Named> all(Session session) throws SQLException {
    return session.rows(
        "SELECT id, name FROM %s ORDER BY id".formatted(table),
        row -> new Named(row.getInt("id"), row.getString("name")));
  }

  /** Refuses an id that there isn't. */
  public String name(Session session, int id) throws SQLException {
    return find(session, id).orElseThrow(() -> Fault.unknown(one, id));
  }

  public Optional<String> find(Session session, int id) throws SQLException {
    return session.row(
        "SELECT name FROM %s WHERE id = ?".formatted(table), row -> row.getString("name"), id);
  }
}

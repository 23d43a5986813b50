package tierbench.bookstore.facade;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tierbench.common.data.Database;
import tierbench.common.data.Mapper;
import tierbench.common.data.Session;

/**
 * What the query language of entities can't say: the database's time, some rows of many, patterns,
 * sums, the largest one, and the next id. Only ids come of it, and figures; what ids stand for is
 * the entities' affair.
 *
 * <p>Each query takes a connection for itself and gives it back: whoever held it while waiting for
 * a transaction's connection might wait for who holds that and waits for this one.
 */
record JdbcQueries(Database database) {
  private static final String BY_TITLE = " ORDER BY i_title, i_id LIMIT 50";

  /** The special characters of an SQL pattern. */
  private static final Pattern SPECIAL = Pattern.compile("[\\\\%_]");

  /** A book with the number of its copies that were sold. */
  record Sold(int book, String copies) {}

  /** The database's time. */
  LocalDateTime now() throws SQLException {
    return row("SELECT NOW() AS now", row -> row.getObject("now", LocalDateTime.class))
        .orElseThrow();
  }

  /** The number of books, whose ids run from 1. */
  int books() throws SQLException {
    return row("SELECT MAX(i_id) AS items FROM item", row -> row.getInt("items")).orElseThrow();
  }

  /** The books of authors whose last names begin so. */
  List<Integer> ofAuthor(String begin) throws SQLException {
    return ids(
        "SELECT i_id AS id FROM author JOIN item ON i_a_id = a_id WHERE a_lname LIKE ?" + BY_TITLE,
        beginning(begin));
  }

  /** The books whose titles begin so. */
  List<Integer> ofTitle(String begin) throws SQLException {
    return ids("SELECT i_id AS id FROM item WHERE i_title LIKE ?" + BY_TITLE, beginning(begin));
  }

  List<Integer> ofSubject(String subject) throws SQLException {
    return ids("SELECT i_id AS id FROM item WHERE i_subject = ?" + BY_TITLE, subject);
  }

  /** The books on a subject that were published last. */
  List<Integer> newest(String subject) throws SQLException {
    return ids(
        """
        SELECT i_id AS id FROM item WHERE i_subject = ? ORDER BY i_pub_date DESC, i_title, i_id LIMIT 50""",
        subject);
  }

  /** The books on a subject of which most copies were sold in the last 3,333 orders. */
  List<Sold> bestSellers(String subject) throws SQLException {
    return rows(
        """
        SELECT i_id, CAST(SUM(ol_qty) AS INTEGER) AS sold FROM order_line JOIN item ON i_id = ol_i_id
        WHERE ol_o_id > (SELECT MAX(o_id) - 3333 FROM orders) AND i_subject = ?
        GROUP BY i_id ORDER BY sold DESC, i_id LIMIT 50""",
        row -> new Sold(row.getInt("i_id"), row.getString("sold")),
        subject);
  }

  /** The other books that recent buyers of this one bought most. */
  List<Integer> boughtTogether(int book) throws SQLException {
    int since =
        row("SELECT MAX(o_id) - 10000 AS since FROM orders", row -> row.getInt("since"))
            .orElseThrow();
    return ids(
        """
        SELECT ol_i_id AS id FROM orders JOIN order_line ON ol_o_id = o_id
        WHERE o_id > ? AND ol_i_id <> ? AND o_c_id IN (
            SELECT o_c_id FROM order_line JOIN orders ON o_id = ol_o_id WHERE ol_i_id = ? AND o_id > ?)
        GROUP BY ol_i_id ORDER BY SUM(ol_qty) DESC, ol_i_id LIMIT 5""",
        since,
        book,
        book,
        since);
  }

  /** The last order of a customer. */
  Optional<Integer> lastOrder(int customer) throws SQLException {
    return row(
        "SELECT o_id AS id FROM orders WHERE o_c_id = ? ORDER BY o_id DESC LIMIT 1",
        row -> row.getInt("id"),
        customer);
  }

  int newId(Numbered table) throws SQLException {
    return newIds(table, 1);
  }

  /**
   * Reserves consecutive ids by the table's counter, and returns the first. The container needs the
   * id of a new entity in advance, and the counter counts inserted rows only. It never goes back,
   * so that rows are inserted and rolled back. IGNORE lets their columns be empty.
   */
  int newIds(Numbered table, int count) throws SQLException {
    String rows = String.join(", ", Collections.nCopies(count, "()"));
    try (Session session = database.session()) {
      session.update("START TRANSACTION");
      try {
        return session.insertKeyed(
            table.id(), "INSERT IGNORE INTO %s () VALUES %s".formatted(table.table(), rows));
      } finally {
        session.update("ROLLBACK");
      }
    }
  }

  private static String beginning(String text) {
    return SPECIAL.matcher(text).replaceAll("\\\\$0") + '%';
  }

  private List<Integer> ids(String query, Object... values) throws SQLException {
    return rows(query, row -> row.getInt("id"), values);
  }

  private <T> Optional<T> row(String query, Mapper<T> mapper, Object... values)
      throws SQLException {
    return rows(query, mapper, values).stream().findFirst();
  }

  private <T> List<T> rows(String query, Mapper<T> mapper, Object... values) throws SQLException {
    try (Session session = database.session()) {
      return session.rows(query, mapper, values);
    }
  }
}

package tierbench.bookstore.data;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.BookChange;
import tierbench.bookstore.rules.Related;
import tierbench.common.Money;
import tierbench.common.data.Columns;
import tierbench.common.data.Session;

/** What those change who run the bookstore. */
public final class BookChanges {
  private BookChanges() {}

  private record Before(String title, Money suggestedPrice, List<Integer> related) {}

  /**
   * Changes a book, which is published anew, and finds out again what goes with it. Returns its
   * title. Nothing is locked: whatever another change comes between, what is written is right.
   */
  public static String make(Session session, BookChange change) throws SQLException {
    Before before = before(session, change.item());
    change.check(before.suggestedPrice());
    List<Integer> related =
        Related.choose(boughtTogether(session, change.item()), before.related());
    session.update(
        """
        UPDATE item SET i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = NOW(), i_related1 = ?,
            i_related2 = ?, i_related3 = ?, i_related4 = ?, i_related5 = ? WHERE i_id = ?""",
        change.price(),
        change.image(),
        change.thumbnail(),
        related.get(0),
        related.get(1),
        related.get(2),
        related.get(3),
        related.get(4),
        change.item());
    return before.title();
  }

  private static Before before(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT i_title, i_srp, i_related1, i_related2, i_related3, i_related4, i_related5 FROM item
            WHERE i_id = ?""",
            row ->
                new Before(
                    row.getString("i_title"), Columns.money(row, "i_srp"), Books.related(row)),
            id)
        .orElseThrow(() -> Books.unknown(id));
  }

  /** The other books of which those who bought this one lately bought most copies. */
  private static List<Integer> boughtTogether(Session session, int id) throws SQLException {
    Optional<Integer> since =
        session.row("SELECT MAX(o_id) - 10000 AS since FROM orders", row -> row.getInt("since"));
    return session.rows(
        """
        SELECT ol_i_id FROM orders JOIN order_line ON ol_o_id = o_id
        WHERE o_id > ? AND ol_i_id <> ? AND o_c_id IN (
            SELECT o_c_id FROM order_line JOIN orders ON o_id = ol_o_id WHERE ol_i_id = ? AND o_id > ?)
        GROUP BY ol_i_id ORDER BY SUM(ol_qty) DESC, ol_i_id LIMIT 5""",
        row -> row.getInt("ol_i_id"),
        since.orElseThrow(),
        id,
        id,
        since.orElseThrow());
  }
}

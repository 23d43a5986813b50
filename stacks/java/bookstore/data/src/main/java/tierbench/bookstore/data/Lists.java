package tierbench.bookstore.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import tierbench.bookstore.rules.Listed;
import tierbench.common.data.Session;

/** Lists of books: what somebody searches for, the newest ones, and those that sell best. */
public final class Lists {
  private static final String BOOKS =
      "SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id ";

  private static final String BY_TITLE = " ORDER BY i_title, i_id LIMIT 50";

  /** What means something in a pattern of SQL. */
  private static final Pattern SPECIAL = Pattern.compile("[\\\\%_]");

  private Lists() {}

  /** The books of authors whose last names begin so. */
  public static List<Listed> ofAuthor(Session session, String begin) throws SQLException {
    return session.rows(
        """
        SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM author JOIN item ON i_a_id = a_id
        WHERE a_lname LIKE ?"""
            + BY_TITLE,
        Lists::published,
        beginning(begin));
  }

  /** The books whose titles begin so. */
  public static List<Listed> ofTitle(Session session, String begin) throws SQLException {
    return session.rows(
        BOOKS + "WHERE i_title LIKE ?" + BY_TITLE, Lists::published, beginning(begin));
  }

  public static List<Listed> ofSubject(Session session, String subject) throws SQLException {
    return session.rows(BOOKS + "WHERE i_subject = ?" + BY_TITLE, Lists::published, subject);
  }

  /** The books on a subject that were published last. */
  public static List<Listed> newest(Session session, String subject) throws SQLException {
    return session.rows(
        BOOKS + "WHERE i_subject = ? ORDER BY i_pub_date DESC, i_title, i_id LIMIT 50",
        Lists::published,
        subject);
  }

  /** The books on a subject of which most copies were sold in the last 3,333 orders. */
  public static List<Listed> bestSellers(Session session, String subject) throws SQLException {
    return session.rows(
        """
        SELECT i_id, i_title, a_fname, a_lname, CAST(SUM(ol_qty) AS INTEGER) AS sold
        FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id
        WHERE ol_o_id > (SELECT MAX(o_id) - 3333 FROM orders) AND i_subject = ?
        GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC, i_id LIMIT 50""",
        row -> listed(row, row.getString("sold")),
        subject);
  }

  private static String beginning(String text) {
    return SPECIAL.matcher(text).replaceAll("\\\\$0") + '%';
  }

  private static Listed published(ResultSet row) throws SQLException {
    return listed(row, Books.day(row, "i_pub_date").toString());
  }

  private static Listed listed(ResultSet row, String figure) throws SQLException {
    return new Listed(row.getInt("i_id"), row.getString("i_title"), Books.author(row), figure);
  }
}

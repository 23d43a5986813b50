package tierbench.bookstore.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.Book;
import tierbench.bookstore.rules.Cover;
import tierbench.bookstore.rules.EditedBook;
import tierbench.bookstore.rules.Pictured;
import tierbench.bookstore.rules.Related;
import tierbench.common.Fault;
import tierbench.common.data.Columns;
import tierbench.common.data.Mapper;
import tierbench.common.data.Session;

/** The books. */
public final class Books {
  /** The columns with the books that go with one. */
  private static final String RELATED =
      "i_related1, i_related2, i_related3, i_related4, i_related5";

  private static final int RELATED_BOOKS = 5;

  private Books() {}

  /** All that the page of a book shows. */
  public static Book find(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT i_id, i_title, i_pub_date, i_publisher, i_subject, i_desc, %s,
                i_image, i_srp, i_cost, i_avail, i_stock, i_isbn, i_page, i_backing, i_dimensions,
                a_fname, a_mname, a_lname, a_bio FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?"""
                .formatted(RELATED),
            Books::book,
            id)
        .orElseThrow(() -> unknown(id));
  }

  /** All that those see who may change a book. */
  public static EditedBook edited(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT i_id, i_title, i_cost, i_srp, i_image, i_thumbnail, %s, a_fname, a_lname
            FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?"""
                .formatted(RELATED),
            row ->
                new EditedBook(
                    pictured(row),
                    author(row),
                    Columns.money(row, "i_cost"),
                    Columns.money(row, "i_srp"),
                    related(row)),
            id)
        .orElseThrow(() -> unknown(id));
  }

  /** Refuses a book that there isn't. */
  public static void check(Session session, int id) throws SQLException {
    Optional<Integer> book =
        session.row("SELECT i_id FROM item WHERE i_id = ?", row -> row.getInt("i_id"), id);
    if (book.isEmpty()) {
      throw unknown(id);
    }
  }

  /** How many books there are: they have all numbers from 1. */
  public static int count(Session session) throws SQLException {
    return session
        .row("SELECT MAX(i_id) AS items FROM item", row -> row.getInt("items"))
        .orElseThrow(() -> new IllegalStateException("a maximum is always one row"));
  }

  /** The books that are shown to a visitor: those that go with one that a number chooses. */
  public static List<Cover> promoted(Session session, int number) throws SQLException {
    return promoted(session, number, count(session));
  }

  /** The same, where it is known how many books there are. */
  public static List<Cover> promoted(Session session, int number, int items) throws SQLException {
    int chosen = Related.scattered(number, items);
    List<Integer> related =
        session
            .row("SELECT %s FROM item WHERE i_id = ?".formatted(RELATED), Books::related, chosen)
            .orElseThrow(() -> new IllegalStateException("there is no book %d".formatted(chosen)));
    return covers(session, related);
  }

  /** Some books, by number. */
  public static List<Cover> covers(Session session, List<Integer> ids) throws SQLException {
    return some(session, "i_id, i_title, i_thumbnail", Books::cover, ids);
  }

  /** The same with both of their pictures. */
  public static List<Pictured> pictured(Session session, List<Integer> ids) throws SQLException {
    return some(session, "i_id, i_title, i_image, i_thumbnail", Books::pictured, ids);
  }

  private static <T> List<T> some(
      Session session, String columns, Mapper<T> mapper, List<Integer> ids) throws SQLException {
    return session.rows(
        "SELECT %s FROM item WHERE i_id IN (?, ?, ?, ?, ?) ORDER BY i_id".formatted(columns),
        mapper,
        ids.toArray());
  }

  static Fault unknown(int id) {
    return Fault.unknown("book", id);
  }

  static String author(ResultSet row) throws SQLException {
    return row.getString("a_fname") + ' ' + row.getString("a_lname");
  }

  static LocalDate day(ResultSet row, String column) throws SQLException {
    return Columns.instant(row, column).toLocalDate();
  }

  static Cover cover(ResultSet row) throws SQLException {
    return new Cover(row.getInt("i_id"), row.getString("i_title"), row.getString("i_thumbnail"));
  }

  /** Which books go with the one that a row has the columns of. */
  static List<Integer> related(ResultSet row) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    for (int place = 1; place <= RELATED_BOOKS; place++) {
      ids.add(row.getInt("i_related" + place));
    }
    return ids;
  }

  private static Pictured pictured(ResultSet row) throws SQLException {
    return new Pictured(
        row.getInt("i_id"),
        row.getString("i_title"),
        row.getString("i_image"),
        row.getString("i_thumbnail"));
  }

  private static Book book(ResultSet row) throws SQLException {
    String author =
        "%s %s %s"
            .formatted(
                row.getString("a_fname"), row.getString("a_mname"), row.getString("a_lname"));
    return new Book(
        row.getInt("i_id"),
        row.getString("i_title"),
        author,
        row.getString("a_bio"),
        day(row, "i_pub_date"),
        row.getString("i_publisher"),
        row.getString("i_subject"),
        row.getString("i_desc"),
        row.getString("i_image"),
        Columns.money(row, "i_srp"),
        Columns.money(row, "i_cost"),
        day(row, "i_avail"),
        row.getInt("i_stock"),
        row.getString("i_isbn"),
        row.getInt("i_page"),
        row.getString("i_backing"),
        row.getString("i_dimensions"),
        related(row));
  }
}

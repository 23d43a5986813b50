package tierbench.auction.bmp;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tierbench.common.data.Mapper;
import tierbench.common.data.Session;

/**
 * The table that entities of a kind are rows of.
 *
 * @param columns all of them, the id first
 * @param values what is in them, in the same order
 * @param changing those that change after the row was made, as an UPDATE names them
 * @param changed what is in those, and then the id
 */
record Table<R extends Record>(
    String name,
    List<String> columns,
    Mapper<R> mapper,
    Function<R, List<?>> values,
    String changing,
    Function<R, List<?>> changed) {

  /** One whose rows are only read and made. */
  static <R extends Record> Table<R> ofConstants(
      String name, List<String> columns, Mapper<R> mapper, Function<R, List<?>> values) {
    return new Table<>(
        name,
        columns,
        mapper,
        values,
        "",
        row -> {
          throw new IllegalStateException("rows of %s never change".formatted(name));
        });
  }

  /** The ids of the rows of which a condition is true, perhaps in an order. */
  List<Integer> ids(Session session, String condition, Object... values) throws SQLException {
    return session.rows(
        "SELECT id FROM %s %s".formatted(name, condition), row -> row.getInt("id"), values);
  }

  /** The row of an id. */
  Optional<R> find(Session session, int id, String lock) throws SQLException {
    String all = String.join(", ", columns);
    return session.row("SELECT %s FROM %s WHERE id = ?%s".formatted(all, name, lock), mapper, id);
  }

  /** Makes a row and returns its id, which it brings. */
  int insert(Session session, R row) throws SQLException {
    String names = String.join(", ", columns);
    String places = String.join(", ", Collections.nCopies(columns.size(), "?"));
    Object[] all = values.apply(row).toArray();
    session.update("INSERT INTO %s (%s) VALUES (%s)".formatted(name, names, places), all);
    return (int) all[0];
  }

  void update(Session session, R row) throws SQLException {
    session.update(
        "UPDATE %s SET %s WHERE id = ?".formatted(name, changing), changed.apply(row).toArray());
  }
}

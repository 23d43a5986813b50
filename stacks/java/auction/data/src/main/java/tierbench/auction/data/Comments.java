package tierbench.auction.data;

import java.sql.SQLException;
import java.util.List;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.Remark;
import tierbench.common.data.Columns;
import tierbench.common.data.Entity;
import tierbench.common.data.Session;

/** The comments. */
public final class Comments {
  private Comments() {}

  /** What others say about a user, the latest on top. */
  public static List<Remark> about(Session session, int user) throws SQLException {
    return session.rows(
        """
        SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
        FROM comments c JOIN users u ON u.id = c.from_user_id
        WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC""",
        row ->
            new Remark(
                row.getInt("from_user_id"),
                row.getString("nickname"),
                row.getInt("item_id"),
                row.getInt("rating"),
                Columns.instant(row, "date"),
                row.getString("comment")),
        user);
  }

  /** Records a comment, adds to the rating of whom it is about, and returns its id. */
  public static int record(Session session, Comment comment) throws SQLException {
    return session.atomically(
        new Entity("users", comment.to()),
        List.of("comments", "users"),
        () -> {
          int id = insert(session, comment);
          session.update(
              "UPDATE users SET rating = rating + ? WHERE id = ?", comment.rating(), comment.to());
          return id;
        });
  }

  private static int insert(Session session, Comment comment) throws SQLException {
    return session.insert(
        """
        INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
        VALUES (?, ?, ?, ?, %s, ?)"""
            .formatted(session.now()),
        comment.from(),
        comment.to(),
        comment.item(),
        comment.rating(),
        comment.text());
  }
}

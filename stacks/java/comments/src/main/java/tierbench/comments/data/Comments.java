package tierbench.comments.data;

import java.sql.SQLException;
import java.util.List;
import tierbench.common.data.Session;

/** All statements of the comment page. */
public final class Comments {
  private Comments() {}

  /** All comments, the oldest first. */
  public static List<Comment> all(Session session) throws SQLException {
    return session.rows(
        "SELECT * FROM comments ORDER BY id",
        row ->
            new Comment(row.getString("name"), row.getString("email"), row.getString("comment")));
  }

  /** Records a comment, and returns its id. */
  public static int record(Session session, Comment comment) throws SQLException {
    return session.insert(
        "INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)",
        comment.name(),
        comment.email(),
        comment.text());
  }
}

package tierbench.comments;

import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import tierbench.common.Jdbc;

@IfBuildProperty(name = "quarkus.hibernate-orm.enabled", stringValue = "false")
@ApplicationScoped
class JdbcCommentStore implements CommentStore {
  private final Jdbc jdbc;

  JdbcCommentStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<Comment> all() {
    return jdbc.rows(
        row ->
            new Comment(
                row.getInt("id"),
                row.getString("name"),
                row.getString("email"),
                row.getString("comment")),
        "SELECT * FROM comments ORDER BY id");
  }

  @Override
  public Comment store(String name, String email, String comment) {
    int id =
        jdbc.insert(
            "INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)", name, email, comment);
    return new Comment(id, name, email, comment);
  }
}

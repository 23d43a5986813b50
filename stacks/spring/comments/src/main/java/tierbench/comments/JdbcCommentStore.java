package tierbench.comments;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;

@Profile("jdbc")
@Repository
class JdbcCommentStore implements CommentStore {
  private final JdbcClient jdbc;

  JdbcCommentStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<Comment> all() {
    return jdbc.sql("SELECT * FROM comments ORDER BY id")
        .query(
            (row, number) ->
                new Comment(
                    row.getInt("id"),
                    row.getString("name"),
                    row.getString("email"),
                    row.getString("comment")))
        .list();
  }

  @Override
  public Comment store(String name, String email, String comment) {
    GeneratedKeyHolder key = new GeneratedKeyHolder();
    jdbc.sql("INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)")
        .params(name, email, comment)
        .update(key, "id");
    return new Comment(key.getKey().intValue(), name, email, comment);
  }
}

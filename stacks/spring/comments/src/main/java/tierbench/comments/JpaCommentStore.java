package tierbench.comments;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Repository;

@Profile("jpa")
@Repository
class JpaCommentStore implements CommentStore {
  private final CommentRepository comments;

  JpaCommentStore(CommentRepository comments) {
    this.comments = comments;
  }

  @Override
  public List<Comment> all() {
    return comments.findAllByOrderById();
  }

  @Override
  public Comment store(String name, String email, String comment) {
    return comments.save(new Comment(null, name, email, comment));
  }
}

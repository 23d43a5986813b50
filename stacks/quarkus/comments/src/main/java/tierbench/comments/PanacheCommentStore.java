package tierbench.comments;

import io.quarkus.arc.properties.IfBuildProperty;
import io.quarkus.panache.common.Sort;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;

@IfBuildProperty(name = "quarkus.hibernate-orm.enabled", stringValue = "true")
@ApplicationScoped
class PanacheCommentStore implements CommentStore {
  @Override
  public List<Comment> all() {
    return PublishedComment.<PublishedComment>listAll(Sort.by("id")).stream()
        .map(PublishedComment::toRow)
        .toList();
  }

  @Override
  @Transactional
  public Comment store(String name, String email, String comment) {
    PublishedComment published = new PublishedComment();
    published.name = name;
    published.email = email;
    published.comment = comment;
    published.persist();
    return published.toRow();
  }
}

package tierbench.comments;

import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import java.util.List;

@CheckedTemplate(defaultName = CheckedTemplate.UNDERSCORED_ELEMENT_NAME)
final class Pages {
  private Pages() {}

  static native TemplateInstance listComments(List<Comment> comments);

  static native TemplateInstance storeComment(Comment comment);
}

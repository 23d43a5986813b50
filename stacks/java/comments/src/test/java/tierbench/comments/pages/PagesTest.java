package tierbench.comments.pages;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gg.jte.models.runtime.JteModel;
import gg.jte.output.StringOutput;
import java.util.List;
import org.junit.jupiter.api.Test;
import tierbench.comments.data.Comment;

class PagesTest {
  private static final Comment HOSTILE =
      new Comment("<b>Ada</b>", "\"<i>\"@example.org", "<script>alert('x')</script>");

  private static String html(JteModel page) {
    StringOutput html = new StringOutput();
    page.render(html);
    return html.toString();
  }

  @Test
  void textIsEscaped() {
    List<JteModel> pages =
        List.of(
            new StaticTemplates().listComments(List.of(HOSTILE)),
            new StaticTemplates().storeComment(1, HOSTILE));
    for (JteModel page : pages) {
      String html = html(page);
      assertFalse(html.contains("<script>") || html.contains("<b>"), html);
      assertTrue(html.contains("&lt;script"), html);
    }
  }

  @Test
  void commentsAreRowsInTheirOrder() {
    Comment other = new Comment("Grace", "grace@example.org", "Fine.");
    String html = html(new StaticTemplates().listComments(List.of(other, HOSTILE)));
    assertTrue(html.indexOf(">Grace<") < html.indexOf("&lt;b"), html);
    assertTrue(html(new StaticTemplates().listComments(List.of())).contains("There are no"), html);
  }
}

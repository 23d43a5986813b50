package tierbench.comments.web;

import static java.util.Map.entry;

import gg.jte.models.runtime.JteModel;
import java.io.Serial;
import java.util.Map;
import tierbench.comments.pages.StaticTemplates;
import tierbench.comments.pages.Templates;
import tierbench.common.Fault;
import tierbench.common.web.FrontServlet;
import tierbench.common.web.Route;

/** The comment page: where its interactions are found. */
public final class CommentsServlet extends FrontServlet {
  @Serial private static final long serialVersionUID = 1;

  /** The compiled templates of all pages. */
  static final Templates PAGES = new StaticTemplates();

  @Override
  protected Map<String, Route> routes() {
    return Map.ofEntries(
        entry("/comments/index.html", Route.file()),
        entry("/comments/StoreComment", Route.post(new StoreComment())),
        entry("/comments/ListComments", Route.get(new ListComments())),
        entry("/comments/style.css", Route.file()),
        entry("/comments/logo.svg", Route.file()));
  }

  @Override
  protected JteModel refusal(Fault fault) {
    return PAGES.error(fault);
  }
}

package tierbench.bookstore.web;

import gg.jte.models.runtime.JteModel;
import java.io.Serial;
import java.net.MalformedURLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tierbench.bookstore.rules.Picture;
import tierbench.common.Fault;
import tierbench.common.web.FrontServlet;
import tierbench.common.web.Interaction;
import tierbench.common.web.Route;

/** The bookstore, whatever answers its pages: how each is asked for, and what files there are. */
abstract class BookstoreFront extends FrontServlet {
  @Serial private static final long serialVersionUID = 1;

  private static final String FOLDER = "/bookstore/";
  private static final List<String> FILES = List.of("style.css", "logo.svg", "cart.svg");
  private static final Set<String> POSTED =
      Set.of("ShoppingCart", "BuyRequest", "BuyConfirm", "OrderDisplay", "AdminConfirm");
  private static final Set<String> OVER_TLS =
      Set.of(
          "CustomerRegistration",
          "BuyRequest",
          "BuyConfirm",
          "OrderInquiry",
          "OrderDisplay",
          "AdminRequest",
          "AdminConfirm");

  /** What answers each page, by the page's name. */
  abstract Map<String, Interaction> pages();

  @Override
  protected final Map<String, Route> routes() {
    Map<String, Route> routes = new HashMap<>();
    FILES.forEach(file -> routes.put(FOLDER + file, Route.file()));
    pages().forEach((name, page) -> routes.put(FOLDER + name, route(name, page)));
    return routes;
  }

  private static Route route(String name, Interaction page) {
    Route.Dynamic route = POSTED.contains(name) ? Route.post(page) : Route.get(page);
    return OVER_TLS.contains(name) ? route.overTls() : route;
  }

  /** The pictures of the books. */
  @Override
  protected boolean isMadeFile(String path) {
    return path.startsWith(FOLDER)
        && Picture.isPathOfAny(path.substring(FOLDER.length()))
        && isThere(path);
  }

  private boolean isThere(String path) {
    try {
      return getServletContext().getResource(path) != null;
    } catch (MalformedURLException e) {
      throw new IllegalStateException("the path of a picture is well-formed", e);
    }
  }

  @Override
  protected JteModel refusal(Fault fault) {
    return Pages.PAGES.error(fault);
  }
}

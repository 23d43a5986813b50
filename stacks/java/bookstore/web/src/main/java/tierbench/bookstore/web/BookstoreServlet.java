package tierbench.bookstore.web;

import static java.util.Map.entry;

import gg.jte.models.runtime.JteModel;
import java.io.Serial;
import java.net.MalformedURLException;
import java.util.Map;
import tierbench.bookstore.data.Lists;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.bookstore.rules.Picture;
import tierbench.common.Environment;
import tierbench.common.Fault;
import tierbench.common.web.FrontServlet;
import tierbench.common.web.Route;

/** The bookstore: where its interactions are found. */
public final class BookstoreServlet extends FrontServlet {
  @Serial private static final long serialVersionUID = 1;

  private static final String FOLDER = "/bookstore/";

  @Override
  protected Map<String, Route> routes() {
    PaymentGateway bank = PaymentGateway.of(Environment.ofProcess());
    return Map.ofEntries(
        entry(FOLDER + "Home", Route.get(new Home())),
        entry(
            FOLDER + "NewProducts",
            Route.get(
                new BooksOnSubject(
                    "New books: ",
                    "The books that were published last",
                    "Published",
                    Lists::newest))),
        entry(
            FOLDER + "BestSellers",
            Route.get(
                new BooksOnSubject(
                    "Best sellers: ",
                    "The books that sold best lately",
                    "Copies sold",
                    Lists::bestSellers))),
        entry(FOLDER + "ProductDetail", Route.get(new ProductDetail())),
        entry(FOLDER + "SearchRequest", Route.get(new SearchRequest())),
        entry(FOLDER + "SearchResults", Route.get(new SearchResults())),
        entry(FOLDER + "ShoppingCart", Route.post(new ShoppingCart())),
        entry(FOLDER + "CustomerRegistration", Route.get(new CustomerRegistration()).overTls()),
        entry(FOLDER + "BuyRequest", Route.post(new BuyRequest()).overTls()),
        entry(FOLDER + "BuyConfirm", Route.post(new BuyConfirm(bank)).overTls()),
        entry(FOLDER + "OrderInquiry", Route.get(new OrderInquiry()).overTls()),
        entry(FOLDER + "OrderDisplay", Route.post(new OrderDisplay()).overTls()),
        entry(FOLDER + "AdminRequest", Route.get(new AdminRequest()).overTls()),
        entry(FOLDER + "AdminConfirm", Route.post(new AdminConfirm()).overTls()),
        entry(FOLDER + "style.css", Route.file()),
        entry(FOLDER + "logo.svg", Route.file()),
        entry(FOLDER + "cart.svg", Route.file()));
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

package tierbench.bookstore.web;

import static java.util.Map.entry;

import gg.jte.models.runtime.JteModel;
import jakarta.ejb.CreateException;
import jakarta.servlet.ServletException;
import java.io.Serial;
import java.net.MalformedURLException;
import java.rmi.RemoteException;
import java.util.Map;
import tierbench.bookstore.ejb.BookstoreHome;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.bookstore.rules.Picture;
import tierbench.common.Environment;
import tierbench.common.Fault;
import tierbench.common.web.FrontServlet;
import tierbench.common.web.Route;
import tierbench.ejb.Beans;
import tierbench.ejb.Container;

/** The bookstore with its business in beans: where its interactions are found. */
public final class BeansServlet extends FrontServlet {
  @Serial private static final long serialVersionUID = 1;

  private static final String FOLDER = "/bookstore/";

  private transient Beans<Interactions> beans;

  @Override
  public void init() throws ServletException {
    beans = find(Environment.ofProcess());
    super.init();
  }

  private static Beans<Interactions> find(Environment environment) {
    try {
      return new Beans<>(Container.of(environment).home("Bookstore", BookstoreHome.class).create());
    } catch (RemoteException | CreateException e) {
      throw new IllegalStateException("the container has no bean for us", e);
    }
  }

  @Override
  protected Map<String, Route> routes() {
    Browsing browsing = new Browsing(beans);
    Cart cart = new Cart(beans);
    Buying buying = new Buying(beans, PaymentGateway.of(Environment.ofProcess()));
    Administration administration = new Administration(beans);
    return Map.ofEntries(
        entry(FOLDER + "Home", Route.get(browsing::home)),
        entry(FOLDER + "NewProducts", Route.get(browsing::newProducts)),
        entry(FOLDER + "BestSellers", Route.get(browsing::bestSellers)),
        entry(FOLDER + "ProductDetail", Route.get(browsing::productDetail)),
        entry(FOLDER + "SearchRequest", Route.get(browsing::searchRequest)),
        entry(FOLDER + "SearchResults", Route.get(browsing::searchResults)),
        entry(FOLDER + "ShoppingCart", Route.post(cart::shoppingCart)),
        entry(FOLDER + "CustomerRegistration", Route.get(buying::customerRegistration).overTls()),
        entry(FOLDER + "BuyRequest", Route.post(buying::buyRequest).overTls()),
        entry(FOLDER + "BuyConfirm", Route.post(buying::buyConfirm).overTls()),
        entry(FOLDER + "OrderInquiry", Route.get(new OrderInquiry()).overTls()),
        entry(FOLDER + "OrderDisplay", Route.post(buying::orderDisplay).overTls()),
        entry(FOLDER + "AdminRequest", Route.get(administration::adminRequest).overTls()),
        entry(FOLDER + "AdminConfirm", Route.post(administration::adminConfirm).overTls()),
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

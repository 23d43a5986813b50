package tierbench.bookstore.web;

import static java.util.Map.entry;

import jakarta.ejb.CreateException;
import jakarta.servlet.ServletException;
import java.io.Serial;
import java.rmi.RemoteException;
import java.util.Map;
import tierbench.bookstore.ejb.BookstoreHome;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.common.Environment;
import tierbench.common.web.Interaction;
import tierbench.ejb.Beans;
import tierbench.ejb.Container;

/** The bookstore's web tier with its business in beans: the routes of its interactions. */
public final class BeansServlet extends BookstoreFront {
  @Serial private static final long serialVersionUID = 1;

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
  Map<String, Interaction> pages() {
    Browsing browsing = new Browsing(beans);
    Cart cart = new Cart(beans);
    Buying buying = new Buying(beans, PaymentGateway.of(Environment.ofProcess()));
    Administration administration = new Administration(beans);
    return Map.ofEntries(
        entry("Home", browsing::home),
        entry("NewProducts", browsing::newProducts),
        entry("BestSellers", browsing::bestSellers),
        entry("ProductDetail", browsing::productDetail),
        entry("SearchRequest", browsing::searchRequest),
        entry("SearchResults", browsing::searchResults),
        entry("ShoppingCart", cart::shoppingCart),
        entry("CustomerRegistration", buying::customerRegistration),
        entry("BuyRequest", buying::buyRequest),
        entry("BuyConfirm", buying::buyConfirm),
        entry("OrderInquiry", new OrderInquiry()),
        entry("OrderDisplay", buying::orderDisplay),
        entry("AdminRequest", administration::adminRequest),
        entry("AdminConfirm", administration::adminConfirm));
  }
}

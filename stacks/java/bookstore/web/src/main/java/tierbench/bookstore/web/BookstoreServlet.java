package tierbench.bookstore.web;

import static java.util.Map.entry;

import java.io.Serial;
import java.util.Map;
import tierbench.bookstore.data.Lists;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.common.Environment;
import tierbench.common.web.Interaction;

/** The bookstore: where its interactions are found. */
public final class BookstoreServlet extends BookstoreFront {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Map<String, Interaction> pages() {
    PaymentGateway bank = PaymentGateway.of(Environment.ofProcess());
    return Map.ofEntries(
        entry("Home", new Home()),
        entry(
            "NewProducts",
            new BooksOnSubject(
                "New books: ", "The books that were published last", "Published", Lists::newest)),
        entry(
            "BestSellers",
            new BooksOnSubject(
                "Best sellers: ",
                "The books that sold best lately",
                "Copies sold",
                Lists::bestSellers)),
        entry("ProductDetail", new ProductDetail()),
        entry("SearchRequest", new SearchRequest()),
        entry("SearchResults", new SearchResults()),
        entry("ShoppingCart", new ShoppingCart()),
        entry("CustomerRegistration", new CustomerRegistration()),
        entry("BuyRequest", new BuyRequest()),
        entry("BuyConfirm", new BuyConfirm(bank)),
        entry("OrderInquiry", new OrderInquiry()),
        entry("OrderDisplay", new OrderDisplay()),
        entry("AdminRequest", new AdminRequest()),
        entry("AdminConfirm", new AdminConfirm()));
  }
}

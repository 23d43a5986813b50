package tierbench.bookstore.ejb;

import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.Book;
import tierbench.bookstore.rules.Buyer;
import tierbench.bookstore.rules.CartBook;
import tierbench.bookstore.rules.CheckoutBook;
import tierbench.bookstore.rules.Country;
import tierbench.bookstore.rules.Cover;
import tierbench.bookstore.rules.Customer;
import tierbench.bookstore.rules.EditedBook;
import tierbench.bookstore.rules.KeptCart;
import tierbench.bookstore.rules.LastOrder;
import tierbench.bookstore.rules.Listed;
import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.Pictured;

/** Results of calls: all values that one page shows. */
public final class Told {
  private Told() {}

  public record Promoted(List<Cover> books) {}

  /** The name in a greeting. */
  public record Home(Optional<String> name, List<Cover> promoted) {}

  public record Listing(List<Listed> books, List<Cover> promoted) {}

  public record BookToBuy(Book book, List<Cover> related) {}

  public record Cart(KeptCart kept, List<CartBook> books, List<Cover> promoted) {}

  public record Countries(List<Country> all) {}

  /** The customer who has logged in or registered, with the total of the cart. */
  public record Checkout(
      int id, Customer customer, List<CheckoutBook> books, List<Country> countries) {}

  public record ToOrder(Buyer buyer, List<OrderLine> lines) {}

  public record Last(int customer, Optional<LastOrder> order) {}

  public record BookToEdit(EditedBook book, List<Pictured> related) {}
}

package tierbench.bookstore.facade;

import jakarta.ejb.SessionContext;
import java.io.Serial;
import java.sql.SQLException;
import java.util.List;
import tierbench.bookstore.ejb.Asked;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.entities.CustomerRow;
import tierbench.bookstore.entities.Entities;
import tierbench.bookstore.rules.BookChange;
import tierbench.bookstore.rules.Buyer;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.bookstore.rules.CheckoutBook;
import tierbench.bookstore.rules.Listed;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Order;
import tierbench.ejb.Answer;
import tierbench.ejb.Parcel;
import tierbench.ejb.References;
import tierbench.ejb.Refused;
import tierbench.ejb.Source;
import tierbench.ejb.Stateless;

/**
 * The session facade over the bookstore's entities: each call is a transaction. To avoid deadlocks,
 * a change locks a cart first, and books last, in the order of their ids. A refused call has
 * changed nothing.
 */
public class BookstoreBean implements Stateless, Interactions {
  @Serial private static final long serialVersionUID = 1;

  private transient Entities entities;
  private transient JdbcQueries queries;
  private transient Books books;
  private transient Addresses addresses;
  private transient Customers customers;
  private transient Carts carts;
  private transient Orders orders;

  @Override
  public void setSessionContext(SessionContext context) {
    entities = Entities.from(new References("local/"));
    queries = new JdbcQueries(Source.named("queries"));
    books = new Books(entities, queries);
    addresses = new Addresses(entities, queries);
    customers = new Customers(entities, queries, addresses);
    carts = new Carts(entities, queries);
    orders = new Orders(entities, queries, carts, addresses, books);
  }

  @Override
  public Parcel<Told.Home> home(Parcel<Asked.Visitor> parcel) throws Refused {
    Asked.Visitor visitor = parcel.content();
    return Answer.sent(
        () ->
            new Told.Home(
                visitor.customer().map(customers::name), books.promoted(visitor.number())));
  }

  private Told.Listing listing(List<Listed> found, int number) throws SQLException {
    return new Told.Listing(found, books.promoted(number));
  }

  @Override
  public Parcel<Told.Listing> newProducts(String subject, int number) throws Refused {
    return Answer.sent(() -> listing(books.published(queries.newest(subject)), number));
  }

  @Override
  public Parcel<Told.Listing> bestSellers(String subject, int number) throws Refused {
    return Answer.sent(() -> listing(books.sold(queries.bestSellers(subject)), number));
  }

  @Override
  public Parcel<Told.Promoted> searchRequest(int number) throws Refused {
    return Answer.sent(() -> new Told.Promoted(books.promoted(number)));
  }

  @Override
  public Parcel<Told.Listing> searchByAuthor(String begin, int number) throws Refused {
    return Answer.sent(() -> listing(books.published(queries.ofAuthor(begin)), number));
  }

  @Override
  public Parcel<Told.Listing> searchByTitle(String begin, int number) throws Refused {
    return Answer.sent(() -> listing(books.published(queries.ofTitle(begin)), number));
  }

  @Override
  public Parcel<Told.Listing> searchBySubject(String subject, int number) throws Refused {
    return Answer.sent(() -> listing(books.published(queries.ofSubject(subject)), number));
  }

  @Override
  public Parcel<Told.BookToBuy> productDetail(int book) throws Refused {
    return Answer.sent(() -> books.toBuy(book));
  }

  @Override
  public Parcel<Told.Cart> shoppingCart(Parcel<Asked.Visitor> parcel, Parcel<CartUpdate> wished)
      throws Refused {
    Asked.Visitor visitor = parcel.content();
    CartUpdate update = wished.content();
    return Answer.sent(
        () -> {
          update.added().ifPresent(books::check);
          int items = queries.books();
          Carts.Changed changed = carts.change(visitor.cart(), update, items);
          int number = visitor.customer().orElse(0) + changed.cart().id();
          return new Told.Cart(changed.cart(), changed.books(), books.promoted(number, items));
        });
  }

  @Override
  public Parcel<Told.Countries> customerRegistration() throws Refused {
    return Answer.sent(() -> new Told.Countries(entities.countries().all()));
  }

  private List<CheckoutBook> toCheckOut(int cart) {
    carts.check(cart);
    return carts.checkout(cart);
  }

  @Override
  public Parcel<Told.Checkout> logInToBuy(String uname, String password, int cart) throws Refused {
    return Answer.sent(
        () -> {
          CustomerRow customer = customers.logIn(uname, password);
          List<CheckoutBook> inCart = toCheckOut(cart);
          customers.note(customer.id());
          return customers.atCheckout(customer, inCart);
        });
  }

  @Override
  public Parcel<Told.Checkout> registerToBuy(Parcel<NewCustomer> parcel, int cart) throws Refused {
    NewCustomer customer = parcel.content();
    return Answer.sent(
        () -> {
          addresses.check(customer.address());
          return customers.register(customer, toCheckOut(cart));
        });
  }

  @Override
  public Parcel<Told.ToOrder> toOrder(int customer, int cart, Parcel<Asked.Elsewhere> elsewhere)
      throws Refused {
    return Answer.sent(
        () -> {
          elsewhere.content().address().ifPresent(addresses::check);
          Buyer buyer = customers.buyer(customer);
          carts.check(cart);
          return new Told.ToOrder(buyer, carts.ordered(cart, buyer.discount()));
        });
  }

  @Override
  public int buyConfirm(Parcel<Order> order, String authorization) throws Refused {
    return Answer.of(() -> orders.place(order.content(), authorization));
  }

  @Override
  public Parcel<Told.Last> orderDisplay(String uname, String password) throws Refused {
    return Answer.sent(
        () -> {
          int customer = customers.logIn(uname, password).id();
          return new Told.Last(customer, orders.last(customer));
        });
  }

  @Override
  public Parcel<Told.BookToEdit> adminRequest(int book) throws Refused {
    return Answer.sent(() -> books.toEdit(book));
  }

  @Override
  public String adminConfirm(Parcel<BookChange> change) throws Refused {
    return Answer.of(() -> books.change(change.content()));
  }
}

package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tierbench.bookstore.data.Addresses;
import tierbench.bookstore.data.Carts;
import tierbench.bookstore.data.Customers;
import tierbench.bookstore.rules.CheckoutBook;
import tierbench.bookstore.rules.Customer;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.common.data.Session;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** A customer logs in or registers, and sees what the cart comes to. */
final class BuyRequest implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    String sealed = Given.sealedCart(visit.form());
    if (Inputs.flag(visit.form(), "RETURNING_FLAG")) {
      Credentials who = Credentials.read(visit.form());
      return logIn(visit, who, Given.openCart(sealed, visit.tokenKey()));
    }
    NewCustomer customer = Inputs.newCustomer(visit.form());
    return register(visit, customer, Given.openCart(sealed, visit.tokenKey()));
  }

  private static JteModel logIn(Visit visit, Credentials who, int cart) throws SQLException {
    int id = Customers.logIn(visit.session(), who.uname(), who.password());
    List<CheckoutBook> books = books(visit.session(), cart);
    Customers.note(visit.session(), id);
    return page(visit, id, OptionalInt.empty(), cart, books);
  }

  private static JteModel register(Visit visit, NewCustomer customer, int cart)
      throws SQLException {
    Addresses.check(visit.session(), customer.address());
    List<CheckoutBook> books = books(visit.session(), cart);
    int id = Customers.register(visit.session(), customer);
    return page(visit, id, OptionalInt.of(id), cart, books);
  }

  private static List<CheckoutBook> books(Session session, int cart) throws SQLException {
    Carts.check(session, cart);
    return Carts.checkout(session, cart);
  }

  private static JteModel page(
      Visit visit, int id, OptionalInt registered, int cart, List<CheckoutBook> books)
      throws SQLException {
    Customer customer = Customers.atCheckout(visit.session(), id);
    return PAGES.buyRequest(
        Given.with(Optional.of(id), cart, visit.tokenKey()),
        customer,
        registered,
        books.stream().map(book -> book.reduced(customer.discount())).toList(),
        Addresses.countries(visit.session()),
        visit.tokenKey().sign(id));
  }
}

package tierbench.bookstore.facade;

import java.sql.SQLException;
import java.util.List;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.entities.AddressRow;
import tierbench.bookstore.entities.CustomerRow;
import tierbench.bookstore.entities.Entities;
import tierbench.bookstore.rules.Buyer;
import tierbench.bookstore.rules.CheckoutBook;
import tierbench.bookstore.rules.Customer;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Refusal;
import tierbench.common.Fault;
import tierbench.common.Password;
import tierbench.ejb.Kept;
import tierbench.ejb.Row;

/** Those who shop, entity by entity. */
record Customers(Entities entities, JdbcQueries queries, Addresses addresses) {
  /** Any row that is always there and that nobody else locks. */
  private static final int TURN = 1;

  /** The customer who has this user name and password. */
  CustomerRow logIn(String uname, String password) {
    return entities
        .customers()
        .byUname()
        .find(uname)
        .map(Row::row)
        .filter(customer -> Password.isRight(uname, password, customer.password()))
        .orElseThrow(Refusal::wrongLogIn);
  }

  /** By which name a customer is greeted. */
  String name(int id) {
    return find(id).name();
  }

  private CustomerRow find(int id) {
    return entities
        .customers()
        .byId()
        .find(id)
        .orElseThrow(() -> Fault.unknown("customer", id))
        .row();
  }

  /** Notes that a customer has logged in. */
  void note(int id) throws SQLException {
    Kept<CustomerRow> kept = entities.customers().locked().known(id);
    kept.change(kept.row().loggedIn(queries.now()));
  }

  /** What an order takes over of a customer. */
  Buyer buyer(int id) {
    CustomerRow customer = find(id);
    int country = entities.addresses().byId().row(customer.address()).country();
    return new Buyer(id, customer.discount(), customer.address(), country);
  }

  /** What who returns buys, at their prices. */
  Told.Checkout atCheckout(CustomerRow customer, List<CheckoutBook> books) {
    return checkout(customer, entities.addresses().byId().row(customer.address()), books);
  }

  private Told.Checkout checkout(CustomerRow row, AddressRow address, List<CheckoutBook> books) {
    Customer customer = row.livingAt(addresses.shown(address));
    return new Told.Checkout(
        row.id(),
        customer,
        books.stream().map(book -> book.reduced(customer.discount())).toList(),
        entities.countries().all());
  }

  /**
   * Adds a customer, with an address that is there already or a new one. One registers after the
   * other: the container inserts rows only when the call ends, and then it is too late to refuse a
   * user name that somebody else has taken meanwhile.
   */
  Told.Checkout register(NewCustomer customer, List<CheckoutBook> books) throws SQLException {
    entities.turns().known(TURN);
    if (entities.customers().byUname().find(customer.uname()).isPresent()) {
      throw Refusal.unameTaken(customer.uname());
    }
    AddressRow address = addresses.findOrMake(customer.address());
    CustomerRow row =
        CustomerRow.of(queries.newId(Numbered.CUSTOMERS), customer, address.id(), queries.now());
    entities.customers().newOnes().make(row);
    return checkout(row, address, books);
  }
}

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
import tierbench.ejb.EntityHandle;
import tierbench.ejb.Row;

/** The customers, entity by entity. */
record Customers(Entities entities, JdbcQueries queries, Addresses addresses) {
  /** A row that always exists and that no other call locks. */
  private static final int TURN = 1;

  /** The customer with this user name and password. */
  CustomerRow logIn(String uname, String password) {
    return entities
        .customers()
        .byUname()
        .find(uname)
        .map(Row::row)
        .filter(customer -> Password.isRight(uname, password, customer.password()))
        .orElseThrow(Refusal::wrongLogIn);
  }

  /** The name in a customer's greeting. */
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
    EntityHandle<CustomerRow> kept = entities.customers().locked().known(id);
    kept.change(kept.row().loggedIn(queries.now()));
  }

  /** The customer's part of an order. */
  Buyer buyer(int id) {
    CustomerRow customer = find(id);
    int country = entities.addresses().byId().row(customer.address()).country();
    return new Buyer(id, customer.discount(), customer.address(), country);
  }

  /** The cart of a returning customer, with their discount. */
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
   * Adds a customer, with an equal or a new address. Registrations are serialised: the container
   * inserts rows only when the call ends, too late to refuse a user name that was taken meanwhile.
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

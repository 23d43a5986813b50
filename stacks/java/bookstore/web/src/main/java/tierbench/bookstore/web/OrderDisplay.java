package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.Optional;
import tierbench.bookstore.data.Customers;
import tierbench.bookstore.data.Orders;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.LastOrder;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Logs a customer in and shows their last order. */
final class OrderDisplay implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    Credentials who = Credentials.read(visit.form());
    State before = given.open(visit.tokenKey());
    int customer = Customers.logIn(visit.session(), who.uname(), who.password());
    State state = new State(Optional.of(customer), before.cart(), before.sealed());
    Optional<LastOrder> order = Orders.last(visit.session(), customer);
    return order.isPresent() ? PAGES.orderDisplay(state, order.get()) : PAGES.noOrder(state);
  }
}

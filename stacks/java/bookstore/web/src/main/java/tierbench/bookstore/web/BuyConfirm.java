package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.data.Addresses;
import tierbench.bookstore.data.Carts;
import tierbench.bookstore.data.Customers;
import tierbench.bookstore.data.Orders;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.bookstore.rules.Buyer;
import tierbench.bookstore.rules.Order;
import tierbench.bookstore.rules.OrderLine;
import tierbench.common.data.Session;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/**
 * Orders a cart, once the bank has authorised the payment. While it is asked, nothing is locked.
 */
final class BuyConfirm implements Interaction {
  private final PaymentGateway bank;

  BuyConfirm(PaymentGateway bank) {
    this.bank = bank;
  }

  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Confirmation confirmation = Confirmation.read(visit);
    Session session = visit.session();
    Order order = order(session, confirmation);
    // Others may use the connection meanwhile.
    session.pause();
    String authorization = bank.authorize(order.cart(), order.card(), order.totals().total());
    int id = Orders.place(session, order, authorization);
    State state =
        new State(Optional.of(confirmation.customer()), Optional.empty(), Optional.empty());
    return PAGES.buyConfirm(state, id, order, authorization);
  }

  /** The order, as far as it can be checked before it is paid. */
  private static Order order(Session session, Confirmation confirmation) throws SQLException {
    if (confirmation.elsewhere().isPresent()) {
      Addresses.check(session, confirmation.elsewhere().get());
    }
    Buyer buyer = Customers.buyer(session, confirmation.customer());
    Carts.check(session, confirmation.cart());
    List<OrderLine> lines = Carts.ordered(session, confirmation.cart(), buyer.discount());
    return confirmation.order(buyer, lines, confirmation.card());
  }
}

package tierbench.bookstore.web;

import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.Buyer;
import tierbench.bookstore.rules.Card;
import tierbench.bookstore.rules.NewAddress;
import tierbench.bookstore.rules.Order;
import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.Refusal;
import tierbench.bookstore.rules.Shipping;
import tierbench.bookstore.rules.Totals;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;

/** What a customer says to an order. */
record Confirmation(
    int customer, int cart, Card card, Shipping shipping, Optional<NewAddress> elsewhere) {
  static Confirmation read(Visit visit) {
    Form form = visit.form();
    String token = form.text("token", 100);
    String sealed = Given.sealedCart(form);
    Card card = Inputs.card(form);
    Shipping shipping = Inputs.shipping(form);
    Optional<NewAddress> elsewhere = form.optional("STREET_1", name -> Inputs.address(form));
    int customer = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    int cart = Given.openCart(sealed, visit.tokenKey());
    return new Confirmation(customer, cart, card, shipping, elsewhere);
  }

  /** The order of these lines. It tells as much of the card as those may know who read it. */
  Order order(Buyer buyer, List<OrderLine> lines, Card told) {
    return new Order(buyer, cart, lines, Totals.of(lines), told, shipping, elsewhere);
  }
}

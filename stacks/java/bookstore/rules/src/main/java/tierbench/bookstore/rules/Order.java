package tierbench.bookstore.rules;

import java.util.List;
import java.util.Optional;

/**
 * A cart that a customer orders.
 *
 * @param elsewhere where it is sent, if not to the customer's own address
 */
public record Order(
    Buyer buyer,
    int cart,
    List<OrderLine> lines,
    Totals totals,
    Card card,
    Shipping shipping,
    Optional<NewAddress> elsewhere) {
  /** The country to which it is sent. */
  public int country() {
    return elsewhere.map(NewAddress::country).orElse(buyer.country());
  }

  /** Refuses it if these are no longer the lines for which the bank has authorised the payment. */
  public void checkUnchanged(List<CartLine> now) {
    if (!now.equals(lines.stream().map(OrderLine::line).toList())) {
      throw Refusal.cartChanged();
    }
  }
}

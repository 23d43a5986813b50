package tierbench.bookstore.ejb;

import java.util.Optional;
import tierbench.bookstore.rules.NewAddress;

/** Arguments of calls. */
public final class Asked {
  private Asked() {}

  /** The visitor and the cart. */
  public record Visitor(Optional<Integer> customer, Optional<Integer> cart) {
    /** The number that chooses what is promoted. */
    public int number() {
      return customer.orElse(0) + cart.orElse(0);
    }
  }

  /** The address of an order that is not the customer's own. */
  public record Elsewhere(Optional<NewAddress> address) {}
}

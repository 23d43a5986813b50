package tierbench.bookstore.ejb;

import java.util.Optional;
import tierbench.bookstore.rules.NewAddress;

/** What servlets say when they ask. */
public final class Asked {
  private Asked() {}

  /** Who is greeted, and with which cart. */
  public record Visitor(Optional<Integer> customer, Optional<Integer> cart) {
    /** The number that chooses what is promoted. */
    public int number() {
      return customer.orElse(0) + cart.orElse(0);
    }
  }

  /** Where an order is sent, if not to the customer's own address. */
  public record Elsewhere(Optional<NewAddress> address) {}
}

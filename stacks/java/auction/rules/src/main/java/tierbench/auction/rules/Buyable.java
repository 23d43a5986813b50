package tierbench.auction.rules;

import java.util.Optional;
import tierbench.common.Money;

/** An item that may be for sale at once. */
public interface Buyable extends Priced {
  /** The price to buy one at once; 0 if there is none. */
  Money buyNow();

  /** The price to buy one at once, which an open item offers until the bids reach it. */
  default Optional<Money> priceAtOnce() {
    return price().isLessThan(buyNow()) ? Optional.of(buyNow()) : Optional.empty();
  }
}

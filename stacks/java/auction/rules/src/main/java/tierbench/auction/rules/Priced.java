package tierbench.auction.rules;

import java.util.Optional;
import tierbench.common.Money;

/** An item with its price. */
public interface Priced {
  Money initialPrice();

  Optional<Money> highestBid();

  /** The current price: the highest bid so far, or else the first price. */
  default Money price() {
    return highestBid().orElse(initialPrice());
  }

  /** The lowest bid that is accepted: a cent above the highest so far, or else the first price. */
  default Money leastBid() {
    return highestBid().map(Money::plusOneCent).orElse(initialPrice());
  }
}

package tierbench.auction;

import java.math.BigDecimal;

/** What somebody offers for an item, or what of it is recorded. */
public record Bid(int user, int item, int qty, BigDecimal bid, BigDecimal maxBid) {
  Bid at(BigDecimal other) {
    return new Bid(user, item, qty, other, maxBid);
  }
}

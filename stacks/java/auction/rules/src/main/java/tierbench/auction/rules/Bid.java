package tierbench.auction.rules;

import tierbench.common.Money;

/** What somebody offers for an item, or what of it was recorded. */
public record Bid(int user, int item, Money amount, Money most, int quantity) {

  /** The same, recorded at another amount. */
  Bid at(Money other) {
    return new Bid(user, item, other, most, quantity);
  }
}

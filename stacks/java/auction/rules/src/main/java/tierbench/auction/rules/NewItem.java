package tierbench.auction.rules;

import tierbench.common.Money;

/** What somebody wants to sell: all columns of an item but those that follow from them. */
public record NewItem(
    int category,
    String name,
    String description,
    Money initialPrice,
    Money reservePrice,
    Money buyNow,
    int quantity,
    int days) {

  /** What the seller pays for each auction. */
  public static final Money FEE = new Money(100);

  /** Refuses prices that break a rule. */
  public void check() {
    if (initialPrice.isZero()) {
      throw Refusal.priceTooLow();
    }
    if (isUnderbid(reservePrice, initialPrice)) {
      throw Refusal.wrongReserve();
    }
    if (isUnderbid(buyNow, initialPrice.atLeast(reservePrice))) {
      throw Refusal.wrongBuyNow();
    }
  }

  /** Whether a price that the seller has set (0 is none) is below another one. */
  private static boolean isUnderbid(Money price, Money least) {
    return !price.isZero() && price.isLessThan(least);
  }
}

package tierbench.bookstore.rules;

import tierbench.common.Money;

/** What is changed of a book. */
public record BookChange(int item, Money price, String image, String thumbnail) {
  /** Refuses a price that is none, or above the suggested one. */
  public void check(Money suggestedPrice) {
    if (price.isZero() || suggestedPrice.isLessThan(price)) {
      throw Refusal.wrongPrice(suggestedPrice);
    }
  }
}

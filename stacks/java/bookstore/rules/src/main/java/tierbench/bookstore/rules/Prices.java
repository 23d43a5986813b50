package tierbench.bookstore.rules;

import tierbench.common.Money;

/** What a copy costs. */
final class Prices {
  /** In the parts of ten thousand that amounts are divided into. */
  private static final int PERCENT = 100;

  private Prices() {}

  /** A price with so many percent off. */
  static Money reduced(Money price, int discount) {
    return price.parts((100 - discount) * PERCENT);
  }
}

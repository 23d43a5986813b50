package tierbench.bookstore.rules;

import tierbench.common.Money;

/** Some copies of a book at a price. */
public interface Priced {
  /** Of one copy. */
  Money price();

  int quantity();

  default Money amount() {
    return price().times(quantity());
  }
}

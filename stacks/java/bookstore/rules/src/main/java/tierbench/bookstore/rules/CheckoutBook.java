package tierbench.bookstore.rules;

import tierbench.common.Money;

/** A line of a cart that is about to be ordered. */
public record CheckoutBook(String title, Money price, int quantity) implements Priced {
  /** The same for somebody with so many percent off. */
  public CheckoutBook reduced(int discount) {
    return new CheckoutBook(title, Prices.reduced(price, discount), quantity);
  }
}

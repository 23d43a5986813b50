package tierbench.bookstore.rules;

import tierbench.common.Money;

/** A line of a cart that becomes one of an order. */
public record OrderLine(CartLine line, String title, Money price) implements Priced {
  /** At a price with so many percent off. */
  public static OrderLine reduced(CartLine line, String title, Money price, int discount) {
    return new OrderLine(line, title, Prices.reduced(price, discount));
  }

  @Override
  public int quantity() {
    return line.quantity();
  }

  public String comments() {
    return "%d of %s".formatted(quantity(), title);
  }
}

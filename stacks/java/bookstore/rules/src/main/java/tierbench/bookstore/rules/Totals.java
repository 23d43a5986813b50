package tierbench.bookstore.rules;

import java.util.List;
import tierbench.common.Money;

/** What an order costs: all its copies, the tax on that, and sending it. */
public record Totals(Money subTotal, Money tax, Money shipping, Money total) {
  /** In hundredths of a percent. */
  private static final int TAX = 825;

  /** What sending an order costs, and what each of its lines adds. */
  private static final Money SHIPPING = new Money(300);

  private static final Money SHIPPING_OF_A_LINE = new Money(100);

  public static Totals of(List<? extends Priced> lines) {
    Money subTotal = lines.stream().map(Priced::amount).reduce(new Money(0), Money::plus);
    Money tax = subTotal.parts(TAX);
    Money shipping = SHIPPING.plus(SHIPPING_OF_A_LINE.times(lines.size()));
    return new Totals(subTotal, tax, shipping, subTotal.plus(tax).plus(shipping));
  }
}

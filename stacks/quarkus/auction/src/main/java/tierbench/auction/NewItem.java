package tierbench.auction;

import java.math.BigDecimal;
import tierbench.common.Refusal;

public record NewItem(
    int seller,
    int category,
    String name,
    String description,
    BigDecimal initialPrice,
    BigDecimal reservePrice,
    BigDecimal buyNow,
    int quantity,
    int days) {
  public static final BigDecimal FEE = new BigDecimal("1.00");

  /** Refuses prices that make no sense. */
  void check() {
    if (initialPrice.signum() == 0) {
      throw sale("The first price must be at least 0.01.");
    }
    if (isSetBelow(reservePrice, initialPrice)) {
      throw sale("The reserve price must be 0 or at least the first price.");
    }
    if (isSetBelow(buyNow, initialPrice.max(reservePrice))) {
      throw sale("The price to buy at once must be 0 or at least the first and the reserve price.");
    }
  }

  private static boolean isSetBelow(BigDecimal price, BigDecimal least) {
    return price.signum() != 0 && price.compareTo(least) < 0;
  }

  private static Refusal sale(String text) {
    return Rules.conflict(text, "/auction/sell.html", "Back to selling");
  }
}

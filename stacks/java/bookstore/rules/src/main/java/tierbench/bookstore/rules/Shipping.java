package tierbench.bookstore.rules;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** How orders are sent. */
public enum Shipping {
  AIR(1),
  UPS(3),
  FEDEX(2),
  SHIP(7),
  COURIER(0),
  MAIL(5);

  public static final Set<String> NAMES =
      Arrays.stream(values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());

  private final int days;

  Shipping(int days) {
    this.days = days;
  }

  /** After how many days. */
  public int days() {
    return days;
  }
}

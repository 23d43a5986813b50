package tierbench.bookstore.rules;

import java.time.YearMonth;
import java.util.List;

/** A credit card, as a customer has typed it. */
public record Card(String type, String number, String name, YearMonth expiry) {
  public static final List<String> TYPES =
      List.of("VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS");

  /** How many digits are not hidden. */
  private static final int SHOWN = 4;

  /** The number as it is kept: all but its last four digits are stars. */
  public String masked() {
    int hidden = number.length() - SHOWN;
    return "*".repeat(hidden) + number.substring(hidden);
  }

  /** Nobody is to find the number in a log. */
  @Override
  public String toString() {
    return "card " + masked();
  }
}

package tierbench.bookstore.web;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Set;
import java.util.regex.Pattern;
import tierbench.bookstore.rules.Card;
import tierbench.bookstore.rules.NewAddress;
import tierbench.bookstore.rules.Picture;
import tierbench.bookstore.rules.Shipping;
import tierbench.common.Fault;
import tierbench.common.web.Form;

/** Parameters that only the bookstore has. */
final class Inputs {
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final int FIRST_YEAR = 1880;
  private static final int LAST_YEAR = 2100;
  private static final Pattern EXPIRY = Pattern.compile("20[0-9]{2}-(?:0[1-9]|1[0-2])");
  private static final Pattern CARD_NUMBER = Pattern.compile("[0-9]{13,16}");
  private static final Set<String> CARD_TYPES = Set.copyOf(Card.TYPES);

  private Inputs() {}

  /** A day of the calendar. */
  static LocalDate date(Form form, String name) {
    String text = form.matching(name, DATE);
    try {
      LocalDate date = LocalDate.parse(text);
      if (date.getYear() >= FIRST_YEAR && date.getYear() <= LAST_YEAR) {
        return date;
      }
    } catch (DateTimeException e) {
      // There is no such day.
    }
    throw Fault.parameter(name);
  }

  static Card card(Form form) {
    return new Card(
        form.choice("CC_TYPE", CARD_TYPES),
        form.matching("CC_NUMBER", CARD_NUMBER),
        form.text("CC_NAME", 30),
        YearMonth.parse(form.matching("CC_EXPIRY", EXPIRY)));
  }

  static Shipping shipping(Form form) {
    return Shipping.valueOf(form.choice("SHIPPING", Shipping.NAMES));
  }

  /** An address. Only its second line may be missing. */
  static NewAddress address(Form form) {
    return new NewAddress(
        form.text("STREET_1", 40),
        form.optional("STREET_2", name -> form.text(name, 40)).orElse(""),
        form.text("CITY", 30),
        form.text("STATE", 20),
        form.text("ZIP", 10),
        form.id("COUNTRY"));
  }

  /** The path of a picture of a book. */
  static String picture(Form form, String name, Picture kind) {
    String path = form.text(name, 40);
    if (!kind.isPath(path)) {
      throw Fault.parameter(name);
    }
    return path;
  }
}

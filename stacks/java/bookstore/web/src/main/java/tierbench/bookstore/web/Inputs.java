package tierbench.bookstore.web;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tierbench.bookstore.rules.BookChange;
import tierbench.bookstore.rules.Card;
import tierbench.bookstore.rules.CartChange;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.bookstore.rules.NewAddress;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Picture;
import tierbench.bookstore.rules.Shipping;
import tierbench.common.Fault;
import tierbench.common.Password;
import tierbench.common.web.Form;

/** Parameters that only the bookstore has. */
final class Inputs {
  private static final Set<String> FLAGS = Set.of("N", "Y");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final int FIRST_YEAR = 1880;
  private static final int LAST_YEAR = 2100;
  private static final Pattern EXPIRY = Pattern.compile("20[0-9]{2}-(?:0[1-9]|1[0-2])");
  private static final Pattern CARD_NUMBER = Pattern.compile("[0-9]{13,16}");
  private static final Set<String> CARD_TYPES = Set.copyOf(Card.TYPES);

  private Inputs() {}

  static boolean flag(Form form, String name) {
    return "Y".equals(form.choice(name, FLAGS));
  }

  /** What is wanted of a cart. To add a book, it must be named. */
  static CartUpdate cartWish(Form form) {
    boolean adds = flag(form, "ADD_FLAG");
    Optional<Integer> item = form.optional("I_ID", form::id);
    if (adds && item.isEmpty()) {
      throw Fault.parameter("I_ID");
    }
    Map<Integer, Integer> quantities = new HashMap<>();
    for (int line = 1; line <= CartChange.MOST_LINES; line++) {
      cartLine(form, "I_ID_" + line, "QTY_" + line, quantities);
    }
    return new CartUpdate(quantities, item.filter(unused -> adds));
  }

  /** Of a book and its quantity both are there, or none. */
  private static void cartLine(
      Form form, String item, String quantity, Map<Integer, Integer> quantities) {
    Optional<Integer> id = form.optional(item, form::id);
    Optional<Integer> number =
        form.optional(quantity, name -> form.whole(name, 0, CartChange.MOST_COPIES));
    if (id.isPresent() != number.isPresent()) {
      throw Fault.parameter(id.isPresent() ? quantity : item);
    }
    id.ifPresent(book -> quantities.put(book, number.get()));
  }

  static NewCustomer newCustomer(Form form) {
    String uname = form.nickname("NEW_UNAME", 20);
    return new NewCustomer(
        uname,
        Password.hash(uname, form.text("NEW_PASSWD", 20)),
        form.text("FNAME", 17),
        form.text("LNAME", 17),
        address(form),
        form.text("PHONE", 16),
        form.email("EMAIL", 50),
        date(form, "BIRTHDATE"),
        form.text("DATA", 500));
  }

  /** A day of the calendar. */
  private static LocalDate date(Form form, String name) {
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

  static BookChange bookChange(Form form) {
    return new BookChange(
        form.id("I_ID"),
        form.money("I_NEW_COST"),
        picture(form, "I_NEW_IMAGE", Picture.IMAGE),
        picture(form, "I_NEW_THUMBNAIL", Picture.THUMBNAIL));
  }

  /** The path of a picture of a book. */
  private static String picture(Form form, String name, Picture kind) {
    String path = form.text(name, 40);
    if (!kind.isPath(path)) {
      throw Fault.parameter(name);
    }
    return path;
  }
}

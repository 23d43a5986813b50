package tierbench.bookstore.rules;

import tierbench.common.Fault;
import tierbench.common.Link;
import tierbench.common.Money;

/**
 * Refusals of visitors who aren't known, by the bookstore's rules of business, and by the bank.
 * Each who could put it right is led on.
 */
public final class Refusal {
  private Refusal() {}

  public static Fault wrongLogIn() {
    return withWayHome(403, "The user name or the password is wrong.");
  }

  public static Fault wrongToken() {
    return withWayHome(403, "Your log-in is not valid or has expired. Please log in again.");
  }

  public static Fault wrongCart() {
    return withWayHome(403, "This is no cart of ours. Please begin a new one.");
  }

  public static Fault unameTaken(String uname) {
    return withWayHome(
        409, "The user name %s is taken. Please choose another one.".formatted(uname));
  }

  public static Fault ordered(int order) {
    Link onward = new Link("/bookstore/OrderInquiry", "Your orders");
    return new Fault(
        409, "This cart has been ordered already: it is order %d.".formatted(order), onward);
  }

  /** Only somebody who does two things at once with a cart meets it. */
  public static Fault cartChanged() {
    return withWayHome(409, "Your cart has changed meanwhile. Please look at it once more.");
  }

  public static Fault declined() {
    return withWayHome(409, "Your bank declines the payment. Nothing has been ordered.");
  }

  public static Fault noAnswer() {
    return withWayHome(504, "Your bank does not answer. Nothing has been ordered.");
  }

  static Fault fullCart(int most) {
    return withWayHome(409, "A cart holds at most %d different books.".formatted(most));
  }

  static Fault wrongPrice(Money most) {
    return new Fault(409, "The price must be from 0.01 to %s.".formatted(most));
  }

  private static Fault withWayHome(int status, String message) {
    return new Fault(status, message, new Link("/bookstore/Home", "Home"));
  }
}

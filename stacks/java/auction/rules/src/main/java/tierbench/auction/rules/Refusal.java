package tierbench.auction.rules;

import tierbench.common.Fault;
import tierbench.common.Link;
import tierbench.common.Money;

/**
 * Refusals of users who aren't known, and by the auction's rules of business. Each leads the
 * visitor on.
 */
public final class Refusal {
  private Refusal() {}

  public static Fault wrongLogIn() {
    return ofUser("The nickname or the password is wrong.");
  }

  public static Fault wrongToken() {
    return ofUser("Your log-in is not valid or has expired. Please log in again.");
  }

  public static Fault nicknameTaken(String nickname) {
    Link onward = new Link("/auction/register.html", "Back to the form");
    return new Fault(
        409, "The nickname %s is taken. Please choose another one.".formatted(nickname), onward);
  }

  static Fault closed(int item) {
    return ofItem(item, "This auction is closed.");
  }

  static Fault ownItem(int item) {
    return ofItem(item, "You can't bid on, buy or rate what you sell yourself.");
  }

  static Fault notForSaleAtOnce(int item) {
    return ofItem(item, "This item can't be bought at once.");
  }

  static Fault wrongSeller(int item, int to) {
    return ofItem(item, "User %d does not sell item %d.".formatted(to, item));
  }

  static Fault wrongQuantity(int item, int most) {
    return ofItem(item, "The quantity must be from 1 to %d.".formatted(most));
  }

  static Fault bidTooLow(int item, Money least) {
    return ofItem(item, "The bid must be at least %s.".formatted(least));
  }

  static Fault mostBelowBid(int item) {
    return ofItem(item, "The most you would bid must not be less than your bid.");
  }

  static Fault priceTooLow() {
    return ofSale("The first price must be at least 0.01.");
  }

  static Fault wrongReserve() {
    return ofSale("The reserve price must be 0 or at least the first price.");
  }

  static Fault wrongBuyNow() {
    return ofSale(
        "The price to buy at once must be 0 or at least the first and the reserve price.");
  }

  private static Fault ofUser(String message) {
    return new Fault(403, message, new Link("/auction/index.html", "Home"));
  }

  private static Fault ofItem(int item, String message) {
    return new Fault(
        409, message, new Link("/auction/ViewItem?itemId=" + item, "Back to the item"));
  }

  private static Fault ofSale(String message) {
    return new Fault(409, message, new Link("/auction/sell.html", "Back to selling"));
  }
}

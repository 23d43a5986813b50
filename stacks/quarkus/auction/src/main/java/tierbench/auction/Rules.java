package tierbench.auction;

import jakarta.ws.rs.core.Response.Status;
import tierbench.auction.Rows.Biddable;
import tierbench.auction.Rows.Sale;
import tierbench.auction.Rows.SoldBy;
import tierbench.common.Refusal;

/** What users may do with an item. The first broken rule is the reason of the refusal. */
public final class Rules {
  private Rules() {}

  static void checkBidder(int id, boolean open, int seller, int user) {
    if (!open) {
      throw item(id, "This auction is closed.");
    }
    if (seller == user) {
      throw ownItem(id);
    }
  }

  static void checkBuyer(int id, Rows.Offered item, int seller, int user) {
    checkBidder(id, item.open(), seller, user);
    if (item.atOnce() == null) {
      throw item(id, "This item can't be bought at once.");
    }
  }

  static void checkBid(Biddable item, Bid offer) {
    checkBidder(offer.item(), item.open(), item.seller(), offer.user());
    checkQuantity(offer.item(), item.quantity(), offer.qty());
    if (offer.bid().compareTo(item.leastBid()) < 0) {
      throw item(offer.item(), "The bid must be at least %s.".formatted(item.leastBid()));
    }
    if (offer.maxBid().compareTo(offer.bid()) < 0) {
      throw item(offer.item(), "The most you would bid must not be less than your bid.");
    }
  }

  static void checkPurchase(int id, Sale item, int buyer, int qty) {
    checkBuyer(id, item, item.seller(), buyer);
    checkQuantity(id, item.quantity(), qty);
  }

  static void checkComment(int id, SoldBy item, int from, int to) {
    if (item.seller() != to) {
      throw item(id, "User %d does not sell item %d.".formatted(to, id));
    }
    if (from == to) {
      throw ownItem(id);
    }
  }

  public static Refusal nicknameTaken(String nickname) {
    String text = "The nickname %s is taken. Please choose another one.".formatted(nickname);
    return conflict(text, "/auction/register.html", "Back to the form");
  }

  static Refusal conflict(String text, String href, String onward) {
    return new Refusal(Status.CONFLICT, text, href, onward);
  }

  private static void checkQuantity(int id, int most, int wanted) {
    if (wanted < 1 || wanted > most) {
      throw item(id, "The quantity must be from 1 to %d.".formatted(most));
    }
  }

  private static Refusal ownItem(int id) {
    return item(id, "You can't bid on, buy or rate what you sell yourself.");
  }

  private static Refusal item(int id, String text) {
    return conflict(text, "/auction/ViewItem?itemId=" + id, "Back to the item");
  }
}

package tierbench.auction.ejb;

import java.time.LocalDateTime;
import java.util.List;
import tierbench.auction.rules.Bidding;
import tierbench.auction.rules.FoundItem;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.Named;
import tierbench.auction.rules.PlacedBid;
import tierbench.auction.rules.PublicUser;
import tierbench.auction.rules.Remark;
import tierbench.auction.rules.SaleItem;
import tierbench.auction.rules.SoldBy;

/** Results of calls: all values that one page shows. */
public final class Told {
  private Told() {}

  public record Names(List<Named> all) {}

  public record OfRegion(String region, List<Named> categories) {}

  public record Found(String category, List<FoundItem> items) {}

  public record FoundInRegion(String category, String region, List<FoundItem> items) {}

  public record ItemOfSeller(Item item, String seller) {}

  public record User(PublicUser user, List<Remark> remarks) {}

  public record History(String item, List<PlacedBid> bids) {}

  /** An item with its seller's nickname, and the user who has logged in. */
  public record ForSale(int user, Item item, String seller) {}

  /** An item that may be gone from sale, with the user who has logged in. */
  public record Sold(int user, SoldBy item, String seller) {}

  public record Seller(int user, List<Named> categories) {}

  public record RecordedBid(int id, Bidding bidding) {}

  /** A purchase, with its item as it was before. */
  public record RecordedPurchase(int id, SaleItem item) {}

  public record RecordedComment(int id, SoldBy item) {}

  public record RecordedItem(int id, String category, LocalDateTime start, LocalDateTime end) {}

  public record RecordedUser(int id, String region, LocalDateTime registered) {}
}

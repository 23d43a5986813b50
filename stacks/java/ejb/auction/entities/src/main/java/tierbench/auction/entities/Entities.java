package tierbench.auction.entities;

import java.util.List;
import tierbench.auction.rules.Named;
import tierbench.ejb.Maker;
import tierbench.ejb.Many;
import tierbench.ejb.One;

/**
 * The homes of all entities, looked up once. Of items and users there are two each: those that are
 * only shown, and those whose rows are locked as they are read.
 */
public record Entities(
    Items items,
    Items lockedItems,
    Items oldItems,
    Users users,
    Users lockedUsers,
    Bids bids,
    Comments comments,
    Purchases purchases,
    Names categories,
    Names regions,
    One<Integer, IdsRow> ids) {

  public record Items(
      One<Integer, ItemRow> byId, Many<Integer, ItemRow> ofSeller, Maker<ItemRow> newOnes) {}

  public record Users(
      One<Integer, UserRow> byId, One<String, UserRow> byNickname, Maker<UserRow> newOnes) {}

  public record Bids(
      One<Integer, BidRow> byId,
      Many<Integer, BidRow> ofItem,
      Many<Integer, BidRow> ofUser,
      Maker<BidRow> newOnes) {}

  public record Comments(Many<Integer, CommentRow> about, Maker<CommentRow> newOnes) {}

  public record Purchases(Many<Integer, PurchaseRow> ofBuyer, Maker<PurchaseRow> newOnes) {}

  public record Names(One<Integer, Named> byId, Many<Integer, Named> ofNobody) {
    public List<Named> all() {
      return ofNobody.of(0);
    }
  }

  /** From where entities are called, which decides by which interfaces. */
  public interface Side {
    Items items(String name);

    Users users(String name);

    Bids bids(String name);

    Comments comments(String name);

    Purchases purchases(String name);

    Names names(String name);

    One<Integer, IdsRow> ids(String name);
  }

  public static Entities from(Side side) {
    return new Entities(
        side.items("Item"),
        side.items("LockedItem"),
        side.items("OldItem"),
        side.users("User"),
        side.users("LockedUser"),
        side.bids("Bid"),
        side.comments("Comment"),
        side.purchases("Purchase"),
        side.names("Category"),
        side.names("Region"),
        side.ids("Ids"));
  }
}

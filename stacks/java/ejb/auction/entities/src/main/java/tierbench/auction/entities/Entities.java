package tierbench.auction.entities;

import java.util.List;
import tierbench.auction.rules.Named;
import tierbench.ejb.Finder;
import tierbench.ejb.ListFinder;
import tierbench.ejb.Maker;
import tierbench.ejb.UpdateFinder;

/**
 * The homes of all entities, looked up once. Of items and users there are two each: those that are
 * only shown, and those whose rows are locked as they are read.
 */
public record Entities(
    Items items,
    UpdateFinder<Integer, ItemRow> lockedItems,
    Items oldItems,
    Users users,
    UpdateFinder<Integer, UserRow> lockedUsers,
    Bids bids,
    Comments comments,
    Purchases purchases,
    Names categories,
    Names regions,
    Finder<Integer, IdsRow> ids) {

  public record Items(
      Finder<Integer, ItemFields> byId,
      ListFinder<Integer, ItemFields> ofSeller,
      Maker<ItemRow> newOnes) {}

  public record Users(
      Finder<Integer, UserFields> byId,
      Finder<String, UserFields> byNickname,
      Maker<UserRow> newOnes) {}

  public record Bids(
      Finder<Integer, BidFields> byId,
      ListFinder<Integer, BidFields> ofItem,
      ListFinder<Integer, BidFields> ofUser,
      Maker<BidRow> newOnes) {}

  public record Comments(ListFinder<Integer, CommentFields> about, Maker<CommentRow> newOnes) {}

  public record Purchases(
      ListFinder<Integer, PurchaseFields> ofBuyer, Maker<PurchaseRow> newOnes) {}

  public record Names(
      Finder<Integer, NamedFields> byId, ListFinder<Integer, NamedFields> ofNobody) {
    public List<Named> all() {
      return ofNobody.of(0).stream().map(NamedFields::named).toList();
    }
  }

  /** The interfaces by which entities are called: local or remote. */
  public interface Side {
    Items items(String name);

    UpdateFinder<Integer, ItemRow> lockedItems(String name);

    Users users(String name);

    UpdateFinder<Integer, UserRow> lockedUsers(String name);

    Bids bids(String name);

    Comments comments(String name);

    Purchases purchases(String name);

    Names names(String name);

    Finder<Integer, IdsRow> ids(String name);
  }

  public static Entities from(Side side) {
    return new Entities(
        side.items("Item"),
        side.lockedItems("LockedItem"),
        side.items("OldItem"),
        side.users("User"),
        side.lockedUsers("LockedUser"),
        side.bids("Bid"),
        side.comments("Comment"),
        side.purchases("Purchase"),
        side.names("Category"),
        side.names("Region"),
        side.ids("Ids"));
  }
}

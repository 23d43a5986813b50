package tierbench.auction.entities;

import java.util.List;
import tierbench.auction.rules.Named;
import tierbench.ejb.Maker;
import tierbench.ejb.Many;
import tierbench.ejb.One;
import tierbench.ejb.OneToChange;

/**
 * The homes of all entities, looked up once. Of items and users there are two each: those that are
 * only shown, and those whose rows are locked as they are read.
 */
public record Entities(
    Items items,
    OneToChange<Integer, ItemRow> lockedItems,
    Items oldItems,
    Users users,
    OneToChange<Integer, UserRow> lockedUsers,
    Bids bids,
    Comments comments,
    Purchases purchases,
    Names categories,
    Names regions,
    One<Integer, IdsRow> ids) {

  public record Items(
      One<Integer, ItemFields> byId, Many<Integer, ItemFields> ofSeller, Maker<ItemRow> newOnes) {}

  public record Users(
      One<Integer, UserFields> byId, One<String, UserFields> byNickname, Maker<UserRow> newOnes) {}

  public record Bids(
      One<Integer, BidFields> byId,
      Many<Integer, BidFields> ofItem,
      Many<Integer, BidFields> ofUser,
      Maker<BidRow> newOnes) {}

  public record Comments(Many<Integer, CommentFields> about, Maker<CommentRow> newOnes) {}

  public record Purchases(Many<Integer, PurchaseFields> ofBuyer, Maker<PurchaseRow> newOnes) {}

  public record Names(One<Integer, NamedFields> byId, Many<Integer, NamedFields> ofNobody) {
    public List<Named> all() {
      return ofNobody.of(0).stream().map(NamedFields::named).toList();
    }
  }

  /** From where entities are called, which decides by which interfaces. */
  public interface Side {
    Items items(String name);

    OneToChange<Integer, ItemRow> lockedItems(String name);

    Users users(String name);

    OneToChange<Integer, UserRow> lockedUsers(String name);

    Bids bids(String name);

    Comments comments(String name);

    Purchases purchases(String name);

    Names names(String name);

    One<Integer, IdsRow> ids(String name);
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

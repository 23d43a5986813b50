package tierbench.auction.cmp;

import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The homes of all entities, looked up once for each facade. Of items and users there are two each:
 * those that are only shown, and those whose rows are locked as they are read.
 */
record Entities(
    ItemHome items,
    ItemHome lockedItems,
    ItemHome oldItems,
    UserHome users,
    UserHome lockedUsers,
    BidHome bids,
    CommentHome comments,
    PurchaseHome purchases,
    NamedHome categories,
    NamedHome regions,
    IdsHome ids) {
  static Entities find() throws NamingException {
    InitialContext names = new InitialContext();
    return new Entities(
        home(names, "Item", ItemHome.class),
        home(names, "LockedItem", ItemHome.class),
        home(names, "OldItem", ItemHome.class),
        home(names, "User", UserHome.class),
        home(names, "LockedUser", UserHome.class),
        home(names, "Bid", BidHome.class),
        home(names, "Comment", CommentHome.class),
        home(names, "Purchase", PurchaseHome.class),
        home(names, "Category", NamedHome.class),
        home(names, "Region", NamedHome.class),
        home(names, "Ids", IdsHome.class));
  }

  /** The names are ours, and so is the container. */
  @SuppressWarnings("BanJNDI")
  private static <T> T home(InitialContext names, String name, Class<T> type)
      throws NamingException {
    return type.cast(names.lookup("java:comp/env/ejb/" + name));
  }
}

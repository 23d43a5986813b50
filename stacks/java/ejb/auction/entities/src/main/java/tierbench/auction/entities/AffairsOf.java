package tierbench.auction.entities;

import static java.util.Comparator.comparing;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tierbench.auction.rules.Affairs;
import tierbench.auction.rules.Remark;
import tierbench.common.Money;
import tierbench.ejb.Row;

/** The page about a user, read entity by entity. */
record AffairsOf(Entities entities, Queries queries, LocalDateTime now) {
  /** Days for which ended auctions and purchases are listed. */
  private static final int TOLD_DAYS = 30;

  Affairs user(int id) throws SQLException {
    List<ItemFields> items = entities.items().ofSeller().of(id);
    Map<Integer, List<BidFields>> bids =
        entities.bids().ofUser().of(id).stream()
            .collect(Collectors.groupingBy(BidFields::item, TreeMap::new, Collectors.toList()));
    List<ItemFields> bidOn = lately(bids.keySet());
    return new Affairs(
        profile(entities.users().byId().row(id)),
        ownBids(bidOn, bids),
        won(id, bidOn),
        bought(id),
        selling(items),
        sold(items, entities.oldItems().ofSeller().of(id)),
        remarks(id));
  }

  private Affairs.Profile profile(UserFields user) {
    return new Affairs.Profile(
        user.firstname(),
        user.lastname(),
        user.nickname(),
        user.email(),
        user.rating(),
        user.balance(),
        user.created(),
        entities.regions().byId().row(user.region()).name());
  }

  /** Items that are not archived. */
  private List<ItemFields> lately(Collection<Integer> ids) {
    return ids.stream()
        .flatMap(id -> entities.items().byId().find(id).stream())
        .map(Row::row)
        .toList();
  }

  /** The open items that the user bids on, those that end first on top. */
  private List<Affairs.OwnBid> ownBids(List<ItemFields> items, Map<Integer, List<BidFields>> bids) {
    return items.stream()
        .filter(item -> item.isOpen(now))
        .map(item -> ownBid(item, bids.get(item.id())))
        .sorted(comparing(Affairs.OwnBid::end).thenComparing(Affairs.OwnBid::id))
        .toList();
  }

  private static Affairs.OwnBid ownBid(ItemFields item, List<BidFields> bids) {
    return new Affairs.OwnBid(
        item.id(),
        item.name(),
        item.initialPrice(),
        item.highestBid(),
        item.bids(),
        item.end(),
        bids.stream().map(BidFields::amount).reduce(Money::atLeast).orElseThrow(),
        bids.stream().map(BidFields::most).reduce(Money::atLeast).orElseThrow());
  }

  /**
   * The closed items whose leader is the user and whose price has reached the reserve, the latest
   * on top.
   */
  private List<Affairs.Won> won(int user, List<ItemFields> items) throws SQLException {
    List<Affairs.Won> won = new ArrayList<>();
    for (ItemFields item : items) {
      if (isSold(item) && leads(user, item)) {
        won.add(
            new Affairs.Won(
                item.id(),
                item.name(),
                item.highestBid().orElseThrow(),
                item.end(),
                item.seller(),
                entities.users().byId().row(item.seller()).nickname()));
      }
    }
    won.sort(comparing(Affairs.Won::end).thenComparing(Affairs.Won::id).reversed());
    return won;
  }

  private boolean isSold(ItemFields item) {
    return !item.isOpen(now)
        && item.quantity() > 0
        && item.highestBid().filter(bid -> !bid.isLessThan(item.reservePrice())).isPresent();
  }

  private boolean leads(int user, ItemFields item) throws SQLException {
    return entities.bids().byId().row(queries.leading(item.id()).orElseThrow()).user() == user;
  }

  /** The user's purchases of the last days, latest first. */
  private List<Affairs.Bought> bought(int user) {
    return entities.purchases().ofBuyer().of(user).stream()
        .filter(purchase -> isTold(purchase.bought()))
        .sorted(comparing(PurchaseFields::bought).thenComparing(PurchaseFields::id).reversed())
        .map(this::bought)
        .toList();
  }

  private Affairs.Bought bought(PurchaseFields purchase) {
    ItemFields item =
        entities
            .items()
            .byId()
            .find(purchase.item())
            .map(Row::row)
            .orElseGet(() -> entities.oldItems().byId().row(purchase.item()));
    return new Affairs.Bought(
        item.id(), item.name(), item.buyNow(), purchase.quantity(), purchase.bought());
  }

  /** The open ones of the user's items, those that end first on top. */
  private List<Affairs.Selling> selling(List<ItemFields> items) {
    return items.stream()
        .filter(item -> item.isOpen(now))
        .sorted(comparing(ItemFields::end).thenComparing(ItemFields::id))
        .map(
            item ->
                new Affairs.Selling(
                    item.id(),
                    item.name(),
                    item.initialPrice(),
                    item.quantity(),
                    item.reservePrice(),
                    item.buyNow(),
                    item.bids(),
                    item.highestBid(),
                    item.end()))
        .toList();
  }

  /** The user's items that have closed in the last days, latest first. */
  private List<Affairs.Sold> sold(List<ItemFields> items, List<ItemFields> old) {
    Stream<ItemFields> closed = items.stream().filter(item -> !item.isOpen(now));
    return Stream.concat(closed, old.stream())
        .filter(item -> isTold(item.end()))
        .sorted(comparing(ItemFields::end).thenComparing(ItemFields::id).reversed())
        .map(
            item ->
                new Affairs.Sold(
                    item.id(),
                    item.name(),
                    item.quantity(),
                    item.reservePrice(),
                    item.highestBid(),
                    item.end()))
        .toList();
  }

  private boolean isTold(LocalDateTime end) {
    return !end.isBefore(now.minusDays(TOLD_DAYS));
  }

  /** Comments on the user, latest first. */
  List<Remark> remarks(int user) {
    return entities.comments().about().of(user).stream().map(this::remark).toList();
  }

  private Remark remark(CommentFields comment) {
    return new Remark(
        comment.author(),
        entities.users().byId().row(comment.author()).nickname(),
        comment.item(),
        comment.rating(),
        comment.written(),
        comment.text());
  }
}

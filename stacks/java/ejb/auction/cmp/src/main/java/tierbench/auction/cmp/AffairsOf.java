package tierbench.auction.cmp;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import jakarta.ejb.FinderException;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tierbench.auction.rules.Affairs;
import tierbench.auction.rules.Remark;
import tierbench.common.Money;

/** All that concerns a user, entity by entity. */
record AffairsOf(Entities entities, Queries queries, LocalDateTime now) {
  /** For how many days what has ended is told. */
  private static final int TOLD_DAYS = 30;

  Affairs user(int id) throws FinderException, SQLException {
    Collection<ItemEntity> items = entities.items().findOfSeller(id);
    Map<Integer, List<BidEntity>> bids = bids(id);
    List<ItemEntity> bidOn = lately(bids.keySet());
    return new Affairs(
        profile(entities.users().findByPrimaryKey(id)),
        ownBids(bidOn, bids),
        won(id, bidOn),
        bought(id),
        selling(items),
        sold(items, entities.oldItems().findOfSeller(id)),
        remarks(id));
  }

  private Affairs.Profile profile(UserEntity user) throws FinderException {
    return new Affairs.Profile(
        user.getFirstname(),
        user.getLastname(),
        user.getNickname(),
        user.getEmail(),
        user.getRating(),
        Money.of(user.getBalance()),
        user.getCreated().toLocalDateTime(),
        entities.regions().findByPrimaryKey(user.getRegion()).getName());
  }

  /** The user's bids by their items. */
  private Map<Integer, List<BidEntity>> bids(int user) throws FinderException {
    Map<Integer, List<BidEntity>> bids = new TreeMap<>();
    for (BidEntity bid : entities.bids().findOfUser(user)) {
      bids.computeIfAbsent(bid.getItem(), unused -> new ArrayList<>()).add(bid);
    }
    return bids;
  }

  /** Those that may still be there: old items aren't among them. */
  private List<ItemEntity> lately(Collection<Integer> ids) {
    List<ItemEntity> found = new ArrayList<>();
    for (int id : ids) {
      Lookup.find(() -> entities.items().findByPrimaryKey(id)).ifPresent(found::add);
    }
    return found;
  }

  /** The open items that the user bids on, those that end first on top. */
  private List<Affairs.OwnBid> ownBids(List<ItemEntity> items, Map<Integer, List<BidEntity>> bids) {
    return items.stream()
        .filter(item -> Values.isOpen(item, now))
        .map(item -> ownBid(item, bids.get(item.getId())))
        .sorted(comparing(Affairs.OwnBid::end).thenComparing(Affairs.OwnBid::id))
        .toList();
  }

  private static Affairs.OwnBid ownBid(ItemEntity item, List<BidEntity> bids) {
    return new Affairs.OwnBid(
        item.getId(),
        item.getName(),
        Money.of(item.getInitialPrice()),
        Values.highestBid(item),
        item.getBids(),
        item.getEnd().toLocalDateTime(),
        Money.of(bids.stream().map(BidEntity::getAmount).reduce((a, b) -> a.max(b)).orElseThrow()),
        Money.of(bids.stream().map(BidEntity::getMost).reduce((a, b) -> a.max(b)).orElseThrow()));
  }

  /**
   * The closed items whose leader is the user and whose price has reached the reserve, the latest
   * on top.
   */
  private List<Affairs.Won> won(int user, List<ItemEntity> items)
      throws FinderException, SQLException {
    List<Affairs.Won> won = new ArrayList<>();
    for (ItemEntity item : items) {
      if (isSold(item) && leads(user, item)) {
        won.add(
            new Affairs.Won(
                item.getId(),
                item.getName(),
                Money.of(item.getHighestBid()),
                item.getEnd().toLocalDateTime(),
                item.getSeller(),
                entities.users().findByPrimaryKey(item.getSeller()).getNickname()));
      }
    }
    won.sort(comparing(Affairs.Won::end).thenComparing(Affairs.Won::id).reversed());
    return won;
  }

  private boolean isSold(ItemEntity item) {
    return !Values.isOpen(item, now)
        && item.getQuantity() > 0
        && item.getHighestBid() != null
        && item.getHighestBid().compareTo(item.getReservePrice()) >= 0;
  }

  private boolean leads(int user, ItemEntity item) throws FinderException, SQLException {
    int leading = queries.leading(item.getId()).orElseThrow();
    return entities.bids().findByPrimaryKey(leading).getUser() == user;
  }

  /** What the user has bought at once in the last days, the latest on top. */
  private List<Affairs.Bought> bought(int user) throws FinderException {
    List<PurchaseEntity> purchases =
        entities.purchases().findOfBuyer(user).stream()
            .filter(purchase -> isTold(purchase.getBought().toLocalDateTime()))
            .sorted(
                comparing(PurchaseEntity::getBought)
                    .thenComparing(PurchaseEntity::getId)
                    .reversed())
            .toList();
    List<Affairs.Bought> bought = new ArrayList<>();
    for (PurchaseEntity purchase : purchases) {
      ItemEntity item = Lookup.item(entities, purchase.getItem());
      bought.add(
          new Affairs.Bought(
              item.getId(),
              item.getName(),
              Money.of(item.getBuyNow()),
              purchase.getQuantity(),
              purchase.getBought().toLocalDateTime()));
    }
    return bought;
  }

  /** The open ones of the user's items, those that end first on top. */
  private List<Affairs.Selling> selling(Collection<ItemEntity> items) {
    return items.stream()
        .filter(item -> Values.isOpen(item, now))
        .sorted(comparing(ItemEntity::getEnd).thenComparing(ItemEntity::getId))
        .map(
            item ->
                new Affairs.Selling(
                    item.getId(),
                    item.getName(),
                    Money.of(item.getInitialPrice()),
                    item.getQuantity(),
                    Money.of(item.getReservePrice()),
                    Money.of(item.getBuyNow()),
                    item.getBids(),
                    Values.highestBid(item),
                    item.getEnd().toLocalDateTime()))
        .toList();
  }

  /** Those that have closed in the last days, the latest on top. */
  private List<Affairs.Sold> sold(Collection<ItemEntity> items, Collection<ItemEntity> old) {
    Stream<ItemEntity> closed = items.stream().filter(item -> !Values.isOpen(item, now));
    return Stream.concat(closed, old.stream())
        .filter(item -> isTold(item.getEnd().toLocalDateTime()))
        .sorted(
            comparing(ItemEntity::getEnd, reverseOrder())
                .thenComparing(ItemEntity::getId, reverseOrder()))
        .map(
            item ->
                new Affairs.Sold(
                    item.getId(),
                    item.getName(),
                    item.getQuantity(),
                    Money.of(item.getReservePrice()),
                    Values.highestBid(item),
                    item.getEnd().toLocalDateTime()))
        .toList();
  }

  private boolean isTold(LocalDateTime end) {
    return !end.isBefore(now.minusDays(TOLD_DAYS));
  }

  /** What others say about the user, the latest on top. */
  List<Remark> remarks(int user) throws FinderException {
    List<Remark> remarks = new ArrayList<>();
    for (CommentEntity comment : entities.comments().findAbout(user)) {
      remarks.add(
          new Remark(
              comment.getAuthor(),
              entities.users().findByPrimaryKey(comment.getAuthor()).getNickname(),
              comment.getItem(),
              comment.getRating(),
              comment.getWritten().toLocalDateTime(),
              comment.getText()));
    }
    return remarks;
  }
}

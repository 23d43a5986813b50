package tierbench.auction.entities;

import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.auction.rules.FoundItem;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.SoldBy;
import tierbench.common.Money;

/** An item for sale, or an old one, by its getters. */
public interface ItemFields {
  int id();

  String name();

  String description();

  Money initialPrice();

  int quantity();

  Money reservePrice();

  Money buyNow();

  int bids();

  Optional<Money> highestBid();

  LocalDateTime start();

  LocalDateTime end();

  int seller();

  int category();

  /** Up to and including its last second. */
  default boolean isOpen(LocalDateTime now) {
    return !end().isBefore(now);
  }

  default Item shown(LocalDateTime now) {
    return new Item(
        id(),
        name(),
        description(),
        initialPrice(),
        quantity(),
        buyNow(),
        bids(),
        highestBid(),
        start(),
        end(),
        seller(),
        category(),
        isOpen(now));
  }

  default FoundItem found() {
    return new FoundItem(id(), name(), initialPrice(), highestBid(), bids(), buyNow(), end());
  }

  default SoldBy soldBy() {
    return new SoldBy(id(), name(), seller());
  }
}

package tierbench.auction.cmp;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.auction.rules.BidItem;
import tierbench.auction.rules.FoundItem;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.SaleItem;
import tierbench.common.Money;

/** What entities hold, as the rules and pages know it. */
final class Values {
  private Values() {}

  static Item item(ItemEntity row, LocalDateTime now) {
    return new Item(
        row.getId(),
        row.getName(),
        row.getDescription(),
        Money.of(row.getInitialPrice()),
        row.getQuantity(),
        Money.of(row.getBuyNow()),
        row.getBids(),
        highestBid(row),
        row.getStart().toLocalDateTime(),
        row.getEnd().toLocalDateTime(),
        row.getSeller(),
        row.getCategory(),
        isOpen(row, now));
  }

  static FoundItem found(ItemEntity row) {
    return new FoundItem(
        row.getId(),
        row.getName(),
        Money.of(row.getInitialPrice()),
        highestBid(row),
        row.getBids(),
        Money.of(row.getBuyNow()),
        row.getEnd().toLocalDateTime());
  }

  static BidItem toBidOn(ItemEntity row, LocalDateTime now) {
    return new BidItem(
        row.getId(),
        Money.of(row.getInitialPrice()),
        row.getQuantity(),
        highestBid(row),
        row.getSeller(),
        isOpen(row, now));
  }

  static SaleItem toBuy(ItemEntity row, LocalDateTime now) {
    return new SaleItem(
        row.getId(),
        Money.of(row.getInitialPrice()),
        row.getQuantity(),
        Money.of(row.getBuyNow()),
        highestBid(row),
        row.getSeller(),
        isOpen(row, now));
  }

  static Optional<Money> highestBid(ItemEntity row) {
    return Optional.ofNullable(row.getHighestBid()).map(Money::of);
  }

  /** Up to and including its last second. */
  static boolean isOpen(ItemEntity row, LocalDateTime now) {
    return !row.getEnd().toLocalDateTime().isBefore(now);
  }

  static Timestamp timestamp(LocalDateTime instant) {
    return Timestamp.valueOf(instant);
  }

  static BigDecimal decimal(Money amount) {
    return amount.toDecimal();
  }
}

package tierbench.auction.entities;

import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.auction.rules.BidItem;
import tierbench.auction.rules.SaleItem;
import tierbench.common.Money;

/** An item for sale, or an old one, as a value object. */
public record ItemRow(
    int id,
    String name,
    String description,
    Money initialPrice,
    int quantity,
    Money reservePrice,
    Money buyNow,
    int bids,
    Optional<Money> highestBid,
    LocalDateTime start,
    LocalDateTime end,
    int seller,
    int category)
    implements ItemFields {

  public BidItem toBidOn(LocalDateTime now) {
    return new BidItem(id, initialPrice, quantity, highestBid, seller, isOpen(now));
  }

  public SaleItem toBuy(LocalDateTime now) {
    return new SaleItem(id, initialPrice, quantity, buyNow, highestBid, seller, isOpen(now));
  }

  /** The row after some more bids. */
  public ItemRow bidOn(int more, Money highest) {
    return with(quantity, bids + more, Optional.of(highest), end);
  }

  /** The row after a purchase. The last copy closes the auction at once. */
  public ItemRow bought(int sold, LocalDateTime now) {
    boolean isLast = sold == quantity;
    return with(quantity - sold, bids, highestBid, isLast ? now.minusSeconds(1) : end);
  }

  private ItemRow with(
      int otherQuantity, int otherBids, Optional<Money> otherHighestBid, LocalDateTime otherEnd) {
    return new ItemRow(
        id,
        name,
        description,
        initialPrice,
        otherQuantity,
        reservePrice,
        buyNow,
        otherBids,
        otherHighestBid,
        start,
        otherEnd,
        seller,
        category);
  }
}

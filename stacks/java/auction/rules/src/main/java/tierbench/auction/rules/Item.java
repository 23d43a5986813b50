package tierbench.auction.rules;

import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.common.Money;

/** All that the page of an item shows. */
public record Item(
    int id,
    String name,
    String description,
    Money initialPrice,
    int quantity,
    Money buyNow,
    int numberOfBids,
    Optional<Money> highestBid,
    LocalDateTime start,
    LocalDateTime end,
    int seller,
    int category,
    boolean isOpen)
    implements Offered, Buyable {}

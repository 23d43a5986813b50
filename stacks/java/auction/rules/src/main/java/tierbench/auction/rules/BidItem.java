package tierbench.auction.rules;

import java.util.Optional;
import tierbench.common.Money;

/** What decides whether a bid on an item is accepted. */
public record BidItem(
    int id,
    Money initialPrice,
    int quantity,
    Optional<Money> highestBid,
    int seller,
    boolean isOpen)
    implements Offered {}

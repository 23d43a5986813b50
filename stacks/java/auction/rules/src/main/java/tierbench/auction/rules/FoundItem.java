package tierbench.auction.rules;

import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.common.Money;

/** An item in a list of those for sale. */
public record FoundItem(
    int id,
    String name,
    Money initialPrice,
    Optional<Money> highestBid,
    int numberOfBids,
    Money buyNow,
    LocalDateTime end)
    implements Buyable {}

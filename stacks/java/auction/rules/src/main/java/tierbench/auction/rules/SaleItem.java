package tierbench.auction.rules;

import java.util.Optional;
import tierbench.common.Money;

/** What decides whether an item can be bought at once. */
public record SaleItem(
    int id,
    Money initialPrice,
    int quantity,
    Money buyNow,
    Optional<Money> highestBid,
    int seller,
    boolean isOpen)
    implements Offered, Buyable {}

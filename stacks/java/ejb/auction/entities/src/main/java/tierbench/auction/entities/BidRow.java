package tierbench.auction.entities;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** A bid, as a value object. */
public record BidRow(
    int id, int user, int item, int quantity, Money amount, Money most, LocalDateTime placed)
    implements BidFields {}

package tierbench.auction.rules;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** A bid in the history of an item. */
public record PlacedBid(
    int user, String nickname, Money amount, int quantity, LocalDateTime date) {}

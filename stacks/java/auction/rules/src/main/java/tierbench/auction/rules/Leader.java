package tierbench.auction.rules;

import tierbench.common.Money;

/** Who would pay most for an item so far. */
public record Leader(int user, Money most, int quantity) {}

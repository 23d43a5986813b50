package tierbench.bookstore.rules;

import tierbench.common.Money;

/** A line of a cart as it is shown, at the price for everybody. */
public record CartBook(Cover cover, Money price, Money suggestedPrice, String binding, int quantity)
    implements Priced {}

package tierbench.bookstore.rules;

import tierbench.common.Money;

/** A line of an order as it is shown. */
public record OrderedBook(
    int item, String title, int quantity, int discount, Money price, String comments) {}

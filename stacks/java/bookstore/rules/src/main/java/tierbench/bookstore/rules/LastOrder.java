package tierbench.bookstore.rules;

import java.util.List;

/** All that is shown of an order. */
public record LastOrder(
    PlacedOrder order, Address billedTo, Address sentTo, List<OrderedBook> books) {}

package tierbench.bookstore.rules;

/** What an order takes over of its customer: the discount, and the address with its country. */
public record Buyer(int id, int discount, int address, int country) {}

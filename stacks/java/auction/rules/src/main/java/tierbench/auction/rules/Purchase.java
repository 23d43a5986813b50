package tierbench.auction.rules;

/** How much of an item somebody buys at once. */
public record Purchase(int buyer, int item, int quantity) {}

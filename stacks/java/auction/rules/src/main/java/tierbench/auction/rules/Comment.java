package tierbench.auction.rules;

/** What a user says about the seller of an item. */
public record Comment(int from, int to, int item, int rating, String text) {}

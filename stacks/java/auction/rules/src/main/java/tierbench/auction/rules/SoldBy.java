package tierbench.auction.rules;

/** An item, by its name and who sells or sold it. */
public record SoldBy(int id, String name, int seller) {}

package tierbench.auction.rules;

/** A category or a region. */
public record Named(int id, String name) {}

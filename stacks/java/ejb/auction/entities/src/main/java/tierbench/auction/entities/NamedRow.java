package tierbench.auction.entities;

/** A category or a region, as a value object. */
public record NamedRow(int id, String name) implements NamedFields {}

package tierbench.auction.entities;

/** A category or a region, as its entity hands it over. */
public record NamedRow(int id, String name) implements NamedFields {}

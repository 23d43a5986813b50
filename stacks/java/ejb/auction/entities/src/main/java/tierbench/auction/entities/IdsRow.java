package tierbench.auction.entities;

/** The row that who gives ids holds until what has them is there. */
public record IdsRow(int id) {}

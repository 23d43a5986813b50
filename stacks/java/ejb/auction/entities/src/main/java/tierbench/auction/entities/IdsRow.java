package tierbench.auction.entities;

/** The row that is locked while ids are given out, until the transaction ends. */
public record IdsRow(int id) {}

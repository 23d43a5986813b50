package tierbench.bookstore.entities;

/** The row that who registers holds. */
public record TurnRow(int id) {}

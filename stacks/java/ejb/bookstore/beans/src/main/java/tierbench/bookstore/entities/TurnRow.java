package tierbench.bookstore.entities;

/** The row that is locked while a customer registers. */
public record TurnRow(int id) {}

package tierbench.bookstore.rules;

/** A line of a cart as it is kept. */
public record CartLine(int id, int item, int quantity) {}

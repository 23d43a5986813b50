package tierbench.bookstore.rules;

/**
 * Which cart it was in the end.
 *
 * @param wasEmpty whether there was nothing in it, so that a book was put there
 */
public record KeptCart(int id, boolean isNew, boolean wasEmpty) {}

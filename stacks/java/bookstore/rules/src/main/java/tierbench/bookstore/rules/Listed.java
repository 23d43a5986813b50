package tierbench.bookstore.rules;

/**
 * A book in a list.
 *
 * @param figure what the list is about: when it was published, or how many copies were sold
 */
public record Listed(int id, String title, String author, String figure) {}

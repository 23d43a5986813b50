package tierbench.bookstore.rules;

/** A country in which customers live. */
public record Country(int id, String name) {}

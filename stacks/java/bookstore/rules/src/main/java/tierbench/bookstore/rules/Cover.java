package tierbench.bookstore.rules;

/** A book as it is promoted. Pictures are paths below the bookstore's. */
public record Cover(int id, String title, String thumbnail) {}

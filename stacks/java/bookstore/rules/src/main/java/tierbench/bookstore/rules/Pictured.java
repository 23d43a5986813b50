package tierbench.bookstore.rules;

/** A book with both of its pictures, paths below the bookstore's. */
public record Pictured(int id, String title, String image, String thumbnail) {}

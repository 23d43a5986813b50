package tierbench.comments.data;

/** What somebody has to say. */
public record Comment(String name, String email, String text) {}

package tierbench.comments;

public record Comment(int id, String name, String email, String comment) {}

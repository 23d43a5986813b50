package tierbench.bookstore.pages;

/** What goes along with a form. */
public record HiddenField(String name, String value) {}

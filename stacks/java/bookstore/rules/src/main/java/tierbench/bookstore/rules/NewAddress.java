package tierbench.bookstore.rules;

/** An address that was typed into a form. */
public record NewAddress(
    String street1, String street2, String city, String state, String zip, int country) {}

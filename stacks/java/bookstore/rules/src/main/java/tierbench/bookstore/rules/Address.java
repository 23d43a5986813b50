package tierbench.bookstore.rules;

/** An address as it is shown, with the name of its country. */
public record Address(
    String street1, String street2, String city, String state, String zip, String country) {}

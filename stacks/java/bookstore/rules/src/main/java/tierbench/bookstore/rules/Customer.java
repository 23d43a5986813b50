package tierbench.bookstore.rules;

/** All that the checkout shows of a customer. */
public record Customer(
    String firstName, String lastName, String email, int discount, Address address) {
  public String name() {
    return firstName + ' ' + lastName;
  }
}

package tierbench.bookstore.entities;

/** An author, as a value object. */
public record AuthorRow(
    int id, String firstName, String lastName, String middleName, String about) {
  /** As lists show it. */
  public String name() {
    return firstName + ' ' + lastName;
  }

  public String fullName() {
    return "%s %s %s".formatted(firstName, middleName, lastName);
  }
}

package tierbench.bookstore.entities;

/** Who has written books, as the entity hands it over. */
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

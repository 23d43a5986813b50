package tierbench.bookstore.rules;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/** Who wants to register: all columns but those that follow from others. */
public record NewCustomer(
    String uname,
    String passwordHash,
    String firstName,
    String lastName,
    NewAddress address,
    String phone,
    String email,
    LocalDate birthdate,
    String data) {
  private static final int HIGHEST_DISCOUNT = 50;

  /** In percent; as good as any. */
  public int discount() {
    int sum = 0;
    for (byte character : uname.getBytes(StandardCharsets.US_ASCII)) {
      sum += character;
    }
    return sum % (HIGHEST_DISCOUNT + 1);
  }
}

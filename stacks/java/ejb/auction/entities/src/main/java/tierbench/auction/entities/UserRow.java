package tierbench.auction.entities;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** A user, as a value object. */
public record UserRow(
    int id,
    String firstname,
    String lastname,
    String nickname,
    String password,
    String email,
    int rating,
    Money balance,
    LocalDateTime created,
    int region)
    implements UserFields {

  /** The row after a comment. */
  public UserRow rated(int more) {
    return with(rating + more, balance);
  }

  /** The row after a fee. */
  public UserRow charged(Money fee) {
    return with(rating, balance.minus(fee));
  }

  private UserRow with(int otherRating, Money otherBalance) {
    return new UserRow(
        id,
        firstname,
        lastname,
        nickname,
        password,
        email,
        otherRating,
        otherBalance,
        created,
        region);
  }
}

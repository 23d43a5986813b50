package tierbench.auction.bmp;

import jakarta.ejb.ObjectNotFoundException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import tierbench.auction.entities.UserRow;

/** A user, with bean-managed persistence. */
public class UserBean extends BmpEntity<UserRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<UserRow> table() {
    return Tables.USERS;
  }

  public Integer ejbFindByNickname(String nickname) throws ObjectNotFoundException {
    return one("WHERE nickname = ?", nickname);
  }

  public Integer getId() {
    return row().content().id();
  }

  public String getFirstname() {
    return row().content().firstname();
  }

  public String getLastname() {
    return row().content().lastname();
  }

  public String getNickname() {
    return row().content().nickname();
  }

  public String getPassword() {
    return row().content().password();
  }

  public String getEmail() {
    return row().content().email();
  }

  public Integer getRating() {
    return row().content().rating();
  }

  public BigDecimal getBalance() {
    return row().content().balance().toDecimal();
  }

  public Timestamp getCreated() {
    return Timestamp.valueOf(row().content().created());
  }

  public Integer getRegion() {
    return row().content().region();
  }
}

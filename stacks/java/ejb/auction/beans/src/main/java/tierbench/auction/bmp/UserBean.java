package tierbench.auction.bmp;

import jakarta.ejb.ObjectNotFoundException;
import java.io.Serial;
import tierbench.auction.entities.UserRow;

/** Who sells, bids, buys and comments. It keeps its state itself. */
public class UserBean extends KeptByItself<UserRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<UserRow> table() {
    return Tables.USERS;
  }

  public Integer ejbFindByNickname(String nickname) throws ObjectNotFoundException {
    return one("WHERE nickname = ?", nickname);
  }
}

package tierbench.auction.bmp;

import java.io.Serial;

/** A user, locked until the transaction ends. */
public class LockedUserBean extends UserBean {
  @Serial private static final long serialVersionUID = 1;

  @Override
  String lock() {
    return " FOR UPDATE";
  }
}

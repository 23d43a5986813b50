package tierbench.auction.bmp;

import java.io.Serial;

/** An item, locked until the transaction ends. */
public class LockedItemBean extends ItemBean {
  @Serial private static final long serialVersionUID = 1;

  @Override
  String lock() {
    return " FOR UPDATE";
  }
}

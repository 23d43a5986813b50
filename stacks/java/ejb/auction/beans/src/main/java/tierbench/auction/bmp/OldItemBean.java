package tierbench.auction.bmp;

import java.io.Serial;
import tierbench.auction.entities.ItemRow;

/** An item that was archived. */
public class OldItemBean extends ItemBean {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<ItemRow> table() {
    return Tables.OLD_ITEMS;
  }
}

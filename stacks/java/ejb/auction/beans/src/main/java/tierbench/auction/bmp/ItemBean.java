package tierbench.auction.bmp;

import java.io.Serial;
import java.util.Collection;
import tierbench.auction.entities.ItemRow;

/** An item for sale. It keeps its state itself. */
public class ItemBean extends KeptByItself<ItemRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<ItemRow> table() {
    return Tables.ITEMS;
  }

  public Collection<Integer> ejbFindOfSeller(Integer seller) {
    return all("WHERE seller = ?", seller);
  }
}

package tierbench.auction.bmp;

import java.io.Serial;
import java.util.Collection;
import tierbench.auction.entities.BidRow;

/** A bid. It keeps its state itself. */
public class BidBean extends KeptByItself<BidRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<BidRow> table() {
    return Tables.BIDS;
  }

  public Collection<Integer> ejbFindOfItem(Integer item) {
    return all("WHERE item_id = ? ORDER BY date DESC, id DESC", item);
  }

  public Collection<Integer> ejbFindOfUser(Integer user) {
    return all("WHERE user_id = ?", user);
  }
}

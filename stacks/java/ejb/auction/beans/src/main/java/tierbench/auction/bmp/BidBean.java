package tierbench.auction.bmp;

import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Collection;
import tierbench.auction.entities.BidRow;

/** A bid, with bean-managed persistence. */
public class BidBean extends BmpEntity<BidRow> {
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

  public Integer getId() {
    return row().content().id();
  }

  public Integer getUser() {
    return row().content().user();
  }

  public Integer getItem() {
    return row().content().item();
  }

  public Integer getQuantity() {
    return row().content().quantity();
  }

  public BigDecimal getAmount() {
    return row().content().amount().toDecimal();
  }

  public BigDecimal getMost() {
    return row().content().most().toDecimal();
  }

  public Timestamp getPlaced() {
    return Timestamp.valueOf(row().content().placed());
  }
}

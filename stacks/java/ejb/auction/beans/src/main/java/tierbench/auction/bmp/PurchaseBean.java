package tierbench.auction.bmp;

import java.io.Serial;
import java.sql.Timestamp;
import java.util.Collection;
import tierbench.auction.entities.PurchaseRow;

/** A purchase, with bean-managed persistence. */
public class PurchaseBean extends BmpEntity<PurchaseRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<PurchaseRow> table() {
    return Tables.PURCHASES;
  }

  public Collection<Integer> ejbFindOfBuyer(Integer buyer) {
    return all("WHERE buyer_id = ?", buyer);
  }

  public Integer getId() {
    return row().content().id();
  }

  public Integer getBuyer() {
    return row().content().buyer();
  }

  public Integer getItem() {
    return row().content().item();
  }

  public Integer getQuantity() {
    return row().content().quantity();
  }

  public Timestamp getBought() {
    return Timestamp.valueOf(row().content().bought());
  }
}

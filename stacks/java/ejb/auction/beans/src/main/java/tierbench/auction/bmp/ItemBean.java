package tierbench.auction.bmp;

import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Collection;
import tierbench.auction.entities.ItemRow;
import tierbench.common.Money;

/** An item for sale, with bean-managed persistence. */
public class ItemBean extends BmpEntity<ItemRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<ItemRow> table() {
    return Tables.ITEMS;
  }

  public Collection<Integer> ejbFindOfSeller(Integer seller) {
    return all("WHERE seller = ?", seller);
  }

  public Integer getId() {
    return row().content().id();
  }

  public String getName() {
    return row().content().name();
  }

  public String getDescription() {
    return row().content().description();
  }

  public BigDecimal getInitialPrice() {
    return row().content().initialPrice().toDecimal();
  }

  public Integer getQuantity() {
    return row().content().quantity();
  }

  public BigDecimal getReservePrice() {
    return row().content().reservePrice().toDecimal();
  }

  public BigDecimal getBuyNow() {
    return row().content().buyNow().toDecimal();
  }

  public Integer getBids() {
    return row().content().bids();
  }

  public BigDecimal getHighestBid() {
    return row().content().highestBid().map(Money::toDecimal).orElse(null);
  }

  public Timestamp getStart() {
    return Timestamp.valueOf(row().content().start());
  }

  public Timestamp getEnd() {
    return Timestamp.valueOf(row().content().end());
  }

  public Integer getSeller() {
    return row().content().seller();
  }

  public Integer getCategory() {
    return row().content().category();
  }
}

package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** An item for sale, or an old one. */
public interface ItemEntity extends EJBLocalObject {
  Integer getId();

  String getName();

  String getDescription();

  BigDecimal getInitialPrice();

  Integer getQuantity();

  void setQuantity(Integer quantity);

  BigDecimal getReservePrice();

  BigDecimal getBuyNow();

  Integer getBids();

  void setBids(Integer bids);

  BigDecimal getHighestBid();

  void setHighestBid(BigDecimal highestBid);

  Timestamp getStart();

  Timestamp getEnd();

  void setEnd(Timestamp end);

  Integer getSeller();

  Integer getCategory();
}

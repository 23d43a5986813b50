package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** A bid. */
public interface BidEntity extends EJBLocalObject {
  Integer getId();

  Integer getUser();

  Integer getItem();

  Integer getQuantity();

  BigDecimal getAmount();

  BigDecimal getMost();

  Timestamp getPlaced();
}

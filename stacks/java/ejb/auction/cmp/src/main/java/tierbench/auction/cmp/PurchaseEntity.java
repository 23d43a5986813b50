package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;
import java.sql.Timestamp;

/** What was bought at once. */
public interface PurchaseEntity extends EJBLocalObject {
  Integer getId();

  Integer getBuyer();

  Integer getItem();

  Integer getQuantity();

  Timestamp getBought();
}

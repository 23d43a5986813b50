package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;
import java.sql.Timestamp;
import java.util.Collection;

/** Where entities of this kind are found and made. */
public interface PurchaseHome extends EJBLocalHome {
  PurchaseEntity create(Integer id, Integer buyer, Integer item, Integer quantity, Timestamp bought)
      throws CreateException;

  PurchaseEntity findByPrimaryKey(Integer id) throws FinderException;

  Collection<PurchaseEntity> findOfBuyer(Integer buyer) throws FinderException;
}

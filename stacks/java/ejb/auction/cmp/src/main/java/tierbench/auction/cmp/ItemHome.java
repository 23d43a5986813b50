package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Collection;

/** Where entities of this kind are found and made. */
public interface ItemHome extends EJBLocalHome {
  ItemEntity create(
      Integer id,
      String name,
      String description,
      BigDecimal initialPrice,
      Integer quantity,
      BigDecimal reservePrice,
      BigDecimal buyNow,
      Integer bids,
      BigDecimal highestBid,
      Timestamp start,
      Timestamp end,
      Integer seller,
      Integer category)
      throws CreateException;

  ItemEntity findByPrimaryKey(Integer id) throws FinderException;

  Collection<ItemEntity> findOfSeller(Integer seller) throws FinderException;
}

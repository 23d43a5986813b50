package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Collection;

/** Where entities of this kind are found and made. */
public interface BidHome extends EJBLocalHome {
  BidEntity create(
      Integer id,
      Integer user,
      Integer item,
      Integer quantity,
      BigDecimal amount,
      BigDecimal most,
      Timestamp placed)
      throws CreateException;

  BidEntity findByPrimaryKey(Integer id) throws FinderException;

  Collection<BidEntity> findOfItem(Integer item) throws FinderException;

  Collection<BidEntity> findOfUser(Integer user) throws FinderException;
}

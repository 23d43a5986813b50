package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;

/** Where entities of this kind are found. */
public interface IdsHome extends EJBLocalHome {
  IdsEntity findByPrimaryKey(Integer id) throws FinderException;
}

package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;
import java.util.Collection;

/** Where entities of this kind are found. */
public interface NamedHome extends EJBLocalHome {
  NamedEntity findByPrimaryKey(Integer id) throws FinderException;

  Collection<NamedEntity> findAll() throws FinderException;
}

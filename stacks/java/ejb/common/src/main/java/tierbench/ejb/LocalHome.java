package tierbench.ejb;

import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;

/** Where entities are found from within their container. */
public interface LocalHome<R extends Record> extends EJBLocalHome {
  LocalEntity<R> findByPrimaryKey(Integer id) throws FinderException;
}

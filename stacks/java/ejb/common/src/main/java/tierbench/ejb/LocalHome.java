package tierbench.ejb;

import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;

/** Local home of entities. */
public interface LocalHome<R extends Record> extends EJBLocalHome {
  LocalEntity<R> findByPrimaryKey(Integer id) throws FinderException;
}

package tierbench.auction.entities;

import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;

/** Where entities are found from anywhere. */
public interface RemoteHome<R extends Record> extends EJBHome {
  RemoteEntity<R> findByPrimaryKey(Integer id) throws FinderException, RemoteException;
}

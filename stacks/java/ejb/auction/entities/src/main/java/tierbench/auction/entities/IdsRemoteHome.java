package tierbench.auction.entities;

import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;

/** Remote home of the row of ids. */
public interface IdsRemoteHome extends EJBHome {
  RemoteEntity<IdsRow> findByPrimaryKey(Integer id) throws FinderException, RemoteException;
}

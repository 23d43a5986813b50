package tierbench.auction.entities;

import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;

/** Where the row of ids is found from anywhere. */
public interface RemoteIds extends EJBHome {
  RemoteEntity<IdsRow> findByPrimaryKey(Integer id) throws FinderException, RemoteException;
}

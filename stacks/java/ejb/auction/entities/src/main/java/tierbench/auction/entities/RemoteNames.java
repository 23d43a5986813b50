package tierbench.auction.entities;

import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;

/** Where categories or regions are found from anywhere. */
public interface RemoteNames extends EJBHome {
  RemoteNamed findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  Collection<RemoteNamed> findAll() throws FinderException, RemoteException;
}

package tierbench.auction.entities;

import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;

/** Remote home of categories or regions. */
public interface NamedRemoteHome extends EJBHome {
  RemoteNamed findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  Collection<RemoteNamed> findAll() throws FinderException, RemoteException;
}

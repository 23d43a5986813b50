package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import java.rmi.RemoteException;

/** Remote home of the bean that queries the database. */
public interface QueriesRemoteHome extends EJBHome {
  RemoteQueries create() throws CreateException, RemoteException;
}

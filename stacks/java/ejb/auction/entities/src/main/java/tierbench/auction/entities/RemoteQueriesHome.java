package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import java.rmi.RemoteException;

/** Where the bean is found that asks the database. */
public interface RemoteQueriesHome extends EJBHome {
  RemoteQueries create() throws CreateException, RemoteException;
}

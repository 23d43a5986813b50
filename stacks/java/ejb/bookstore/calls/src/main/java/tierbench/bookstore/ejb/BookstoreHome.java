package tierbench.bookstore.ejb;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import java.rmi.RemoteException;

/** Remote home of the session bean that servlets call. */
public interface BookstoreHome extends EJBHome {
  Bookstore create() throws CreateException, RemoteException;
}

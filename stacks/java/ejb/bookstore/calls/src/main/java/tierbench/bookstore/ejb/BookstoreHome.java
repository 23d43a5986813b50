package tierbench.bookstore.ejb;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import java.rmi.RemoteException;

/** Where servlets find the bean that answers them. */
public interface BookstoreHome extends EJBHome {
  Bookstore create() throws CreateException, RemoteException;
}

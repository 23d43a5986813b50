package tierbench.auction.ejb;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import java.rmi.RemoteException;

/** Where servlets find the bean that answers them. */
public interface AuctionHome extends EJBHome {
  Auction create() throws CreateException, RemoteException;
}

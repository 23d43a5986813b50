package tierbench.auction.ejb;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import java.rmi.RemoteException;

/** Remote home of the session bean that servlets call. */
public interface AuctionHome extends EJBHome {
  Auction create() throws CreateException, RemoteException;
}

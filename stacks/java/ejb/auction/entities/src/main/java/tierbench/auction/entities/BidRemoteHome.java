package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Remote home of bids. */
public interface BidRemoteHome extends EJBHome {
  RemoteBid findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  RemoteBid create(Parcel<BidRow> row) throws CreateException, RemoteException;

  Collection<RemoteBid> findOfItem(Integer item) throws FinderException, RemoteException;

  Collection<RemoteBid> findOfUser(Integer user) throws FinderException, RemoteException;
}

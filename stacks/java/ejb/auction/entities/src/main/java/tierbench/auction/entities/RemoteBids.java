package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Where bids are found and made from anywhere. */
public interface RemoteBids extends RemoteHome<BidRow> {
  RemoteEntity<BidRow> create(Parcel<BidRow> row) throws CreateException, RemoteException;

  Collection<RemoteEntity<BidRow>> findOfItem(Integer item) throws FinderException, RemoteException;

  Collection<RemoteEntity<BidRow>> findOfUser(Integer user) throws FinderException, RemoteException;
}

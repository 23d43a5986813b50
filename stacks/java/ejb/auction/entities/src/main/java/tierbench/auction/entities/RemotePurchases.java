package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Where purchases are found and made from anywhere. */
public interface RemotePurchases extends RemoteHome<PurchaseRow> {
  RemoteEntity<PurchaseRow> create(Parcel<PurchaseRow> row) throws CreateException, RemoteException;

  Collection<RemoteEntity<PurchaseRow>> findOfBuyer(Integer buyer)
      throws FinderException, RemoteException;
}

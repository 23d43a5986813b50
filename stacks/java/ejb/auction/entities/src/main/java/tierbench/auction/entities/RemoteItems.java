package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Where items are found and made from anywhere. */
public interface RemoteItems extends RemoteHome<ItemRow> {
  RemoteEntity<ItemRow> create(Parcel<ItemRow> row) throws CreateException, RemoteException;

  Collection<RemoteEntity<ItemRow>> findOfSeller(Integer seller)
      throws FinderException, RemoteException;
}

package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Remote home of items. */
public interface ItemRemoteHome extends EJBHome {
  RemoteItem findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  RemoteItem create(Parcel<ItemRow> row) throws CreateException, RemoteException;

  Collection<RemoteItem> findOfSeller(Integer seller) throws FinderException, RemoteException;
}

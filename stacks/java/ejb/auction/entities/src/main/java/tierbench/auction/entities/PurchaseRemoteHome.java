package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Remote home of purchases. */
public interface PurchaseRemoteHome extends EJBHome {
  RemotePurchase findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  RemotePurchase create(Parcel<PurchaseRow> row) throws CreateException, RemoteException;

  Collection<RemotePurchase> findOfBuyer(Integer buyer) throws FinderException, RemoteException;
}

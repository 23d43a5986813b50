package tierbench.auction.entities;

import java.rmi.RemoteException;
import java.sql.Timestamp;

/** What was bought at once, called from anywhere: for its row, or for one field after the other. */
public interface RemotePurchase extends RemoteEntity<PurchaseRow> {
  Integer getId() throws RemoteException;

  Integer getBuyer() throws RemoteException;

  Integer getItem() throws RemoteException;

  Integer getQuantity() throws RemoteException;

  Timestamp getBought() throws RemoteException;
}

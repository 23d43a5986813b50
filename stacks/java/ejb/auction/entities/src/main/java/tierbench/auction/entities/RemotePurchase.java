package tierbench.auction.entities;

import java.rmi.RemoteException;
import java.sql.Timestamp;

/** A purchase, by its remote interface: its row, or single fields. */
public interface RemotePurchase extends RemoteEntity<PurchaseRow> {
  Integer getId() throws RemoteException;

  Integer getBuyer() throws RemoteException;

  Integer getItem() throws RemoteException;

  Integer getQuantity() throws RemoteException;

  Timestamp getBought() throws RemoteException;
}

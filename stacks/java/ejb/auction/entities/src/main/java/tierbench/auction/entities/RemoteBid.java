package tierbench.auction.entities;

import java.math.BigDecimal;
import java.rmi.RemoteException;
import java.sql.Timestamp;

/** A bid, by its remote interface: its row, or single fields. */
public interface RemoteBid extends RemoteEntity<BidRow> {
  Integer getId() throws RemoteException;

  Integer getUser() throws RemoteException;

  Integer getItem() throws RemoteException;

  Integer getQuantity() throws RemoteException;

  BigDecimal getAmount() throws RemoteException;

  BigDecimal getMost() throws RemoteException;

  Timestamp getPlaced() throws RemoteException;
}

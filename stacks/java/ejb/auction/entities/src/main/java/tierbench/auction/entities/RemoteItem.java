package tierbench.auction.entities;

import java.math.BigDecimal;
import java.rmi.RemoteException;
import java.sql.Timestamp;

/** An item for sale, or an old one, by its remote interface: its row, or single fields. */
public interface RemoteItem extends RemoteEntity<ItemRow> {
  Integer getId() throws RemoteException;

  String getName() throws RemoteException;

  String getDescription() throws RemoteException;

  BigDecimal getInitialPrice() throws RemoteException;

  Integer getQuantity() throws RemoteException;

  BigDecimal getReservePrice() throws RemoteException;

  BigDecimal getBuyNow() throws RemoteException;

  Integer getBids() throws RemoteException;

  BigDecimal getHighestBid() throws RemoteException;

  Timestamp getStart() throws RemoteException;

  Timestamp getEnd() throws RemoteException;

  Integer getSeller() throws RemoteException;

  Integer getCategory() throws RemoteException;
}

package tierbench.auction.entities;

import java.math.BigDecimal;
import java.rmi.RemoteException;
import java.sql.Timestamp;

/** A user, by its remote interface: its row, or single fields. */
public interface RemoteUser extends RemoteEntity<UserRow> {
  Integer getId() throws RemoteException;

  String getFirstname() throws RemoteException;

  String getLastname() throws RemoteException;

  String getNickname() throws RemoteException;

  String getPassword() throws RemoteException;

  String getEmail() throws RemoteException;

  Integer getRating() throws RemoteException;

  BigDecimal getBalance() throws RemoteException;

  Timestamp getCreated() throws RemoteException;

  Integer getRegion() throws RemoteException;
}

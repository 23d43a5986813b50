package tierbench.auction.entities;

import jakarta.ejb.EJBObject;
import java.rmi.RemoteException;
import tierbench.ejb.Parcel;

/**
 * An entity of any kind, called from anywhere. It hands over all that it holds at once, since a
 * call for each column would be one over the network.
 */
public interface RemoteEntity<R extends Record> extends EJBObject {
  Parcel<R> row() throws RemoteException;

  /** Takes over what differs of the columns that may change. */
  void change(Parcel<R> row) throws RemoteException;
}

package tierbench.auction.entities;

import jakarta.ejb.EJBObject;
import java.rmi.RemoteException;
import tierbench.ejb.Parcel;

/**
 * An entity of any kind, called from anywhere. It hands over all that it holds at once. Who asks
 * the getters of its kind instead makes a call for each field.
 */
public interface RemoteEntity<R extends Record> extends EJBObject {
  Parcel<R> row() throws RemoteException;

  /** Takes over what differs of the columns that may change. */
  void change(Parcel<R> row) throws RemoteException;
}

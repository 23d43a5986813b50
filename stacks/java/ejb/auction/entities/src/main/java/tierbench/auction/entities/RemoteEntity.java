package tierbench.auction.entities;

import jakarta.ejb.EJBObject;
import java.rmi.RemoteException;
import tierbench.ejb.Parcel;

/**
 * The remote interface of all entities: the whole row in one call. Getters of subinterfaces are one
 * call for each field.
 */
public interface RemoteEntity<R extends Record> extends EJBObject {
  Parcel<R> row() throws RemoteException;

  /** Changes the columns that may change and differ. */
  void change(Parcel<R> row) throws RemoteException;
}
